import type { Json } from '../../base/json.ts';
import { asJson } from '../shared/as-json.ts';
import type { ChosenClips } from './clips.ts';
import type { SearchResult, ThresholdResults } from './results.ts';

/** All numbers as plain rows, down to every question: enough to draw everything again and to fit other functions. */
export function dataOf({ searches, comparisons }: ThresholdResults, { skipped, parts }: ChosenClips): Json {
  const nameOf = ({ search }: SearchResult) => ({
    axis: search.axis.name,
    group: search.listeners.group,
    recognizer: search.recognizer,
  });
  return asJson({
    clips: { chosen: parts[0]!.clips.length, ...skipped },
    searches: searches.map((result) => {
      const { search, found, threshold, n } = result;
      return {
        ...nameOf(result),
        threshold,
        outside: found.outside,
        questions: search.asked,
        answered: search.answered.length,
        n,
        failures: Object.fromEntries(search.failures),
        slopePerUnit: found.slope,
        ceiling: found.shareAt(Number.POSITIVE_INFINITY),
        dispersion: found.dispersion,
        curve: search.axis.levels.map((level) => ({
          at: level,
          share: found.shareAt(search.axis.coordinate(level)),
        })),
        asked: search.answered.map(({ clip, place, round, correct }) => ({
          utterance: clip.utterance.id,
          level: place === 'clean' ? 'clean' : search.axis.levels[place]!,
          round,
          words: clip.words.length,
          correct,
        })),
      };
    }),
    comparisons: comparisons.map(({ kind, first, second, comparison }) => ({
      kind,
      first: nameOf(first),
      second: nameOf(second),
      unit: first.search.axis.scale === 'logarithmic' ? 'octaves' : first.search.axis.unit.trim(),
      comparison,
    })),
  });
}
