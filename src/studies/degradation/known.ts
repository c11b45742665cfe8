import type { CaseValidity } from '../shared/validity/validity.ts';
import type { Design } from './design.ts';
import type { DegradationOptions } from './options.ts';
import type { Results } from './results.ts';
import type { Tally } from './tally.ts';

/** What the parts of the finding are made from. */
export interface Known {
  readonly results: Results;
  readonly tally: Tally;
  readonly design: Design;
  readonly options: DegradationOptions;
  /** Null: everything counts. */
  readonly validity: CaseValidity | null;
  /** Name of the normalizer. */
  readonly normalizer: string;
}
