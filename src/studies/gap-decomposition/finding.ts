import type { Estimate } from '../../model/finding.ts';
import type { FailureGap } from '../shared/failures.ts';
import type { GroupPair } from '../shared/group-pairs.ts';
import { listed, named } from '../shared/wording.ts';
import type { ClipFacts } from './causes.ts';
import type { CounterfactualResult } from './counterfactuals.ts';
import type { Design } from './design.ts';
import type { Targets } from './equalize.ts';
import type { GapDecompositionOptions } from './options.ts';
import type { PairResult } from './results.ts';
import type { Tally } from './tally.ts';

/** All that the parts of the finding are made of. */
export interface GapFinding {
  readonly design: Design;
  readonly options: GapDecompositionOptions;
  readonly clips: readonly ClipFacts[];
  readonly targets: Targets;
  readonly tally: Tally;
  readonly results: readonly PairResult[];
  readonly failures: readonly FailureGap[];
  readonly counterfactuals: readonly CounterfactualResult[];
}

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
