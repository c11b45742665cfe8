/** Distinct words that are counted; transcripts of noise can hold any number of others. */
const mostWords = 100_000;

/**
 * How often each word occurs, in numbered cells. Words have numbers, so that a cell costs four bytes a word; words beyond the
 * first hundred thousand are not counted.
 */
export class WordCells {
  readonly #numbers = new Map<string, number>();
  readonly #cells: Uint32Array[] = [];
  /** Whether words were left out. */
  overflowed = false;

  add(cell: number, word: string): void {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      if (this.#numbers.size === mostWords) {
        this.overflowed = true;
        return;
      }
      number = this.#numbers.size;
      this.#numbers.set(word, number);
    }
    while (this.#cells.length <= cell) this.#cells.push(new Uint32Array(0));
    let counts = this.#cells[cell]!;
    if (number >= counts.length) {
      const longer = new Uint32Array(Math.max(16, Math.ceil(1.5 * (number + 1))));
      longer.set(counts);
      counts = longer;
      this.#cells[cell] = counts;
    }
    counts[number]!++;
  }

  /** The words of a cell with their counts, in the order in which words were first met. */
  counts(cell: number): Map<string, number> {
    const counts = this.#cells[cell] ?? new Uint32Array(0);
    const found = new Map<string, number>();
    for (const [word, number] of this.#numbers) {
      const count = counts[number] ?? 0;
      if (count > 0) found.set(word, count);
    }
    return found;
  }
}
