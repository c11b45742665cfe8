/** Steps of the histogram: each is larger than the last by this factor, so that a quantile is right to half a percent. */
const step = 1.01;
const least = 1e-7;
const bins = 3300;

/** Counts of positive values in steps that grow with them: quantiles of any number of values in flat memory. */
export class LogHistogram {
  readonly #counts = new Uint32Array(bins);
  #size = 0;

  add(value: number): void {
    const bin = Math.round(Math.log(Math.max(value, least) / least) / Math.log(step));
    this.#counts[Math.min(bins - 1, bin)]! += 1;
    this.#size++;
  }

  get size(): number {
    return this.#size;
  }

  /** The value that so large a share of them reach at most; null where there are none. */
  quantile(share: number): number | null {
    if (this.#size === 0) return null;
    let below = 0;
    for (let bin = 0; bin < bins; bin++) {
      below += this.#counts[bin]!;
      if (below >= share * this.#size) return least * step ** bin;
    }
    return null;
  }
}
