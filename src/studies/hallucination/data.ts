import type { Json } from '../../base/json.ts';
import { asJson } from '../shared/as-json.ts';
import type { Known } from './known.ts';

/** All numbers as plain rows. */
export function dataOf({ results, tally, conditions, recognizers, options }: Known): Json {
  return asJson({
    recordings: tally.recordings,
    parts: results.parts.map(({ part, shareWithWords, wordsPerMinute }) => ({
      kind: part.kind,
      recognizer: recognizers[part.recognizer]!,
      name: part.name,
      attribute: part.attribute ?? null,
      sounds: part.sums.sounds,
      withWords: part.sums.withWords,
      words: part.sums.words,
      withLoops: part.sums.withLoops,
      minutes: part.sums.minutes,
      shareWithWords,
      wordsPerMinute,
    })),
    trials: conditions.flatMap((condition, place) =>
      recognizers.map((recognizer, number) => ({
        condition: condition.name,
        recognizer,
        ...tally.trials.at(number * conditions.length + place),
      })),
    ),
    texts: tally.texts.map((own, recognizer) => ({
      recognizer: recognizers[recognizer]!,
      different: own.different,
      uncounted: own.uncounted,
      commonest: own.commonest(options.texts),
    })),
    comparisons: results.comparisons.map(({ first, second, comparison }) => ({
      recognizer: recognizers[second]!,
      comparedWith: recognizers[first]!,
      comparison,
    })),
  });
}
