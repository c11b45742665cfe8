/** So many of the last moments are looked at: enough to even out what differs from one to the next, few enough to follow a machine that gets busier. */
const looked = 32;
/** What is done within so long is done at one moment: answers of other machines come many together. */
const momentMs = 100;

/** How long the rest takes of what is done share by share, at the pace since it was first told of. */
export class ShareLeft {
  #begun: { readonly ms: number; readonly share: number } | null = null;

  /**
   * @param share done so far; where it falls, the same is begun again
   * @returns null while nothing can be said
   */
  secondsLeft(share: number, nowMs: number): number | null {
    if (this.#begun === null || share < this.#begun.share) this.#begun = { ms: nowMs, share };
    const done = share - this.#begun.share;
    return done === 0 ? null : ((nowMs - this.#begun.ms) / 1000 / done) * (1 - share);
  }
}

/** How long one takes at present, of things that are done one after another or several at once. */
export class Pace {
  readonly #moments: { readonly ms: number; done: number }[];

  /** @param startedMs when the first of them began, by a monotonic clock */
  constructor(startedMs: number) {
    this.#moments = [{ ms: startedMs, done: 0 }];
  }

  done(nowMs: number): void {
    const last = this.#moments.at(-1)!;
    if (this.#moments.length > 1 && nowMs - last.ms < momentMs) {
      last.done++;
      return;
    }
    this.#moments.push({ ms: nowMs, done: 1 });
    if (this.#moments.length > looked + 1) this.#moments.shift();
  }

  /**
   * Seconds between two of the last that were done; where none has been done for longer than that, what has passed since counts too.
   *
   * @returns null where none was done
   */
  secondsEach(nowMs: number): number | null {
    const [first, ...later] = this.#moments;
    const done = later.reduce((sum, moment) => sum + moment.done, 0);
    return done === 0 ? null : (nowMs - first!.ms) / 1000 / done;
  }
}
