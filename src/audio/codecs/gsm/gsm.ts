import { multiplyRounded, saturate16 } from '../fixed-point.ts';
import { type LongTermPrediction, predictLongTerm } from './long-term.ts';
import { codePulses } from './pulses.ts';
import { decodedLogAreaRatios } from './reflection.ts';
import { analyse, filterSegments, synthesize } from './short-term.ts';
import { createGsmState, frameLength, type GsmState, longestLag, subframeLength } from './state.ts';

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
function codeResidual(residual: Int32Array, excitation: Int32Array): void {
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
