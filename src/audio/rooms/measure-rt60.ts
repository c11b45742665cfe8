import { type DecayEnd, findDecayEnd } from './decay-end.ts';

/** A reverberation time, or why there is none. */
export type MeasuredRt60 =
  | {
      readonly rt60Seconds: number;
      /** The stretch of the decay that was measured, from 5 dB below the start on. */
      readonly decayDb: number;
      /** Where the integration stopped, in seconds from the start of the response. */
      readonly endSeconds: number;
    }
  | { readonly rt60Seconds: null; readonly reason: string };

export interface Rt60Options {
  /** How far the decay is followed, from 5 dB below its start: 10, 20 and 30 are usual. 30 if not given. */
  readonly decayDb?: number;
  /**
   * `stop`: at the noise floor, what is lost beyond is made up for, and where the decay does not reach as far as is asked,
   * less of it is used. `ignore`: everything counts as decay, as in pyroomacoustics. `stop` if not given.
   */
  readonly noiseFloor?: 'stop' | 'ignore';
}

/** Below the start of the decay, where measuring begins (ISO 3382-1). */
const startDb = 5;
/** What falls faster is one sound and no room. */
const shortestSeconds = 0.01;
/** Tried one after the other where the noise floor is too near. */
const shorterDecaysDb = [20, 15, 10];

/**
 * Reverberation time of an impulse response: Schroeder's backward integration (JASA 37, 1965), a line through the decay by
 * least squares (ISO 3382-1), extrapolated to 60 dB.
 *
 * @param response from before the direct sound on
 * @example measureRt60(response, 16000).rt60Seconds
 */
export function measureRt60(
  response: Float32Array | Float64Array,
  sampleRate: number,
  options: Rt60Options = {},
): MeasuredRt60 {
  const power = new Float64Array(response.length);
  for (let n = 0; n < power.length; n++) power[n] = response[n]! * response[n]!;
  return rt60OfPower(power, sampleRate, options);
}

/** The same of a decay that is given as power, so many values per second. */
export function rt60OfPower(
  power: Float64Array,
  sampleRate: number,
  { decayDb = 30, noiseFloor = 'stop' }: Rt60Options,
): MeasuredRt60 {
  const peak = placeOfLargest(power);
  if (peak === null) return { rt60Seconds: null, reason: 'the response is silent' };
  const decayEnd = noiseFloor === 'stop' ? findDecayEnd(power, peak, sampleRate) : null;
  if (decayEnd !== null && decayEnd.slopeDb === null) {
    return { rt60Seconds: null, reason: 'no decay stands out of its noise' };
  }
  const end = decayEnd?.sample ?? power.length;
  if (sumOf(power, end, power.length) > sumOf(power, peak, end)) {
    return { rt60Seconds: null, reason: 'more of its energy lies behind its first decay than in it' };
  }
  const curve = decayCurve(
    power,
    end,
    decayEnd?.noisePower ?? 0,
    decayEnd === null ? 0 : energyBeyond(power, decayEnd),
  );
  for (const decay of [decayDb, ...(noiseFloor === 'stop' ? shorterDecaysDb : [])]) {
    const slopeDb = decay <= decayDb ? slopeBetween(curve, -startDb, -startDb - decay) : null;
    if (slopeDb !== null) {
      if (-60 / slopeDb < shortestSeconds * sampleRate) {
        return { rt60Seconds: null, reason: 'nothing but the direct sound stands out of it' };
      }
      return { rt60Seconds: -60 / slopeDb / sampleRate, decayDb: decay, endSeconds: end / sampleRate };
    }
  }
  return { rt60Seconds: null, reason: `it does not decay by ${startDb + 10} dB before it ends or sinks into noise` };
}

function sumOf(power: Float64Array, from: number, end: number): number {
  let sum = 0;
  for (let n = from; n < end; n++) sum += power[n]!;
  return sum;
}

/** Null for silence. */
function placeOfLargest(power: Float64Array): number | null {
  let place: number | null = null;
  for (let n = 0; n < power.length; n++) if (power[n]! > (place === null ? 0 : power[place]!)) place = n;
  return place;
}

/** What an exponential decay from the end on, as steep as before it, would still hold. */
function energyBeyond(power: Float64Array, { sample, slopeDb, noisePower }: DecayEnd): number {
  if (slopeDb === null || sample === 0) return 0;
  const decayPerSample = (-slopeDb * Math.LN10) / 10;
  // The line crosses the noise at the end of the decay; where there is no noise, the end is that of the response.
  const width = Math.min(sample, Math.max(1, Math.round(3 / -slopeDb)));
  let before = 0;
  for (let n = sample - width; n < sample; n++) before += power[n]!;
  if (sample < power.length) return noisePower / decayPerSample;
  // An exponential that held so much in its last stretch holds this behind it.
  return before / Math.expm1(decayPerSample * width);
}

/** Level of what is still to come, in decibels below all there is, from each sample up to the end. */
function decayCurve(power: Float64Array, end: number, noisePower: number, beyond: number): Float64Array {
  const curve = new Float64Array(end);
  let energy = beyond;
  for (let n = end - 1; n >= 0; n--) {
    energy += power[n]! - noisePower;
    curve[n] = energy;
  }
  for (let n = 0; n < end; n++) curve[n] = 10 * Math.log10(curve[n]! / energy);
  return curve;
}

/** Decibels per sample of the line through a stretch of a falling curve; null where the curve does not reach as far down. */
function slopeBetween(curve: Float64Array, from: number, to: number): number | null {
  let start = 0;
  while (start < curve.length && curve[start]! > from) start++;
  let end = start;
  while (end < curve.length && curve[end]! >= to) end++;
  const count = end - start;
  if (end >= curve.length || count < 2) return null;
  let sum = 0;
  let weighted = 0;
  const middle = (count - 1) / 2;
  for (let n = 0; n < count; n++) {
    sum += (n - middle) * (n - middle);
    weighted += (n - middle) * curve[start + n]!;
  }
  return weighted < 0 ? weighted / sum : null;
}
