import type { GroupPair } from '../shared/group-pairs.ts';
import type { Survey } from './survey.ts';
import type { Tally } from './tally.ts';

/** So many others must have said a text. */
const fewestReaders = 3;

/**
 * How hard a text is by what others have got wrong on it: errors of all other speakers of the two groups on the same words over those
 * that their own groups' rates let expect, as a logarithm; half an error is added to both, so that no text is infinitely hard. Against
 * their own group's rate, because a text that one group alone has read would otherwise carry the group's errors.
 *
 * @param all places of the comparison's utterances
 * @returns null for an utterance whose text fewer than 3 other speakers have said, and for all where there are fewer than 5 such texts
 */
export function sameTextDifficulty(
  recognizer: number,
  pair: GroupPair,
  all: readonly number[],
  { utterances }: Survey,
  tally: Tally,
): (place: number) => number | null {
  const sideOf = (place: number) => (utterances[place]!.values[pair.place] === pair.value ? 1 : 0);
  const [errors, words] = [
    [0, 0],
    [0, 0],
  ];
  for (const place of all) {
    errors[sideOf(place)]! += tally.errors(recognizer, 0, place)!;
    words[sideOf(place)]! += utterances[place]!.words;
  }
  /** By text, then by speaker: errors and what was to be expected. */
  const texts = new Map<number, Map<number, { errors: number; expected: number }>>();
  for (const place of all) {
    const { text, cluster, words: count } = utterances[place]!;
    const side = sideOf(place);
    const readers = texts.get(text) ?? new Map();
    const own = readers.get(cluster) ?? { errors: 0, expected: 0 };
    own.errors += tally.errors(recognizer, 0, place)!;
    own.expected += count * (errors[side]! / words[side]!);
    texts.set(text, readers.set(cluster, own));
  }
  const totals = new Map(
    [...texts]
      .filter(([, readers]) => readers.size > fewestReaders)
      .map(([text, readers]) => {
        const sum = { errors: 0, expected: 0 };
        for (const own of readers.values()) {
          sum.errors += own.errors;
          sum.expected += own.expected;
        }
        return [text, sum] as const;
      }),
  );
  if (totals.size < fewestTexts) return () => null;
  return (place) => {
    const { text, cluster } = utterances[place]!;
    const total = totals.get(text);
    const own = texts.get(text)?.get(cluster);
    if (total === undefined || own === undefined) return null;
    return Math.log((total.errors - own.errors + 0.5) / (total.expected - own.expected + 0.5));
  };
}

/** With fewer texts there is hardly anything to compare. */
const fewestTexts = 5;
