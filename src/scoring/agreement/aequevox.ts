/** Distances between the two recognizers of a pair under one transformation. */
export interface PairDistances {
  readonly pair: string;
  readonly transformation: string;
  readonly distances: GroupDistances;
}

/** Counts of violations with each group as base, in the order of the groups. */
export interface ViolationRow {
  /** What the row adds up over is everything else. */
  readonly by: 'total' | 'tolerance' | 'pair' | 'transformation';
  readonly name: string;
  readonly counts: readonly number[];
}

export interface ViolationTable {
  readonly groups: readonly string[];
  /** All together, then by tolerance, by pair of recognizers and by transformation: the layout of AequeVox's Table 4. */
  readonly rows: readonly ViolationRow[];
  /**
   * Variant without sign (Equation 2 of the paper, which its algorithm does not follow): for each group the gaps wider than
   * the tolerance that it is part of, on either side.
   */
  readonly absolute: readonly number[];
  /** Gaps of the distances themselves, before any transformation (Equation 1): those wider than the tolerance, by group. */
  readonly gapsBefore: readonly number[];
  /** Comparisons made, and left out because a distance is missing. */
  readonly compared: number;
  readonly leftOut: number;
  /** Comparisons made with each group as base: where they are unequal, counts compare only beside these. */
  readonly comparedBy: readonly number[];
}

/**
 * AequeVox's Table 4: violations for several tolerances, pairs of recognizers and transformations, added up over each.
 * Levels are nested, so that one wide gap is counted once for each tolerance below it: counts order groups, they are no
 * number of independent findings.
 *
 * @param tables of one list of groups; several may have the same pair and transformation
 * @param tolerances the paper's are .01, .05, .1 and .15
 * @throws RangeError for tables of other groups than the first, and as `aequevoxViolations`
 * @example violationTable([{ pair: 'a and b', transformation: 'noise', distances }], [0.01, 0.05, 0.1, 0.15]).rows[0].counts
 */
export function violationTable(tables: readonly PairDistances[], tolerances: readonly number[]): ViolationTable {
  const groups = tables[0]?.distances.groups ?? [];
  const rows = new Map<string, { readonly by: ViolationRow['by']; readonly name: string; readonly counts: number[] }>();
  const rowOf = (by: ViolationRow['by'], name: string): number[] => {
    const key = JSON.stringify([by, name]);
    let row = rows.get(key);
    if (row === undefined) {
      row = { by, name, counts: groups.map(() => 0) };
      rows.set(key, row);
    }
    return row.counts;
  };
  const absolute = groups.map(() => 0);
  const comparedBy = groups.map(() => 0);
  let compared = 0;
  let leftOut = 0;
  rowOf('total', 'all');
  for (const tolerance of tolerances) rowOf('tolerance', String(tolerance));
  for (const { pair } of tables) rowOf('pair', pair);
  for (const { transformation } of tables) rowOf('transformation', transformation);
  const places = new Map(groups.map((group, place) => [group, place]));
  for (const { pair, transformation, distances } of tables) {
    if (distances.groups.length !== groups.length || distances.groups.some((group, at) => group !== groups[at])) {
      throw new RangeError(`expected the same groups everywhere, but ${pair}, ${transformation} has others`);
    }
    for (const tolerance of tolerances) {
      const found = aequevoxViolations(distances, tolerance);
      for (const counts of [
        rowOf('total', 'all'),
        rowOf('tolerance', String(tolerance)),
        rowOf('pair', pair),
        rowOf('transformation', transformation),
      ]) {
        for (const [place, count] of found.counts.entries()) counts[place]! += count;
      }
      for (const { base, other } of found.violations) {
        absolute[places.get(base)!]!++;
        absolute[places.get(other)!]!++;
      }
      for (const [place, count] of found.comparedBy.entries()) comparedBy[place]! += count;
      compared += found.compared;
      leftOut += found.leftOut;
    }
  }
  const before = gapsBefore(tables, tolerances);
  return { groups, rows: [...rows.values()], absolute, gapsBefore: before, compared, leftOut, comparedBy };
}

