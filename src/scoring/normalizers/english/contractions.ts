// Edges of words as Python's `\b` has them for text: letters, numbers of every kind and the underscore are in words,
// combining marks are not. JavaScript's own `\b` knows ASCII only.
const inWord = '[\\p{L}\\p{N}_]';

/** Source of a pattern that matches where a word begins, before a pattern that begins with a character of a word. */
export const wordStart = `(?<!${inWord})`;

/** Source of a pattern that matches where a word ends, after a pattern that ends with a character of a word. */
export const wordEnd = `(?!${inWord})`;

/** Source of a pattern that matches one character of white space, as Python's `\s` has it. */
export const blank = '[\\p{White_Space}\\x1c-\\x1f]';

const fixedContractions: ReadonlyMap<string, string> = new Map([
  ["won't", 'will not'],
  ["can't", 'can not'],
  ["let's", 'let us'],
  ["ain't", 'aint'],
  ["y'all", 'you all'],
  ['wanna', 'want to'],
  ['gotta', 'got to'],
  ['gonna', 'going to'],
  ["i'ma", 'i am going to'],
  ['imma', 'i am going to'],
  ['woulda', 'would have'],
  ['coulda', 'could have'],
  ['shoulda', 'should have'],
  ["ma'am", 'madam'],
]);

const titles: ReadonlyMap<string, string> = new Map([
  ['mr', 'mister '],
  ['mrs', 'missus '],
  ['st', 'saint '],
  ['dr', 'doctor '],
  ['prof', 'professor '],
  ['capt', 'captain '],
  ['gov', 'governor '],
  ['ald', 'alderman '],
  ['gen', 'general '],
  ['sen', 'senator '],
  ['rep', 'representative '],
  ['pres', 'president '],
  ['rev', 'reverend '],
  ['hon', 'honorable '],
  ['asst', 'assistant '],
  ['assoc', 'associate '],
  ['lt', 'lieutenant '],
  ['col', 'colonel '],
  ['jr', 'junior '],
  ['sr', 'senior '],
  ['esq', 'esquire '],
]);

/** Where what follows tells `had` from `would` and `has` from `is`. */
const perfectTenses: ReadonlyMap<string, string> = new Map([
  ["'d been", ' had been'],
  ["'s been", ' has been'],
  ["'d gone", ' had gone'],
  ["'s gone", ' has gone'],
  ["'d done", ' had done'],
  ["'s got", ' has got'],
]);

const endings: ReadonlyMap<string, string> = new Map([
  ["'re", ' are'],
  ["'s", ' is'],
  ["'d", ' would'],
  ["'ll", ' will'],
  ["'t", ' not'],
  ["'ve", ' have'],
  ["'m", ' am'],
]);

const fixedPattern = anyWord(fixedContractions.keys());
const titlePattern = anyWord(titles.keys());
const perfectPattern = new RegExp(`(?:${[...perfectTenses.keys()].join('|')})${wordEnd}`, 'gu');
const negation = new RegExp(`n't${wordEnd}`, 'gu');
const endingPattern = new RegExp(`(?:${[...endings.keys()].join('|')})${wordEnd}`, 'gu');

/** `won't`, `can't`, `gonna` and eleven others that stand for words of their own, in lower case. */
export function expandFixedContractions(text: string): string {
  return text.replace(fixedPattern, (found) => fixedContractions.get(found)!);
}

/**
 * `mr`, `dr`, `prof` and eighteen others as the words they stand for, in lower case.
 *
 * Known traps: `st` is always `saint` (`Main St.` gives `main saint`, `21 st` gives `21 saint`, while `21st` stays), `gen`
 * always `general`, `rep` always `representative`, `col` always `colonel`.
 */
export function expandTitles(text: string): string {
  return text.replace(titlePattern, (found) => titles.get(found)!);
}

/**
 * `n't`, `'s`, `'re`, `'d`, `'ll`, `'t`, `'ve`, `'m` as words, in lower case: `it's` gives `it is`, `he's been` gives
 * `he has been`.
 *
 * Known traps: an `'s` that means possession becomes `is` too (`Anna's hat` gives `anna is hat`), and so does that of
 * `1980's`; a typographic apostrophe is none (`it’s` gives `it s`).
 */
export function expandEndings(text: string): string {
  if (!text.includes("'")) return text;
  return text
    .replace(perfectPattern, (found) => perfectTenses.get(found)!)
    .replace(negation, ' not')
    .replace(endingPattern, (found) => endings.get(found)!);
}

/** A pattern for any of some words, standing alone. */
export function anyWord(words: Iterable<string>): RegExp {
  return new RegExp(`${wordStart}(?:${[...words].join('|')})${wordEnd}`, 'gu');
}
