/** Where a decay sinks into the noise, and how it goes on below. */
export interface DecayEnd {
  /** First sample that is noise rather than decay; the length of the response where it never is. */
  readonly sample: number;
  /** Mean square of the noise behind the decay; 0 where there is none. */
  readonly noisePower: number;
  /** Of the late decay, in decibels per sample, below 0; null where none was found. */
  readonly slopeDb: number | null;
}

/** Rounds after which the crossing point is taken as it is. */
const mostRounds = 6;
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
export function findDecayEnd(power: Float64Array, peak: number, sampleRate: number): DecayEnd {
  const { length } = power;
  let width = Math.max(1, Math.min(Math.round(widest * sampleRate), Math.floor((length - peak) / 20)));
  let noisePower = mean(power, Math.floor(length - 0.1 * (length - peak)), length);
  let crossing = length;
  let slopeDb: number | null = null;
  for (let round = 0; round < mostRounds; round++) {
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
