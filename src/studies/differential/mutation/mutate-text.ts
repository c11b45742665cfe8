import type { Random } from '../../../base/random.ts';
import type { WordClasses } from './word-classes.ts';

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
