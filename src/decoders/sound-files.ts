import {
  type ChannelChoice,
  type ChannelFacts,
  type ChannelMixer,
  channelMixer,
  chosenChannel,
  createChannelMeter,
  oneChannel,
} from '../audio/channels.ts';
import type { Clip } from '../audio/clip.ts';
import { type PcmPart, refuseUndivided } from '../audio/pcm.ts';
import { badInput, type EarwitnessError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Decoder, SoundFiles, TimeSpan, Warn } from './contract.ts';
import { notASound, type OpenSound, openSound, shown, stateOf } from './open-sound.ts';
import { keepingChannels } from './shared/join-clips.ts';
import { framesIn, readInTurn, readParts, refuseTruncated, refuseUndividedParts } from './shared/pcm-decoder.ts';

export interface SoundFilesOptions {
  /** Asked in this order; the first that recognizes a file reads it. */
  readonly decoders: readonly Decoder[];
  /** SHA-256 of a file's content, remembered. */
  readonly fileHash: (path: string) => Promise<string>;
  /** Clips longer than this are refused: cut them into stretches. Half an hour if not given. */
  readonly maxClipSeconds?: number;
  /** Read what is there of WAV, AIFF and SPHERE files that are cut off. False if not given. */
  readonly acceptTruncated?: boolean;
  /** What the user should know of files, of the first where it is so of several; nowhere if absent. */
  readonly warn?: Warn;
}

/** The last compressed files are kept decoded for their next stretch, each channel by itself, up to so many samples together. */
const maxKeptSamples = 2 ** 28;
/** So many of them. */
const maxKept = 4;
/** Half an hour: the longest clip that is read where nobody says another. */
export const maxClipSeconds = 1800;
/** Compressed files are held in memory whole. */
const maxCompressedBytes = 2 ** 30;
/** Files whose identity is remembered; about 300 bytes each. */
const maxIdentified = 200_000;
/** Files whose parts are remembered because they were searched for. */
const maxSearched = 1000;

/**
 * Sound files by their content: names and endings do not matter. A stretch of a plain file is read alone; a compressed
 * file is decoded once for all the stretches that are asked of it in a row: the last ones are kept, at most a gigabyte.
 *
 * Several channels are one sound where their mean is as good as each of them, by the whole file. Else somebody has to choose.
 *
 * @example
 * const sounds = createSoundFiles({ decoders: [wav, flac], fileHash: createFileHasher() });
 * const clip = await sounds.read('call.wav', { startSeconds: 12.5, endSeconds: 17 });
 */
