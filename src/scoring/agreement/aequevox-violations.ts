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
  const violations: Violation[] = [];
  let compared = 0;
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
        compared++;
        const gap = degradation - otherDegradation;
        if (!(gap > tolerance + rounding)) continue;
        counts[base]!++;
        violations.push({ parameter, base: groups[base]!, other: groups[other]!, gap });
      }
    }
  }
  return { counts, violations, compared, leftOut };
}

function check(distances: readonly (number | null)[], groups: readonly string[], row: string): void {
  if (distances.length !== groups.length) {
    throw new RangeError(`expected a distance for each of ${groups.length} groups, but ${row} has ${distances.length}`);
  }
  const bad = distances.find((distance) => distance !== null && !Number.isFinite(distance));
  if (bad !== undefined) throw new RangeError(`expected distances that are numbers or null, but ${row} has ${bad}`);
}
