/** Sums of several counts by unit (a speaker, a recording), with how many utterances and facts stand behind them. */
export class Sums {
  readonly #fields: number;
  #table: Float64Array;
  #present: Uint32Array;
  #last = 0;
  /** Utterances of which anything was added. */
  utterances = 0;
  /** What was added: answers. */
  facts = 0;

  /** @param fields how many counts */
  constructor(fields: number) {
    this.#fields = fields;
    this.#table = new Float64Array(4 * fields);
    this.#present = new Uint32Array(4);
  }

  /**
   * @param values of each count
   * @param utterance a number above 0 that only facts of one utterance in a row share
   */
  add(unit: number, values: Float64Array, utterance: number): void {
    if (unit >= this.#present.length) this.#grow(unit);
    const start = unit * this.#fields;
    for (let field = 0; field < values.length; field++) this.#table[start + field]! += values[field]!;
    this.#present[unit]!++;
    this.facts++;
    if (utterance !== this.#last) this.utterances++;
    this.#last = utterance;
  }

  #grow(unit: number): void {
    const units = Math.ceil(1.5 * (unit + 1));
    const [table, present] = [new Float64Array(units * this.#fields), new Uint32Array(units)];
    table.set(this.#table);
    present.set(this.#present);
    [this.#table, this.#present] = [table, present];
  }

  /** Units of which anything was added, and not all of it in `less`. */
  units(less?: Sums): number[] {
    return [...this.#present.keys()].filter((unit) => this.#facts(unit, less) > 0);
  }

  /**
   * A count by unit.
   *
   * @param units how many places
   * @param less what is taken out
   */
  column(field: number, units: number, less?: Sums): Float64Array {
    return Float64Array.from(
      { length: units },
      (_, unit) => this.#at(unit, field) - (less === undefined ? 0 : less.#at(unit, field)),
    );
  }

  total(field: number, less?: Sums): number {
    let sum = 0;
    for (const unit of this.#present.keys()) {
      sum += this.#at(unit, field) - (less === undefined ? 0 : less.#at(unit, field));
    }
    return sum;
  }

  #facts(unit: number, less: Sums | undefined): number {
    return (this.#present[unit] ?? 0) - (less === undefined ? 0 : (less.#present[unit] ?? 0));
  }

  #at(unit: number, field: number): number {
    return this.#table[unit * this.#fields + field] ?? 0;
  }
}
