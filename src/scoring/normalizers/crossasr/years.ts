import type { NormalizerStep } from '../normalizer.ts';
import { cardinal, twoDigits } from './cardinals.ts';
import { rewrite } from './rewrite.ts';

/**
 * A year as Americans say it.
 *
 * @param digits one to four ASCII digits
 * @example year('1905') // 'nineteen oh five'
 */
export function year(digits: string): string {
  const value = Number(digits);
  if (value < 1010 || value % 1000 === 0 || (value > 2000 && value < 2010)) return cardinal(digits);
  const century = cardinal(digits.slice(0, 2));
  return value % 100 === 0 ? `${century} hundred` : `${century} ${twoDigits(digits.slice(2))}`;
}

/** More than one of what the words name: "nineties", "two thousands", "sixes". */
export function plural(words: string): string {
  if (words.endsWith('y')) return `${words.slice(0, -1)}ies`;
  return words.endsWith('x') ? `${words}es` : `${words}s`;
}

const decades = /(?<![\p{L}\d]|\d[.,'])(?<mark>')?(?<digits>\d{4}|\d{2})(?:'?s)(?!\p{L})/giu;
const decadeRange = /(?<=(?<![\p{L}\d])\d{4}'?s) ?[-–] ?(?='?(?:\d{2}|\d{4})'?s(?!\p{L}))/gu;
const shortYear = /(?<![\p{L}\d])'(?<digits>\d{2})(?!\d|\p{L}|'|[.,]\d)/gu;
const era = /(?<![\p{L}\d]|\d[.,])(?<digits>\d{1,4}) ?(?<era>B\.?C\.?E\.?|B\.?C\.?|C\.?E\.?|A\.?D\.?)(?![\p{L}\d])/gu;
const eraFirst = /(?<![\p{L}\d])A\.?D\.? (?<digits>\d{1,4})(?![\p{L}\d]|[.,]\d)/gu;
const bare = /(?<![\p{L}\d$€£#]|\d[.,:/]|(?:^|[\s(])\.)(?<digits>[12]\d{3})(?![\p{L}\d%°]|[.,:/]\d)/gu;

const letters = (written: string) => written.replaceAll('.', '').toLowerCase().split('').join(' ');

const yearBefore =
  /(?:\b(?:in|since|until|till|by|from|before|after|during|circa|around|year|years|early|late|mid|of|to|and|spring|summer|autumn|fall|winter|class|copyright|born|died|est|established|founded|the|january|february|march|april|may|june|july|august|september|october|november|december)\b[ .,-]*|[(,©] ?)$/i;
const strongYearBefore =
  /\b(?:in|since|until|till|by|during|circa|year|years|early|late|mid|spring|summer|autumn|fall|winter|class of|copyright|born|died|est|established|founded|the|to|than)\b[ .,-]*$/i;
const counted =
  /^ (?:(?!(?:was|is|has|as|this|its|thus|plus|across|versus|perhaps|always|does|his|hers|ours|theirs|us|yes|sees|saw|marks|marked|brings|remains|begins|starts|ends|seems|looks|gives|shows|becomes)\b)\p{Ll}+s|people|men|women|children|feet|other|more|new|different|or more|and more|million|billion|percent|dead|sheep|fish|staff|troops)(?!\p{L})/u;

// 1100 to 1599 count more often than they name a year, unless the words before say so; from 1600 to 2099 the other way.
function readsAsYear(digits: string, before: string, after: string): boolean {
  const value = Number(digits);
  const marked = yearBefore.test(before);
  const strong = strongYearBefore.test(before);
  if (value < 1010 || (value > 2099 && !/\byears? $/i.test(before))) return false;
  if (counted.test(after)) return strong && value > 1799 && value % 100 !== 0;
  return value >= 1600 || marked;
}

/** Decades (1990s, '90s), years with an era (55 BC), two-digit years ('99) and four digits that the context makes a year. */
export const years: NormalizerStep = {
  step: 'years',
  apply(text) {
    let said = rewrite(text.replace(decadeRange, ' to '), decades, ({ mark, digits }) => {
      if (digits!.length === 4) return digits === '1000' ? 'thousands' : plural(year(digits!));
      return digits!.endsWith('0') && digits !== '00' ? plural(cardinal(digits!)) : mark && `${twoDigits(digits!)}s`;
    });
    said = rewrite(said, era, ({ digits, era: written }) => `${year(digits!)} ${letters(written!)}`);
    said = rewrite(said, eraFirst, ({ digits }) => `a d ${year(digits!)}`);
    said = rewrite(said, shortYear, ({ digits }) => twoDigits(digits!));
    return rewrite(said, bare, ({ digits }, { before, after }) =>
      readsAsYear(digits!, before, after) ? year(digits!) : undefined,
    );
  },
};
