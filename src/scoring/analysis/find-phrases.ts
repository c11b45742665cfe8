/** A stretch of words that matters: a name, a number, a keyword. */
export interface PhraseSpan {
  /** Place of its first word. */
  readonly start: number;
  /** Place after its last word. */
  readonly end: number;
  /** The phrase, or a kind of entity: counted apart where given. */
  readonly label?: string;
}

interface PhraseNode {
  readonly next: Map<string, PhraseNode>;
  phrase: string | null;
}

/**
 * Finds phrases in words, from left to right; where several begin at a word the longest counts, and stretches do not
 * overlap. Words are compared as strings: normalize text and phrases alike.
 *
 * @param phrases one or more words each; empty ones are passed over
 * @example findPhrases(['in', 'new', 'york'], [['york'], ['new', 'york']]) // [{ start: 1, end: 3, label: 'new york' }]
 */
export function findPhrases(words: readonly string[], phrases: Iterable<readonly string[]>): PhraseSpan[] {
  const root: PhraseNode = { next: new Map(), phrase: null };
  for (const phrase of phrases) {
    let node = root;
    for (const word of phrase) {
      let following = node.next.get(word);
      if (following === undefined) {
        following = { next: new Map(), phrase: null };
        node.next.set(word, following);
      }
      node = following;
    }
    if (node !== root) node.phrase = phrase.join(' ');
  }
  const spans: PhraseSpan[] = [];
  let start = 0;
  while (start < words.length) {
    let longest: PhraseSpan | null = null;
    let node = root.next.get(words[start]!);
    for (let end = start + 1; node !== undefined; end++) {
      if (node.phrase !== null) longest = { start, end, label: node.phrase };
      node = end < words.length ? node.next.get(words[end]!) : undefined;
    }
    if (longest !== null) spans.push(longest);
    start = longest?.end ?? start + 1;
  }
  return spans;
}
