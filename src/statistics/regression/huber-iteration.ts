import { selectMedian } from './select-order.ts';
import { residualsOf, weightedLeastSquares } from './weighted-least-squares.ts';

/** The 75 % point of the normal distribution as MASS rounds it, and in full. */
const normalQuartile = { mass: 0.6745, statsmodels: 0.6744897501960817 } as const;

export interface HuberFit {
  readonly coefficients: Float64Array;
  readonly scale: number;
  /** The factor that turns the root of the inverse cross-product into standard errors; null where the scale is 0. */
  readonly spread: number | null;
  readonly weights: Float64Array;
}

/**
 * Huber's estimate by weighted least squares again and again, the scale being renewed from the median absolute residual
 * each time (P. Huber, "Robust statistics", 1981, section 7.8), until the coefficients stand still to 12 digits. Standard
 * errors by Huber's formula 6.5 with his correction for few rows, whose variance of the derivative has the divisor n - 1
 * in MASS and n in statsmodels.
 *
 * @param columns orthonormal
 */
export function huberIteration(
  columns: readonly Float64Array[],
  response: Float64Array,
  tuning: number,
  convention: 'mass' | 'statsmodels',
): HuberFit | string {
  const rows = response.length;
  const size = columns.length;
  let weights = new Float64Array(rows).fill(1);
  const first = weightedLeastSquares(columns, response, weights);
  if (first === null) return 'the least squares have no solution';
  let coefficients = first;
  let residuals = residualsOf(columns, response, coefficients);
  const magnitude = response.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  let scale = 0;
  let settled = false;
  for (let round = 0; round < 20_000 && !settled; round++) {
    const renewed = selectMedian(residuals.map(Math.abs)) / normalQuartile[convention];
    // Few rows may go round in a circle; halfway steps end at the same point.
    scale = round < 10_000 || renewed === 0 ? renewed : Math.sqrt(scale * renewed);
    // Residuals of rounding alone: more than half of the rows are fitted exactly.
    if (scale <= 1e-13 * magnitude) return { coefficients, scale: 0, spread: null, weights };
    weights = residuals.map((residual) => Math.min(1, (tuning * scale) / Math.abs(residual)));
    const next = weightedLeastSquares(columns, response, weights);
    if (next === null) return 'the weighted least squares have no solution';
    let change = 0;
    for (let column = 0; column < size; column++)
      change = Math.max(change, Math.abs(next[column]! - coefficients[column]!));
    coefficients = next;
    residuals = residualsOf(columns, response, coefficients);
    settled = change <= 1e-12 * scale;
  }
  if (!settled) return 'the iterations did not come to rest';
  let squares = 0;
  let within = 0;
  for (let row = 0; row < rows; row++) {
    const residual = residuals[row]!;
    // In scales, since the squares of very small or large residuals are beyond what a number holds.
    squares += Math.min(Math.abs(residual) / scale, tuning) ** 2;
    if (Math.abs(residual) <= tuning * scale) within++;
  }
  const mean = within / rows;
  const variance = (mean * (1 - mean) * rows) / (convention === 'mass' ? rows - 1 : rows);
  const correction = 1 + (size * variance) / (rows * mean * mean);
  const spread = rows > size ? scale * Math.sqrt(squares / (rows - size)) * (correction / mean) : null;
  return { coefficients, scale, spread, weights };
}
