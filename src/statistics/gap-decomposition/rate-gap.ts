import type { Reason } from '../../model/reason.ts';
import { addSpreads, type Spread } from '../bootstrap/cluster-spread.ts';
import { studentQuantile, studentUpperTail } from '../distributions.ts';
import type { Interval } from '../interval.ts';
import { type GapModel, groupRates } from './fitted-gap.ts';

/**
 * The gap itself: errors per word of the group less those of the others. It needs no causes and no regression, and so exists where a
 * group has no errors.
 *
 * @param strata rows of each speaker, as `speakerParts` gives them
 * @param reason why there is no interval; null: there is one
 */
export function rateGap(
  { rows, inGroup }: Pick<GapModel, 'rows' | 'inGroup'>,
  strata: readonly (readonly (readonly number[])[])[],
  level: number,
  reason: Reason | null,
): JackknifeEstimate {
  const method = 'difference of rates, t interval by the jackknife over speakers';
  const weights = new Float64Array(inGroup.length).fill(1);
  const gap = (): number | null => {
    const { group, others } = groupRates(rows, inGroup, weights);
    return group === null || others === null ? null : group - others;
  };
  const none = (value: number | null, why: Reason): JackknifeEstimate => {
    return { part: { value, low: null, high: null, level, reason: why, method }, pValue: null };
  };
  const value = gap();
  if (value === null) return none(null, { code: 'no-words-of-group' });
  if (reason !== null) return none(value, reason);
  const without = strata.map((parts) =>
    parts.map((left) => {
      for (const row of left) weights[row] = 0;
      const own = gap();
      for (const row of left) weights[row] = 1;
      return own;
    }),
  );
  if (without.flat().includes(null)) return none(value, { code: 'no-words-without-one' });
  return jackknifeEstimate(value, without as number[][], level, method);
}

/** A number with its interval, and the chance of one as far from 0 if it were 0; null with the interval. */
export interface JackknifeEstimate {
  readonly part: Interval;
  readonly pValue: number | null;
}

/**
 * The t interval of a number from what it is without each speaker (`jackknifeSpread`), and its two-sided test against 0.
 *
 * Null with a reason where it is the same without any of them.
 *
 * @param without stratum by stratum
 */
export function jackknifeEstimate(
  value: number,
  without: readonly (readonly number[])[],
  level: number,
  method: string,
): JackknifeEstimate {
  const { variance, degreesOfFreedom } = jackknifeSpread(without);
  const error = Math.sqrt(variance);
  if (!(error > 1e-12)) {
    const reason: Reason = { code: 'same-without-one' };
    return { part: { value, low: null, high: null, level, reason, method }, pValue: null };
  }
  const half = studentQuantile((1 + level) / 2, degreesOfFreedom) * error;
  const named = `${method}, ${degreesOfFreedom.toFixed(1)} degrees of freedom`;
  return {
    part: { value, low: value - half, high: value + half, level, method: named },
    pValue: 2 * studentUpperTail(Math.abs(value) / error, degreesOfFreedom),
  };
}

/**
 * The variance of an estimate from what it is without each part of the data in turn, for strata (groups of speakers) that
 * were drawn apart (R. Bell and D. McCaffrey, Survey Methodology 28, 2002: of the estimators for regressions with few clusters
 * the one that is never too small on average; J. MacKinnon, M. Nielsen and M. Webb, J. Applied Econometrics 38, 2023). Degrees
 * of freedom: the parts of a stratum less 1, put together as B. L. Welch does.
 *
 * @param without the estimate without each part, stratum by stratum; a stratum of one part tells nothing and adds nothing
 */
export function jackknifeSpread(without: readonly (readonly number[])[]): Spread {
  const spreads = without.flatMap((values): Spread[] => {
    const count = values.length;
    if (count < 2) return [];
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return [{ variance: ((count - 1) / count) * squares, degreesOfFreedom: count - 1 }];
  });
  return spreads.length === 0 ? { variance: 0, degreesOfFreedom: 1 } : addSpreads(spreads);
}
