import { butterworth } from '../filters/butterworth.ts';
import { filterBothWays } from '../filters/filter-both-ways.ts';
import { kaiserBeta, windowedSinc } from '../kaiser.ts';
import { metresPerSecond } from './room-shape.ts';
import type { ShoeboxEchoes } from './shoebox-echoes.ts';

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
