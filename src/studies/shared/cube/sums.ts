/** Sums of several counts by unit (a speaker, a recording), with how many utterances and facts stand behind them. */
export class Sums {
  readonly #fields: number;
  #table: Float64Array;
  #facts: Uint32Array;
  #utterances: Uint32Array;
  #last = 0;
  /** Facts of the utterance that was added last. */
  lately = 0;
  /** What was added: answers. */
  facts = 0;

  /** @param fields how many counts */
  constructor(fields: number) {
    this.#fields = fields;
    this.#table = new Float64Array(4 * fields);
    this.#facts = new Uint32Array(4);
    this.#utterances = new Uint32Array(4);
  }

  /**
   * @param values of each count
   * @param utterance a number above 0 that only facts of one utterance in a row share; null: what is added is beside the answers
   */
  add(unit: number, values: Float64Array, utterance: number | null): void {
    if (unit >= this.#facts.length) this.#grow(unit);
    const start = unit * this.#fields;
    for (let field = 0; field < values.length; field++) this.#table[start + field]! += values[field]!;
    if (utterance === null) return;
    this.#facts[unit]!++;
    this.facts++;
    if (utterance !== this.#last) {
      this.#utterances[unit]!++;
      this.lately = 0;
    }
    this.lately++;
    this.#last = utterance;
  }

  /** The utterance that was added last counts for none: there is more of it elsewhere. */
  uncountLast(unit: number): void {
    this.#utterances[unit]!--;
  }

  #grow(unit: number): void {
    const units = Math.ceil(1.5 * (unit + 1));
    const longer = <Values extends Float64Array | Uint32Array>(values: Values, empty: Values) => {
      empty.set(values);
      return empty;
    };
    this.#table = longer(this.#table, new Float64Array(units * this.#fields));
    this.#facts = longer(this.#facts, new Uint32Array(units));
    this.#utterances = longer(this.#utterances, new Uint32Array(units));
  }

  /** Places that units have here; all others have nothing. */
  get length(): number {
    return this.#facts.length;
  }

  at(unit: number, field: number): number {
    return this.#table[unit * this.#fields + field] ?? 0;
  }

  factsOf(unit: number): number {
    return this.#facts[unit] ?? 0;
  }

  utterancesOf(unit: number): number {
    return this.#utterances[unit] ?? 0;
  }
}

/** Sums of one cell, without what is taken out of them. */
export interface SumsLess {
  readonly sums: Sums;
  readonly less?: Sums | undefined;
  /** Parts of other names here have no utterance in common: a language. All may have the same if absent. */
  readonly apart?: string | undefined;
}

/** Sums of several cells as those of one. */
export class SumsTogether {
  readonly #parts: readonly SumsLess[];
  readonly #apart: readonly (readonly SumsLess[])[];
  readonly #length: number;

  constructor(parts: readonly SumsLess[]) {
    this.#parts = parts;
    this.#apart = [...Map.groupBy(parts, ({ apart }) => apart).values()];
    this.#length = Math.max(0, ...parts.map(({ sums }) => sums.length));
  }

  get facts(): number {
    return this.#parts.reduce((sum, { sums, less }) => sum + sums.facts - (less?.facts ?? 0), 0);
  }

  /**
   * Units of which there is anything.
   *
   * @param field of which they have more than 0, if given
   */
  units(field?: number): number[] {
    const facts = (unit: number) =>
      this.#parts.reduce((sum, { sums, less }) => sum + sums.factsOf(unit) - (less?.factsOf(unit) ?? 0), 0);
    const some = (unit: number) => (field === undefined ? facts(unit) : this.#at(unit, field)) > 0;
    return Array.from({ length: this.#length }, (_, unit) => unit).filter(some);
  }

  /** How many utterances these units have. One may be in every cell: the most that one cell has is how many there are. */
  utterances(units: readonly number[]): number {
    let utterances = 0;
    for (const unit of units) {
      for (const parts of this.#apart) {
        const own = parts.map(({ sums, less }) => sums.utterancesOf(unit) - (less?.utterancesOf(unit) ?? 0));
        utterances += Math.max(...own);
      }
    }
    return utterances;
  }

  /**
   * A count by unit.
   *
   * @param units how many places
   */
  column(field: number, units = this.#length): Float64Array {
    const column = new Float64Array(units);
    for (const { sums, less } of this.#parts) {
      for (let unit = 0; unit < units; unit++) {
        column[unit]! += sums.at(unit, field) - (less === undefined ? 0 : less.at(unit, field));
      }
    }
    return column;
  }

  total(field: number): number {
    return this.column(field).reduce((sum, value) => sum + value, 0);
  }

  #at(unit: number, field: number): number {
    let sum = 0;
    for (const { sums, less } of this.#parts)
      sum += sums.at(unit, field) - (less === undefined ? 0 : less.at(unit, field));
    return sum;
  }
}
