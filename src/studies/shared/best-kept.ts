/** The best of what is offered, however much that is. */
export interface BestKept<Item> {
  /** Whether something of this rank would be kept: asked before it is made. */
  wants(rank: readonly number[]): boolean;
  offer(rank: readonly number[], item: Item): void;
  /** Best first; of equals the one that was offered first. */
  items(): Item[];
}

/**
 * Keeps the `most` items of highest rank in a heap whose root is the least of them. Ranks are compared number by number;
 * of equal ones the earlier offer is better, so that the outcome depends on nothing but the order of offers.
 *
 * @example
 * const worst = keepBest<string>(2);
 * for (const [rate, id] of [[0.1, 'a'], [0.9, 'b'], [0.5, 'c']] as const) worst.offer([rate], id);
 * worst.items(); // ['b', 'c']
 */
export function keepBest<Item>(most: number): BestKept<Item> {
  const heap: { readonly rank: readonly number[]; readonly offered: number; readonly item: Item }[] = [];
  let offers = 0;

  const worse = (a: (typeof heap)[number], b: (typeof heap)[number]) => {
    const order = compareRanks(a.rank, b.rank);
    return order < 0 || (order === 0 && a.offered > b.offered);
  };
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  const rise = () => {
    for (let place = heap.length - 1; place > 0; ) {
      const parent = (place - 1) >> 1;
      if (!worse(heap[place]!, heap[parent]!)) return;
      swap(place, parent);
      place = parent;
    }
  };
  const sink = () => {
    for (let place = 0; ; ) {
      let least = place;
      for (const child of [2 * place + 1, 2 * place + 2]) {
        if (child < heap.length && worse(heap[child]!, heap[least]!)) least = child;
      }
      if (least === place) return;
      swap(place, least);
      place = least;
    }
  };

  const wants = (rank: readonly number[]) => heap.length < most || (most > 0 && compareRanks(rank, heap[0]!.rank) > 0);
  return {
    wants,
    offer(rank, item) {
      if (!wants(rank)) return;
      const entry = { rank, offered: offers++, item };
      if (heap.length < most) {
        heap.push(entry);
        rise();
      } else {
        heap[0] = entry;
        sink();
      }
    },
    items: () => [...heap].sort((a, b) => (worse(a, b) ? 1 : -1)).map(({ item }) => item),
  };
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let place = 0; place < a.length; place++) {
    if (a[place] !== b[place]) return a[place]! < b[place]! ? -1 : 1;
  }
  return 0;
}
