import { openMark } from '../../alignment/open-words.ts';
import { table } from './sums-and-measures.ts';

const anyOf = (words: Iterable<string>) =>
  new RegExp(`(?<![\\p{L}\\d'])(?:${[...words].join('|')})(?![\\p{L}\\d]|'(?!(?:ve|d|re|ll)(?!\\p{L})))`, 'gu');

/** Contractions that are words of their own, and letters that are no versus. */
const fixed = table(`
  won't:will not|can't:can not|shan't:shall not|let's:let us|ain't:aint|y'all:you all|o'clock:oclock
  |c'mon:come on|i'ma:i am going to|might'a:might have|must'a:must have|v's:vees`);
const fixedPattern = anyOf(fixed.keys());

/** Whose 's is "is" or "has", and no possession. */
const subject =
  /(?<=(?<![\p{L}\d])(?:it|he|she|that|this|what|who|where|when|why|how|there|here|everybody|everyone|everything|somebody|someone|something|nobody|nothing|anybody|anyone|anything))'s(?!\p{L})/gu;
/** Where a quotation may begin as well: the other text decides (`openMark`). */
const elided = /(?<![\p{L}\d])'(cause|em|bout|til)(?!\p{L})|(?<![\p{L}\d])'(n)'?(?!\p{L})/gu;
/** Where a quotation ends, and no `goin'` or `dogs'`. */
const closing = /(?:(?<!in|s)(?<=\p{L})|(?<=[.,!?]))'(?!\p{L})/u;
const endings: readonly (readonly [RegExp, string])[] = [
  [/n't(?!\p{L})/gu, ' not'],
  [subject, ` ${openMark}s`],
  [/(?<=d)'a(?!\p{L})/gu, ' have'],
  [/'d(?!\p{L})/gu, ` ${openMark}d`],
  [/'re(?!\p{L})/gu, ' are'],
  [/'ll(?!\p{L})/gu, ' will'],
  [/'ve(?!\p{L})/gu, ' have'],
  [/(?<=(?<!\p{L})i)'m(?!\p{L})/gu, ' am'],
  [/(?<![\p{L}\d])(\p{L}{2,}in)'(?!\p{L})/gu, `${openMark}$1`],
];

/**
 * A text with its contractions and elisions in full, those that are one of several open (`openMark`), and without other apostrophes.
 *
 * @example withoutApostrophes("i'd won't 'cause") // 'i ˀd will not ˀcause'
 */
export function withoutApostrophes(text: string): string {
  const joined = text
    .replace(/(?<=(?<!\d)[1-9])' ?(1[01]|\d)(?:["”]|'')/g, ' foot $1 ')
    .replace(/(?<=\p{L}) '(?=(?:s|t|re|ll|ve|m|d)(?!\p{L}))/gu, "'");
  const inFull = joined.replace(fixedPattern, (found) => fixed.get(found)!);
  return endings
    .reduce((changed, [pattern, by]) => changed.replace(pattern, by), inFull)
    .replace(elided, (_, word: string, and: string, place: number, whole: string) => {
      const isQuoted = word !== undefined && closing.test(whole.slice(place + 1, place + 80));
      return isQuoted ? ` ${word}` : `${openMark}${word ?? and}`;
    })
    .replaceAll("'", (_, place: number, whole: string) => {
      const before = whole.charAt(place - 1);
      return (/\p{L}/u.test(before) && /\p{L}/u.test(whole.charAt(place + 1))) || /\d/.test(before) ? '' : ' ';
    });
}
