import { type TrialRow, trialRows } from '../shared/trial-rows.ts';
import type { DisparityFinding } from './finding.ts';

/** What became of the trials, by condition and recognizer. */
export function namedTrials({ design, tally }: Pick<DisparityFinding, 'design' | 'tally'>): TrialRow[] {
  const { recognizers, conditions } = design;
  return trialRows(conditions, recognizers, (recognizer, condition) =>
    tally.trials.at(recognizer * conditions.length + condition),
  );
}
