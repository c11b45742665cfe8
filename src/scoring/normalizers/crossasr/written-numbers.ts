import type { NormalizerStep } from '../normalizer.ts';
import { cardinal, digitByDigit } from './cardinals.ts';
import { ordinal } from './ordinals.ts';
import { rewrite } from './rewrite.ts';
import { plural } from './years.ts';

/** Where a number may begin: not within a word or another number. */
export const numberStart = String.raw`(?<![\p{L}\d]|\d[.,])`;
/** A number with American signs: 5, 1,234.5, 12,34,567, .5. */
export const number = String.raw`(?:\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?!\d|\.\d)`;
/** A number, a fraction or both: 3/4, 3 3/4. */
export const amount = String.raw`(?:(?:\d{1,6}[ -])?\d{1,6}\/\d{1,6}(?![\d/])|${number})`;
/** Words of size after a number. */
export const scaleWords = 'hundred|thousand|lakh|million|crore|billion|trillion|quadrillion|quintillion';

/**
 * A fraction in words: halves and quarters by name, others by ordinals.
 *
 * @example fraction('3', '4') // 'three quarters'
 */
export function fraction(above: string, below: string): string {
  const one = Number(above) === 1;
  const count = cardinal(above);
  if (Number(below) === 1 || Number(below) === 0) return `${count} over ${cardinal(below)}`;
  if (Number(below) === 2) return one ? 'one half' : `${count} halves`;
  const part = Number(below) === 4 ? 'quarter' : ordinal(below);
  return `${count} ${one ? part : plural(part)}`;
}

/**
 * A number as it was written, in words: groups, decimals, fractions, a sign.
 *
 * @example sayAmount('-1,234.50') // 'minus one thousand two hundred thirty four point five zero'
 */
export function sayAmount(written: string): string {
  const sign = /^[-–+]/.exec(written)?.[0];
  if (sign !== undefined) return `${sign === '+' ? 'plus' : 'minus'} ${sayAmount(written.slice(1))}`;
  const parts = /^(?:(?<whole>\d+)[ -])?(?<above>\d+)\/(?<below>\d+)$/.exec(written)?.groups;
  if (parts) {
    const part = fraction(parts.above!, parts.below!);
    if (parts.whole === undefined) return part;
    return `${cardinal(parts.whole)} and ${part.replace(/^one (?=half|quarter)/, 'a ')}`;
  }
  const [whole = '', decimals] = written.replaceAll(',', '').split('.');
  if (decimals !== undefined) return `${whole === '' ? '' : `${cardinal(whole)} `}point ${digitByDigit(decimals)}`;
  return whole.length > 1 && whole.startsWith('0') ? digitByDigit(whole) : cardinal(whole);
}

const vulgar = /(?<gap>(?<=\d) ?)?(?<sign>[¼½¾⅐-⅞↉])/gu;
const spacedGroups =
  /(?<![\p{L}\d.,:/-]|\d )\d{1,3}(?:(?:[\u00a0\u2007\u2009\u202f']\d{3})+| 000(?: 000)*)(?![\d,:/-]| \d)/gu;
const dottedGroups =
  /(?<![\p{L}\d.,])(?<whole>\d{1,3}(?:(?:\.\d{3}){2,}(?:,\d+)?|(?:\.\d{3})+,\d{1,2}))(?![\d.]|,\d)/gu;
const decimalComma =
  /(?<![\p{L}\d.,]|\d, ?)(?<whole>\d+),(?<decimals>\d{1,2}|(?!19|20)\d{4,})(?![\d.]|,\d|,? (?:and|or|&) )/gu;

/** Fraction signs and the number signs of other countries, where they can mean nothing else, as Americans write them. */
export const foreignNumbers: NormalizerStep = {
  step: 'fraction signs, European decimals and groups',
  apply(text) {
    let said = rewrite(text, vulgar, ({ gap, sign }) => {
      const parts = sign!.normalize('NFKC').replace('\u2044', '/');
      return gap === undefined ? parts : ` ${parts}`;
    });
    said = said.replace(spacedGroups, (written) => written.replaceAll(/[^\d]/gu, ','));
    said = rewrite(said, dottedGroups, ({ whole }) => whole!.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')));
    return said.replace(decimalComma, '$<whole>.$<decimals>');
  },
};
