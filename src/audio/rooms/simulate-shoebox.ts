import { badInput } from '../../base/errors.ts';
import { butterworth, filterBothWays } from '../filters/biquad.ts';
import { kaiserBeta, windowedSinc } from '../kaiser.ts';
import { measureRt60, rt60OfPower } from './measure-rt60.ts';
import {
  expectedEchoes,
  maxEchoes,
  metresPerSecond,
  type PlaceInRoom,
  type RoomShape,
  type ShoeboxEchoes,
  shoeboxEchoes,
} from './shoebox.ts';

/** A response that was made, and what it measures. */
export interface SimulatedRoom {
  readonly response: Float32Array;
  /** Where the direct sound stands in it. */
  readonly directSample: number;
  /** Measured on the response; null where it cannot be. */
  readonly rt60Seconds: number | null;
  /** Share of the energy that the walls take. */
  readonly absorption: number;
}

/** The decay is looked at in steps of a thousandth of a second while the walls are chosen. */
const stepsPerSecond = 1000;
const maxRounds = 3;
/** Near enough to what was asked for. */
const tolerance = 0.02;

/**
 * The response of an empty room whose reverberation time, as `measureRt60` measures it, is the one asked for: walls that
 * Sabine's or Eyring's formula would choose miss it by up to some 50 %, since a room without scattering decays along more
 * than one slope. All walls are alike at all frequencies.
 *
 * @param nameForErrors begins the sentence of an error
 * @throws EarwitnessError `bad-input` where such a room cannot have it, or would take too long
 */
export function simulateShoebox(
  room: RoomShape,
  source: PlaceInRoom,
  microphone: PlaceInRoom,
  rt60Seconds: number,
  sampleRate: number,
  nameForErrors: string,
): SimulatedRoom {
  const distance = Math.hypot(source.x - microphone.x, source.y - microphone.y, source.z - microphone.z);
  const directSeconds = distance / metresPerSecond;
  const longest = directSeconds + rt60Seconds;
  if (expectedEchoes(room, longest) > maxEchoes) {
    throw badInput(
      `${nameForErrors}: expected at most ${maxEchoes} echoes, but ${rt60Seconds} s in so small a room have about ${expectedEchoes(room, longest).toExponential(1)}; choose a larger room or a shorter time`,
    );
  }
  const echoes = shoeboxEchoes(room, source, microphone, longest);
  const energies = energiesByReflections(echoes, longest);
  const length = Math.ceil(longest * sampleRate) + 2 * halfPulseSamples;
  let wanted = rt60Seconds;
  let best: SimulatedRoom | null = null;
  for (let round = 0; round < maxRounds; round++) {
    const reflection = reflectionFor(energies, wanted);
    if (reflection === null) break;
    const response = shoeboxResponse(echoes, reflection, sampleRate, length);
    const measured = measureRt60(response, sampleRate).rt60Seconds;
    const made = {
      response,
      directSample: halfPulseSamples + Math.round(directSeconds * sampleRate),
      rt60Seconds: measured,
      absorption: 1 - reflection * reflection,
    };
    if (best === null || miss(made, rt60Seconds) < miss(best, rt60Seconds)) best = made;
    if (measured === null || miss(made, rt60Seconds) <= tolerance) break;
    wanted *= rt60Seconds / measured;
  }
  if (best === null) {
    throw badInput(
      `${nameForErrors}: expected a reverberation time that such a room can have at a distance of ${Number(distance.toFixed(3))} m, but ${rt60Seconds} s is too short; choose a longer one, a smaller room or a smaller distance`,
    );
  }
  return best;
}

function miss(room: SimulatedRoom, wanted: number): number {
  return room.rt60Seconds === null ? Number.POSITIVE_INFINITY : Math.abs(room.rt60Seconds / wanted - 1);
}

/** Energy that arrives in each step of time by the number of its reflections, at walls that take nothing. */
function energiesByReflections({ seconds, reflections }: ShoeboxEchoes, longest: number) {
  let most = 0;
  for (let echo = 0; echo < reflections.length; echo++) most = Math.max(most, reflections[echo]!);
  const width = most + 1;
  const steps = Math.ceil(longest * stepsPerSecond) + 1;
  const energies = new Float64Array(steps * width);
  for (let echo = 0; echo < seconds.length; echo++) {
    const place = Math.floor(seconds[echo]! * stepsPerSecond) * width + reflections[echo]!;
    energies[place] = energies[place]! + 1 / (seconds[echo]! * seconds[echo]!);
  }
  return { energies, width, steps };
}

