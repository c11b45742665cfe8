import { normalizingShift, saturate16 } from '../integers.ts';
import { factors, places, sumProducts, sums } from './products.ts';

/** Samples of a frame, 20 ms at 8 kHz. */
export const frameLength = 160;
/** Samples of a part with its own long-term predictor and pulses. */
export const subframeLength = 40;
/** How far back the long-term predictor looks, in samples. */
export const longestLag = 120;

/** The past that a stretch is best predicted from. */
export interface LongTermPrediction {
  /** 40 to 120 samples back. */
  lag: number;
  /** Code of the gain, 0 to 3. */
  gain: number;
}

const shortestLag = 40;
/** Decision levels of the gain (GSM 06.10, table 4.3 a). */
const gainLevels = Int32Array.of(6554, 16384, 26214);

/**
 * The lag at which the past resembles a stretch of the residual most, and how much of it to take (GSM 06.10, 5.2.11).
 *
 * @param residual whose 40 values from `start` are predicted
 * @param excitation whose 120 values before `start + 120` are the past
 */
export function predictLongTerm(
  residual: Int32Array,
  start: number,
  excitation: Int16Array,
  prediction: LongTermPrediction,
): void {
  let peak = 0;
  for (let n = 0; n < subframeLength; n++) {
    const size = Math.abs(residual[start + n]!);
    if (size > peak) peak = size;
  }
  peak = saturate16(peak);
  const headroom = peak === 0 ? 0 : normalizingShift(peak << 16);
  const scale = peak === 0 || headroom > 6 ? 0 : 6 - headroom;
  for (let n = 0; n < subframeLength; n++) factors[n] = residual[start + n]! >> scale;

  const now = start + longestLag;
  places.set(excitation.subarray(start, now));
  sumProducts('lags', longestLag - shortestLag, sums.length);
  let most = 0;
  prediction.lag = shortestLag;
  for (let n = 0; n < sums.length; n++) {
    if (sums[n]! <= most) continue;
    most = sums[n]!;
    prediction.lag = shortestLag + n;
  }
  most = (most << 1) >> (6 - scale);

  let power = 0;
  for (let n = now - prediction.lag; n < now - prediction.lag + subframeLength; n++) {
    const value = excitation[n]! >> 3;
    power += Math.imul(value, value);
  }
  // Saturates, as the standard's additions of 32 bits do.
  power = Math.min(2 * power, 2147483647);
  prediction.gain = gainCode(most, power);
}

function gainCode(correlation: number, power: number): number {
  if (correlation <= 0) return 0;
  if (correlation >= power) return 3;
  const shift = normalizingShift(power);
  const part = (correlation << shift) >> 16;
  const whole = (power << shift) >> 16;
  let code = 0;
  while (code < 3 && part > (whole * gainLevels[code]!) >> 15) code++;
  return code;
}

/** What encoder and decoder remember between frames. The decoder's own copy of the excitation equals the encoder's. */
export interface GsmState {
  /** Offset compensation. */
  lastInput: number;
  offset: number;
  /** Pre-emphasis and de-emphasis. */
  lastCompensated: number;
  lastDeemphasized: number;
  /** Decoded log-area ratios of the frame before. */
  readonly lastLogAreaRatios: Int32Array;
  /** Lattices of the short-term filters, 8 for analysis and 9 for synthesis. */
  readonly analysis: Int32Array;
  readonly synthesis: Int32Array;
  /** 120 reconstructed values of the past, then those of this frame. */
  readonly excitation: Int16Array;
}

export function createGsmState(): GsmState {
  return {
    lastInput: 0,
    offset: 0,
    lastCompensated: 0,
    lastDeemphasized: 0,
    lastLogAreaRatios: new Int32Array(8),
    analysis: new Int32Array(8),
    synthesis: new Int32Array(9),
    excitation: new Int16Array(longestLag + frameLength),
  };
}
