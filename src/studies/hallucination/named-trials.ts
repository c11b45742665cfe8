import { type TrialRow, trialRows } from '../shared/trial-rows.ts';
import type { Known } from './known.ts';

/** What became of the trials, by condition and recognizer. */
export function namedTrials({ tally, conditions, recognizers }: Known): TrialRow[] {
  return trialRows(
    conditions,
    recognizers.map((name) => ({ name })),
    (recognizer, condition) => tally.trials.at(recognizer * conditions.length + condition),
  );
}
