import {
  formatFixed,
  formatPValue,
  percentDecimals,
  pValuePhrase,
  significantDecimals,
} from '../../base/number-format.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { Cell, ColumnKind, Comparison, Estimate } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import { formatSampleSize, isVerdict, type ShownVerdict, verdictIn } from './wording.ts';

/** What stands where there is no number. */
export const dash = '–';

/** A cell taken apart into what is printed, the same for every format. Texts are not escaped yet. */
export interface ShownCell {
  readonly main: string;
  /** `[11.8, 12.9]`, in the unit of `main`. */
  readonly interval: string | null;
  readonly verdict: ShownVerdict | null;
  /** `p = .034`, or `p = .012, adjusted p = .034` */
  readonly pValue: string | null;
  /** Why a comparison tells nothing. */
  readonly open: string | null;
  /** `160 utterances, 16 speakers` */
  readonly n: string | null;
  /** `95 % interval, BCa bootstrap over speakers` */
  readonly method: string | null;
  /** Why there is no number or no interval. */
  readonly reason: string | null;
  /** By what a column is put in order; null goes last. */
  readonly order: number | string | null;
  /** Whether it is set flush right. */
  readonly numeric: boolean;
}

const plain = { interval: null, verdict: null, pValue: null, open: null, n: null, method: null, reason: null };

/**
 * Takes a cell apart for printing.
 *
 * @example formatCell(0.123, 'rate').main // '12.3 %'
 */
export function formatCell(cell: Cell | undefined, kind: ColumnKind): ShownCell {
  if (cell === null || cell === undefined) {
    return { ...plain, main: dash, order: null, numeric: kind !== 'text' && kind !== 'verdict' };
  }
  if (typeof cell === 'string') {
    const verdict = kind === 'verdict' && isVerdict(cell) ? verdictIn({ verdict: cell }) : null;
    return { ...plain, main: verdict ? verdict.word : cell, verdict, order: cell, numeric: false };
  }
  if (typeof cell === 'number') return { ...plain, main: formatValue(cell, kind), order: cell, numeric: true };
  return 'verdict' in cell ? formatComparison(cell, kind) : formatEstimate(cell, kind);
}

/** A single number with its unit. */
export function formatValue(value: number, kind: ColumnKind): string {
  if (kind === 'pvalue') return formatPValue(value);
  const scale = scaleFor(kind, value);
  return `${formatOn(scale, value)}${scale.unit}`;
}

/**
 * A number where the head of its column says the unit: rates in percent, differences of rates in points.
 *
 * @example bareNumber(-0.031, 'difference') // '−3.1'
 */
export function bareNumber(value: number, kind: ColumnKind = 'rate', signed = kind === 'difference'): string {
  if (kind === 'rate' || kind === 'difference') return formatFixed(100 * value, 1, signed);
  if (kind === 'decibels') return formatFixed(value, 1, signed);
  const isWhole = Number.isInteger(value) || Math.abs(value) >= 100;
  return formatFixed(value, isWhole ? 0 : significantDecimals(value, 3), signed);
}

/** An estimate taken apart for printing. */
export function formatEstimate(estimate: Estimate, kind: ColumnKind): ShownCell {
  return shown(estimate, scaleFor(kind, scaleBy(estimate)));
}

/** A comparison taken apart for printing; the difference of rates is given in points. */
export function formatComparison(comparison: Comparison, kind: ColumnKind = 'difference'): ShownCell {
  const ownUnit = ['seconds', 'ratio', 'money', 'decibels', 'number', 'count'].includes(kind);
  const difference = shownDifference(comparison);
  const scale = { ...scaleFor(ownUnit ? kind : 'difference', scaleBy(difference)), signed: true };
  const cell = shown(difference, scale);
  const method = [cell.method, comparison.test].filter(Boolean).join('; ');
  const own = comparison.reason && reasonText(comparison.reason);
  const reasons = [...new Set([cell.reason, own].filter((reason) => reason))];
  const reason =
    reasons.length > 0
      ? reasons.join('; ')
      : comparison.pValue !== null || comparison.adjustedPValue !== null
        ? null
        : reasonText({ code: 'not-tested' });
  return {
    ...cell,
    method,
    reason,
    verdict: verdictIn(comparison),
    pValue: pValuesOf(comparison),
    open: comparison.open === undefined ? null : reasonText(comparison.open.reason),
  };
}

