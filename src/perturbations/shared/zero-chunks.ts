import type { Clip } from '../../audio/clip.ts';
import type { JsonObject } from '../../base/json.ts';

/** Places listed in the facts; of longer lists the beginning. */
const maxListed = 500;

/**
 * A copy of a clip in which chunks are silent, with what was done: how many chunks begin within the sound, where
 * (seconds; the first 500), and which share of the samples they cover.
 *
 * @param starts first samples of the chunks, in any order; those beyond the end change nothing
 * @param chunkSamples how long each is; the end of the sound may cut it short
 */
export function zeroChunks(
  { samples, sampleRate }: Clip,
  starts: readonly number[],
  chunkSamples: number,
): { readonly clip: Clip; readonly facts: JsonObject } {
  const inside = starts.filter((start) => start < samples.length).sort((first, second) => first - second);
  const changed = samples.slice();
  let zeroedSamples = 0;
  let end = 0;
  for (const start of inside) {
    const chunkEnd = Math.min(start + chunkSamples, samples.length);
    changed.fill(0, start, chunkEnd);
    zeroedSamples += Math.max(0, chunkEnd - Math.max(start, end));
    end = Math.max(end, chunkEnd);
  }
  const facts = {
    droppedChunks: inside.length,
    droppedShare: samples.length === 0 ? null : zeroedSamples / samples.length,
    startsSeconds: inside.slice(0, maxListed).map((start) => Number((start / sampleRate).toFixed(6))),
  };
  return { clip: { samples: changed, sampleRate }, facts };
}
