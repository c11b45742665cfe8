import type { Random } from '../../../base/random.ts';
import type { FailedCase } from '../follow-up/failed-cases.ts';
import type { WordClasses } from './word-classes.ts';

/** A new text, and the failed one that it was made of. */
export interface Candidate {
  readonly text: string;
  readonly source: FailedCase;
}

/** Draws that give nothing new, for each text that is wanted, before it is said that there are no more. */
const maxDraws = 10;

/**
 * New texts made of failed ones, each once and none that is known already, in random order: fewer than `count` where words
 * have too few others.
 *
 * @param failed one for each failed text
 * @param isKnown whether a text stands in the collection or was tried
 */
export function makeCandidates(
  failed: readonly FailedCase[],
  { count, mostSwaps }: { readonly count: number; readonly mostSwaps: number },
  { classes, isKnown, random }: { classes: WordClasses; isKnown: (text: string) => boolean; random: Random },
): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (let draw = 0; failed.length > 0 && candidates.size < count && draw < maxDraws * count; draw++) {
    const source = failed[random.integer(failed.length)]!;
    const text = mutateText(source.reference, mostSwaps, classes, random)?.join(' ');
    if (text !== undefined && !candidates.has(text) && !isKnown(text)) candidates.set(text, { text, source });
  }
  return [...candidates.values()];
}

/**
 * A text with some of its words swapped for others of their class, at places drawn at random; null where no word that was drawn
 * has another.
 *
 * @param words of the text
 * @param mostSwaps from one to so many words are swapped, each number alike likely
 * @example mutateText(['red', 'cars'], 1, wordClasses(['red cars', 'red dogs'], []), random) // ['red', 'dogs'], or null
 */
export function mutateText(
  words: readonly string[],
  mostSwaps: number,
  classes: WordClasses,
  random: Random,
): string[] | null {
  if (words.length === 0) return null;
  const swaps = 1 + random.integer(Math.min(mostSwaps, words.length));
  const mutated = [...words];
  const places = new Set<number>();
  let changed = false;
  for (let swap = 0; swap < swaps; swap++) {
    let place = random.integer(words.length);
    while (places.has(place)) place = (place + 1) % words.length;
    places.add(place);
    const other = classes.swap(words[place]!, random);
    if (other === null) continue;
    mutated[place] = other;
    changed = true;
  }
  return changed ? mutated : null;
}