/** The share of the amplitude that walls must give back, by bisection; null where even walls that give nothing decay longer. */
function reflectionFor(energies: ReturnType<typeof energiesByReflections>, rt60Seconds: number): number | null {
  // Where hardly anything comes back, the decay is a step for each echo, and a line through steps may be of any slope: the wall is looked for from
  // the first that is dull enough.
  const dull = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5].find((one) => rt60With(energies, one) <= rt60Seconds);
  if (dull === undefined) return null;
  let low = dull === 0.05 ? 0 : dull;
  let high = 0.9999;
  for (let round = 0; round < 14; round++) {
    const middle = (low + high) / 2;
    if (rt60With(energies, middle) < rt60Seconds) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Reverberation time with such walls, if echoes add up by their energies; 0 where nothing reverberates. */
function rt60With({ energies, width, steps }: ReturnType<typeof energiesByReflections>, reflection: number): number {
  const weights = Float64Array.from({ length: width }, (_, count) => reflection ** (2 * count));
  const power = new Float64Array(steps);
  for (let step = 0, place = 0; step < steps; step++) {
    let sum = 0;
    for (let count = 0; count < width; count++, place++) sum += energies[place]! * weights[count]!;
    power[step] = sum;
  }
  return rt60OfPower(power, stepsPerSecond, { noiseFloor: 'ignore' }).rt60Seconds ?? 0;
}

/** Places between two samples that an echo can begin at; in between, it is shared by the two nearest. */
const placesPerSample = 16;
/** Half the length of the pulse that an echo is, in samples: as far before it the response begins. */
export const halfPulseSamples = 40;
const pulseAttenuationDb = 80;
/**
 * What walls that give back all frequencies alike pile up at 0 Hz is taken away, as Allen and Berkley did at 100 Hz;
 * pyroomacoustics does it here.
 */
const highPassHz = 10;

let pulse: Float64Array | null = null;

/**
 * The response of a room at a sample rate: a pulse for each echo, with an amplitude of 1 / metres x reflection^reflections.
 * An echo of 0 seconds would stand at sample `halfPulseSamples`.
 *
 * @param reflection share of the amplitude that a wall gives back, 0 to 1: the root of 1 - absorption
 * @param length in samples; what arrives later is left out
 */
export function shoeboxResponse(
  { seconds, reflections }: ShoeboxEchoes,
  reflection: number,
  sampleRate: number,
  length: number,
): Float32Array {
  const amplitudes = Float64Array.from({ length: mostOf(reflections) + 1 }, (_, count) => reflection ** count);
  const fine = new Float64Array((length + 2 * halfPulseSamples + 1) * placesPerSample);
  const scale = sampleRate * placesPerSample;
  for (let echo = 0; echo < seconds.length; echo++) {
    const place = seconds[echo]! * scale;
    const whole = Math.floor(place);
    const share = place - whole;
    if (whole + 1 >= fine.length) continue;
    const amplitude = amplitudes[reflections[echo]!]! / (seconds[echo]! * metresPerSecond);
    fine[whole] = fine[whole]! + (1 - share) * amplitude;
    fine[whole + 1] = fine[whole + 1]! + share * amplitude;
  }
  return filterBothWays(butterworth('high-pass', highPassHz, sampleRate), decimated(fine, length));
}

/** The fine places seen through pulses: sample n of the result stands at place n - halfPulseSamples. */
function decimated(fine: Float64Array, length: number): Float32Array {
  pulse ??= makePulse();
  const taps = pulse;
  const half = halfPulseSamples * placesPerSample;
  const response = new Float32Array(length);
  for (let n = 0; n < length; n++) {
    const middle = (n - halfPulseSamples) * placesPerSample;
    const from = Math.max(0, middle - half);
    const to = Math.min(fine.length, middle + half + 1);
    let first = 0;
    let second = 0;
    let tap = from - middle + half;
    let place = from;
    for (; place + 1 < to; place += 2, tap += 2) {
      first += fine[place]! * taps[tap]!;
      second += fine[place + 1]! * taps[tap + 1]!;
    }
    if (place < to) first += fine[place]! * taps[tap]!;
    response[n] = first + second;
  }
  return response;
}

/** A windowed sinc at the fine places. */
function makePulse(): Float64Array {
  const half = halfPulseSamples * placesPerSample;
  const beta = kaiserBeta(pulseAttenuationDb);
  return Float64Array.from({ length: 2 * half + 1 }, (_, index) =>
    windowedSinc((index - half) / placesPerSample, 0.5, halfPulseSamples, beta),
  );
}

function mostOf(counts: Uint16Array): number {
  let most = 0;
  for (let index = 0; index < counts.length; index++) if (counts[index]! > most) most = counts[index]!;
  return most;
}
