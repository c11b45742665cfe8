import type { Condition } from '../../model/condition.ts';
import type { HallucinationOptions } from './options.ts';
import type { HallucinationResults } from './results.ts';
import type { Tally } from './tally.ts';

/** What the parts of a finding are made from. */
export interface Known {
  readonly results: HallucinationResults;
  readonly tally: Tally;
  readonly conditions: readonly Condition[];
  readonly recognizers: readonly string[];
  readonly options: HallucinationOptions;
}
