/** What is added up for each row: of transcribed recordings, of all, and of those whose reference is hidden or used. */
export const sumFields = [
  'errors',
  'words',
  'pseudoErrors',
  'pseudoWords',
  'allPseudoErrors',
  'allPseudoWords',
  'transcribed',
  'all',
  'everyError',
  'everyWord',
  'everyReference',
] as const;

/** One of `sumFields`. */
export type SumField = (typeof sumFields)[number];

/** Sums by row (a speaker in a profile). Pseudo errors are means and no whole numbers. */
export class RowSums {
  #table = new Float64Array(16 * sumFields.length);

  add(row: number, values: Partial<Record<SumField, number>>): void {
    const start = row * sumFields.length;
    if (start + sumFields.length > this.#table.length) {
      const longer = new Float64Array(2 * (start + sumFields.length));
      longer.set(this.#table);
      this.#table = longer;
    }
    sumFields.forEach((field, place) => {
      this.#table[start + place]! += values[field] ?? 0;
    });
  }

  /** Rows that nothing was added to are 0. */
  at(row: number, field: SumField): number {
    return this.#table[row * sumFields.length + sumFields.indexOf(field)] ?? 0;
  }
}

/**
 * Means and covariances of errors, words, pseudo errors and pseudo words of transcribed recordings, for the variance of any
 * combination of them that is only known at the end.
 */
export class Moments {
  count = 0;
  readonly #sums = new Float64Array(4);
  readonly #products = new Float64Array(16);

  add(values: readonly [number, number, number, number]): void {
    this.count++;
    values.forEach((value, place) => {
      this.#sums[place]! += value;
      values.forEach((other, index) => {
        this.#products[4 * place + index]! += value * other;
      });
    });
  }

  /** The sum of several. */
  static together(all: readonly Moments[]): Moments {
    const sum = new Moments();
    for (const one of all) {
      sum.count += one.count;
      one.#sums.forEach((value, place) => {
        sum.#sums[place]! += value;
      });
      one.#products.forEach((value, place) => {
        sum.#products[place]! += value;
      });
    }
    return sum;
  }

  /** Mean number of words. */
  get meanWords(): number | null {
    return this.count === 0 ? null : this.#sums[1]! / this.count;
  }

  /** Variance of the values' sum, each times its factor; null for fewer than 2. */
  varianceOf(factors: readonly [number, number, number, number]): number | null {
    if (this.count < 2) return null;
    let [squares, sum] = [0, 0];
    factors.forEach((factor, place) => {
      sum += factor * this.#sums[place]!;
      factors.forEach((other, index) => {
        squares += factor * other * this.#products[4 * place + index]!;
      });
    });
    return Math.max(0, (squares - sum ** 2 / this.count) / (this.count - 1));
  }
}
