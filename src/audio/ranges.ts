import { compile, createMemory } from './wasm/assembler.ts';
import {
  countFunction,
  limitFunction,
  peakFunction,
  scaleFunction,
  scaleSingleFunction,
} from './wasm/range-kernels.ts';
import { blockSamples, changedInBlocks, stageSamples } from './wasm/staged-samples.ts';
import { lanes } from './wasm/vectors.ts';

let engine: ReturnType<typeof createEngine> | null = null;

/** The largest absolute value; 0 for no samples. What is no number is passed over. */
export function peak(samples: Float32Array): number {
  engine ??= createEngine();
  return engine.peak(samples);
}

/**
 * How many samples have at least a magnitude, which is rounded to single precision first.
 *
 * @param magnitude above 0
 * @example countFrom(new Float32Array([0.5, -1]), 1) // 1
 */
export function countFrom(samples: Float32Array, magnitude: number): number {
  engine ??= createEngine();
  return engine.countFrom(samples, magnitude);
}

/**
 * Every sample times a factor, multiplied in double precision and rounded once, and the largest magnitude of the products.
 *
 * @example scaled(new Float32Array([0.5]), 2) // { samples: [1], peak: 1 }
 */
export function scaled(samples: Float32Array, factor: number): { samples: Float32Array; peak: number } {
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

function sum(counts: Int32Array): number {
  return counts.reduce((total, count) => total + count, 0);
}

function createEngine() {
  const numbersAt = 4 * blockSamples;
  const lanesAt = numbersAt + 16;
  const memory = createMemory(lanesAt + 16);
  const kernels = compile([peakFunction, countFunction, scaleFunction, scaleSingleFunction, limitFunction])(memory);
  const staged = new Float32Array(memory.buffer, 0, blockSamples);
  const factor = new Float64Array(memory.buffer, numbersAt, 1);
  const range = new Float32Array(memory.buffer, numbersAt, 2);
  const largest = new Float32Array(memory.buffer, lanesAt, lanes.count);
  const counts = new Int32Array(memory.buffer, lanesAt, lanes.count);

  return {
    peak(samples: Float32Array): number {
      largest.fill(0);
      for (let from = 0; from < samples.length; from += blockSamples) {
        kernels.peak!(0, stageSamples(samples, from, staged), lanesAt);
      }
      return Math.max(...largest);
    },
    countFrom(samples: Float32Array, magnitude: number): number {
      range[0] = magnitude;
      counts.fill(0);
      for (let from = 0; from < samples.length; from += blockSamples) {
        kernels.count!(0, stageSamples(samples, from, staged), lanesAt, numbersAt);
      }
      return sum(counts);
    },
    scaled(samples: Float32Array, by: number) {
      const single = Math.fround(by) === by;
      if (single) range[0] = by;
      else factor[0] = by;
      largest.fill(0);
      const run = single ? kernels.scaleSingle! : kernels.scale!;
      const products = changedInBlocks(samples, staged, (vectors) => run(0, vectors, lanesAt, numbersAt));
      return { samples: products, peak: Math.max(...largest) };
    },
    limited(samples: Float32Array, bound: number) {
      range.set([-bound, bound]);
      counts.fill(0);
      const inRange = changedInBlocks(samples, staged, (vectors) => kernels.limit!(0, vectors, lanesAt, numbersAt));
      return { samples: inRange, beyond: sum(counts) };
    },
  };
}
