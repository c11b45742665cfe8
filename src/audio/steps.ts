import { compile, createMemory } from './wasm/assembler.ts';
import { blockSamples, changedInBlocks } from './wasm/staged-samples.ts';
import { type StepRounding, stepFunction } from './wasm/step-kernels.ts';

/** How samples are rounded. */
export interface SampleSteps {
  /** What the value 1 stands for before rounding, in steps. */
  readonly scale: number;
  /** Steps from 0 to the least sample, a power of two; to the largest it is one less. */
  readonly steps: number;
  readonly rounding: StepRounding;
}

let engine: ReturnType<typeof createEngine> | null = null;

/**
 * Samples as whole steps hold them: each is `round(sample x scale) / steps` within the range, a zero without sign; and how many
 * were beyond the range.
 *
 * @example inSteps(new Float32Array([0.3, 2]), { scale: 4, steps: 4, rounding: 'nearest' }) // { samples: [0.25, 0.75], beyond: 1 }
 */
export function inSteps(samples: Float32Array, steps: SampleSteps): { samples: Float32Array; beyond: number } {
  engine ??= createEngine();
  return engine(samples, steps);
}

function createEngine() {
  const numbersAt = 4 * blockSamples;
  const countsAt = numbersAt + 32;
  const memory = createMemory(countsAt + 16);
  const kernels = compile([stepFunction('nearest'), stepFunction('truncate')])(memory);
  const staged = new Float32Array(memory.buffer, 0, blockSamples);
  const numbers = new Float64Array(memory.buffer, numbersAt, 4);
  // The lower halves of 64-bit integers, which are enough.
  const counts = new Int32Array(memory.buffer, countsAt, 4);
  return (samples: Float32Array, { scale, steps, rounding }: SampleSteps) => {
    numbers.set([scale, -steps, steps - 1, 1 / steps]);
    counts.fill(0);
    const run = kernels[rounding]!;
    const changed = changedInBlocks(samples, staged, (vectors) => run(0, vectors, countsAt, numbersAt));
    return { samples: changed, beyond: counts[0]! + counts[2]! };
  };
}
