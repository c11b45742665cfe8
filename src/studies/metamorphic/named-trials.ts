import { clean } from '../../model/condition.ts';
import { type TrialRow, trialRows } from '../shared/trial-rows.ts';
import type { Design } from './design.ts';
import { trialPlace } from './places.ts';
import type { Tally } from './tally.ts';

/** What became of the trials, by condition (clean sound first) and recognizer. */
export function namedTrials({ trials }: Pick<Tally, 'trials'>, design: Design): TrialRow[] {
  return trialRows([clean, ...design.conditions], design.recognizers, (recognizer, place) =>
    trials.at(trialPlace(design, recognizer, place === 0 ? null : place - 1)),
  );
}
