import type { Comparison, Estimate, Verdict } from '../../model/finding.ts';
import type { DealtCell } from '../../statistics/fairness/deal-groups.ts';
import type { Subgroup } from './subgroups.ts';

/**
 * A gap with the test of its group. Interval and corrected test must agree, or nothing is claimed; of a group that is not
 * counted nothing is claimed at all.
 *
 * @param cell absent for a group that is not counted
 */
export function judged(difference: Estimate, group: Subgroup, cell: DealtCell | undefined, test: string): Comparison {
  if (cell === undefined) {
    const reason = group.why ?? 'not counted';
    return {
      difference: {
        ...difference,
        low: null,
        high: null,
        reason: difference.value === null ? (difference.reason ?? reason) : reason,
      },
      pValue: null,
      adjustedPValue: null,
      test: 'no test',
      verdict: 'cannot tell',
      reason,
    };
  }
  const reason = cell.reason ?? difference.reason;
  return {
    difference,
    pValue: cell.pValue,
    adjustedPValue: cell.adjustedPValue,
    test,
    verdict: verdictOf(difference, cell.adjustedPValue),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** `worse` is above 0: more errors, more disparity, more failures. */
export function verdictOf({ low, high, level }: Estimate, adjustedPValue: number | null): Verdict {
  // 1 - .95 is a last digit more than .05.
  if (low === null || high === null || adjustedPValue === null || adjustedPValue > 1 - level + 1e-12)
    return 'cannot tell';
  if (low > 0) return 'worse';
  return high < 0 ? 'better' : 'cannot tell';
}
