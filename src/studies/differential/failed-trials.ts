import { FailureCounts } from '../shared/failures.ts';
import { type TrialRow, trialRows } from '../shared/trial-rows.ts';
import type { DifferentialResults } from './results.ts';

/** Recognitions by voice, recognizer and kind of failure, among everything that was heard. */
export function failedTrials({ searches, recognizers }: DifferentialResults): TrialRow[] {
  const counts = new FailureCounts(searches.length * recognizers.length);
  searches.forEach(({ known }, search) => {
    for (const text of known.pool.texts.keys()) {
      const heard = known.at(text);
      heard?.failures.forEach((kind, recognizer) => {
        if (!heard.asked[recognizer]) return;
        const place = search * recognizers.length + recognizer;
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
