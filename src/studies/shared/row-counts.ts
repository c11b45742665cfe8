/** What has been added to some rows. */
interface RowTotals {
  readonly errors: number;
  readonly words: number;
  readonly trials: number;
  readonly utterances: number;
}

/** Errors, words, trials, utterances. */
const fields = 4;

/**
 * Errors, reference words, trials and utterances by row (a row is a speaker, or a speaker within a group). Sixteen bytes a
 * row, so that memory follows the number of speakers and never the number of trials; rows that nothing is added to cost
 * nothing as long as they are many.
 */
export class RowCounts {
  #counts = new Uint32Array(8 * fields);
  /** Rows in the order in which they came; null once most rows have come, and places are rows. */
  #places: Map<number, number> | null = new Map();
  #highest = -1;

  add(row: number, errors: number, words: number, trials: number, utterances: number): void {
    const start = fields * this.#placeFor(row);
    this.#counts[start]! += errors;
    this.#counts[start + 1]! += words;
    this.#counts[start + 2]! += trials;
    this.#counts[start + 3]! += utterances;
  }

  /** Rows that nothing was added to are 0. */
  errors(row: number): number {
    return this.#at(row, 0);
  }

  words(row: number): number {
    return this.#at(row, 1);
  }

  trials(row: number): number {
    return this.#at(row, 2);
  }

  utterances(row: number): number {
    return this.#at(row, 3);
  }

  /** The sums over some rows. */
  totals(rows: readonly number[]): RowTotals {
    const totals = { errors: 0, words: 0, trials: 0, utterances: 0 };
    for (const row of rows) {
      totals.errors += this.errors(row);
      totals.words += this.words(row);
      totals.trials += this.trials(row);
      totals.utterances += this.utterances(row);
    }
    return totals;
  }

  #at(row: number, field: number): number {
    const place = this.#places === null ? row : this.#places.get(row);
    return place === undefined ? 0 : (this.#counts[fields * place + field] ?? 0);
  }

  #placeFor(row: number): number {
    if (this.#places === null) {
      if (fields * row >= this.#counts.length)
        this.#resize(Math.max(row + 1, Math.ceil((1.5 * this.#counts.length) / fields)));
      return row;
    }
    const known = this.#places.get(row);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#highest = Math.max(this.#highest, row);
    if (fields * place >= this.#counts.length) {
      // A row in a Map costs about as much as three more without one.
      if (4 * place > this.#highest) {
        this.#spread(this.#places);
        return row;
      }
      this.#resize(2 * place);
    }
    this.#places.set(row, place);
    return place;
  }

  #resize(rows: number): void {
    const counts = new Uint32Array(fields * rows);
    counts.set(this.#counts);
    this.#counts = counts;
  }

  /** Gives every row the place of its own number. */
  #spread(places: ReadonlyMap<number, number>): void {
    const counts = new Uint32Array(fields * Math.ceil(1.5 * (this.#highest + 1)));
    for (const [row, place] of places) {
      counts.set(this.#counts.subarray(fields * place, fields * (place + 1)), fields * row);
    }
    this.#counts = counts;
    this.#places = null;
  }
}
