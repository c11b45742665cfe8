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
const minSeconds = 0.01;
/** What comes sooner counts as direct sound and first reflections (ISO 3382-1, C50): no reverberation yet. */
const earlySeconds = 0.05;
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
  const [decayed, behind] = [sumOf(power, peak, end), sumOf(power, end, power.length)];
  if (behind > decayed) {
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
      if (-60 / slopeDb < minSeconds * sampleRate) {
        return { rt60Seconds: null, reason: 'nothing but the direct sound stands out of it' };
      }
      const isEarly = end - peak < earlySeconds * sampleRate;
      if (isEarly && 10 * Math.log10(behind / decayed) > -startDb - decay) {
        return {
          rt60Seconds: null,
          reason: 'it falls within its first reflections, and what comes behind them is no decay',
        };
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

/** Where a decay sinks into the noise, and how it goes on below. */
interface DecayEnd {
  /** First sample that is noise rather than decay; the length of the response where it never is. */
  readonly sample: number;
  /** Mean square of the noise behind the decay; 0 where there is none. */
  readonly noisePower: number;
  /** Of the late decay, in decibels per sample, below 0; null where none was found. */
  readonly slopeDb: number | null;
}

/** Rounds after which the crossing point is taken as it is. */
const maxRounds = 6;
/** Parts of the decay used for its late slope, and kept clear of the noise on either side, in decibels. */
const lateDb = 20;
const clearDb = 7;
/** Averages per 10 dB of decay. */
const perTenDb = 5;
/** Averages to begin with, and the shortest, in seconds: in shorter ones single reflections are told apart. */
const widest = 0.05;
const narrowest = 0.001;

/**
 * Finds where an impulse response sinks into its noise floor (Lundeby, Vigran, Bietz and Vorlaender, Acustica 81, 1995): the
 * crossing of a line through the late decay with the mean power of what comes behind it, again and again until it stays.
 *
 * @param power squares of the response
 * @param peak where its largest value is
 */
function findDecayEnd(power: Float64Array, peak: number, sampleRate: number): DecayEnd {
  const { length } = power;
  let width = Math.max(1, Math.min(Math.round(widest * sampleRate), Math.floor((length - peak) / 20)));
  let noisePower = mean(power, Math.floor(length - 0.1 * (length - peak)), length);
  let crossing = length;
  let slopeDb: number | null = null;
  for (let round = 0; round < maxRounds; round++) {
    const levels = averages(power, peak, width);
    const loudest = levels.reduce((most, level) => Math.max(most, level), 0);
    const line = lateLine(levels, loudest, noisePower);
    if (line === null) {
      // A short decay in a long response: it all lies within a few averages.
      if (width <= narrowest * sampleRate) break;
      width = Math.ceil(width / 2);
      round--;
      continue;
    }
    slopeDb = line.slopeDb / width;
    const before = crossing;
    const place = (10 * Math.log10(Math.max(noisePower, Number.MIN_VALUE)) - line.startDb) / slopeDb;
    crossing = Math.min(length, Math.max(peak + width, Math.round(peak + place)));
    width = Math.max(1, Math.min(Math.round(-10 / perTenDb / slopeDb), Math.floor((length - peak) / 20)));
    // The noise begins where the decay would be well below it, and is measured over a tenth of the response at least.
    const noiseStart = Math.min(crossing - clearDb / slopeDb, length - 0.1 * (length - peak));
    noisePower = mean(power, Math.floor(noiseStart), length);
    if (Math.abs(crossing - before) < width / 4) break;
  }
  if (slopeDb === null || !isLevel(power, Math.min(crossing, Math.floor(length - 0.1 * (length - peak))), slopeDb)) {
    return { sample: length, noisePower: 0, slopeDb };
  }
  return { sample: crossing, noisePower, slopeDb };
}

/** Whether what lies behind a place falls by less than half of what the decay would have fallen: noise, not decay. */
function isLevel(power: Float64Array, from: number, slopeDb: number): boolean {
  const half = Math.floor((power.length - from) / 2);
  if (half < 1) return false;
  const first = mean(power, from, from + half);
  const second = mean(power, from + half, from + 2 * half);
  if (second === 0) return first === 0;
  return 10 * Math.log10(second / first) > 0.5 * half * slopeDb;
}

/** Means of so many samples each, from the peak on. */
function averages(power: Float64Array, peak: number, width: number): Float64Array {
  return Float64Array.from({ length: Math.floor((power.length - peak) / width) }, (_, index) =>
    mean(power, peak + index * width, peak + (index + 1) * width),
  );
}

/** A line through the last stretch of the decay that is clear of the noise, by least squares; null where it does not fall. */
function lateLine(levels: Float64Array, loudest: number, noisePower: number) {
  const floor = 10 * Math.log10(Math.max(noisePower, loudest * 1e-12)) + clearDb;
  const decibels = levels.map((level) => 10 * Math.log10(Math.max(level, Number.MIN_VALUE)));
  let end = decibels.findIndex((level) => level < floor);
  if (end < 0) end = decibels.length;
  const top = Math.min(floor + lateDb, 10 * Math.log10(loudest));
  let start = 0;
  for (let index = 0; index < end; index++) if (decibels[index]! >= top) start = index;
  if (end - start < 2) start = Math.max(0, end - 3);
  if (end - start < 2) return null;
  let sumX = 0;
  let sumY = 0;
  let sumXx = 0;
  let sumXy = 0;
  for (let index = start; index < end; index++) {
    const x = index + 0.5;
    sumX += x;
    sumY += decibels[index]!;
    sumXx += x * x;
    sumXy += x * decibels[index]!;
  }
  const count = end - start;
  const slopeDb = (count * sumXy - sumX * sumY) / (count * sumXx - sumX * sumX);
  return slopeDb < 0 ? { slopeDb, startDb: (sumY - slopeDb * sumX) / count } : null;
}

function mean(power: Float64Array, from: number, to: number): number {
  const start = Math.max(0, Math.min(from, to - 1));
  let sum = 0;
  for (let n = start; n < to; n++) sum += power[n]!;
  return sum / Math.max(1, to - start);
}
