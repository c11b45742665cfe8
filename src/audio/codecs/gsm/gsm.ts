import { multiplyRounded, normalizingShift, saturate16 } from '../integers.ts';
import {
  createGsmState,
  frameLength,
  type GsmState,
  type LongTermPrediction,
  longestLag,
  predictLongTerm,
  subframeLength,
} from './long-term.ts';
import { factors, places, sumProducts, sums } from './products.ts';

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

/** Where the four mixtures of old and new log-area ratios begin (GSM 06.10, 5.2.9.1). */
const segmentStarts = [0, 13, 27, 40, frameLength] as const;

const coefficients = new Int32Array(8);

const pulseCount = 13;

/** Weighting filter (GSM 06.10, table 4.4). */
const weighting = Int16Array.of(-134, -374, 0, 2054, 5741, 8192, 5741, 2054, 0, -374, -134, 0, 0, 0, 0, 0);
/** Inverse and plain mantissas of the block maximum (tables 4.5 and 4.6). */
const inverseMantissas = Int32Array.of(29128, 26215, 23832, 21846, 20165, 18725, 17476, 16384);
const mantissas = Int32Array.of(18431, 20479, 22527, 24575, 26623, 28671, 30719, 32767);

const margin = 5;
const weighted = new Int32Array(subframeLength);

/** Gains of the long-term predictor (GSM 06.10, table 4.3 b). */
const gains = Int32Array.of(3277, 11469, 21299, 32767);

/**
 * Sound through the GSM full-rate codec (13 kbit/s, ETSI EN 300 961, formerly GSM 06.10) there and back, bit for bit as its
 * section 5 calculates. Without delay; the last frame is filled with silence. Without errors on the way, encoder and decoder
 * hold the same excitation, so it is calculated once.
 *
 * @param integers samples of 16 bits, 8,000 of them in a second
 * @returns as many samples; the lowest three bits are 0
 * @example codeGsm(new Int16Array(160)) // 160 samples near 0
 */
export function codeGsm(integers: Int16Array): Int16Array {
  const decoded = new Int16Array(integers.length);
  const state = createGsmState();
  const frame = new Int32Array(frameLength);
  const ratios = new Int32Array(8);
  for (let start = 0; start < integers.length; start += frameLength) {
    preprocess(integers, start, frame, state);
    decodedLogAreaRatios(frame, ratios);
    filterSegments(state.lastLogAreaRatios, ratios, (reflections, from, to) =>
      analyse(frame, state.analysis, reflections, from, to),
    );
    codeResidual(frame, state.excitation);
    filterSegments(state.lastLogAreaRatios, ratios, (reflections, from, to) =>
      synthesize(frame, state.synthesis, reflections, from, to),
    );
    state.lastLogAreaRatios.set(ratios);
    postprocess(frame, decoded, start, state);
  }
  return decoded;
}

/** Downscaling to 13 bits, offset compensation, pre-emphasis (5.2.1 to 5.2.3). */
function preprocess(integers: Int16Array, start: number, frame: Int32Array, state: GsmState): void {
  for (let n = 0; n < frameLength; n++) {
    const place = start + n;
    const input = place < integers.length ? (integers[place]! >> 3) << 2 : 0;
    const high = state.offset >> 15;
    const low = state.offset - (high << 15);
    // Sums of 32 bits that saturate: a double holds them exactly before they do.
    const change = (input - state.lastInput) * 32768 + multiplyRounded(low, 32735);
    const offset = saturate32(high * 32735 + change);
    const compensated = saturate32(offset + 16384) >> 15;
    state.lastInput = input;
    state.offset = offset;
    frame[n] = saturate16(compensated + multiplyRounded(state.lastCompensated, -28180));
    state.lastCompensated = compensated;
  }
}

const prediction: LongTermPrediction = { lag: 0, gain: 0 };
const rest = new Int32Array(subframeLength);
const predicted = new Int32Array(subframeLength);

/** Replaces the residual by what the decoder makes of its code: pulses upon a long-term prediction (5.2.11 to 5.2.18). */
function codeResidual(residual: Int32Array, excitation: Int16Array): void {
  for (let start = 0; start < frameLength; start += subframeLength) {
    predictLongTerm(residual, start, excitation, prediction);
    const gain = gains[prediction.gain]!;
    const now = start + longestLag;
    for (let n = 0; n < subframeLength; n++) {
      const past = multiplyRounded(gain, excitation[now + n - prediction.lag]!);
      predicted[n] = past;
      rest[n] = saturate16(residual[start + n]! - past);
    }
    codePulses(rest);
    for (let n = 0; n < subframeLength; n++) excitation[now + n] = saturate16(rest[n]! + predicted[n]!);
  }
  residual.set(excitation.subarray(longestLag));
  excitation.copyWithin(0, frameLength);
}

/** De-emphasis, upscaling and truncation to 13 bits (5.3.5 to 5.3.7). */
function postprocess(frame: Int32Array, decoded: Int16Array, start: number, state: GsmState): void {
  for (let n = 0; n < frameLength; n++) {
    const value = saturate16(frame[n]! + multiplyRounded(state.lastDeemphasized, 28180));
    state.lastDeemphasized = value;
    // Values behind the end fall outside of the typed array, which drops them.
    decoded[start + n] = saturate16(value + value) & 0xfff8;
  }
}

function saturate32(value: number): number {
  return value > 2147483647 ? 2147483647 : value < -2147483648 ? -2147483648 : value;
}

/**
 * What is left of a stretch after 13 pulses on one of four grids were coded with 3 bits each and decoded (GSM 06.10, 5.2.13
 * to 5.2.17).
 *
 * @param values 40 values; replaced by the pulses, zeros between them
 */
