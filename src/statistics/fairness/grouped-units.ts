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
export function profileCount({ profiles }: GroupedUnits): number {
  let highest = -1;
  for (let row = 0; row < profiles.length; row++) highest = Math.max(highest, profiles[row]!);
  return highest + 1;
}

/** The rows of each speaker, in the order in which speakers first come. */
export function rowsBySpeaker({ speakers }: GroupedUnits): number[][] {
  const rows = new Map<number, number[]>();
  for (let row = 0; row < speakers.length; row++) {
    const known = rows.get(speakers[row]!);
    if (known) known.push(row);
    else rows.set(speakers[row]!, [row]);
  }
  return [...rows.values()];
}

/** Adds up columns of profiles to columns of groups, both laid out as `width` numbers for each. */
export function sumGroups(
  byProfile: Float64Array,
  groups: readonly (readonly number[])[],
  width: number,
  byGroup: Float64Array,
): void {
  byGroup.fill(0);
  for (let group = 0; group < groups.length; group++) {
    for (const profile of groups[group]!) {
      const [to, from] = [group * width, profile * width];
      if (from + width > byProfile.length) continue;
      for (let column = 0; column < width; column++) byGroup[to + column]! += byProfile[from + column]!;
    }
  }
}

/**
 * The mean distance of groups' rates from the baseline: FairLENS' average disparity. Groups with nothing to divide by are
 * left out.
 *
 * @param numerator where the numerator of an outcome's group stands in `byGroup`, `next` numbers further that of the next
 *   group; its denominator stands behind it
 * @param pooled the rate of all; null: measured from the plain mean
 * @returns null where no group has a rate
 */
export function meanDisparityOf(
  byGroup: Float64Array,
  numerator: number,
  next: number,
  groups: number,
  pooled: number | null,
): number | null {
  let [known, baseline] = [0, pooled ?? 0];
  for (let group = 0; group < groups; group++) {
    const place = numerator + group * next;
    if (!(byGroup[place + 1]! > 0)) continue;
    known++;
    if (pooled === null) baseline += byGroup[place]! / byGroup[place + 1]!;
  }
  if (known === 0) return null;
  if (pooled === null) baseline /= known;
  let sum = 0;
  for (let group = 0; group < groups; group++) {
    const place = numerator + group * next;
    if (byGroup[place + 1]! > 0) sum += Math.abs(byGroup[place]! / byGroup[place + 1]! - baseline);
  }
  return sum / known;
}
