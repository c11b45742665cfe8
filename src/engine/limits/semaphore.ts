/** Gives back a permit. Calling it again does nothing. */
export type Release = () => void;

/** So many at once, the others in the order in which they came. */
export interface Semaphore {
  /** Rejects with the signal's reason when it is aborted while waiting. */
  acquire(signal: AbortSignal): Promise<Release>;
}

/** @param permits how many may be held at once, at least 1 */
export function createSemaphore(permits: number): Semaphore {
  let free = permits;
  const queue = new Set<() => void>();

  const release = () => {
    const first = queue.values().next();
    if (first.done) {
      free++;
    } else {
      queue.delete(first.value);
      first.value();
    }
  };
  const once = (): Release => {
    let held = true;
    return () => {
      if (held) release();
      held = false;
    };
  };

  return {
    acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free--;
        return Promise.resolve(once());
      }
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          queue.delete(grant);
          reject(signal.reason);
        };
        const grant = () => {
          signal.removeEventListener('abort', onAbort);
          resolve(once());
        };
        queue.add(grant);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
