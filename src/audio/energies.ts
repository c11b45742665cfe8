import { fullScale } from './levels.ts';
import { compile, createMemory } from './wasm/assembler.ts';
import { addScaledFunction, energyFunction, sumsBytes } from './wasm/energy-kernels.ts';
import { blockSamples, stageSamples } from './wasm/staged-samples.ts';
import { lanes } from './wasm/vectors.ts';

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
  const kernels = compile([energyFunction, addScaledFunction])(memory);
  const staged = new Float32Array(memory.buffer, 0, blockSamples);
  const stagedNoise = new Float32Array(memory.buffer, noiseAt, blockSamples);
  const energies = new Float64Array(memory.buffer, sumsAt, 4);
  const beyond = new Int32Array(memory.buffer, sumsAt + 32, lanes.count);
  const numbers = new Float32Array(memory.buffer, numbersAt, 3);

  const energy = () => energies[0]! + energies[1]! + (energies[2]! + energies[3]!);

  return {
    energyOf(samples: Float32Array): number {
      energies.fill(0);
      for (let from = 0; from < samples.length; from += blockSamples) {
        kernels.energy!(0, stageSamples(samples, from, staged), sumsAt);
      }
      return energy();
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