function pValuesOf({ pValue, adjustedPValue, minPValue }: Comparison): string | null {
  const phrases = [
    ...(pValue === null ? [] : [pValuePhrase(pValue, 'p', minPValue)]),
    ...(adjustedPValue === null ? [] : [pValuePhrase(adjustedPValue, 'adjusted p', minPValue)]),
  ];
  return phrases.length > 0 ? phrases.join(', ') : null;
}

function shown(estimate: Estimate, scale: Scale): ShownCell {
  const { value, low, high } = estimate;
  const interval = low === null || high === null ? null : `[${formatOn(scale, low)}, ${formatOn(scale, high)}]`;
  const missing = value === null || interval === null;
  return {
    main: value === null ? dash : `${formatOn(scale, value)}${scale.unit}`,
    interval,
    verdict: null,
    pValue: null,
    open: null,
    n: formatSampleSize(estimate.n),
    method: interval === null ? estimate.method : `${formatLevel(estimate.level)} interval: ${estimate.method}`,
    reason: missing ? (estimate.reason ? reasonText(estimate.reason) : 'no reason was given') : null,
    order: value,
    numeric: true,
  };
}

/** `.95` as `95 %`. */
export function formatLevel(level: number): string {
  return `${Number((level * 100).toFixed(1))} %`;
}

function scaleBy(estimate: Estimate): number {
  return estimate.value ?? estimate.high ?? 0;
}

/** In which unit, and how finely, a number and its interval are printed: the same for both, so that they compare. */
interface Scale {
  readonly factor: number;
  /** With the blank that stands before it; empty where there is none. */
  readonly unit: string;
  readonly decimals: number;
  readonly signed: boolean;
}

/**
 * The scale for a value of some kind, chosen by its size. Rates are printed as percent with one decimal (two below
 * 1 %), differences and distances of rates in points of a percent, differences with their sign, seconds in ms, s, min or h.
 */
function scaleFor(kind: ColumnKind, value: number): Scale {
  const size = Math.abs(value);
  switch (kind) {
    case 'rate':
      return { factor: 100, unit: ' %', decimals: percentDecimals(size), signed: false };
    case 'difference':
    case 'points':
      return { factor: 100, unit: ' points', decimals: percentDecimals(size), signed: kind === 'difference' };
    case 'seconds':
      return secondsScale(size);
    case 'count':
      return { factor: 1, unit: '', decimals: Number.isInteger(value) ? 0 : 1, signed: false };
    case 'money':
      return { factor: 1, unit: '', decimals: Math.max(2, significantDecimals(value, 6)), signed: false };
    case 'decibels':
      return { factor: 1, unit: ' dB', decimals: 1, signed: false };
    case 'ratio':
      return { factor: 1, unit: '', decimals: significantDecimals(value, 4), signed: false };
    default:
      return {
        factor: 1,
        unit: '',
        decimals: Number.isInteger(value) ? 0 : significantDecimals(value, 6),
        signed: false,
      };
  }
}

/** A number on a scale, without its unit. */
function formatOn(scale: Scale, value: number): string {
  return formatFixed(value * scale.factor, scale.decimals, scale.signed);
}

function secondsScale(size: number): Scale {
  const signed = false;
  if (size >= 7200) return { factor: 1 / 3600, unit: ' h', decimals: 1, signed };
  if (size >= 120) return { factor: 1 / 60, unit: ' min', decimals: 1, signed };
  if (size >= 9.995) return { factor: 1, unit: ' s', decimals: 1, signed };
  if (size >= 0.0995 || size === 0) return { factor: 1, unit: ' s', decimals: 2, signed };
  return { factor: 1000, unit: ' ms', decimals: size < 0.00995 ? 1 : 0, signed };
}
