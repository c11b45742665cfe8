import { formatFixed, percentDecimals, significantDecimals } from '../../base/number-format.ts';
import type { ColumnKind } from '../../model/finding.ts';

/** In which unit, and how finely, a number and its interval are printed: the same for both, so that they compare. */
export interface Scale {
  readonly factor: number;
  /** With the blank that stands before it; empty where there is none. */
  readonly unit: string;
  readonly decimals: number;
  readonly signed: boolean;
}

/**
 * The scale for a value of some kind, chosen by its size. Rates are printed as percent with one decimal (two below
 * 1 %), differences of rates in points of a percent, seconds in ms, s, min or h.
 */
export function scaleFor(kind: ColumnKind, value: number): Scale {
  const size = Math.abs(value);
  switch (kind) {
    case 'rate':
      return { factor: 100, unit: ' %', decimals: percentDecimals(size), signed: false };
    case 'difference':
      return { factor: 100, unit: ' points', decimals: percentDecimals(size), signed: true };
    case 'seconds':
      return secondsScale(size);
    case 'count':
      return { factor: 1, unit: '', decimals: Number.isInteger(value) ? 0 : 1, signed: false };
    case 'money':
      return { factor: 1, unit: '', decimals: Math.max(2, significantDecimals(value, 6)), signed: false };
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
export function formatOn(scale: Scale, value: number): string {
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
