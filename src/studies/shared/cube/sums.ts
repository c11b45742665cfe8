/**
 * Sums of several counts by unit (a speaker, a recording), with how many utterances and facts stand behind them. Units that nothing is added to
 * cost nothing as long as they are many: of pairs of recognizers there are many, and little was answered by one alone.
 */
export class Sums {
  readonly #fields: number;
  #table: Float64Array;
  #facts = new Uint32Array(4);
  #utterances = new Uint32Array(4);
  /** Places of units in the order in which they came; null once most have come, and places are units. */
  #places: Map<number, number> | null = new Map();
  #last = 0;
  /** Facts of the utterance that was added last. */
  lately = 0;
  /** What was added: answers. */
  facts = 0;
  /** Units of this number or more have nothing here. */
  length = 0;

  /** @param fields how many counts */
  constructor(fields: number) {
    this.#fields = fields;
    this.#table = new Float64Array(4 * fields);
  }

  /**
   * @param values of each count
   * @param utterance a number above 0 that only facts of one utterance in a row share; null: what is added is beside the answers
   */
  add(unit: number, values: Float64Array, utterance: number | null): void {
    const place = this.#placeFor(unit);
    const start = place * this.#fields;
    for (let field = 0; field < values.length; field++) this.#table[start + field]! += values[field]!;
    if (utterance === null) return;
    this.#facts[place]!++;
    this.facts++;
    if (utterance !== this.#last) {
      this.#utterances[place]!++;
      this.lately = 0;
    }
    this.lately++;
    this.#last = utterance;
  }

  /** The utterance that was added last counts for none: there is more of it elsewhere. */
  uncountLast(unit: number): void {
    this.#utterances[this.#placeFor(unit)]!--;
  }

  #placeFor(unit: number): number {
    this.length = Math.max(this.length, unit + 1);
    const places = this.#places;
    if (places === null) {
      if (unit >= this.#facts.length) this.#move(Math.ceil(1.5 * (unit + 1)));
      return unit;
    }
    const known = places.get(unit);
    if (known !== undefined) return known;
    if (places.size === this.#facts.length) {
      // A unit in a Map costs about as much as three more without one.
      if (4 * places.size >= this.length) {
        this.#places = null;
        this.#move(Math.ceil(1.5 * this.length), places);
        return unit;
      }
      this.#move(2 * places.size);
    }
    places.set(unit, places.size);
    return places.size - 1;
  }

  /** To tables of so many places. @param from where units are that get places of their own numbers */
  #move(length: number, from?: ReadonlyMap<number, number>): void {
    const [table, facts, utterances, fields] = [this.#table, this.#facts, this.#utterances, this.#fields];
    this.#table = new Float64Array(length * fields);
    this.#facts = new Uint32Array(length);
    this.#utterances = new Uint32Array(length);
    for (const [unit, place] of from ?? Array.from(facts.keys(), (place) => [place, place] as const)) {
      this.#table.set(table.subarray(place * fields, (place + 1) * fields), unit * fields);
      this.#facts[unit] = facts[place]!;
      this.#utterances[unit] = utterances[place]!;
    }
  }

  /** Those of no unit are 0. */
  #placeOf(unit: number): number {
    return this.#places === null ? unit : (this.#places.get(unit) ?? this.#facts.length);
  }

  at(unit: number, field: number): number {
    return this.#table[this.#placeOf(unit) * this.#fields + field] ?? 0;
  }

  factsOf(unit: number): number {
    return this.#facts[this.#placeOf(unit)] ?? 0;
  }

  utterancesOf(unit: number): number {
    return this.#utterances[this.#placeOf(unit)] ?? 0;
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
    const units: number[] = [];
    for (let unit = 0; unit < this.#length; unit++) {
      let some = 0;
      for (const { sums, less } of this.#parts) {
        some += field === undefined ? sums.factsOf(unit) : sums.at(unit, field);
        if (less !== undefined) some -= field === undefined ? less.factsOf(unit) : less.at(unit, field);
      }
      if (some > 0) units.push(unit);
    }
    return units;
  }

  /** How many utterances these units have. One may be in every cell: the most that one cell has is how many there are. */
  utterances(units: readonly number[]): number {
    let utterances = 0;
    for (const parts of this.#apart) {
      for (const unit of units) {
        let most = 0;
        for (const { sums, less } of parts) {
          most = Math.max(most, sums.utterancesOf(unit) - (less?.utterancesOf(unit) ?? 0));
        }
        utterances += most;
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
}
