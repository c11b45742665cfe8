import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';

/**
 * Errors and words of several outcomes (recognizers) in rows. A row is what one speaker has said under one profile (a
 * combination of attributes): mostly there is one for each speaker, more where an attribute changes within a speaker.
 */
export interface GroupedUnits {
  /** Of each row, from 0. Rows of one speaker are not independent. */
  readonly speakers: ArrayLike<number>;
  /** Of each row, from 0. */
  readonly profiles: ArrayLike<number>;
  /** Of each row, where speakers are exchangeable only among those alike in something (in which recordings they are, say). */
  readonly strata?: ArrayLike<number>;
  /** Of each group the profiles that belong to it; groups may overlap. */
  readonly groups: readonly (readonly number[])[];
  /** One for each outcome, row by row. */
  readonly outcomes: readonly ClusteredCounts[];
}

/** From what groups are measured: the rate of all rows together, or the plain mean of the groups' rates. */
export type Baseline = 'pooled' | 'unweighted';

/** @throws RangeError for lengths that differ: faults of the caller */
export function requireGroupedUnits({ speakers, profiles, outcomes }: GroupedUnits): void {
  for (const { numerators, denominators } of outcomes) {
    if (![profiles.length, numerators.length, denominators.length].every((length) => length === speakers.length)) {
      throw new RangeError(
        `expected ${speakers.length} rows everywhere, but got ${profiles.length}, ${numerators.length} and ${denominators.length}`,
      );
    }
  }
}

/** How many profiles there are: one more than the highest number. */
function profileCount({ profiles }: Pick<GroupedUnits, 'profiles'>): number {
  let highest = -1;
  for (let row = 0; row < profiles.length; row++) highest = Math.max(highest, profiles[row]!);
  return highest + 1;
}

/** The rows of each speaker, in the order in which speakers first come. */
export function rowsBySpeaker({ speakers }: Pick<GroupedUnits, 'speakers'>): number[][] {
  const rows = new Map<number, number[]>();
  for (let row = 0; row < speakers.length; row++) {
    const known = rows.get(speakers[row]!);
    if (known) known.push(row);
    else rows.set(speakers[row]!, [row]);
  }
  return [...rows.values()];
}

/** Columns of numbers, row by row, each once: outcomes that were asked the same words share theirs. */
export interface DistinctColumns {
  readonly columns: readonly Float64Array[];
  /** Which of them each of the given columns is. */
  readonly places: readonly number[];
}

/** @param given columns of equal length */
export function distinctColumns(given: readonly Float64Array[]): DistinctColumns {
  const columns: Float64Array[] = [];
  const places = given.map((column) => {
    const known = columns.findIndex((other) => other.every((value, row) => value === column[row]));
    return known >= 0 ? known : columns.push(column) - 1;
  });
  return { columns, places };
}

/** Adds up columns of rows to groups, once for each arrangement of profiles. */
export interface GroupSums {
  /** One number for each group, of each column. */
  readonly byGroup: readonly Float64Array[];
  /**
   * Overwrites the sums.
   *
   * @param profiles of each row
   * @param weights by which each row is multiplied; 1 if absent
   */
  add(profiles: ArrayLike<number>, weights?: ArrayLike<number>): void;
}

/** Columns that are added up together: what is looked up once serves all of them. */
const together = 4;

