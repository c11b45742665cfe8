import type { Comparison, Estimate } from '../../model/finding.ts';
import type { DealtCell } from '../../statistics/fairness/deal-groups.ts';
import { toComparison } from '../shared/comparisons.ts';
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
    const why = difference.value === null ? (difference.reason ?? reason) : reason;
    const bare = { ...difference, low: null, high: null, reason: why };
    return toComparison(bare, { pValue: null, test: 'no test', reason }, null, null);
  }
  return toComparison(
    difference,
    { pValue: cell.pValue, test, ...(cell.reason === undefined ? {} : { reason: cell.reason }) },
    cell.adjustedPValue,
    null,
    { correction: 'correcting for all groups and recognizers' },
  );
}
