import type { ChannelMixer } from '../../audio/channels.ts';
import type { Clip } from '../../audio/clip.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { grouped } from '../../base/number-format.ts';

/**
 * Clips one behind the other.
 *
 * @param clips at least one
 * @throws EarwitnessError `bad-input` where their sample rates differ
 */
export function joinClips(clips: readonly Clip[], nameForErrors: string): Clip {
  const [first, ...others] = clips as [Clip, ...Clip[]];
  if (others.length === 0) return first;
  const other = others.find(({ sampleRate }) => sampleRate !== first.sampleRate);
  if (other)
    throw severalFiles(nameForErrors, `the sample rate changes from ${first.sampleRate} to ${other.sampleRate} Hz`);
  const samples = new Float32Array(clips.reduce((sum, clip) => sum + clip.samples.length, 0));
  let at = 0;
  for (const clip of clips) {
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
  let count = 0;
  return (channels, sampleRate) => {
    count ||= channels.length;
    if (channels.length !== count) throw changedChannels(nameForErrors, count, channels.length);
    return mix(channels, sampleRate);
  };
}

/** The sentence for a file with several tracks: languages, a commentary, a speaker on each. */
export function severalTracks(nameForErrors: string, tracks: number): string {
  return `${nameForErrors} has ${tracks} tracks of audio, of which the first is read; for another make a file of it (the second: ffmpeg -i FILE -map 0:a:1 OUT.wav)`;
}

/** The sentence for streams one behind the other that are no single sound. */
export function severalFiles(nameForErrors: string, why: string): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `${nameForErrors}: expected one sound, but it is several files one behind the other, of which ${why}; make a file of each`,
  );
}

/** The sentence for a file in which channels come or go. */
export function changedChannels(nameForErrors: string, from: number, to: number): EarwitnessError {
  return severalFiles(nameForErrors, `the number of channels changes from ${from} to ${to}`);
}

/** The sentence for a file of which nobody knows what its last bytes are: audio of another kind, it may be. */
export function leftOver(nameForErrors: string, bytes: number): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `${nameForErrors}: expected a file that ends behind its sound, but ${grouped(bytes)} more bytes follow that are neither sound nor a tag; make a file of each, or cut them off`,
  );
}
