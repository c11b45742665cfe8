/** What has been added to one row. */
export interface RowTotals {
  readonly errors: number;
  readonly words: number;
  readonly trials: number;
  readonly utterances: number;
}

/**
 * Errors, reference words, trials and utterances by row (a row is a speaker, or a speaker within a group). Sixteen bytes
 * a row, so that memory follows the number of speakers and never the number of trials.
 */
export class RowCounts {
  #errors = new Uint32Array(16);
  #words = new Uint32Array(16);
  #trials = new Uint32Array(16);
  #utterances = new Uint32Array(16);

  add(row: number, errors: number, words: number, trials: number, utterances: number): void {
    if (row >= this.#errors.length) this.#grow(row + 1);
    this.#errors[row]! += errors;
    this.#words[row]! += words;
    this.#trials[row]! += trials;
    this.#utterances[row]! += utterances;
  }

  /** Rows that nothing was added to are 0. */
  errors(row: number): number {
    return this.#errors[row] ?? 0;
  }

  words(row: number): number {
    return this.#words[row] ?? 0;
  }

  trials(row: number): number {
    return this.#trials[row] ?? 0;
  }

  utterances(row: number): number {
    return this.#utterances[row] ?? 0;
  }

  /** The sums over some rows. */
  totals(rows: ArrayLike<number>): RowTotals {
    const totals = { errors: 0, words: 0, trials: 0, utterances: 0 };
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place]!;
      totals.errors += this.errors(row);
      totals.words += this.words(row);
      totals.trials += this.trials(row);
      totals.utterances += this.utterances(row);
    }
    return totals;
  }

  #grow(rows: number): void {
    const room = Math.max(rows, 2 * this.#errors.length);
    const longer = (before: Uint32Array<ArrayBuffer>) => {
      const after = new Uint32Array(room);
      after.set(before);
      return after;
    };
    this.#errors = longer(this.#errors);
    this.#words = longer(this.#words);
    this.#trials = longer(this.#trials);
    this.#utterances = longer(this.#utterances);
  }
}
