/** So many of the last are looked at: enough to even out what differs from one to the next, few enough to follow a machine that gets busier. */
const looked = 32;

/** How long one takes at present, of things that are done one after another or several at once. */
export class Pace {
  readonly #doneMs: number[];

  /** @param startedMs when the first of them began, by a monotonic clock */
  constructor(startedMs: number) {
    this.#doneMs = [startedMs];
  }

  done(nowMs: number): void {
    this.#doneMs.push(nowMs);
    if (this.#doneMs.length > looked + 1) this.#doneMs.shift();
  }

  /**
   * Seconds between two of the last that were done; where none has been done for longer than that, what has passed since counts too.
   *
   * @returns null where none was done
   */
  secondsEach(nowMs: number): number | null {
    const done = this.#doneMs.length - 1;
    return done === 0 ? null : (nowMs - this.#doneMs[0]!) / 1000 / done;
  }
}
