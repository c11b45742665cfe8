import { FailureCounts } from '../shared/failure-counts.ts';
import { type TrialRow, trialRows } from '../shared/trial-rows.ts';
import type { DifferentialResults } from './results.ts';

/** Recognitions by voice, recognizer and kind of failure, among everything that was heard. */
export function failedTrials({ searches, recognizers }: DifferentialResults): TrialRow[] {
  const counts = new FailureCounts(searches.length * recognizers.length);
  searches.forEach(({ heard }, pool) => {
    for (const text of heard.pool.texts.keys()) {
      heard.at(text)?.failures.forEach((kind, recognizer) => {
        const place = pool * recognizers.length + recognizer;
        if (kind === null) counts.addAnswer(place);
        else counts.addFailure(place, kind);
      });
    }
  });
  return trialRows(
    searches.map(({ heard }) => ({ name: heard.pool.name })),
    recognizers,
    (recognizer, pool) => counts.at(pool * recognizers.length + recognizer),
  );
}
