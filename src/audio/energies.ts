import { fullScale } from './levels.ts';
import { advance, compile, countDown, createMemory, get, integer, set, type WasmFunction } from './wasm/assembler.ts';
import { blockSamples, stageSamples } from './wasm/kernels.ts';
import { doubles, lanes, loadVector, storeVector, vectorBytes } from './wasm/vectors.ts';

/** Two sounds added, and what changed. */
export interface ScaledSum {
  readonly samples: Float32Array;
  /** Sum of squares of the result minus what it was before, within a millionth. */
  readonly addedEnergy: number;
  readonly samplesBeyondFullScale: number;
}

let engine: ReturnType<typeof createEngine> | null = null;

/**
 * Sum of squares, in double precision.
 *
 * @example energyOf(new Float32Array([3, -4])) // 25
 */
export function energyOf(samples: Float32Array): number {
  engine ??= createEngine();
  return engine.energyOf(samples);
}

/** The energies of two sounds of one length, in the time of one: its sum waits for each square before the next. */
export function energiesOf(samples: Float32Array, noise: Float32Array): { signal: number; noise: number } {
  engine ??= createEngine();
  return engine.energiesOf(samples, noise);
}

/**
 * A sound plus a gain times another of the same length, in single precision. Nothing is cut off at full scale.
 *
 * @throws RangeError where the lengths differ
 * @example addScaled(speech, noise, 0.1).samples
 */
export function addScaled(samples: Float32Array, noise: Float32Array, gain: number): ScaledSum {
  if (samples.length !== noise.length) {
    throw new RangeError(`expected two sounds of one length, got ${samples.length} and ${noise.length} samples`);
  }
  engine ??= createEngine();
  return engine.addScaled(samples, noise, gain);
}

function createEngine() {
  const [noiseAt, sumsAt] = [4 * blockSamples, 8 * blockSamples];
  const numbersAt = sumsAt + sumsBytes;
  const memory = createMemory(numbersAt + 16);
  const kernels = compile([energiesFunction, addScaledFunction])(memory);
  const staged = new Float32Array(memory.buffer, 0, blockSamples);
  const stagedNoise = new Float32Array(memory.buffer, noiseAt, blockSamples);
  const energies = new Float64Array(memory.buffer, sumsAt, 8);
  const beyond = new Int32Array(memory.buffer, sumsAt + beyondAt, lanes.count);
  const numbers = new Float32Array(memory.buffer, numbersAt, 3);

  const energy = (at = 0) => energies[at]! + energies[at + 1]! + (energies[at + 2]! + energies[at + 3]!);

  return {
    energyOf(samples: Float32Array): number {
      energies.fill(0);
      for (let from = 0; from < samples.length; from += blockSamples) {
        // What stands in the other's place costs no time.
        kernels.energies!(0, noiseAt, stageSamples(samples, from, staged), sumsAt);
      }
      return energy();
    },
    energiesOf(samples: Float32Array, noise: Float32Array) {
      energies.fill(0);
      for (let from = 0; from < samples.length; from += blockSamples) {
        stageSamples(noise, from, stagedNoise);
        kernels.energies!(0, noiseAt, stageSamples(samples, from, staged), sumsAt);
      }
      return { signal: energy(), noise: energy(4) };
    },
    addScaled(samples: Float32Array, noise: Float32Array, gain: number): ScaledSum {
      energies.fill(0);
      beyond.fill(0);
      numbers.set([gain, -1, fullScale]);
      const sum = new Float32Array(samples.length);
      for (let from = 0; from < samples.length; from += blockSamples) {
        stageSamples(noise, from, stagedNoise);
        kernels.addScaled!(0, noiseAt, stageSamples(samples, from, staged), sumsAt, numbersAt);
        const count = Math.min(blockSamples, samples.length - from);
        sum.set(count === blockSamples ? stagedNoise : stagedNoise.subarray(0, count), from);
      }
      return {
        samples: sum,
        addedEnergy: energy(),
        samplesBeyondFullScale: beyond.reduce((total, count) => total + count, 0),
      };
    },
  };
}

/** Sums that go on from block to block: for each sound two vectors of doubles, one for each lane's place, then one of integers. */
const beyondAt = 4 * vectorBytes;
const sumsBytes = beyondAt + vectorBytes;

/**
 * Adds the squares of samples to the sums, all in double precision. Parameters: samples, those of another sound, vectors of them (1
 * or more), sums.
 */
const energiesFunction: WasmFunction = {
  name: 'energies',
  parameters: 4,
  body(scope) {
    const [vectors, sums] = [2, 3];
    const [value, wide] = [scope.v128(), scope.v128()];
    const halves = [doubles.ofFirstLanes(get(value)), doubles.ofLastLanes(get(value))];
    const totals = [0, 1, 2, 3].map(() => scope.v128());
    return [
      ...totals.map((total, index) => set(total, loadVector(get(sums), index * vectorBytes))),
      countDown(
        vectors,
        [0, 1].flatMap((samples) => [
          set(value, loadVector(get(samples))),
          ...halves.flatMap((half, index) => {
            const total = totals[2 * samples + index]!;
            return [set(wide, half), set(total, doubles.add(get(total), doubles.multiply(get(wide), get(wide))))];
          }),
          advance(samples, integer(vectorBytes)),
        ]),
      ),
      ...totals.map((total, index) => storeVector(get(sums), get(total), index * vectorBytes)),
    ];
  },
};

/**
 * Adds noise times a gain. The squares of what is then more or less than before are added to the sums, and so are, lane by
 * lane, the samples beyond a range. Squares are summed in single precision first: of a few thousand samples that leaves a
 * millionth. Parameters: samples, noise (which the result replaces), vectors of them (1 or more), sums, the address of three
 * numbers: the gain, least and largest of the range.
 */
const addScaledFunction: WasmFunction = {
  name: 'addScaled',
  parameters: 5,
  body(scope) {
    const [samples, noise, vectors, sums, numbers] = [0, 1, 2, 3, 4];
    const [before, after, change, squares, beyond] = [
      scope.v128(),
      scope.v128(),
      scope.v128(),
      scope.v128(),
      scope.v128(),
    ];
    const [gain, least, largest] = [scope.v128(), scope.v128(), scope.v128()];
    const added = [doubles.ofFirstLanes(get(squares)), doubles.ofLastLanes(get(squares))];
    return [
      set(gain, lanes.splat(get(numbers))),
      set(least, lanes.splat(get(numbers), 4)),
      set(largest, lanes.splat(get(numbers), 8)),
      set(beyond, loadVector(get(sums), beyondAt)),
      set(squares, lanes.constant(0)),
      countDown(vectors, [
        set(before, loadVector(get(samples))),
        set(after, lanes.add(get(before), lanes.multiply(get(gain), loadVector(get(noise))))),
        storeVector(get(noise), get(after)),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(after), get(least)))),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(largest), get(after)))),
        set(change, lanes.subtract(get(after), get(before))),
        set(squares, lanes.add(get(squares), lanes.multiply(get(change), get(change)))),
        advance(samples, integer(vectorBytes)),
        advance(noise, integer(vectorBytes)),
      ]),
      ...added.map((value, index) =>
        storeVector(get(sums), doubles.add(loadVector(get(sums), index * vectorBytes), value), index * vectorBytes),
      ),
      storeVector(get(sums), get(beyond), beyondAt),
    ];
  },
};