export function createSoundFiles(options: SoundFilesOptions): SoundFiles {
  const { decoders, fileHash, maxClipSeconds: longest = maxClipSeconds, acceptTruncated = false } = options;
  const warned = new Set<string>();
  const warnOnce = (message: string, name: string) => {
    const kind = message.replace(name, '').replace(/\d+/g, '');
    if (!warned.has(kind)) options.warn?.(message);
    warned.add(kind);
  };
  /** Those used last at the end. */
  const kept = new Map<string, { readonly clip: Promise<Clip>; samples: number }>();
  const identified = new Map<string, { readonly state: string; readonly identity: JsonObject }>();
  const compared = new Map<string, { readonly state: string; readonly facts: Promise<ChannelFacts> }>();
  /** Parts of files that were read to their end for them. */
  const searched = new Map<string, readonly PcmPart[]>();
  /** Plain files whose samples were found to have the right scale. */
  const scaled = new Set<string>();

  const decoderFor = (path: string, head: Uint8Array) => {
    const decoder = decoders.find((candidate) => candidate.recognizes(head));
    if (!decoder) throw notASound(path, decoders, head);
    decoder.requires?.(head, shown(path));
    return decoder;
  };

  const refuseTooLong = (frames: number, sampleRate: number, name: string) => {
    if (frames <= longest * sampleRate) return;
    throw badInput(
      `${name}: expected a clip of at most ${longest} s, got ${(frames / sampleRate).toFixed(1)} s; cut the file into several, or give its utterances start and end times`,
    );
  };

  const layoutOf = async (decoder: Decoder, { head, size, state, read }: OpenSound, name: string) => {
    if (!decoder.layout) return null;
    const layout =
      decoder.layout(head, size, name) ?? decoder.layout(await read(0, Math.min(size, maxCompressedBytes)), size, name);
    if (layout === null) throw notASound(name, decoders);
    if (!acceptTruncated) refuseTruncated(layout, name);
    const key = `${name}\n${state}`;
    const parts = searched.get(key) ?? (await decoder.parts?.(layout, size, read, name)) ?? [layout];
    if (layout.isOpenEnded) searched.set(key, parts);
    if (searched.size > maxSearched) searched.delete(searched.keys().next().value!);
    const frames = framesIn(parts);
    if (frames === 0) throw noSamples(name);
    return { layout, parts, frames };
  };

  const contentIdentity = (path: string) =>
    openSound(path, async (sound) => {
      const { head, state } = sound;
      const decoder = decoderFor(path, head);
      const { name, version } = decoder;
      // What cannot be read is told when it is to be heard.
      const plain = await layoutOf(decoder, sound, shown(path)).catch(() => null);
      // Such files were once read as their header's first samples alone: only their answers are asked for again.
      const isOther = plain !== null && (plain.parts.length > 1 || plain.frames !== plain.layout.frames);
      const identity: JsonObject = {
        ...{ file: await fileHash(path), decoder: name, version },
        ...(isOther && { frames: plain.frames }),
        ...(await decoder.apart?.(sound.size, sound.read)),
      };
      identified.set(path, { state, identity });
      if (identified.size > maxIdentified) identified.delete(identified.keys().next().value!);
      return identity;
    });

  const readPlain = async (
    decoder: Decoder,
    sound: OpenSound,
    name: string,
    stretch: TimeSpan,
    channel: ChannelChoice,
  ) => {
    const plain = await layoutOf(decoder, sound, name);
    if (plain === null) return null;
    const { layout, parts, frames } = plain;
    const range = framesOf(stretch, frames, layout.sampleRate, name);
    refuseTooLong(range.to - range.from, layout.sampleRate, name);
    const key = `${name}\n${sound.state}`;
    if (!scaled.has(key)) await refuseUndividedParts(parts, layout, sound.read, name);
    scaled.add(key);
    if (scaled.size > maxIdentified) scaled.clear();
    return readParts(parts, layout, range, sound.read, channelMixer(channel, name));
  };

  const decode = async (
    decoder: Decoder,
    { size, read }: OpenSound,
    name: string,
    mix: ChannelMixer,
  ): Promise<Clip> => {
    if (size > maxCompressedBytes) {
      throw badInput(
        `${name}: expected a compressed file of at most 1 GB, but it has ${(size / 2 ** 30).toFixed(1)} GB; cut it into several`,
      );
    }
    const clip = await decoder.decode(await read(0, size), name, keepingChannels(mix, name), (message) =>
      warnOnce(message, name),
    );
    if (clip.samples.length === 0) throw noSamples(name);
    refuseUndivided(clip.samples, name);
    return clip;
  };

  const keep = async (key: string, clip: Promise<Clip>): Promise<Clip> => {
    const entry = { clip, samples: 0 };
    kept.delete(key);
    kept.set(key, entry);
    try {
      entry.samples = (await clip).samples.length;
    } catch (thrown) {
      if (kept.get(key) === entry) kept.delete(key);
      throw thrown;
    }
    let samples = 0;
    for (const [number, [other, { samples: more }]] of [...kept].reverse().entries()) {
      samples += more;
      if (number >= maxKept || samples > maxKeptSamples) kept.delete(other);
    }
    return clip;
  };

  const keyOf = (path: string, { state }: OpenSound, channel: ChannelChoice) => `${path}\n${state}\n${channel}`;

  const decodeWhole = (decoder: Decoder, sound: OpenSound, path: string, channel: ChannelChoice, isKept: boolean) => {
    const key = keyOf(path, sound, channel);
    const name = shown(path);
    const decoding = kept.get(key)?.clip ?? decode(decoder, sound, name, channelMixer(channel, name));
    return isKept ? keep(key, decoding) : decoding;
  };

  const readCompressed = async (
    decoder: Decoder,
    sound: OpenSound,
    path: string,
    stretch: TimeSpan,
    channel: ChannelChoice,
  ) => {
    const isStretch = stretch.startSeconds !== undefined || stretch.endSeconds !== undefined;
    const clip = await decodeWhole(decoder, sound, path, channel, isStretch);
    const name = shown(path);
    const { from, to } = framesOf(stretch, clip.samples.length, clip.sampleRate, name);
    refuseTooLong(to - from, clip.sampleRate, name);
    return isStretch ? { samples: clip.samples.slice(from, to), sampleRate: clip.sampleRate } : clip;
  };

  /** By all that is in the file: a stretch of a call in which one side is silent is of a call all the same. */
  const compare = async (decoder: Decoder, sound: OpenSound, path: string): Promise<ChannelFacts> => {
    const name = shown(path);
    const meter = createChannelMeter();
    const mean = channelMixer('mean', name);
    const mix: ChannelMixer = (channels, sampleRate) => {
      meter.add(channels, sampleRate);
      return mean(channels, sampleRate);
    };
    const plain = await layoutOf(decoder, sound, name);
    if (plain === null) {
      // What is asked for next is most often the mean.
      await keep(keyOf(path, sound, 'mean'), decode(decoder, sound, name, mix));
      return meter.facts();
    }
    await readInTurn(plain.parts, plain.layout, sound.read, mix);
    return meter.facts();
  };

  const channelsOf = async (decoder: Decoder, sound: OpenSound, path: string): Promise<ChannelFacts> => {
    const { head, state, size } = sound;
    const known = compared.get(path);
    if (known?.state === state) return known.facts;
    const count = decoder.layout
      ? (decoder.layout(head, size, shown(path))?.channels ?? null)
      : (decoder.promisedChannels?.(head) ?? null);
    const facts = count === 1 ? Promise.resolve(oneChannel) : compare(decoder, sound, path);
    const entry = { state, facts };
    compared.set(path, entry);
    if (compared.size > maxIdentified) compared.delete(compared.keys().next().value!);
    // One that failed is tried again.
    return facts.catch((thrown) => {
      if (compared.get(path) === entry) compared.delete(path);
      throw thrown;
    });
  };

  const channels = (path: string) => openSound(path, (sound) => channelsOf(decoderFor(path, sound.head), sound, path));

  return {
    channels,

    read: (path, { channel: wanted, ...stretch } = {}) =>
      openSound(path, async (sound) => {
        const name = shown(path);
        const decoder = decoderFor(path, sound.head);
        const channel =
          wanted === 'mean' ? wanted : chosenChannel(wanted, await channelsOf(decoder, sound, path), name);
        const clip =
          (await readPlain(decoder, sound, name, stretch, channel)) ??
          (await readCompressed(decoder, sound, path, stretch, channel));
        const odd = firstNotFinite(clip.samples);
        if (odd < 0) return clip;
        throw badInput(
          `${name}: expected numbers as samples, but sample ${odd} of the clip, at ${(odd / clip.sampleRate).toFixed(3)} s, is ${clip.samples[odd]}; make the file again from its source`,
        );
      }),

    durationSeconds: (path) =>
      openSound(path, async (sound) => {
        const decoder = decoderFor(path, sound.head);
        const plain = await layoutOf(decoder, sound, shown(path));
        if (plain !== null) return plain.frames / plain.layout.sampleRate;
        const promised = decoder.promisedSeconds?.(sound.head) ?? null;
        if (promised !== null) return promised;
        // It stays decoded for the stretch that is asked for next.
        const clip = await decodeWhole(decoder, sound, path, 'mean', true);
        return clip.samples.length / clip.sampleRate;
      }),

    async identity(path, { channel: wanted, startSeconds = 0, endSeconds } = {}) {
      // It is asked for every trial: one call to the system, and no thread for it.
      const state = stateOf(path);
      const known = identified.get(path);
      const content = known && known.state === state ? known.identity : await contentIdentity(path);
      const facts = compared.get(path);
      const channel =
        wanted === 'mean'
          ? wanted
          : chosenChannel(wanted, await (facts && facts.state === state ? facts.facts : channels(path)), shown(path));
      const identity: JsonObject = channel === 'mean' ? content : { ...content, channel };
      if (startSeconds === 0 && endSeconds === undefined) return identity;
      return { ...identity, stretch: endSeconds === undefined ? { startSeconds } : { startSeconds, endSeconds } };
    },
  };
}

