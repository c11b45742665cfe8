import type { ChannelMixer } from '../../audio/channels.ts';
import type { Clip } from '../../audio/clip.ts';
import { changedChannels, severalFiles } from './refusals.ts';

/**
 * Clips one behind the other.
 *
 * @param clips at least one
 * @throws EarwitnessError `bad-input` where their sample rates differ
 */
export function joinClips(clips: readonly Clip[], nameForErrors: string): Clip {
  const [first, ...others] = clips as [Clip, ...Clip[]];
  if (others.length === 0) return first;
  const samples = new Float32Array(clips.reduce((sum, clip) => sum + clip.samples.length, 0));
  let at = 0;
  for (const clip of clips) {
    if (clip.sampleRate !== first.sampleRate) {
      const where = `after ${(at / first.sampleRate).toFixed(2)} s`;
      const change = `the sample rate changes from ${first.sampleRate} to ${clip.sampleRate} Hz`;
      throw severalFiles(nameForErrors, `${where} ${change}`);
    }
    samples.set(clip.samples, at);
    at += clip.samples.length;
  }
  return { samples, sampleRate: first.sampleRate };
}

/**
 * Mixes as `mix` does. One person, then two beside each other, are no single sound, whoever comes first.
 *
 * @throws EarwitnessError `bad-input` from the stretch on that has more or fewer channels than the first
 */
export function keepingChannels(mix: ChannelMixer, nameForErrors: string): ChannelMixer {
  let [count, samples] = [0, 0];
  return (channels, sampleRate) => {
    count ||= channels.length;
    if (channels.length !== count) {
      const where = `after ${(samples / sampleRate).toFixed(2)} s`;
      throw changedChannels(nameForErrors, where, count, channels.length);
    }
    samples += channels[0]!.length;
    return mix(channels, sampleRate);
  };
}
