import { copyWithSilence } from './fit-length.ts';
import { kaiserBeta, kaiserOrder, windowedSinc } from './kaiser.ts';
import { compile, createMemory } from './wasm/assembler.ts';
import { entryBytes, rowProducts } from './wasm/row-kernels.ts';

const attenuationDb = 140;
/** Places between two samples that the kernel is kept for; in between, it is read by a straight line (error below -140 dB). */
const phases = 2048;
/** The sound ends at a quarter of the sample rate, so that its first image begins at three quarters. */
const halfLength = 2 * Math.ceil(kaiserOrder(attenuationDb, 0.5) / 4);
const taps = 2 * halfLength;

/** Results made at a time, and samples that they may reach over. */
const stretch = 2048;
const window = 65536;

let interpolator: ReturnType<typeof createInterpolator> | null = null;

/**
 * A signal that fills at most half of its band, read at the places 0, step, 2 step, … (in samples, any real number).
 * Outside of what is given it counts as zero.
 */
export function interpolate(samples: Float32Array, step: number, outputLength: number): Float32Array {
  interpolator ??= createInterpolator();
  return interpolator(samples, step, outputLength);
}

function createInterpolator() {
  const kernel = makeKernel();
  const listAt = 4 * kernel.length;
  const resultsAt = listAt + entryBytes.blended * stretch;
  const samplesAt = resultsAt + 4 * stretch;
  const memory = createMemory(samplesAt + 4 * window);
  new Float32Array(memory.buffer, 0, kernel.length).set(kernel);
  const list = new Int32Array(memory.buffer, listAt, 3 * stretch);
  const shares = new Float32Array(memory.buffer, listAt, 3 * stretch);
  const results = new Float32Array(memory.buffer, resultsAt, stretch);
  const { rowProducts: run } = compile([rowProducts('blended', taps / 4)])(memory);

  return (samples: Float32Array, step: number, outputLength: number): Float32Array => {
    const output = new Float32Array(outputLength);
    const together = Math.max(1, Math.min(stretch, Math.floor((window - taps - 2) / step)));
    const staged = new Float32Array(memory.buffer, samplesAt, Math.ceil(together * step) + taps + 1);
    for (let from = 0; from < outputLength; from += together) {
      const count = Math.min(together, outputLength - from);
      const first = Math.floor(from * step);
      for (let n = 0, entry = 0; n < count; n++) {
        const place = (from + n) * step;
        const whole = Math.floor(place);
        const phase = (place - whole) * phases;
        const row = Math.floor(phase);
        list[entry++] = 4 * (whole - first);
        list[entry++] = 4 * taps * row;
        shares[entry++] = phase - row;
      }
      copyWithSilence(samples, first - halfLength + 1, staged);
      run!(listAt, resultsAt, count, samplesAt);
      output.set(count < stretch ? results.subarray(0, count) : results, from);
    }
    return output;
  };
}

/** A row of taps for each phase from 0 to 1, both included. */
function makeKernel(): Float32Array {
  const beta = kaiserBeta(attenuationDb);
  const table = new Float32Array((phases + 1) * taps);
  for (let row = 0; row <= phases; row++) {
    for (let tap = 0; tap < taps; tap++) {
      table[row * taps + tap] = windowedSinc(tap - halfLength + 1 - row / phases, 0.5, halfLength, beta);
    }
  }
  return table;
}
