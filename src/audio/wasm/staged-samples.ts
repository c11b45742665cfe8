import { lanes } from './vectors.ts';

/** Samples that kernels handle at a time: few enough for the nearest caches. */
export const blockSamples = 4096;

/**
 * Copies a block of samples to where kernels read it, filled up with silence so that the last vector is whole.
 *
 * @returns how many vectors there are
 */
export function stageSamples(samples: Float32Array, from: number, into: Float32Array): number {
  const count = Math.min(blockSamples, samples.length - from);
  into.set(count === samples.length ? samples : samples.subarray(from, from + count));
  const vectors = Math.ceil(count / lanes.count);
  into.fill(0, count, vectors * lanes.count);
  return vectors;
}

/**
 * New samples: those given as a kernel changes them, block by block.
 *
 * @param staged where the kernel changes a block in place
 */
export function changedInBlocks(
  samples: Float32Array,
  staged: Float32Array,
  change: (vectors: number) => void,
): Float32Array {
  const result = new Float32Array(samples.length);
  for (let from = 0; from < samples.length; from += blockSamples) {
    change(stageSamples(samples, from, staged));
    const count = Math.min(blockSamples, samples.length - from);
    result.set(count === blockSamples ? staged : staged.subarray(0, count), from);
  }
  return result;
}