/** A pair's distances before any transformation are the same in each of its tables: each is looked at once. */
function gapsBefore(tables: readonly PairDistances[], tolerances: readonly number[]): number[] {
  const pairs = new Map(tables.map(({ pair, distances }) => [pair, distances]));
  const groups = tables[0]?.distances.groups ?? [];
  const counts = groups.map(() => 0);
  for (const { original } of pairs.values()) {
    for (const tolerance of tolerances) {
      original.forEach((one, place) => {
        for (const other of original) {
          if (one !== null && other !== null && Math.abs(one - other) > tolerance) counts[place]!++;
        }
      });
    }
  }
  return counts;
}

/** How the violations of other groups compare with those of a reference group. */
export interface ViolationExcess {
  readonly reference: number;
  /** Mean over the other groups. */
  readonly others: number;
  /** 1.09 for 109 % more; null where the reference has none. */
  readonly excess: number | null;
}

/**
 * By how much the mean count of some groups exceeds that of a reference group, as a share of it: AequeVox's "109 % more
 * errors" of non-native speakers. It has no interval: the counts are not independent.
 *
 * @param reference place of the reference group in `counts`
 * @throws RangeError for a place that does not exist, or no other group
 * @example violationExcess([312, 844, 413, 406, 311, 1086, 853], 0).excess // 1.0903
 */
export function violationExcess(counts: readonly number[], reference: number): ViolationExcess {
  const own = counts[reference];
  if (own === undefined || counts.length < 2) {
    throw new RangeError(
      `expected a reference among at least 2 groups, but got place ${reference} of ${counts.length}`,
    );
  }
  const others = (counts.reduce((sum, count) => sum + count, 0) - own) / (counts.length - 1);
  return { reference: own, others, excess: own === 0 ? null : others / own - 1 };
}

/** Distances between two recognizers, one number for each group of speakers, under one transformation. */
export interface GroupDistances {
  readonly groups: readonly string[];
  /** Of the untransformed sound; null where a group has none. */
  readonly original: readonly (number | null)[];
  /** Of the transformed sound, for each parameter of the transformation. */
  readonly transformed: readonly { readonly parameter: string; readonly distances: readonly (number | null)[] }[];
}

/** The recognizers come apart by more than the tolerance further for `base` than for `other`. */
export interface Violation {
  readonly parameter: string;
  readonly base: string;
  readonly other: string;
  /** Degradation of `base` less that of `other`. */
  readonly gap: number;
}

export interface Violations {
  /** For each group, violations with it as base, in the order of the groups. */
  readonly counts: readonly number[];
  readonly violations: readonly Violation[];
  /** Comparisons made, and left out because a distance is missing. */
  readonly compared: number;
  readonly leftOut: number;
  /** Comparisons made with each group as base. */
  readonly comparedBy: readonly number[];
}

/** Distances of few decimals have differences that are off in the last digits: .5 - .1 - (.2 - .1) is above .3. */
const rounding = 1e-12;

/**
 * Fairness violations of AequeVox (S. S. Rajan, S. Udeshi and S. Chattopadhyay, FASE 2022, Algorithm 1 and Table 4). A
 * group's degradation is its distance after the transformation less that before (it may be negative); for each parameter
 * and each ordered pair of groups there is a violation against the base if its degradation is greater than the other's by
 * more than the tolerance. Signed and strict: equal to the tolerance is none.
 *
 * It counts differences and tests none: with few clips in a group many counts are chance. Counts for several tolerances
 * are nested, so adding them up, as Table 4 does, counts a large gap several times.
 *
 * @param tolerance the paper's tau: .01, .05, .1 and .15
 * @throws RangeError for rows of another length than the groups, distances that are not finite and a tolerance below 0
 * @example
 * aequevoxViolations({ groups: ['a', 'b'], original: [.1, .1], transformed: [{ parameter: '2', distances: [.3, .1] }] }, .1)
 *   .counts // [1, 0]
 */
