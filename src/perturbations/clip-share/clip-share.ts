import { z } from 'zod';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { cutPeaks } from '../shared/effect-pairs.ts';
import { samplewise } from '../shared/samplewise.ts';

/**
 * Hard clipping of a stated share of the samples, whatever the level of the sound. So many of the loudest samples are cut
 * off at the size of the next softer one; where that size comes more than once, fewer are.
 */
export const clipShare = plainPerturbation({
  name: 'clip-share',
  version: 1,
  about: 'Cuts off the loudest samples, a stated share of them, as an overdriven input does.',
  parameters: z.strictObject({
    share: between(0, 0.99).describe('Share of the samples that is cut off, rounded to whole samples'),
  }),
  random: false,
  identity: { share: 0 },
  example: { share: 0.05 },
  apply: samplewise(({ share }, clip) => {
    if (clip === null) return null;
    const { samples } = clip;
    const louder = Math.min(Math.round(share * samples.length), samples.length - 1);
    const { change, facts } = cutPeaks(samples.length === 0 ? 1 : magnitudeAtRank(samples, louder));
    return { change, facts: (...told) => ({ askedShare: share, ...facts(...told) }) };
  }),
});

/**
 * The size of the sample that so many others are at least as large as: rank 0 is the largest. Found by counting bits of the
 * floats, whose order is that of their sizes, twice 15 or 16 at a time; a sort of an hour would take far longer.
 *
 * @param rank from 0 to the number of samples less 1
 * @example magnitudeAtRank(new Float32Array([0.1, -0.5, 0.3]), 1) // 0.3 (rounded to single precision)
 */
export function magnitudeAtRank(samples: Float32Array, rank: number): number {
  const bits = new Uint32Array(samples.buffer, samples.byteOffset, samples.length);
  const upper = new Uint32Array(2 ** 15);
  for (let n = 0; n < bits.length; n++) upper[(bits[n]! >>> 16) & 0x7fff]!++;
  const { bin, left } = binOfRank(upper, rank);
  const lower = new Uint32Array(2 ** 16);
  for (let n = 0; n < bits.length; n++) if (((bits[n]! >>> 16) & 0x7fff) === bin) lower[bits[n]! & 0xffff]!++;
  const found = binOfRank(lower, left).bin;
  return new Float32Array(Uint32Array.of(((bin << 16) | found) >>> 0).buffer)[0]!;
}

/** The bin in which a rank falls, counted from the top, and its rank within. */
function binOfRank(counts: Uint32Array, rank: number): { readonly bin: number; readonly left: number } {
  let left = rank;
  let bin = counts.length - 1;
  while (bin > 0 && left >= counts[bin]!) {
    left -= counts[bin]!;
    bin--;
  }
  return { bin, left };
}
