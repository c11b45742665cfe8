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

/** A difference of rates in percentage points: `4.1 points`. */
export function points(difference: number): string {
  return `${(100 * difference).toFixed(1)} points`;
}
