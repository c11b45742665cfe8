import { saturate16 } from '../fixed-point.ts';

/** Adaptive prediction of one band: two poles, six zeros (ITU-T G.722, section 3.6 and 6.2.1.4). */
export interface Predictor {
  /** The next value, as expected. */
  estimate: number;
  /** The part of the estimate that comes from the zeros. */
  zeroPart: number;
  readonly poles: Int32Array;
  readonly zeros: Int32Array;
  /** Quantized differences of the past, the latest first. */
  readonly differences: Int32Array;
  /** Reconstructed values of the past, the latest first. */
  readonly reconstructed: Int32Array;
  /** Partly reconstructed values of the past (without the poles' part). */
  readonly partial: Int32Array;
}

export function createPredictor(): Predictor {
  return {
    estimate: 0,
    zeroPart: 0,
    poles: new Int32Array(2),
    zeros: new Int32Array(6),
    differences: new Int32Array(6),
    reconstructed: new Int32Array(2),
    partial: new Int32Array(2),
  };
}

/**
 * Learns from the difference that was sent and expects the next value. In the recommendation's words: RECONS, PARREC,
 * UPPOL2, UPPOL1, UPZERO, FILTEP, FILTEZ, PREDIC.
 *
 * @param difference quantized, 16 bits
 */
export function adapt(predictor: Predictor, difference: number): void {
  const { poles, zeros, differences, reconstructed, partial } = predictor;
  const value = saturate16(predictor.estimate + difference);
  const part = saturate16(predictor.zeroPart + difference);

  const sameAsLast = (part ^ partial[0]!) >= 0;
  const sameAsBefore = (part ^ partial[1]!) >= 0;
  const pole = poles[0]!;
  const quadrupled = saturate16(pole << 2);
  const towards = sameAsLast ? Math.min(32767, -quadrupled) : quadrupled;
  const second = limit((sameAsBefore ? 128 : -128) + (towards >> 7) + ((poles[1]! * 32512) >> 15), 12288);
  const first = limit(saturate16((sameAsLast ? 192 : -192) + ((pole * 32640) >> 15)), saturate16(15360 - second));
  poles[0] = first;
  poles[1] = second;

  const step = difference === 0 ? 0 : 128;
  let zeroPart = 0;
  let newer = difference;
  for (let i = 0; i < 6; i++) {
    const older = differences[i]!;
    const drawn = (Math.imul(zeros[i]!, 32640) >> 15) + ((older ^ difference) >= 0 ? step : -step);
    const zero = saturate16(drawn);
    zeros[i] = zero;
    differences[i] = newer;
    zeroPart += Math.imul(zero, saturate16(newer + newer)) >> 15;
    newer = older;
  }
  predictor.zeroPart = saturate16(zeroPart);

  const before = reconstructed[0]!;
  reconstructed[0] = value;
  reconstructed[1] = before;
  partial[1] = partial[0]!;
  partial[0] = part;
  const firstPart = Math.imul(first, saturate16(value + value)) >> 15;
  const secondPart = Math.imul(second, saturate16(before + before)) >> 15;
  predictor.estimate = saturate16(saturate16(firstPart + secondPart) + predictor.zeroPart);
}

function limit(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}
