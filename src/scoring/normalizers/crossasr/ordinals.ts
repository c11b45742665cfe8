import type { NormalizerStep } from '../normalizer.ts';
import { cardinal } from './cardinals.ts';
import { rewrite } from './rewrite.ts';

const irregular = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);

/**
 * A place in an order, in words.
 *
 * @param digits ASCII digits alone
 * @example ordinal('103') // 'one hundred third'
 */
export function ordinal(digits: string): string {
  const words = cardinal(digits).split(' ');
  const last = words.pop()!;
  return [...words, irregular.get(last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)].join(' ');
}

const written = /(?<![\p{L}\d]|\d[.,])(?<number>\d{1,3}(?:,\d{3})+|\d+)(?<ending>st|nd|rd|th)(?<many>s?)(?!\p{L})/giu;

/** 1st, 22nd, 1,000th; 3/10ths and 2/5ths have become fractions before. */
export const ordinals: NormalizerStep = {
  step: 'ordinals',
  apply: (text) => rewrite(text, written, ({ number, many }) => `${ordinal(number!.replaceAll(',', ''))}${many}`),
};
