import type { Random } from '../../../base/random.ts';

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
