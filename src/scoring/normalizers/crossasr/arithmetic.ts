import type { NormalizerStep } from '../normalizer.ts';
import { rewrite } from './rewrite.ts';
import { units } from './units.ts';
import { number, numberStart, sayAmount } from './written-numbers.ts';

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const scientific = new RegExp(
  `${numberStart}(?<minus>-)?(?<base>\\d{1,9}(?:\\.\\d{1,30})?)[eE](?<power>[-+]?\\d{1,4})(?![\\p{L}\\d.])`,
  'gu',
);
const power =
  /(?<base>(?<![\p{L}\d.,])\d{1,30}(?:\.\d{1,30})?|\p{L}|\))(?:\^\{?(?<caret>[-−]?\d{1,6})\}?|(?<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,6}))(?![\p{L}\d])/gu;
const times = /(?<=\d[\p{L}"']{0,4}) ?(?<sign>[x×*·]) ?(?=\d)(?<!(?<![\p{L}\d])0[x])/gu;
const minus = /(?<=(?:\d|\)|(?<!\p{L})\p{L}) )[-–−](?= (?:\d|\p{L}(?!\p{L}))[^=]{0,24}=)/gu;
const descending = new RegExp(`${numberStart}(?<first>${number}) (?:-|−) (?<second>${number})(?= ?=)`, 'gu');
const divided = /(?<=\d) ?(?:÷ ?(?=\d)|\/ (?=\d[^=\d]{0,3}[^=]{0,24}=))/gu;
const root = /√ ?(?=[\d(\p{L}])/gu;
const compared = /(?<=(?:^|[\p{L}\d)]) ?)(?<sign>[<>]=?|≤|≥|≠|≈|≪|≫)(?= ?[-\d$€£\p{L}.])/gu;
const signs: Readonly<Record<string, string>> = {
  '<': 'less than',
  '>': 'greater than',
  '<=': 'less than or equal to',
  '>=': 'greater than or equal to',
  '≤': 'less than or equal to',
  '≥': 'greater than or equal to',
  '≠': 'not equal to',
  '≈': 'approximately',
  '≪': 'much less than',
  '≫': 'much greater than',
};
const equation = /(?<=(?:\d|\)|=|(?<!\p{L})\p{L}|\d%) ?)[x×*·](?= ?[\d(][^.!?=]{0,40}=)/gu;

// The square of "5 cm²" belongs to the unit.
const isUnit = (before: string, letter: string) => {
  const head = /\d ?(?<letters>\p{L}{0,3})$/u.exec(before)?.groups?.letters;
  return head !== undefined && units.has(head + letter);
};

function sayPower(exponent: string): string {
  if (exponent === '2') return 'squared';
  if (exponent === '3') return 'cubed';
  return `to the power of ${exponent.startsWith('-') ? 'minus ' : ''}${sayAmount(exponent.replace('-', ''))}`;
}

/** Powers, roots, products, comparisons: 10^6 "ten to the power of six", 4×4 "four by four", 5 × 3 = 15 "five times three equals". */
export const arithmetic: NormalizerStep = {
  step: 'arithmetic',
  apply(text) {
    let said = rewrite(
      text,
      scientific,
      ({ minus: sign, base, power: exponent }) =>
        `${sign ? 'minus ' : ''}${sayAmount(base!)} times ten ${sayPower(exponent!.replace('+', '')).replace('squared', 'to the power of two').replace('cubed', 'to the power of three')}`,
    );
    said = rewrite(said, power, ({ base, caret, raised }, { before }) => {
      if (isUnit(before, base!)) return undefined;
      const exponent = (
        caret ?? Array.from(raised!, (sign) => (sign === '⁻' ? '-' : superscripts.indexOf(sign))).join('')
      ).replace('−', '-');
      const head = /\d/.test(base!) ? sayAmount(base!) : base!;
      return `${head} ${sayPower(exponent)}`;
    });
    said = said
      .replace(equation, ' times ')
      .replace(/(?<=\d) ?[×x] ?(?=(?:ten|\p{L}) (?:to the power|squared|cubed))/gu, ' times ');
    said = rewrite(said, descending, ({ first, second }) => `${first} minus ${second}`);
    said = said.replace(minus, 'minus').replace(divided, ' divided by ').replace(root, 'the square root of ');
    said = said.replace(times, (sign) => (/[*·]/.test(sign) ? ' times ' : ' by '));
    return rewrite(said, compared, ({ sign }) => ` ${signs[sign!]} `).replaceAll(/ {2,}/g, ' ');
  },
};
