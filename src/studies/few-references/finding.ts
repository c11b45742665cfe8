import type { FailureGap } from '../shared/failures.ts';
import type { Design } from './design.ts';
import type { NextRecordings } from './next-recordings.ts';
import type { FewReferencesOptions } from './options.ts';
import type { Results } from './results.ts';
import type { Tally } from './tally.ts';

/** All that the parts of the finding are made of. */
export interface FewReferencesFinding {
  readonly design: Design;
  readonly options: FewReferencesOptions;
  readonly tally: Tally;
  readonly results: Results;
  readonly failures: readonly FailureGap[];
  readonly next: NextRecordings;
}
