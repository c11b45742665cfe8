import type { Reason } from '../model/reason.ts';

/** What was recorded of a clip. */
export interface CoverageItem {
  /** By name: `sex`, `age`, `accent`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Needed to count speakers; an item without one counts as one speaker of its own. */
  readonly speaker?: string | null;
  /** Needed to count hours. */
  readonly durationSeconds?: number;
  /** How many clips of one speaker it stands for, their durations added up; 1 if absent. */
  readonly clips?: number;
}

export interface CoverageOptions {
  /** Whose combinations are counted: FairLENS takes two for its subgroups, three for its comparison of corpora. */
  readonly attributes: readonly string[];
  /** What is counted. */
  readonly by: 'clips' | 'speakers' | 'hours';
  /** Combinations with less fall below. FairLENS does not state its own. */
  readonly minimum: number;
  /** Values that should occur, also where no item has them; by default those that do. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/** A combination of attribute values. */
export interface CoverageCell {
  /** In the order of the attributes. */
  readonly values: readonly string[];
  readonly amount: number;
  /** What it lacks to the minimum. */
  readonly missing: number;
}

export interface Coverage {
  readonly attributes: readonly string[];
  readonly by: CoverageOptions['by'];
  readonly minimum: number;
  /** Every combination, in the order of the values. */
  readonly cells: readonly CoverageCell[];
  /** Combinations that reach the minimum. */
  readonly covered: number;
  /** These as a share of all; null where there is no combination. */
  readonly share: number | null;
  /** Divergence of the amounts from uniform, in nats (`klToUniform`); null where nothing was counted. */
  readonly klToUniform: number | null;
  /** Combinations below the minimum, those to collect first: most missing first, then those whose values are rarest. */
  readonly toCollect: readonly CoverageCell[];
  /** Clips that lack one of the attributes (or have a value that should not occur) and were not counted. */
  readonly leftOut: number;
  readonly reason?: Reason;
}

const maxCells = 1_000_000;

/**
 * How well a corpus covers every combination of its speakers' attributes (FairLENS, section on data quality): the share of
 * combinations with enough in them, how evenly they are filled, and what to collect next.
 *
 * @throws RangeError for no attribute or one named twice, a negative minimum, more than a million combinations, or hours
 * counted where a duration is missing
 * @example intersectionalCoverage(items, { attributes: ['sex', 'age'], by: 'speakers', minimum: 10 }).toCollect
 */
export function intersectionalCoverage(items: readonly CoverageItem[], options: CoverageOptions): Coverage {
  const { attributes, by, minimum } = options;
  if (attributes.length === 0 || new Set(attributes).size !== attributes.length) {
    throw new RangeError(`expected attributes, each named once, but got ${attributes.length} names`);
  }
  if (!(minimum >= 0)) throw new RangeError(`expected a minimum of at least 0, but got ${minimum}`);
  const valuesOf = attributes.map((attribute) => attributeValues(items, attribute, options.values));
  const count = valuesOf.reduce((product, values) => product * values.length, 1);
  if (count > maxCells) {
    throw new RangeError(`expected at most ${maxCells} combinations, but there are ${count}; take fewer attributes`);
  }

  const amounts = new Float64Array(count);
  const speakers: Set<string>[] = [];
  let leftOut = 0;
  const placeOf = valuesOf.map((values) => new Map(values.map((value, place) => [value, place])));
  for (const item of items) {
    let cell = 0;
    for (let index = 0; index < attributes.length && cell >= 0; index++) {
      const value = ownValue(item.attributes, attributes[index]!);
      const place = value === undefined ? undefined : placeOf[index]!.get(value);
      cell = place === undefined ? -1 : cell * valuesOf[index]!.length + place;
    }
    if (cell < 0) {
      leftOut += item.clips ?? 1;
      continue;
    }
    if (by === 'clips') amounts[cell]! += item.clips ?? 1;
    else if (by === 'hours') amounts[cell]! += hoursOf(item);
    else if (item.speaker === undefined || item.speaker === null) amounts[cell]!++;
    else {
      const known = speakers[cell] ?? new Set();
      speakers[cell] = known;
      if (!known.has(item.speaker)) amounts[cell]!++;
      known.add(item.speaker);
    }
  }

  const cells = Array.from(amounts, (amount, cell) => {
    return { values: valuesAt(cell, valuesOf), amount, missing: Math.max(0, minimum - amount) };
  });
  const reached = cells.filter((cell) => cell.missing === 0).length;
  const divergence = klToUniform(Array.from(amounts));
  return {
    attributes,
    by,
    minimum,
    cells,
    covered: reached,
    share: count === 0 ? null : reached / count,
    klToUniform: divergence.value,
    toCollect: inOrderOfNeed(cells, valuesOf),
    leftOut,
    ...(divergence.reason === undefined ? {} : { reason: divergence.reason }),
  };
}

/** `constructor` is a value that somebody may have written, but not one that every object has. */
function ownValue(attributes: Readonly<Record<string, string>>, attribute: string): string | undefined {
  return Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
}

function attributeValues(
  items: readonly CoverageItem[],
  attribute: string,
  declared: CoverageOptions['values'],
): readonly string[] {
  if (declared && Object.hasOwn(declared, attribute)) return [...new Set(declared[attribute])];
  const found = new Set<string>();
  for (const item of items) {
    const value = ownValue(item.attributes, attribute);
    if (value !== undefined) found.add(value);
  }
  return [...found].sort();
}

function hoursOf(item: CoverageItem): number {
  const { durationSeconds } = item;
  if (durationSeconds === undefined || !(durationSeconds >= 0 && durationSeconds < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`expected a duration in seconds to count hours, but got ${durationSeconds}`);
  }
  return durationSeconds / 3600;
}

function valuesAt(cell: number, valuesOf: readonly (readonly string[])[]): string[] {
  const values: string[] = [];
  let rest = cell;
  for (const choices of valuesOf.toReversed()) {
    values.unshift(choices[rest % choices.length]!);
    rest = Math.floor(rest / choices.length);
  }
  return values;
}

function inOrderOfNeed(cells: readonly CoverageCell[], valuesOf: readonly (readonly string[])[]): CoverageCell[] {
  // How much each value has in all: of two equally empty combinations, that of the rarer values helps more.
  const totals = valuesOf.map((values) => new Map(values.map((value) => [value, 0])));
  for (const { values, amount } of cells) {
    for (const [index, value] of values.entries()) totals[index]!.set(value, totals[index]!.get(value)! + amount);
  }
  const abundance = ({ values }: CoverageCell) =>
    values.reduce((sum, value, index) => sum + totals[index]!.get(value)!, 0);
  return cells
    .filter((cell) => cell.missing > 0)
    .map((cell) => ({ cell, abundance: abundance(cell) }))
    .sort((a, b) => b.cell.missing - a.cell.missing || a.abundance - b.abundance)
    .map(({ cell }) => cell);
}

/**
 * All choices of so many attributes, in their order: the two-way combinations whose values make FairLENS' subgroups (2
 * sexes, 3 ages, 4 races and 5 accents make 71), or the three-way ones of its comparison of corpora.
 *
 * @param ways how many attributes a combination has, at least 1
 * @throws RangeError for `ways` that are not whole and above 0
 * @example attributeCombinations(['sex', 'age', 'accent'], 2) // [['sex', 'age'], ['sex', 'accent'], ['age', 'accent']]
 */
export function attributeCombinations(attributes: readonly string[], ways: number): string[][] {
  if (!(Number.isInteger(ways) && ways > 0)) {
    throw new RangeError(`expected a whole number of attributes above 0, but got ${ways}`);
  }
  if (ways === 1) return attributes.map((attribute) => [attribute]);
  return attributes.flatMap((attribute, place) =>
    attributeCombinations(attributes.slice(place + 1), ways - 1).map((rest) => [attribute, ...rest]),
  );
}

/**
 * How far the amounts of groups are from being equal: the Kullback-Leibler divergence of their shares from the uniform
 * distribution, log K + sum p log p, in nats (S. Kullback and R. Leibler, Annals of Mathematical Statistics 22, 1951; the
 * balance measure of FairLENS). 0 where all are equal, log K where all lies in one of K. Groups without anything count
 * among the K and must be given as 0.
 *
 * @param amounts clips, speakers or hours of each group: say which beside the number
 * @throws RangeError for amounts that are negative or not finite
 * @example klToUniform([5, 3, 2]).value // .069
 */
export function klToUniform(amounts: readonly number[]): { readonly value: number | null; readonly reason?: Reason } {
  let total = 0;
  for (const amount of amounts) {
    if (!(amount >= 0 && amount < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`expected amounts of at least 0, but got ${amount}`);
    }
    total += amount;
  }
  if (amounts.length === 0) return { value: null, reason: { code: 'no-group' } };
  if (total === 0) return { value: null, reason: { code: 'nothing-counted' } };
  let value = 0;
  for (const amount of amounts) {
    const share = amount / total;
    if (share > 0) value += share * Math.log(share * amounts.length);
  }
  // Equal shares may leave a last digit below 0.
  return { value: Math.max(0, value) };
}
