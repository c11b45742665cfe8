import type { NormalizerStep } from '../normalizer.ts';
import { isDay, months } from './calendar.ts';
import { cardinal, twoDigits } from './cardinals.ts';
import { ordinal } from './ordinals.ts';
import { rewrite } from './rewrite.ts';
import { fraction, sayAmount } from './written-numbers.ts';
import { year } from './years.ts';

const written =
  /(?<![\p{L}\d]|\d[.,/:-])(?<minus>-)?(?<whole>\d{1,6}[ -])?(?<above>\d{1,6})\/(?<below>\d{1,6})(?<ending>ths?|nds?|rds?|sts?)?(?![\p{L}\d]|[.:/]\d|-\d)/gu;
const usual = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100, 1000]);
const onDay = /\b(?:on|by|since|until|till|before|after|from|dated|due|week of|ends|begins|starts|\p{L}+day,?) $/iu;
const rated =
  /\b(?:rate[sd]?|rating|score[sd]?|scoring|gave|give|gives|got|gets|grade[sd]?|review|stars?|answers|is a|was a)[^.!?]{0,24}$/i;

/** Said as two numbers, whatever they were meant to be once. */
const twins = new Set(['24/7', '9/11', '50/50', '20/20', '60/40', '80/20', '70/30', '7/7']);

const yearLike = (digits: string) => /^(?:19|20)\d{2}$/.test(digits);

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
