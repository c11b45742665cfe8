import { type TrialRow, trialRows } from '../shared/trial-rows.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';

/** What became of the trials, by condition and recognizer. */
export function namedTrials({ trials, series }: Counts, { conditions, recognizers }: Design): TrialRow[] {
  return trialRows(conditions, recognizers, (recognizer, condition) => trials.at(series.words(recognizer, condition)));
}