/** Index of the first sample that is no number or infinite; -1 if none is. */
function firstNotFinite(samples: Float32Array): number {
  for (let n = 0; n < samples.length; n++) if (!Number.isFinite(samples[n]!)) return n;
  return -1;
}

function noSamples(name: string): EarwitnessError {
  return badInput(`${name}: expected sound, but the file holds no samples; record it again or take it out`);
}

/** An end behind the file's by no more than this is the file's end: manifests round their times. */
const slackSeconds = 0.05;

/** First frame of a stretch, and the one behind its last. */
interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Frames of a stretch, each end at the nearest frame.
 *
 * @throws EarwitnessError `bad-input` where the stretch is none, or lies outside of the file
 */
function framesOf(stretch: TimeSpan, frames: number, sampleRate: number, nameForErrors: string): FrameRange {
  const { startSeconds = 0, endSeconds } = stretch;
  const duration = frames / sampleRate;
  if (!(startSeconds >= 0) || (endSeconds !== undefined && !(endSeconds > startSeconds))) {
    throw badInput(
      `${nameForErrors}: expected a stretch that starts at 0 s or later and ends after its start, got ${startSeconds} to ${endSeconds ?? 'the end'}; correct its times`,
    );
  }
  const from = Math.round(startSeconds * sampleRate);
  const to = endSeconds === undefined ? frames : Math.min(frames, Math.round(endSeconds * sampleRate));
  if (from >= frames || (endSeconds !== undefined && endSeconds > duration + slackSeconds)) {
    throw badInput(
      `${nameForErrors}: expected a stretch within the ${duration.toFixed(3)} s of the file, got ${startSeconds} to ${endSeconds ?? 'the end'} s; correct its times`,
    );
  }
  if (to <= from) {
    throw badInput(
      `${nameForErrors}: expected a stretch of at least one sample, got ${startSeconds} to ${endSeconds} s; correct its times`,
    );
  }
  return { from, to };
}
