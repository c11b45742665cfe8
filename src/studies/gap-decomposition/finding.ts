import type { FailureGap } from '../shared/failure-gaps.ts';
import type { ClipFacts } from './clip-facts.ts';
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
