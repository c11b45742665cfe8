/** Lets one piece of work follow another. */
export interface Turns {
  /** Begins the work when all that was given before has ended, however it ended. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/**
 * For engines that hear one clip at a time: a call that was given up may still be ending when the next one comes.
 *
 * @example turns.take(() => engine.hear(clip))
 */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const turn = last.then(work);
      last = turn.catch(() => {});
      return turn;
    },
    async idle() {
      await last;
    },
  };
}
