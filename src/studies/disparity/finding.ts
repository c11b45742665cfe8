import type { Design } from './design.ts';
import type { DomainShift } from './domain-shift.ts';
import type { ModelResults } from './model-gaps.ts';
import type { DisparityOptions } from './options.ts';
import type { Results } from './results.ts';
import type { Tally } from './tally.ts';

/** All that was found, for those who put it into words. */
export interface DisparityFinding {
  readonly design: Design;
  readonly options: DisparityOptions;
  readonly tally: Tally;
  readonly results: Results;
  readonly shifts: readonly DomainShift[];
  /** Null: not asked for, or no attribute divides enough speakers. */
  readonly model: ModelResults | null;
}