/** @param columns one number for each row */
export function groupSums(
  units: Pick<GroupedUnits, 'profiles' | 'groups'>,
  columns: readonly Float64Array[],
): GroupSums {
  const count = profileCount(units);
  const rows = units.profiles.length;
  const groups = units.groups.map((members) => members.filter((profile) => profile < count));
  // Behind each other, so that nothing has to be looked for: most of the time is spent here.
  const members = Uint32Array.from(groups.flat(), (profile) => together * profile);
  const ends = new Uint32Array(groups.length);
  groups.reduce((end, { length }, group) => {
    ends[group] = end + length;
    return end + length;
  }, 0);
  const byGroup = columns.map(() => new Float64Array(groups.length));
  const ones = new Float64Array(rows).fill(1);
  const unused = new Float64Array(groups.length);
  const blocks = Array.from({ length: Math.ceil(columns.length / together) }, (_, block) => {
    const table = new Float64Array(together * rows);
    const own = columns.slice(together * block, together * (block + 1));
    own.forEach((column, place) => {
      column.forEach((value, row) => {
        table[together * row + place] = value;
      });
    });
    const into = Array.from({ length: together }, (_, place) => byGroup[together * block + place] ?? unused);
    return { table, into };
  });
  const byProfile = new Float64Array(together * count);
  const placeOf = new Uint32Array(rows);
  return {
    byGroup,
    add(profiles, weights = ones) {
      for (let row = 0; row < rows; row++) placeOf[row] = together * profiles[row]!;
      for (const { table, into } of blocks) {
        const [into0, into1, into2, into3] = into as [Float64Array, Float64Array, Float64Array, Float64Array];
        byProfile.fill(0);
        for (let row = 0; row < rows; row++) {
          const from = together * row;
          const to = placeOf[row]!;
          const weight = weights[row]!;
          byProfile[to]! += weight * table[from]!;
          byProfile[to + 1]! += weight * table[from + 1]!;
          byProfile[to + 2]! += weight * table[from + 2]!;
          byProfile[to + 3]! += weight * table[from + 3]!;
        }
        let place = 0;
        for (let group = 0; group < ends.length; group++) {
          const end = ends[group]!;
          let sum0 = 0;
          let sum1 = 0;
          let sum2 = 0;
          let sum3 = 0;
          for (; place < end; place++) {
            const from = members[place]!;
            sum0 += byProfile[from]!;
            sum1 += byProfile[from + 1]!;
            sum2 += byProfile[from + 2]!;
            sum3 += byProfile[from + 3]!;
          }
          into0[group] = sum0;
          into1[group] = sum1;
          into2[group] = sum2;
          into3[group] = sum3;
        }
      }
    },
  };
}

/**
 * The mean distance of groups' rates from the baseline: FairLENS' average disparity. Groups with nothing to divide by are
 * left out.
 *
 * @param numerators of the groups
 * @param pooled the rate of all; null: measured from the plain mean
 * @returns null where no group has a rate
 */
export function meanDisparityOf(
  numerators: Float64Array,
  denominators: Float64Array,
  pooled: number | null,
): number | null {
  let [known, baseline] = [0, pooled ?? 0];
  for (let group = 0; group < numerators.length; group++) {
    if (!(denominators[group]! > 0)) continue;
    known++;
    if (pooled === null) baseline += numerators[group]! / denominators[group]!;
  }
  if (known === 0) return null;
  if (pooled === null) baseline /= known;
  let sum = 0;
  for (let group = 0; group < numerators.length; group++) {
    if (denominators[group]! > 0) sum += Math.abs(numerators[group]! / denominators[group]! - baseline);
  }
  return sum / known;
}

/** More sets than this are not looked for: hostile tables of many models have exponentially many. */
const maxSets = 1000;

/**
 * The largest sets of things no two of which differ: FairLENS' clusters of models. Not being different does not pass on (a
 * does not differ from b, nor b from c, but a from c), so that one thing may lie in two sets. Maximal cliques after C. Bron and
 * J. Kerbosch, Communications of the ACM 16 (1973), with a pivot.
 *
 * @param count how many things, numbered from 0
 * @param different pairs that do differ
 * @returns sets in rising order of their members, at most 1,000 of them; one that differs from all others is a set of one
 * @example inseparableSets(3, [{ first: 0, second: 2 }]) // [[0, 1], [1, 2]]
 */
export function inseparableSets(
  count: number,
  different: readonly { readonly first: number; readonly second: number }[],
): number[][] {
  const apart = new Set(different.flatMap(({ first, second }) => [first * count + second, second * count + first]));
  const near = (one: number, other: number) => one !== other && !apart.has(one * count + other);
  const found: number[][] = [];
  const extend = (chosen: readonly number[], open: readonly number[], passed: readonly number[]): void => {
    if (found.length >= maxSets) return;
    if (open.length === 0) {
      if (passed.length === 0 && chosen.length > 0) found.push([...chosen].sort((a, b) => a - b));
      return;
    }
    const reach = (candidate: number) => open.filter((other) => near(candidate, other)).length;
    const pivot = [...open, ...passed].reduce((best, candidate) => (reach(candidate) > reach(best) ? candidate : best));
    let [left, done] = [open, passed];
    for (const next of open.filter((candidate) => !near(pivot, candidate))) {
      extend(
        [...chosen, next],
        left.filter((other) => near(next, other)),
        done.filter((other) => near(next, other)),
      );
      left = left.filter((other) => other !== next);
      done = [...done, next];
    }
  };
  extend(
    [],
    Array.from({ length: count }, (_, place) => place),
    [],
  );
  return found.sort(byMembers);
}

function byMembers(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((member, index) => member !== b[index]);
  return place < 0 ? a.length - b.length : a[place]! - (b[place] ?? -1);
}
