import { formatFixed, percentDecimals } from '../../base/number-format.ts';
import type { Estimate, Statement } from '../../model/finding.ts';
import { reasonOf } from './estimates.ts';

/** A name in a sentence; names from recordings' lists may be pages long. */
export function named(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name;
}

/**
 * Names in a sentence, the first few of them.
 *
 * @example listed(['a', 'b', 'c']) // 'a, b and c'
 */
export function listed(names: readonly string[], most = 6): string {
  const shown = names.slice(0, most).map(named);
  const rest = names.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** The same statements, where the one that is shown first says one sentence more: none if it is empty. */
export function withSentence(statements: readonly Statement[], sentence: string): Statement[] {
  const first = statements.find(({ headline }) => headline) ?? statements[0];
  return statements.map((one) =>
    one === first && sentence !== '' ? { ...one, text: `${one.text} ${sentence}` } : one,
  );
}

/** A share as percent with one decimal: `3.2 %`. */
export function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

/**
 * A rate as a sentence has it, with its interval; the reason stands in the interval's place where there is none.
 *
 * @param where stands behind the rate, before the interval: `on clean audio`
 * @example rateInWords(estimate, 'WER', 'on clean audio') // '73.3 % WER on clean audio (95 % CI 35.7-91.4)'
 */
export function rateInWords(estimate: Estimate, measure: string, where: string): string {
  const { value } = estimate;
  if (value === null) return `no ${measure} ${where} (${reasonOf(estimate)})`;
  const decimals = percentDecimals(value);
  return `${formatFixed(100 * value, decimals)} ${['%', measure, where].filter((part) => part !== '').join(' ')}${intervalOf(estimate, (end) => formatFixed(100 * end, decimals))}`;
}

export interface Sides {
  readonly less: string;
  readonly more: string;
}

const lessOrMore: Sides = { less: 'less', more: 'more' };

/** For groups side by side, where "more for female than for male" must be read twice. */
export const aboveOrBelow: Sides = { less: 'below', more: 'above' };

/** Of what is counted: `3.1 points fewer cases`. */
export const fewerOrMore: Sides = { less: 'fewer', more: 'more' };

/**
 * How far two rates are apart, as a sentence has it.
 *
 * @param than stands behind the difference, before the interval: `than narrow-beams`
 * @param sides how what is lower and what is higher is called
 * @example differenceInWords(estimate, 'than b') // '19.3 points less than b (95 % CI 12.7-25.9)'
 * @example differenceInWords(other, 'than b') // '0.39 points less than b (95 % CI 5.29 less to 4.52 more)'
 * @example differenceInWords(gap, 'male', aboveOrBelow) // '4.2 points above male (95 % CI 1.0-7.2)'
 */
export function differenceInWords(estimate: Estimate, than: string, sides: Sides = lessOrMore): string {
  const { value, low, high } = estimate;
  if (value === null) return `no difference (${reasonOf(estimate)})`;
  const decimals = percentDecimals(value);
  const size = (one: number) => formatFixed(100 * Math.abs(one), decimals);
  const sided = (one: number) => `${size(one)}${one === 0 ? '' : one < 0 ? ` ${sides.less}` : ` ${sides.more}`}`;
  const oneSide = low !== null && high !== null && (low > 0 || high < 0);
  const ends = value < 0 && oneSide ? { ...estimate, low: high, high: low } : estimate;
  const range = intervalOf(ends, oneSide ? size : sided, oneSide ? '-' : ' to ');
  return `${size(value)} points ${value === 0 ? `${sides.more} or ${sides.less}` : value < 0 ? sides.less : sides.more} ${than}${range}`;
}

/**
 * A difference of rates with its sign, as a sentence has it.
 *
 * @example pointsInWords(estimate) // '−5.0 points (95 % CI −9.9 to −0.1)'
 */
export function pointsInWords(estimate: Estimate): string {
  const { value } = estimate;
  if (value === null) return `no difference (${reasonOf(estimate)})`;
  const end = (one: number) => formatFixed(100 * one, percentDecimals(value), true);
  return `${end(value)} points${intervalOf(estimate, end, ' to ')}`;
}

/**
 * A distance of rates that is known, with its interval and as many decimals as tables print.
 *
 * @example pointsWithin(estimate) // '4.1 points [1.0, 7.2]'
 */
export function pointsWithin({ value, low, high }: Estimate): string {
  const decimals = percentDecimals(value!);
  const end = (one: number) => formatFixed(100 * one, decimals);
  const interval = low === null || high === null ? '' : ` [${end(low)}, ${end(high)}]`;
  return `${end(value!)} points${interval}`;
}

/**
 * A number as a sentence has it, with its unit and its interval; null has its reason.
 *
 * @example numberInWords(estimate, 1, ' dB') // '−3.2 dB (95 % CI −4.1 to −2.2)'
 */
export function numberInWords(estimate: Estimate, decimals: number, unit = ''): string {
  const { value, low, high } = estimate;
  if (value === null) return `no number (${reasonOf(estimate)})`;
  const end = (one: number) => formatFixed(one, decimals);
  const to = (low ?? 0) < 0 || (high ?? 0) < 0 ? ' to ' : '-';
  return `${end(value)}${unit}${intervalOf(estimate, end, to)}`;
}

function intervalOf({ low, high, level }: Estimate, end: (value: number) => string, to = '-'): string {
  if (low === null || high === null) return '';
  return ` (${Number((100 * level).toFixed(1))} % CI ${end(low)}${to}${end(high)})`;
}
