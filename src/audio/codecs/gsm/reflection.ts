import { multiplyRounded, normalizingShift, saturate16 } from '../fixed-point.ts';

const order = 8;

// Quantizer of the log-area ratios (GSM 06.10, tables 4.1 and 4.2): slope, offset, smallest and largest code, inverse slope.
const slopes = Int32Array.of(20480, 20480, 20480, 20480, 13964, 15360, 8534, 9036);
const offsets = Int32Array.of(0, 0, 2048, -2560, 94, -1792, -341, -1144);
const smallest = Int32Array.of(-32, -32, -16, -16, -8, -8, -4, -4);
const largest = Int32Array.of(31, 31, 15, 15, 7, 7, 3, 3);
const inverseSlopes = Int32Array.of(13107, 13107, 13107, 13107, 19223, 17476, 31454, 29708);

const autocorrelation = new Int32Array(order + 1);
const upper = new Int32Array(order + 1);
const lower = new Int32Array(order + 1);
const reflection = new Int32Array(order);

/**
 * The eight log-area ratios of a frame as the decoder will know them (GSM 06.10, 4.2.4 to 4.2.8 and 5.2.4 to 5.2.8). The
 * frame is scaled down and up again on the way where it is loud, which costs its lowest bits, as the standard says.
 *
 * @param frame 160 pre-emphasized values; changed
 * @param ratios where the eight results are written
 */
export function decodedLogAreaRatios(frame: Int32Array, ratios: Int32Array): void {
  correlate(frame);
  reflect();
  for (let i = 0; i < order; i++) {
    const value = reflection[i]!;
    const size = value < 0 ? saturate16(-value) : value;
    const ratio = size < 22118 ? size >> 1 : size < 31130 ? size - 11059 : (size - 26112) << 2;
    const signed = value < 0 ? -ratio : ratio;
    const scaled = saturate16(saturate16(((slopes[i]! * signed) >> 15) + offsets[i]!) + 256) >> 9;
    const code = scaled < smallest[i]! ? smallest[i]! : scaled > largest[i]! ? largest[i]! : scaled;
    const centred = saturate16((code << 10) - (offsets[i]! << 1));
    const decoded = multiplyRounded(inverseSlopes[i]!, centred);
    ratios[i] = saturate16(decoded + decoded);
  }
}

/** Reflection coefficient of a log-area ratio (5.2.9.2). */
export function reflectionOf(ratio: number): number {
  const size = ratio < 0 ? saturate16(-ratio) : ratio;
  const value = size < 11059 ? size << 1 : size < 20070 ? size + 11059 : saturate16((size >> 2) + 26112);
  return ratio < 0 ? -value : value;
}

function correlate(frame: Int32Array): void {
  let peak = 0;
  for (let n = 0; n < frame.length; n++) {
    const size = Math.abs(frame[n]!);
    if (size > peak) peak = size;
  }
  peak = saturate16(peak);
  const shift = peak === 0 ? 0 : 4 - normalizingShift(peak << 16);
  if (shift > 0) {
    const factor = 16384 >> (shift - 1);
    for (let n = 0; n < frame.length; n++) frame[n] = multiplyRounded(frame[n]!, factor);
  }
  for (let lag = 0; lag <= order; lag++) {
    let sum = 0;
    for (let n = lag; n < frame.length; n++) sum = (sum + Math.imul(frame[n]!, frame[n - lag]!)) | 0;
    autocorrelation[lag] = sum << 1;
  }
  if (shift > 0) for (let n = 0; n < frame.length; n++) frame[n] = (frame[n]! << (shift + 16)) >> 16;
}

/** Schur's recursion in 16 bits (5.2.5). */
function reflect(): void {
  reflection.fill(0);
  const energy = autocorrelation[0]!;
  if (energy === 0) return;
  const shift = normalizingShift(energy);
  for (let i = 0; i <= order; i++) upper[i] = (autocorrelation[i]! << shift) >> 16;
  for (let i = 1; i < order; i++) lower[i] = upper[i]!;
  for (let n = 1; n <= order; n++) {
    const first = upper[1]!;
    const size = first < 0 ? saturate16(-first) : first;
    const whole = upper[0]!;
    if (whole < size) return;
    const quotient = size === 0 ? 0 : Math.min(32767, Math.floor((size * 32768) / whole));
    const value = first > 0 ? -quotient : quotient;
    reflection[n - 1] = value;
    if (n === order) return;
    upper[0] = saturate16(whole + multiplyRounded(first, value));
    for (let m = 1; m <= order - n; m++) {
      const above = upper[m + 1]!;
      const below = lower[m]!;
      upper[m] = saturate16(above + multiplyRounded(below, value));
      lower[m] = saturate16(below + multiplyRounded(above, value));
    }
  }
}
