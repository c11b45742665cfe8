import type { Samples } from './samples.ts';

/** Coefficients of the fixed predictors of order 0 to 4, for the sample before first (RFC 9639, table 21). */
const fixedCoefficients: readonly (readonly number[])[] = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

/** Turns residuals behind `order` true samples into samples, in place (RFC 9639, section 9.2.5). */
export function restoreFixed(samples: Samples, order: number): void {
  if (order > 0) restoreWide(samples, Int32Array.from(fixedCoefficients[order]!), 0);
}

/**
 * Turns residuals behind as many true samples as there are coefficients into samples, in place (RFC 9639, section 9.2.6).
 *
 * @param coefficients for the sample before first
 * @param largestBits bits that a sum of their products with samples may need, sign included
 */
export function restoreLinear(samples: Samples, coefficients: Int32Array, shift: number, largestBits: number): void {
  if (largestBits <= 32 && samples instanceof Int32Array) restoreNarrow(samples, coefficients, shift);
  else restoreWide(samples, coefficients, shift);
}

function restoreNarrow(samples: Int32Array, coefficients: Int32Array, shift: number): void {
  const order = coefficients.length;
  for (let n = order; n < samples.length; n++) {
    let sum = 0;
    for (let k = 0; k < order; k++) sum = (sum + Math.imul(coefficients[k]!, samples[n - 1 - k]!)) | 0;
    samples[n] = samples[n]! + (sum >> shift);
  }
}

/** Sums of at most 32 products of 15 and 33 bits need 52: floats hold them, and their halves, exactly. */
function restoreWide(samples: Samples, coefficients: Int32Array, shift: number): void {
  const order = coefficients.length;
  const scale = 2 ** -shift;
  for (let n = order; n < samples.length; n++) {
    let sum = 0;
    for (let k = 0; k < order; k++) sum += coefficients[k]! * samples[n - 1 - k]!;
    samples[n] = samples[n]! + Math.floor(sum * scale);
  }
}