function codePulses(values: Int32Array): void {
  factors.set(weighting);
  places.fill(0, 0, margin);
  places.set(values, margin);
  places.fill(0, margin + subframeLength, 2 * margin + subframeLength);
  sumProducts('weighting', 0, subframeLength);
  for (let n = 0; n < subframeLength; n++) weighted[n] = saturate16((sums[n]! + 4096) >> 13);
  const grid = strongestGrid();

  let largest = 0;
  for (let n = 0; n < pulseCount; n++) largest = Math.max(largest, Math.abs(weighted[grid + 3 * n]!));
  largest = saturate16(largest);
  let coarse = 0;
  for (let rest = largest >> 9; rest > 0 && coarse < 6; rest >>= 1) coarse++;
  const maximumCode = (largest >> (coarse + 5)) + (coarse << 3);
  let exponent = maximumCode > 15 ? (maximumCode >> 3) - 1 : 0;
  let mantissa = maximumCode - (exponent << 3);
  if (mantissa === 0) {
    exponent = -4;
    mantissa = 7;
  } else {
    while (mantissa <= 7) {
      mantissa = (mantissa << 1) | 1;
      exponent--;
    }
    mantissa -= 8;
  }

  const shift = 6 - exponent;
  const rounding = shift > 0 ? 1 << (shift - 1) : 0;
  values.fill(0);
  for (let n = 0; n < pulseCount; n++) {
    const place = grid + 3 * n;
    const normalized = (weighted[place]! << (shift + 16)) >> 16;
    const code = ((normalized * inverseMantissas[mantissa]!) >> 27) + 4;
    const decoded = multiplyRounded(mantissas[mantissa]!, ((code << 1) - 7) << 12);
    values[place] = saturate16(decoded + rounding) >> shift;
  }
}

/** Of the four sets of every third value, the one with most energy; of equals, the first. */
function strongestGrid(): number {
  let strongest = 0;
  let most = -1;
  for (let grid = 0; grid < 4; grid++) {
    let energy = 0;
    for (let n = 0; n < pulseCount; n++) {
      const value = weighted[grid + 3 * n]! >> 2;
      energy += value * value;
    }
    if (energy <= most) continue;
    most = energy;
    strongest = grid;
  }
  return strongest;
}

/**
 * Runs a filter over the four segments of a frame, each with reflection coefficients between those of the frame before and
 * this one's.
 *
 * @param filter given eight coefficients, the first value and the one behind the last
 */
function filterSegments(
  lastRatios: Int32Array,
  ratios: Int32Array,
  filter: (coefficients: Int32Array, from: number, to: number) => void,
): void {
  for (let segment = 0; segment < 4; segment++) {
    for (let i = 0; i < 8; i++) {
      const old = lastRatios[i]!;
      const now = ratios[i]!;
      const mixed =
        segment === 0
          ? (old >> 2) + (now >> 2) + (old >> 1)
          : segment === 1
            ? (old >> 1) + (now >> 1)
            : segment === 2
              ? (old >> 2) + (now >> 2) + (now >> 1)
              : now;
      coefficients[i] = reflectionOf(mixed);
    }
    filter(coefficients, segmentStarts[segment]!, segmentStarts[segment + 1]!);
  }
}

/** The prediction residual of values, in place: a lattice of eight stages (5.2.10). */
function analyse(values: Int32Array, lattice: Int32Array, reflections: Int32Array, from: number, to: number): void {
  for (let n = from; n < to; n++) {
    let forward = values[n]!;
    let kept = forward;
    for (let i = 0; i < 8; i++) {
      const reflection = reflections[i]!;
      const delayed = lattice[i]!;
      // A reflection coefficient is never -32768, so that no product overflows.
      let backward = delayed + ((Math.imul(reflection, forward) + 16384) >> 15);
      backward = backward > 32767 ? 32767 : backward < -32768 ? -32768 : backward;
      forward += (Math.imul(reflection, delayed) + 16384) >> 15;
      forward = forward > 32767 ? 32767 : forward < -32768 ? -32768 : forward;
      lattice[i] = kept;
      kept = backward;
    }
    values[n] = forward;
  }
}

/** The sound of a prediction residual, in place: the inverse lattice (5.3.4). */
function synthesize(values: Int32Array, lattice: Int32Array, reflections: Int32Array, from: number, to: number): void {
  for (let n = from; n < to; n++) {
    let forward = values[n]!;
    for (let i = 7; i >= 0; i--) {
      const reflection = reflections[i]!;
      const delayed = lattice[i]!;
      forward -= (Math.imul(reflection, delayed) + 16384) >> 15;
      forward = forward > 32767 ? 32767 : forward < -32768 ? -32768 : forward;
      const backward = delayed + ((Math.imul(reflection, forward) + 16384) >> 15);
      lattice[i + 1] = backward > 32767 ? 32767 : backward < -32768 ? -32768 : backward;
    }
    lattice[0] = forward;
    values[n] = forward;
  }
}

/**
 * The eight log-area ratios of a frame as the decoder will know them (GSM 06.10, 4.2.4 to 4.2.8 and 5.2.4 to 5.2.8). The
 * frame is scaled down and up again on the way where it is loud, which costs its lowest bits, as the standard says.
 *
 * @param frame 160 pre-emphasized values; changed
 * @param ratios where the eight results are written
 */
function decodedLogAreaRatios(frame: Int32Array, ratios: Int32Array): void {
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
function reflectionOf(ratio: number): number {
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
  factors.set(frame);
  places.fill(0, 0, order);
  places.set(frame, order);
  sumProducts('autocorrelation', order, order + 1);
  for (let lag = 0; lag <= order; lag++) autocorrelation[lag] = sums[lag]! << 1;
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
