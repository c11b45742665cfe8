import { FailureCounts, namedTrials, type TrialRow } from '../shared/failures.ts';
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
  const conditions = searches.map(({ heard }) => ({ name: heard.pool.name }));
  return namedTrials(
    { tally: { trials: counts }, design: { recognizers, conditions } },
    (recognizer, pool) => pool * recognizers.length + recognizer,
  );
}
