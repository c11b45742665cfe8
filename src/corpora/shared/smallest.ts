/** Keeps the smallest of the texts it is given, in memory that grows only with how many are kept. */
export interface Smallest {
  add(text: string): void;
  /** The largest of those kept, or null where fewer came than are kept: then every text belongs to them. */
  threshold(): string | null;
}

/**
 * A bounded max-heap over texts, compared by code unit.
 *
 * @param count how many to keep, at least 1
 */
export function createSmallest(count: number): Smallest {
  const heap: string[] = [];

  const siftUp = (from: number) => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! >= heap[at]!) return;
      [heap[parent], heap[at]] = [heap[at]!, heap[parent]!];
      at = parent;
    }
  };
  const siftDown = () => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const larger = left + 1 < heap.length && heap[left + 1]! > heap[left]! ? left + 1 : left;
      if (heap[at]! >= heap[larger]!) return;
      [heap[at], heap[larger]] = [heap[larger]!, heap[at]!];
      at = larger;
    }
  };

  return {
    add(text) {
      if (heap.length < count) {
        heap.push(text);
        siftUp(heap.length - 1);
      } else if (text < heap[0]!) {
        heap[0] = text;
        siftDown();
      }
    },
    threshold: () => (heap.length < count ? null : heap[0]!),
  };
}
