/** A filter of order 2 as a ratio of polynomials: `numerator` weighs the input, `denominator` (first 1) the output. */
export interface Biquad {
  readonly numerator: readonly [number, number, number];
  readonly denominator: readonly [1, number, number];
}

/**
 * Butterworth filter of order 2 (flattest pass band, -3.01 dB at the cutoff), by the bilinear transform with the cutoff
 * prewarped. Source: Oppenheim and Schafer, Discrete-Time Signal Processing, 3rd edition, section 7.3; the same
 * coefficients as scipy's `butter(2, cutoffHz / (sampleRate / 2), kind)`.
 *
 * @param cutoffHz above 0 and below half the sample rate
 * @throws RangeError for a cutoff outside of that
 * @example butterworth('low-pass', 4000, 16000).numerator // [0.2929, 0.5858, 0.2929]
 */
export function butterworth(kind: 'low-pass' | 'high-pass', cutoffHz: number, sampleRate: number): Biquad {
  if (!(cutoffHz > 0 && cutoffHz < sampleRate / 2)) {
    throw new RangeError(
      `expected a cutoff between 0 and half the sample rate (${sampleRate / 2} Hz), got ${cutoffHz}`,
    );
  }
  const warped = Math.tan((Math.PI * cutoffHz) / sampleRate);
  const square = warped * warped;
  const scale = 1 / (1 + Math.SQRT2 * warped + square);
  const denominator = [1, 2 * (square - 1) * scale, (1 - Math.SQRT2 * warped + square) * scale] as const;
  return kind === 'low-pass'
    ? { numerator: [square * scale, 2 * square * scale, square * scale], denominator }
    : { numerator: [scale, -2 * scale, scale], denominator };
}

/**
 * Amplification of a filter at a frequency: 1 passes it unchanged, 0.5 is -6.02 dB.
 *
 * @internal
 */
export function gainAt({ numerator, denominator }: Biquad, frequencyHz: number, sampleRate: number): number {
  const angle = (2 * Math.PI * frequencyHz) / sampleRate;
  const size = ([first, second, third]: readonly [number, number, number]) =>
    Math.hypot(
      first + second * Math.cos(angle) + third * Math.cos(2 * angle),
      second * Math.sin(angle) + third * Math.sin(2 * angle),
    );
  return size(numerator) / size(denominator);
}
