import { advance, compile, countDown, createMemory, get, integer, set, type WasmFunction } from './wasm/assembler.ts';
import { blockSamples, changedInBlocks, stageSamples } from './wasm/kernels.ts';
import { doubles, lanes, loadVector, shuffle, storeVector, vectorBytes } from './wasm/vectors.ts';

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

/**
 * Raises the largest magnitudes, lane by lane, to those of samples. Parameters: samples, vectors of them (1 or more), largest.
 */
const peakFunction: WasmFunction = {
  name: 'peak',
  parameters: 3,
  body(scope) {
    const [samples, vectors, largest] = [0, 1, 2];
    const most = scope.v128();
    return [
      set(most, loadVector(get(largest))),
      countDown(vectors, [
        set(most, lanes.greater(get(most), lanes.magnitude(loadVector(get(samples))))),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(largest), get(most)),
    ];
  },
};

/**
 * Multiplies samples, in place, by a number in double precision, and raises the largest magnitudes, lane by lane, to those of
 * the products. Parameters: samples, vectors of them (1 or more), largest, the address of the number.
 */
const scaleFunction: WasmFunction = {
  name: 'scale',
  parameters: 4,
  body(scope) {
    const [samples, vectors, largest, number] = [0, 1, 2, 3];
    const [value, factor, most] = [scope.v128(), scope.v128(), scope.v128()];
    const [first, last] = [doubles.ofFirstLanes(get(value)), doubles.ofLastLanes(get(value))].map((half) =>
      doubles.toFirstLanes(doubles.multiply(half, get(factor))),
    );
    return [
      set(factor, doubles.splat(get(number))),
      set(most, loadVector(get(largest))),
      countDown(vectors, [
        set(value, loadVector(get(samples))),
        set(value, shuffle(first!, last!, [0, 1, 4, 5])),
        set(most, lanes.greater(get(most), lanes.magnitude(get(value)))),
        storeVector(get(samples), get(value)),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(largest), get(most)),
    ];
  },
};

/**
 * As `scale` with a number that single precision holds, which gives the same: the product of two such numbers fits into double
 * precision, so that it is rounded once either way.
 */
const scaleSingleFunction: WasmFunction = {
  name: 'scaleSingle',
  parameters: 4,
  body(scope) {
    const [samples, vectors, largest, number] = [0, 1, 2, 3];
    const [value, factor, most] = [scope.v128(), scope.v128(), scope.v128()];
    return [
      set(factor, lanes.splat(get(number))),
      set(most, loadVector(get(largest))),
      countDown(vectors, [
        set(value, lanes.multiply(loadVector(get(samples)), get(factor))),
        set(most, lanes.greater(get(most), lanes.magnitude(get(value)))),
        storeVector(get(samples), get(value)),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(largest), get(most)),
    ];
  },
};

/**
 * Counts, lane by lane, samples of a magnitude or more. Parameters: samples, vectors of them (1 or more), counts, the address
 * of the magnitude.
 */
const countFunction: WasmFunction = {
  name: 'count',
  parameters: 4,
  body(scope) {
    const [samples, vectors, counts, number] = [0, 1, 2, 3];
    const [least, found] = [scope.v128(), scope.v128()];
    return [
      set(least, lanes.splat(get(number))),
      set(found, loadVector(get(counts))),
      countDown(vectors, [
        set(
          found,
          lanes.subtractIntegers(get(found), lanes.atMost(get(least), lanes.magnitude(loadVector(get(samples))))),
        ),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(counts), get(found)),
    ];
  },
};

/**
 * Brings samples, in place, into a range, and counts, lane by lane, those that were beyond it. Parameters: samples, vectors of
 * them (1 or more), counts, the address of two numbers: least and largest of the range.
 */
const limitFunction: WasmFunction = {
  name: 'limit',
  parameters: 4,
  body(scope) {
    const [samples, vectors, counts, numbers] = [0, 1, 2, 3];
    const [value, least, largest, beyond] = [scope.v128(), scope.v128(), scope.v128(), scope.v128()];
    return [
      set(least, lanes.splat(get(numbers))),
      set(largest, lanes.splat(get(numbers), 4)),
      set(beyond, loadVector(get(counts))),
      countDown(vectors, [
        set(value, loadVector(get(samples))),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(value), get(least)))),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(largest), get(value)))),
        storeVector(get(samples), lanes.greater(lanes.lesser(get(value), get(largest)), get(least))),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(counts), get(beyond)),
    ];
  },
};
