import { kaiserBeta, kaiserOrder, windowedSinc } from './kaiser.ts';

const attenuationDb = 140;
/** Places between two samples that the kernel is kept for; in between, it is read by a straight line (error below -140 dB). */
const phases = 2048;
/** The sound ends at a quarter of the sample rate, so that its first image begins at three quarters. */
const halfLength = Math.ceil(kaiserOrder(attenuationDb, 0.5) / 2);
const taps = 2 * halfLength;

let kernel: Float64Array | null = null;

/**
 * A signal that fills at most half of its band, read at the places 0, step, 2 step, … (in samples, any real number).
 * Outside of what is given it counts as zero.
 */
export function interpolate(samples: Float32Array, step: number, outputLength: number): Float32Array {
  kernel ??= makeKernel();
  const table = kernel;
  const padded = new Float32Array(samples.length + 2 * taps);
  padded.set(samples, taps);
  const last = padded.length - taps;
  const output = new Float32Array(outputLength);
  for (let n = 0; n < outputLength; n++) {
    const place = n * step;
    const whole = Math.floor(place);
    const phase = (place - whole) * phases;
    const row = Math.floor(phase);
    const share = phase - row;
    let tap = row * taps;
    let first = 0;
    let second = 0;
    const start = Math.min(whole + taps - halfLength + 1, last);
    for (let index = start; index < start + taps; index++, tap++) {
      const sample = padded[index]!;
      first += sample * table[tap]!;
      second += sample * table[tap + taps]!;
    }
    output[n] = first + share * (second - first);
  }
  return output;
}

/** A row of taps for each phase from 0 to 1, both included. */
function makeKernel(): Float64Array {
  const beta = kaiserBeta(attenuationDb);
  const table = new Float64Array((phases + 1) * taps);
  for (let row = 0; row <= phases; row++) {
    for (let tap = 0; tap < taps; tap++) {
      table[row * taps + tap] = windowedSinc(tap - halfLength + 1 - row / phases, 0.5, halfLength, beta);
    }
  }
  return table;
}