export function aequevoxViolations({ groups, original, transformed }: GroupDistances, tolerance: number): Violations {
  if (!(tolerance >= 0 && Number.isFinite(tolerance))) {
    throw new RangeError(`expected a tolerance of 0 or more, but got ${tolerance}`);
  }
  check(original, groups, 'original');
  const counts = groups.map(() => 0);
  const comparedBy = groups.map(() => 0);
  const violations: Violation[] = [];
  let leftOut = 0;
  for (const { parameter, distances } of transformed) {
    check(distances, groups, parameter);
    const degradations = distances.map((distance, group) => {
      const before = original[group]!;
      return distance === null || before === null ? null : distance - before;
    });
    for (const [base, degradation] of degradations.entries()) {
      for (const [other, otherDegradation] of degradations.entries()) {
        if (base === other) continue;
        if (degradation === null || otherDegradation === null) {
          leftOut++;
          continue;
        }
        comparedBy[base]!++;
        const gap = degradation - otherDegradation;
        if (!(gap > tolerance + rounding)) continue;
        counts[base]!++;
        violations.push({ parameter, base: groups[base]!, other: groups[other]!, gap });
      }
    }
  }
  const compared = comparedBy.reduce((sum, count) => sum + count, 0);
  return { counts, violations, compared, leftOut, comparedBy };
}

function check(distances: readonly (number | null)[], groups: readonly string[], row: string): void {
  if (distances.length !== groups.length) {
    throw new RangeError(`expected a distance for each of ${groups.length} groups, but ${row} has ${distances.length}`);
  }
  const bad = distances.find((distance) => distance !== null && !Number.isFinite(distance));
  if (bad !== undefined) throw new RangeError(`expected distances that are numbers or null, but ${row} has ${bad}`);
}

/** How often each word was recognized. */
export type WordCounts = ReadonlyMap<string, number>;

/**
 * Word drops of AequeVox (Algorithm 2 and Table 9): how many times fewer a word is recognized under the parameter of a
 * transformation that hurts it most than in the original sound, at least 0. The words should be those that were said: a
 * transcript's own words leave out those never recognized.
 *
 * @param words words to be looked at, in the order of the result
 * @param transformed counts for each parameter of the transformation
 * @returns null without a parameter
 * @example wordDrops(['six'], new Map([['six', 4]]), [new Map([['six', 1]]), new Map([['six', 3]])]).get('six') // 3
 */
export function wordDrops(
  words: Iterable<string>,
  original: WordCounts,
  transformed: readonly WordCounts[],
): Map<string, number> | null {
  if (transformed.length === 0) return null;
  const drops = new Map<string, number>();
  for (const word of words) {
    const least = transformed.reduce((fewest, counts) => Math.min(fewest, counts.get(word) ?? 0), Infinity);
    drops.set(word, Math.max(0, (original.get(word) ?? 0) - least));
  }
  return drops;
}

/**
 * Words that a transformation hides (drop at least `threshold`) and those that it leaves alone (drop 0). Algorithm 2 of
 * AequeVox says greater than the threshold; the words its authors used need at least the threshold.
 *
 * @example sortByDrop(new Map([['six', 3], ['snow', 0]]), 3) // { nonRobust: ['six'], robust: ['snow'] }
 */
export function sortByDrop(
  drops: ReadonlyMap<string, number>,
  threshold: number,
): { readonly nonRobust: readonly string[]; readonly robust: readonly string[] } {
  if (!(threshold > 0)) throw new RangeError(`expected a threshold greater than 0, but got ${threshold}`);
  const entries = [...drops];
  return {
    nonRobust: entries.filter(([, drop]) => drop >= threshold).map(([word]) => word),
    robust: entries.filter(([, drop]) => drop === 0).map(([word]) => word),
  };
}
