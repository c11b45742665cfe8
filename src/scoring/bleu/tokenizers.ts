import { splitWords, whiteSpace } from '../normalizers/split-words.ts';

/**
 * Ways of cutting a text into the tokens that BLEU counts, by the names that sacreBLEU's signatures give them. They agree
 * with sacreBLEU 2.6.0, faults included; sacreBLEU cuts white space off the end of a text first, and so do these.
 *
 * - `none`: words between white space.
 * - `13a`: Western punctuation and symbols apart, points and commas except within numbers (NIST's mteval-v13a; the default
 *   of sacreBLEU); entities as `&quot;` read.
 * - `intl`: the same with all punctuation and symbols of Unicode (mteval-v14). A point after a number at the end stays.
 * - `char`: each code point but white space.
 * - `zh`: each Chinese character apart, the rest as in `13a`. By a slip in its table, supplementary ideographs count as no
 *   Chinese and U+2001 to U+2A6D (dashes, arrows, box drawings, …) as Chinese.
 */
export const bleuTokenizers = {
  none: splitWords,
  '13a': (text: string) => splitWords(separateWestern(` ${readMarkup(withoutEnd(text))} `)),
  intl: (text: string) => splitWords(separateInternational(withoutEnd(text))),
  char: (text: string) => [...text.replace(whiteSpace, '')],
  zh: (text: string) => splitWords(separateWestern(separateChinese(trimmed(text)))),
} as const satisfies Readonly<Record<string, (text: string) => string[]>>;

const afterNoDigit = /([^0-9])([.,])/gu;
const beforeNoDigit = /([.,])([^0-9])/gu;
/** ASCII punctuation but apostrophe, comma, hyphen and point; the blank is among them and does no harm. */
const westernMarks = /[ -&(-+/:-@[-`{-~]/gu;

function separateWestern(text: string): string {
  return text
    .replace(westernMarks, ' $& ')
    .replace(afterNoDigit, '$1 $2 ')
    .replace(beforeNoDigit, ' $1 $2')
    .replace(/([0-9])-/gu, '$1 - ');
}

/** Line ends joined and entities read, in the order of mteval-v13a: `&amp;lt;` becomes `<`. */
function readMarkup(text: string): string {
  return text
    .replaceAll('<skipped>', '')
    .replaceAll('-\n', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

function separateInternational(text: string): string {
  return text
    .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
    .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
    .replace(/\p{S}/gu, ' $& ');
}

/** Ideographs, their parts, full and half width forms, and what the slip takes for such (U+2001 to U+2A6D). */
const chineseCharacters =
  /[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef\u3200-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]/gu;

function separateChinese(text: string): string {
  return text.replace(chineseCharacters, ' $& ');
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

function trimmed(text: string): string {
  const kept = withoutEnd(text);
  let start = 0;
  while (start < kept.length && isBlank(kept.charCodeAt(start))) start++;
  return kept.slice(start);
}

function isBlank(code: number): boolean {
  return splitWords(String.fromCharCode(code)).length === 0;
}
