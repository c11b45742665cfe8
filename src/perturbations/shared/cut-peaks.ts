import type { Clip } from '../../audio/clip.ts';
import { limited } from '../../audio/ranges.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Perturbed } from '../contract.ts';

/**
 * Cuts off what lies beyond a limit, on both sides, and says how much that was.
 *
 * @param limit 0 or more, 1 at full scale
 */
export function cutPeaks({ samples, sampleRate }: Clip, limit: number): Perturbed {
  const { samples: cut, beyond: clippedSamples } = limited(samples, limit);
  // As a sample holds it, so that a limit that is a sample's own value leaves this sample alone.
  const bound = Math.fround(limit);
  const facts: JsonObject = {
    limitDbfs: bound > 0 ? 20 * Math.log10(bound) : null,
    clippedSamples,
    clippedShare: cut.length === 0 ? null : clippedSamples / cut.length,
  };
  return { clip: { samples: cut, sampleRate }, facts };
}
