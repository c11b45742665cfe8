import type { NormalizerStep } from '../normalizer.ts';
import { isDay, months } from './dates.ts';
import { units } from './measures.ts';
import { cardinal, fraction, number, numberStart, ordinal, sayAmount, twoDigits, year } from './numbers.ts';
import { rewrite } from './rewrite.ts';

const written =
  /(?<![\p{L}\d]|\d[.,/:-])(?<minus>-)?(?<whole>\d{1,6}[ -])?(?<above>\d{1,6})\/(?<below>\d{1,6})(?<ending>ths?|nds?|rds?|sts?)?(?![\p{L}\d]|[.:/]\d|-\d)/gu;
const usual = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100, 1000]);
const onDay = /\b(?:on|by|since|until|till|before|after|from|dated|due|week of|ends|begins|starts|\p{L}+day,?) $/iu;
const rated =
  /\b(?:rate[sd]?|rating|score[sd]?|scoring|gave|give|gives|got|gets|grade[sd]?|review|stars?|answers|is a|was a)[^.!?]{0,24}$/i;

/** Said as two numbers, whatever they were meant to be once. */
const twins = new Set(['24/7', '9/11', '50/50', '20/20', '60/40', '80/20', '70/30', '7/7']);

const yearLike = (digits: string) => /^(?:19|20)\d{2}$/.test(digits);

/**
 * 3/4 "three quarters", 3 3/4 "three and three quarters", 8/10 in a rating "eight out of ten", 120/80 "one hundred twenty
 * over eighty"; a month and a day where the words before ask for one (on 7/4) or where it can be no usual fraction (12/25).
 */
export const fractions: NormalizerStep = {
  step: 'fractions',
  apply: (text) =>
    rewrite(text, written, ({ minus, whole, above, below, ending }, { before }) => {
      const sign = minus === undefined ? '' : 'minus ';
      if (whole !== undefined && Number(above) < Number(below))
        return `${sign}${sayAmount(`${whole}${above}/${below}`)}`;
      const head = whole === undefined ? '' : `${cardinal(whole.trim().replace('-', ''))} `;
      return `${sign}${head}${ending === undefined ? sayPair(above!, below!, before) : fraction(above!, below!)}`;
    }),
};

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

// A season (2003/04) or the number of a law (1049/2001).
function sayWithYear(above: string, below: string): string {
  if (yearLike(above) && below.length === 2 && Number(below) === (Number(above) + 1) % 100)
    return `${year(above)} ${twoDigits(below)}`;
  if (yearLike(above) && Number(below) === Number(above) + 1) return `${year(above)} ${year(below)}`;
  const say = (digits: string) => (yearLike(digits) ? year(digits) : cardinal(digits));
  return `${say(above)} slash ${say(below)}`;
}

function sayPair(above: string, below: string, before: string): string {
  const [top, bottom] = [Number(above), Number(below)];
  if (twins.has(`${above}/${below}`)) return `${cardinal(above)} ${cardinal(below)}`;
  if (onDay.test(before) && isDay(top, bottom)) return `${months[top - 1]} ${ordinal(below)}`;
  if (above.startsWith('0') && below.length === 2 && isDay(top, bottom)) return `${months[top - 1]} ${ordinal(below)}`;
  if (yearLike(above) || yearLike(below)) return sayWithYear(above, below);
  if (/\p{L}-$/u.test(before)) return `${cardinal(above)} slash ${cardinal(below)}`;
  if (top >= 12 && bottom === top + 1 && !(usual.has(bottom) && bottom % 2 === 0))
    return `${cardinal(above)} ${cardinal(below)}`;
  if (rated.test(before) && top <= bottom && [5, 10, 20, 100].includes(bottom))
    return `${cardinal(above)} out of ${cardinal(below)}`;
  if (top === bottom && top > 1) return `${cardinal(above)} out of ${cardinal(below)}`;
  if (usual.has(bottom) && (top < bottom || bottom <= 10)) return fraction(above, below);
  if (isDay(top, bottom)) return `${months[top - 1]} ${ordinal(below)}`;
  return `${cardinal(above)} over ${cardinal(below)}`;
}
