import { type GapModel, groupRates } from './fitted-gap.ts';
import { type JackknifeEstimate, jackknifeEstimate } from './jackknife-estimate.ts';

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
  reason: string | null,
): JackknifeEstimate {
  const method = 'difference of rates, t interval by the jackknife over speakers';
  const weights = new Float64Array(inGroup.length).fill(1);
  const gap = (): number | null => {
    const { group, others } = groupRates(rows, inGroup, weights);
    return group === null || others === null ? null : group - others;
  };
  const none = (value: number | null, why: string): JackknifeEstimate => {
    return { part: { value, low: null, high: null, level, reason: why, method }, pValue: null };
  };
  const value = gap();
  if (value === null) return none(null, 'one of the two groups has no words');
  if (reason !== null) return none(value, reason);
  const without = strata.map((parts) =>
    parts.map((left) => {
      for (const row of left) weights[row] = 0;
      const own = gap();
      for (const row of left) weights[row] = 1;
      return own;
    }),
  );
  if (without.flat().includes(null)) return none(value, 'without one of the speakers a group has no words');
  return jackknifeEstimate(value, without as number[][], level, method);
}
