import type { Random } from '../../../base/random.ts';
import type { FailedCase, MadeVerdict } from './contract.ts';

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
  { count, maxSwaps }: { readonly count: number; readonly maxSwaps: number },
  { classes, isKnown, random }: { classes: WordClasses; isKnown: (text: string) => boolean; random: Random },
): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (let draw = 0; failed.length > 0 && candidates.size < count && draw < maxDraws * count; draw++) {
    const source = failed[random.integer(failed.length)]!;
    const text = mutateText(source.reference, maxSwaps, classes, random)?.join(' ');
    if (text !== undefined && !candidates.has(text) && !isKnown(text)) candidates.set(text, { text, source });
  }
  return [...candidates.values()];
}

/**
 * A text with some of its words swapped for others of their class, at places drawn at random; null where no word that was drawn
 * has another.
 *
 * @param words of the text
 * @param maxSwaps from one to so many words are swapped, each number alike likely
 * @example mutateText(['red', 'cars'], 1, wordClasses(['red cars', 'red dogs'], []), random) // ['red', 'dogs'], or null
 */
export function mutateText(
  words: readonly string[],
  maxSwaps: number,
  classes: WordClasses,
  random: Random,
): string[] | null {
  if (words.length === 0) return null;
  const swaps = 1 + random.integer(Math.min(maxSwaps, words.length));
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

/** Words of a collection that may stand for each other. */
export interface WordClasses {
  /** Another word of the same class, each alike likely; null where there is none. */
  swap(word: string, random: Random): string | null;
}

/** Longer words are no words. */
const longestWord = 30;

/**
 * Sorts the words of a collection into classes by two simple rules: how often they occur (by powers of two: 1, 2 to 3, 4 to 7, …)
 * and how many letters they have (1 to 2, 3 to 4, …). Words that a grammar lets stand for each other are a class of their own
 * instead. Nothing is known of meaning: the texts that come of it are odd, and are spoken and recognized all the same.
 *
 * @param texts normalized, words parted by blanks
 * @param grammar classes given from outside; a word of several is of the first
 * @example wordClasses(['red cars', 'red dogs'], []).swap('cars', createRandom('an example')) // 'dogs'
 */
export function wordClasses(texts: Iterable<string>, grammar: readonly (readonly string[])[]): WordClasses {
  const classOf = new Map<string, { readonly members: readonly string[]; readonly place: number }>();
  const addClass = (members: readonly string[]) => {
    members.forEach((word, place) => {
      if (!classOf.has(word)) classOf.set(word, { members, place });
    });
  };
  for (const words of grammar) addClass([...new Set(words)]);

  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of text.split(' ')) if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const classes = new Map<string, string[]>();
  // Sorted, so that the order of the texts decides nothing.
  for (const word of [...counts.keys()].sort()) {
    if (classOf.has(word) || word.length > longestWord) continue;
    const name = `${Math.floor(Math.log2(counts.get(word)!))} ${Math.ceil([...word].length / 2)}`;
    const members = classes.get(name);
    if (members === undefined) classes.set(name, [word]);
    else members.push(word);
  }
  for (const members of classes.values()) addClass(members);

  return {
    swap(word, random) {
      const found = classOf.get(word);
      if (found === undefined || found.members.length < 2) return null;
      const drawn = random.integer(found.members.length - 1);
      return found.members[drawn < found.place ? drawn : drawn + 1]!;
    },
  };
}

/** How made texts were chosen among the candidates. */
export const arms = ['predicted', 'random'] as const;

export type Arm = (typeof arms)[number];

/** A made text that was spoken and recognized. */
export interface MadeText extends Candidate {
  readonly utteranceId: string;
  /** By recognizer; without those that gave no transcript. */
  readonly verdicts: ReadonlyMap<string, MadeVerdict>;
}

/** What was made for one voice in one condition. */
export interface MutatedPool {
  /** As in cases: `<synthesizer>:<voice>`. */
  readonly voice: string;
  readonly conditionName: string;
  readonly candidates: number;
  /** A text may be in both. `predicted` is empty without a predictor. */
  readonly chosen: Readonly<Record<Arm, readonly MadeText[]>>;
}
