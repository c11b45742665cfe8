import type { Estimate } from '../../model/finding.ts';
import type { GroupPair } from '../shared/group-pairs.ts';
import { listed, named } from '../shared/wording.ts';

/** A comparison in a sentence: `sex female beside male`. */
export function pairWords({ attribute, value, comparedWith }: GroupPair): string {
  return `${named(attribute)} ${named(value)} beside ${named(comparedWith)}`;
}

/** The name of what remains, with the causes that cannot be told from the group. */
export function remainderName(inRemainder: readonly string[]): string {
  return inRemainder.length === 0 ? 'what remains' : `what remains, or goes with ${listed(inRemainder)}`;
}

/** A difference of rates that is known, in percentage points with its interval: `4.1 points [1.0, 7.2]`. */
export function pointsWithin({ value, low, high }: Estimate): string {
  const interval = low === null || high === null ? '' : ` [${inPoints(low)}, ${inPoints(high)}]`;
  return `${inPoints(value!)} points${interval}`;
}

function inPoints(difference: number): string {
  return (100 * difference).toFixed(1).replace('-', '−');
}
