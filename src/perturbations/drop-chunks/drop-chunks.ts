import { z } from 'zod';
import { durationSeconds } from '../../audio/clip.ts';
import { between } from '../../base/option-kinds.ts';
import type { Random } from '../../base/random.ts';
import { plainPerturbation } from '../contract.ts';
import { zeroChunks } from '../shared/effect-pairs.ts';

/**
 * Silences short chunks at random places, like lost packets of a call. The sound is cut into pairs of chunks; of randomly
 * chosen pairs, all different, the first chunk is silenced, so that no two in a row are lost. A rest too short for a
 * pair is never touched. Source: Rajan et al. (2022), AequeVox, appendix B (Frame Drop), with the pairs of its program.
 */
export const dropChunks = plainPerturbation({
  name: 'drop-chunks',
  version: 1,
  about: 'Silences short chunks at random places, never two in a row, like lost packets of a call.',
  parameters: z.strictObject({
    chunkSeconds: between(0.001, 10).describe('Length of a chunk in seconds'),
    share: between(0, 0.5).describe('Share of all chunks that is silenced, rounded down to whole chunks'),
  }),
  random: true,
  identity: { chunkSeconds: 0.02, share: 0 },
  example: { chunkSeconds: 0.02, share: 0.25 },
  apply(clip, { chunkSeconds, share }, { random }) {
    const { sampleRate } = clip;
    const pairSeconds = 2 * chunkSeconds;
    // A billionth more, because 0.6 / 0.04 and its like come out just below the whole number that is meant.
    const pairs = Math.floor(durationSeconds(clip) / pairSeconds + 1e-9);
    const wanted = Math.min(pairs, Math.floor(share * pairs * 2 + 1e-9));
    const starts = chooseDistinct(wanted, pairs, random).map((pair) =>
      Math.floor(pair * sampleRate * pairSeconds + 1e-9),
    );
    const dropped = zeroChunks(clip, starts, Math.floor(sampleRate * chunkSeconds + 1e-9));
    return { clip: dropped.clip, facts: { pairs, ...dropped.facts } };
  },
});

/** So many different whole numbers below a bound, every set alike likely: the beginning of a shuffle (Fisher and Yates). */
function chooseDistinct(count: number, bound: number, random: Random): number[] {
  const numbers = Array.from({ length: bound }, (_, number) => number);
  for (let place = 0; place < count; place++) {
    const other = place + random.integer(bound - place);
    const chosen = numbers[other]!;
    numbers[other] = numbers[place]!;
    numbers[place] = chosen;
  }
  return numbers.slice(0, count);
}
