import type { NormalizerStep } from '../normalizer.ts';
import { cardinal, digitByDigit } from './cardinals.ts';
import { rewrite } from './rewrite.ts';
import { number, numberStart, sayAmount } from './written-numbers.ts';

const signed = new RegExp(`(?<![\\p{L}\\d)\\]] ?)(?<sign>[-–+])(?<written>${number})`, 'gu');
const plain = new RegExp(`${numberStart}(?<written>${number})`, 'gu');
const pastWord = /(?<= |^)(?<sign>[-–])(?<written>\d+(?:\.\d+)?)(?!\d)(?= |[.,;!?)]|$)/gu;
const many = /(?<![\p{L}\d]|\d[.,])(?<digits>\d+)'?s(?!\p{L})/gu;
const rest = /\d+/g;

function pluralOf(words: string): string {
  if (words.endsWith('y')) return `${words.slice(0, -1)}ies`;
  return `${words}${words.endsWith('x') ? 'es' : 's'}`;
}

/** Every number that no other step took: 1,234,567, 3.14 "three point one four", -5 "minus five"; stray figures in any case. */
export const numbers: NormalizerStep = {
  step: 'numbers',
  apply(text) {
    let said = rewrite(text, many, ({ digits }) => pluralOf(cardinal(digits!)));
    said = rewrite(said, signed, ({ sign, written }) => `${sign === '+' ? 'plus' : 'minus'} ${sayAmount(written!)}`);
    said = rewrite(said, pastWord, ({ written }) => `minus ${sayAmount(written!)}`);
    said = rewrite(said, plain, ({ written }) => sayAmount(written!));
    return rewrite(said, rest, (_, __, digits) =>
      digits.length > 1 && digits.startsWith('0') ? digitByDigit(digits) : cardinal(digits),
    );
  },
};
