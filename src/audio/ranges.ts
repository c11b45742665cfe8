import { compile, createMemory } from './wasm/assembler.ts';
import { limitFunction, peakFunction, scaleFunction } from './wasm/range-kernels.ts';
import { lanes } from './wasm/vectors.ts';

/** Samples handled at a time: few enough for the nearest caches. */
const block = 4096;

let engine: ReturnType<typeof createEngine> | null = null;

/** The largest absolute value; 0 for no samples. What is no number is passed over. */
export function peak(samples: Float32Array): number {
  engine ??= createEngine();
  return engine.peak(samples);
}

/**
 * Every sample times a factor, multiplied in double precision and rounded once.
 *
 * @example scaled(new Float32Array([0.5]), 2) // [1]
 */
export function scaled(samples: Float32Array, factor: number): Float32Array {
  engine ??= createEngine();
  return engine.scaled(samples, factor);
}

/**
 * Every sample brought into the range from `-bound` to `bound`, which is rounded to single precision first, and how many were
 * beyond it.
 *
 * @example limited(new Float32Array([0.5, -2]), 1) // { samples: [0.5, -1], beyond: 1 }
 */
export function limited(samples: Float32Array, bound: number): { samples: Float32Array; beyond: number } {
  engine ??= createEngine();
  return engine.limited(samples, bound);
}

function createEngine() {
  const numbersAt = 4 * block;
  const lanesAt = numbersAt + 16;
  const memory = createMemory(lanesAt + 16);
  const kernels = compile([peakFunction, scaleFunction, limitFunction])(memory);
  const staged = new Float32Array(memory.buffer, 0, block);
  const factor = new Float64Array(memory.buffer, numbersAt, 1);
  const range = new Float32Array(memory.buffer, numbersAt, 2);
  const largest = new Float32Array(memory.buffer, lanesAt, lanes.count);
  const counts = new Int32Array(memory.buffer, lanesAt, lanes.count);

  /** Block after block in the engine's memory, filled up with silence to whole vectors. */
  const eachBlock = (samples: Float32Array, run: (vectors: number, from: number, count: number) => void): void => {
    for (let from = 0; from < samples.length; from += block) {
      const count = Math.min(block, samples.length - from);
      staged.set(count === samples.length ? samples : samples.subarray(from, from + count));
      const vectors = Math.ceil(count / lanes.count);
      staged.fill(0, count, vectors * lanes.count);
      run(vectors, from, count);
    }
  };
  const changed = (samples: Float32Array, run: (vectors: number) => void): Float32Array => {
    const result = new Float32Array(samples.length);
    eachBlock(samples, (vectors, from, count) => {
      run(vectors);
      result.set(count === block ? staged : staged.subarray(0, count), from);
    });
    return result;
  };

  return {
    peak(samples: Float32Array): number {
      largest.fill(0);
      eachBlock(samples, (vectors) => kernels.peak!(0, vectors, lanesAt));
      return Math.max(...largest);
    },
    scaled(samples: Float32Array, by: number): Float32Array {
      factor[0] = by;
      return changed(samples, (vectors) => kernels.scale!(0, vectors, numbersAt));
    },
    limited(samples: Float32Array, bound: number) {
      range.set([-bound, bound]);
      counts.fill(0);
      const inRange = changed(samples, (vectors) => kernels.limit!(0, vectors, lanesAt, numbersAt));
      return { samples: inRange, beyond: counts.reduce((total, count) => total + count, 0) };
    },
  };
}
