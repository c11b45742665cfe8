import type { Clip } from '../../audio/clip.ts';

/**
 * Clips one behind the other.
 *
 * @param clips at least one
 * @throws what `fail` makes of the reason, where their sample rates differ
 */
export function joinClips(clips: readonly Clip[], fail: (why: string) => Error): Clip {
  const [first, ...others] = clips as [Clip, ...Clip[]];
  if (others.length === 0) return first;
  const other = others.find(({ sampleRate }) => sampleRate !== first.sampleRate);
  if (other) throw fail(`its sample rate changes from ${first.sampleRate} to ${other.sampleRate}`);
  const samples = new Float32Array(clips.reduce((sum, clip) => sum + clip.samples.length, 0));
  let at = 0;
  for (const clip of clips) {
    samples.set(clip.samples, at);
    at += clip.samples.length;
  }
  return { samples, sampleRate: first.sampleRate };
}
