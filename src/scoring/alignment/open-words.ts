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
export function openLetterOf(word: string): string | null {
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
