import type { Clip } from '../../audio/clip.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Perturbed } from '../contract.ts';

/**
 * Cuts off what lies beyond a limit, on both sides, and says how much that was.
 *
 * @param limit 0 or more, 1 at full scale
 */
export function cutPeaks({ samples, sampleRate }: Clip, limit: number): Perturbed {
  const cut = new Float32Array(samples.length);
  // As a sample holds it, so that a limit that is a sample's own value leaves this sample alone.
  const bound = Math.fround(limit);
  let clippedSamples = 0;
  for (let n = 0; n < cut.length; n++) {
    const sample = samples[n]!;
    if (sample > bound) {
      cut[n] = bound;
      clippedSamples++;
    } else if (sample < -bound) {
      cut[n] = -bound;
      clippedSamples++;
    } else cut[n] = sample;
  }
  const facts: JsonObject = {
    limitDbfs: bound > 0 ? 20 * Math.log10(bound) : null,
    clippedSamples,
    clippedShare: cut.length === 0 ? null : clippedSamples / cut.length,
  };
  return { clip: { samples: cut, sampleRate }, facts };
}
