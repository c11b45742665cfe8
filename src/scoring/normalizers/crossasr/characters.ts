import type { NormalizerStep } from '../normalizer.ts';
import { whiteSpace } from '../split-words.ts';

// biome-ignore lint/suspicious/noMisleadingCharacterClass: each variation selector is meant by itself
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\u{fe00}-\u{fe0f}\ufeff]/gu;
const compatible = /[\u2100-\u2149\u2160-\u217f\u3371-\u33df\ufb00-\ufb06\uff01-\uff5e\u{1d400}-\u{1d7ff}]+/gu;
const circled = /[\u2460-\u249b]/g;
const otherDigits = /(?!\d)\p{Nd}/gu;
const decimalDigit = /\p{Nd}/u;

// Unicode keeps the ten digits of a script side by side, so the value follows from the place in the run.
function digitValue(digit: string): string {
  const point = digit.codePointAt(0)!;
  let first = point;
  while (point - first < 70 && decimalDigit.test(String.fromCodePoint(first - 1))) first--;
  return String((point - first) % 10);
}

/** One sign for each meaning: digits of any script, quotation marks, hyphens, blanks, full-width and squared letters. */
export const characters: NormalizerStep = {
  step: 'one form of each character',
  apply: (text) => (/[^ -~]/.test(text) ? fold(text) : text.replaceAll('`', "'").replace(/ {2,}/g, ' ').trim()),
};

function fold(text: string): string {
  return text
    .normalize('NFC')
    .replace(unseen, '')
    .replace(circled, (sign) => ` ${sign.normalize('NFKC')} `)
    .replace(compatible, (signs) => signs.normalize('NFKC'))
    .replace(otherDigits, digitValue)
    .replace(/[\u2018\u2019\u201b\u02bc\u0060\u00b4]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb\u2039\u203a]/g, '"')
    .replace(/[\u2010-\u2012\u2212\ufe63]/g, '-')
    .replace(/[\u2014\u2015]/g, ' \u2014 ')
    .replace(/\u2026/g, '...')
    .replace(/\u00b5/g, '\u03bc')
    .replace(/(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3})/g, "'")
    .replace(whiteSpace, ' ')
    .trim();
}
