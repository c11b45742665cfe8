import { formatPValue, pValuePhrase } from '../../base/p-value.ts';
import type { Cell, ColumnKind, Comparison, Estimate, Verdict } from '../../model/finding.ts';
import { formatSampleSize } from './sample-size.ts';
import { formatOn, type Scale, scaleFor } from './scale.ts';
import { isVerdict, verdictWording } from './verdict.ts';

/** What stands where there is no number. */
export const dash = '–';

/** A cell taken apart into what is printed, the same for every format. Texts are not escaped yet. */
export interface ShownCell {
  readonly main: string;
  /** `[11.8, 12.9]`, in the unit of `main`. */
  readonly interval: string | null;
  readonly verdict: Verdict | null;
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
    const verdict = kind === 'verdict' && isVerdict(cell) ? cell : null;
    return { ...plain, main: verdict ? verdictWording[verdict].word : cell, verdict, order: cell, numeric: false };
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

/** An estimate taken apart for printing. */
export function formatEstimate(estimate: Estimate, kind: ColumnKind): ShownCell {
  return shown(estimate, scaleFor(kind, scaleBy(estimate)));
}

/** A comparison taken apart for printing; the difference of rates is given in points. */
export function formatComparison(comparison: Comparison, kind: ColumnKind = 'difference'): ShownCell {
  const ownUnit = kind === 'seconds' || kind === 'ratio' || kind === 'money' || kind === 'number' || kind === 'count';
  const { difference } = comparison;
  const scale = { ...scaleFor(ownUnit ? kind : 'difference', scaleBy(difference)), signed: true };
  const cell = shown(difference, scale);
  const method = [cell.method, comparison.test].filter(Boolean).join('; ');
  const reasons = [...new Set([cell.reason, comparison.reason].filter((reason) => reason))];
  const reason =
    reasons.length > 0
      ? reasons.join('; ')
      : comparison.pValue !== null || comparison.adjustedPValue !== null
        ? null
        : 'no test was made';
  return {
    ...cell,
    method,
    reason,
    verdict: comparison.verdict,
    pValue: pValuesOf(comparison),
    open: comparison.open?.text ?? null,
  };
}

function pValuesOf({ pValue, adjustedPValue, leastPValue }: Comparison): string | null {
  const phrases = [
    ...(pValue === null ? [] : [pValuePhrase(pValue, 'p', leastPValue)]),
    ...(adjustedPValue === null ? [] : [pValuePhrase(adjustedPValue, 'adjusted p', leastPValue)]),
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
    reason: missing ? (estimate.reason ?? 'no reason was given') : null,
    order: value,
    numeric: true,
  };
}

/** `.95` as `95 %`. */
function formatLevel(level: number): string {
  return `${Number((level * 100).toFixed(1))} %`;
}

function scaleBy(estimate: Estimate): number {
  return estimate.value ?? estimate.high ?? 0;
}
