/**
 * The first letter of a word that may be heard as one of several (`it's` is "it is" or "it has"): which of them, the other text decides, where
 * it is written out. A letter that no language begins a word with, and that normalizers leave as it is.
 */
export const openMark = 'ˀ';
/** Its code. */
export const openCode = openMark.charCodeAt(0);

/**
 * A word that may be heard as any of these, the likely one first.
 *
 * @example openWord('five', 'fifth') // 'ˀfiveˀfifth'
 */
export function openWord(...likelyFirst: readonly string[]): string {
  return `${openMark}${likelyFirst.join(openMark)}`;
}

/** Readings of each that has no others in itself, without its mark, the likely one first. */
const readings: Readonly<Record<string, readonly string[]>> = {
  s: ['is', 'has'],
  d: ['would', 'had'],
  cause: ['because', 'cause'],
  em: ['them', 'em'],
  bout: ['about', 'bout'],
  til: ['until', 'till'],
  n: ['and', 'n'],
  one: ['one', 'a'],
  quarter: ['quarter', 'fourth'],
  quarters: ['quarters', 'fourths'],
};
/** Behind these `'d` is "did" too. */
const asking = new Set(['where', 'how', 'why', 'what', 'when', 'who']);
/** Behind it `'s` is "has" and `'d` "had", more often than not. */
const perfect = new Set(
  'been gone got done become come had taken seen made said better never always already just happened eaten'.split(' '),
);

/**
 * A letter with a full stop (`O.N.U.`): alone, or one word with those beside it, as the other text has it (`decided`).
 *
 * @example openLetters(['o', 'n', 'u']) // 'ˀoˀ ˀnˀ ˀuˀ'
 */
export function openLetters(letters: readonly string[]): string {
  return letters.map((one) => `${openMark}${one}${openMark}`).join(' ');
}

/** The letter of a word of `openLetters`; null for every other word. */
function openLetterOf(word: string): string | null {
  return isOpenWord(word) && word.length > 2 && word.indexOf(openMark, 1) === word.length - 1
    ? word.slice(1, -1)
    : null;
}

/** Whether a word has several readings. */
export function isOpenWord(word: string): boolean {
  return word.charCodeAt(0) === openCode;
}

/** Whether one of the words has. */
export function hasOpenWords(words: readonly string[], from = 0, to = words.length): boolean {
  for (let place = from; place < to; place++) if (isOpenWord(words[place]!)) return true;
  return false;
}

/**
 * What the word at a place may be heard as, the likely reading first; of most words themselves alone.
 *
 * @example readingsAt(['he', 'ˀs', 'gone'], 1) // ['has', 'is']
 */
export function readingsAt(words: readonly string[], place: number): readonly string[] {
  const word = words[place]!;
  if (!isOpenWord(word)) return [word];
  const letter = openLetterOf(word);
  if (letter !== null) return [letter];
  const plain = word.replace(/^ˀ+/u, '');
  const own = plain.split(openMark).filter((one) => one !== '');
  if (own.length > 1) return own;
  const known = Object.hasOwn(readings, plain)
    ? readings[plain]!
    : plain.endsWith('in')
      ? [`${plain}g`, plain]
      : [plain];
  if (plain !== 's' && plain !== 'd') return known;
  if (plain === 'd' && asking.has(words[place - 1] ?? '')) return ['did', ...known];
  return perfect.has(words[place + 1] ?? '') ? known.toReversed() : known;
}

/** Each word as it is most likely heard: for those who read or speak a text that no other decides. */
export function likelyWords(words: readonly string[]): readonly string[] {
  return hasOpenWords(words) ? words.map((_, place) => readingsAt(words, place)[0]!) : words;
}

/** Words in pieces: those that the other text has in letters with full stops are these letters. */
interface Pieces {
  readonly pieces: readonly string[];
  /** Of each piece the place of its word. */
  readonly places: readonly number[];
}

/**
 * A hypothesis whose letters with full stops are one word where the reference has that word at their place, and in which a word is the letters
 * that the reference has there: the words of the reference stay as many, whatever is heard.
 *
 * @param equalPlaces where two texts are set against each other with equal words
 */
export function withLettersOf(
  reference: readonly string[],
  hypothesis: readonly string[],
  equalPlaces: (one: readonly string[], other: readonly string[]) => (readonly [number, number])[],
): readonly string[] {
  const runsOf = (words: readonly string[]) =>
    words
      .map((word) => openLetterOf(word) ?? ' ')
      .join('')
      .replace(/ {2,}/g, ' ');
  const [ofReference, ofHypothesis] = [runsOf(reference), runsOf(hypothesis)];
  if (ofReference.trim() === '' && ofHypothesis.trim() === '') return hypothesis;
  const piecesOf = (words: readonly string[], runs: string): Pieces => {
    const found = words.map((word) => openLetterOf(word) ?? (word.length > 1 && runs.includes(word) ? word : [word]));
    return { pieces: found.flatMap((one) => [...one]), places: found.flatMap((one, at) => [...one].map(() => at)) };
  };
  const said = piecesOf(reference, ofHypothesis);
  const heard = piecesOf(hypothesis, ofReference);
  const partners = equalPlaces(said.pieces, heard.pieces);
  const settled = new Map<number, readonly string[]>();
  for (const [word, first, last] of wholeLetters(partners, said, heard, hypothesis)) {
    for (let place = first; place <= last; place++) settled.set(place, place === first ? [reference[word]!] : []);
  }
  const back = partners.map(([one, other]) => [other, one] as const);
  for (const [word, first, last] of wholeLetters(back, heard, said, reference))
    settled.set(word, reference.slice(first, last + 1));
  return hypothesis.flatMap((word, place) => settled.get(place) ?? [word]);
}

/** Words of several pieces, each with the first and the last letter of the other text that they are set against, where they are these and no others. */
function wholeLetters(
  partners: readonly (readonly [number, number])[],
  own: Pieces,
  other: Pieces,
  otherWords: readonly string[],
): (readonly [word: number, first: number, last: number])[] {
  const others = new Map(partners);
  const isFirst = ({ places }: Pieces, at: number) => places[at] !== places[at - 1];
  const isLast = ({ places }: Pieces, at: number) => places[at] !== places[at + 1];
  return own.pieces.flatMap((_, start) => {
    if (!isFirst(own, start) || isLast(own, start)) return [];
    const met = others.get(start);
    if (met === undefined || !isFirst(other, met)) return [];
    for (let step = 0; ; step++) {
      const at = others.get(start + step);
      if (at !== met + step || openLetterOf(otherWords[other.places[at]!]!) === null) return [];
      if (isLast(own, start + step))
        return isLast(other, at) ? [[own.places[start]!, other.places[met]!, other.places[at]!] as const] : [];
    }
  });
}
