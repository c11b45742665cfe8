import { constants, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Clip } from '../audio/clip.ts';
import type { ChannelChoice, ReadBytes } from '../audio/pcm.ts';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Decoder, SoundFiles, TimeSpan } from './contract.ts';
import { bytesOfLeadingTag, standsBehindTag } from './shared/id3.ts';
import { framesIn, readParts, refuseTruncated } from './shared/pcm-decoder.ts';

export interface SoundFilesOptions {
  /** Asked in this order; the first that recognizes a file reads it. */
  readonly decoders: readonly Decoder[];
  /** SHA-256 of a file's content, remembered. */
  readonly fileHash: (path: string) => Promise<string>;
  /** Clips longer than this are refused: cut them into stretches. Half an hour if not given. */
  readonly maxClipSeconds?: number;
  /** Read what is there of WAV, AIFF and SPHERE files that are cut off. False if not given. */
  readonly acceptTruncated?: boolean;
}

/** The last compressed file is kept decoded for its next stretch, up to so many samples: as many as decoders give. */
const maxKeptSamples = 2 ** 28;
/** Half an hour: the longest clip that is read where nobody says another. */
export const maxClipSeconds = 1800;
/** The head by which a decoder is chosen, and in which most files' samples begin. */
const headBytes = 4096;
/** Compressed files are held in memory whole. */
const maxCompressedBytes = 2 ** 30;
/** Files whose identity is remembered; about 300 bytes each. */
const maxIdentified = 200_000;

/**
 * Sound files by their content: names and endings do not matter. A stretch of a plain file is read alone; a compressed
 * file is decoded once for all the stretches that are asked of it in a row: the last one is kept, at most a gigabyte.
 *
 * @example
 * const sounds = createSoundFiles({ decoders: [wav, flac], fileHash: createFileHasher() });
 * const clip = await sounds.read('call.wav', { startSeconds: 12.5, endSeconds: 17 });
 */
export function createSoundFiles(options: SoundFilesOptions): SoundFiles {
  const { decoders, fileHash, maxClipSeconds: longest = maxClipSeconds, acceptTruncated = false } = options;
  let kept: { readonly key: string; readonly clip: Promise<Clip> } | null = null;
  const identified = new Map<string, { readonly state: string; readonly identity: JsonObject }>();

  const decoderFor = (path: string, head: Uint8Array) => {
    const decoder = decoders.find((candidate) => candidate.recognizes(head));
    if (!decoder) throw notASound(path, decoders);
    decoder.requires?.(head, shown(path));
    return decoder;
  };

  const contentIdentity = (path: string) =>
    openSound(path, async ({ head, state }) => {
      const { name, version } = decoderFor(path, head);
      const identity: JsonObject = { file: await fileHash(path), decoder: name, version };
      identified.set(path, { state, identity });
      if (identified.size > maxIdentified) identified.delete(identified.keys().next().value!);
      return identity;
    });

  const refuseTooLong = (frames: number, sampleRate: number, name: string) => {
    if (frames <= longest * sampleRate) return;
    throw new EarwitnessError(
      'bad-input',
      `${name}: expected a clip of at most ${longest} s, got ${(frames / sampleRate).toFixed(1)} s; cut it into stretches by start and end times`,
    );
  };

  const layoutOf = async (decoder: Decoder, { head, size, read }: OpenSound, name: string) => {
    if (!decoder.layout) return null;
    const layout =
      decoder.layout(head, size, name) ?? decoder.layout(await read(0, Math.min(size, maxCompressedBytes)), size, name);
    if (layout === null) throw notASound(name, decoders);
    if (!acceptTruncated) refuseTruncated(layout, name);
    const parts = [layout, ...((await decoder.behind?.(layout, size, read, name)) ?? [])];
    const frames = framesIn(parts);
    if (frames === 0) throw noSamples(name);
    return { layout, parts, frames };
  };

  const readPlain = async (
    decoder: Decoder,
    sound: OpenSound,
    name: string,
    stretch: TimeSpan | undefined,
    channel: ChannelChoice,
  ) => {
    const plain = await layoutOf(decoder, sound, name);
    if (plain === null) return null;
    const { layout, parts, frames } = plain;
    const range = framesOf(stretch, frames, layout.sampleRate, name);
    refuseTooLong(range.to - range.from, layout.sampleRate, name);
    return readParts(parts, layout, range, sound.read, channel);
  };

  const decodeWhole = async (
    decoder: Decoder,
    { size, state, read }: OpenSound,
    path: string,
    channel: ChannelChoice,
    keep: boolean,
  ): Promise<Clip> => {
    const key = `${path}\n${state}\n${channel}`;
    const name = shown(path);
    if (kept?.key === key) return kept.clip;
    const decode = async () => {
      if (size > maxCompressedBytes) {
        throw new EarwitnessError(
          'bad-input',
          `${name}: expected a compressed file of at most 1 GB; cut it into several`,
        );
      }
      const clip = await decoder.decode(await read(0, size), name, channel);
      if (clip.samples.length === 0) throw noSamples(name);
      return clip;
    };
    if (!keep) return decode();
    const promise = decode();
    kept = { key, clip: promise };
    const forget = () => {
      if (kept?.clip === promise) kept = null;
    };
    const clip = await promise.catch((thrown) => {
      forget();
      throw thrown;
    });
    if (clip.samples.length > maxKeptSamples) forget();
    return clip;
  };

  const readCompressed = async (
    decoder: Decoder,
    sound: OpenSound,
    path: string,
    stretch: TimeSpan | undefined,
    channel: ChannelChoice,
  ) => {
    const clip = await decodeWhole(decoder, sound, path, channel, stretch !== undefined);
    const name = shown(path);
    const { from, to } = framesOf(stretch, clip.samples.length, clip.sampleRate, name);
    refuseTooLong(to - from, clip.sampleRate, name);
    return stretch ? { samples: clip.samples.slice(from, to), sampleRate: clip.sampleRate } : clip;
  };

  return {
    read: (path, stretch, channel = 'mean') =>
      openSound(path, async (sound) => {
        const name = shown(path);
        const decoder = decoderFor(path, sound.head);
        const clip =
          (await readPlain(decoder, sound, name, stretch, channel)) ??
          (await readCompressed(decoder, sound, path, stretch, channel));
        const odd = firstNotFinite(clip.samples);
        if (odd < 0) return clip;
        throw new EarwitnessError(
          'bad-input',
          `${name}: expected numbers as samples, but sample ${odd} of the clip is ${clip.samples[odd]}; make the file again from its source`,
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

    async identity(path, stretch) {
      const known = identified.get(path);
      // It is asked for every trial: one call to the system, and no thread for it.
      const identity = known && known.state === stateOf(path) ? known.identity : await contentIdentity(path);
      const { startSeconds = 0, endSeconds } = stretch ?? {};
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
  return new EarwitnessError(
    'bad-input',
    `${name}: expected sound, but the file holds no samples; record it again or take it out`,
  );
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, Math.min(length - filled, 1 << 30), position + filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
  }
  return bytes;
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
function framesOf(
  stretch: TimeSpan | undefined,
  frames: number,
  sampleRate: number,
  nameForErrors: string,
): FrameRange {
  const { startSeconds = 0, endSeconds } = stretch ?? {};
  const duration = frames / sampleRate;
  if (!(startSeconds >= 0) || (endSeconds !== undefined && !(endSeconds > startSeconds))) {
    throw new EarwitnessError(
      'bad-input',
      `${nameForErrors}: expected a stretch that starts at 0 s or later and ends behind its start, got ${startSeconds} to ${endSeconds ?? 'the end'}; correct its times`,
    );
  }
  const from = Math.round(startSeconds * sampleRate);
  const to = endSeconds === undefined ? frames : Math.min(frames, Math.round(endSeconds * sampleRate));
  if (from >= frames || (endSeconds !== undefined && endSeconds > duration + slackSeconds)) {
    throw new EarwitnessError(
      'bad-input',
      `${nameForErrors}: expected a stretch within the ${duration.toFixed(3)} s of the file, got ${startSeconds} to ${endSeconds ?? 'the end'} s; correct its times`,
    );
  }
  if (to <= from) {
    throw new EarwitnessError(
      'bad-input',
      `${nameForErrors}: expected a stretch of at least one sample, got ${startSeconds} to ${endSeconds} s; correct its times`,
    );
  }
  return { from, to };
}

/** A file that should be sound, behind the tags in front of it. */
interface OpenSound {
  /** Its first bytes. */
  readonly head: Uint8Array;
  /** In bytes, without the tags. */
  readonly size: number;
  /** Changes when the content of the file does. */
  readonly state: string;
  readonly read: ReadBytes;
}

/**
 * Opens a file that should be sound, and closes it again.
 *
 * @throws EarwitnessError `bad-input`: missing, not readable, a folder or a device, empty
 */
async function openSound<Result>(path: string, action: (sound: OpenSound) => Promise<Result>): Promise<Result> {
  // Opening a named pipe would wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((thrown) => {
    throw cannotOpen(path, thrown);
  });
  try {
    const about = await file.stat();
    if (!about.isFile()) {
      const kind = about.isDirectory() ? 'a folder' : 'neither a file nor a folder';
      throw new EarwitnessError(
        'bad-input',
        `${shown(path)}: expected an audio file, but it is ${kind}; correct the path`,
      );
    }
    if (about.size === 0) {
      throw new EarwitnessError(
        'bad-input',
        `${shown(path)}: expected an audio file, but it is empty; record it again or take it out`,
      );
    }
    let at = 0;
    const read: ReadBytes = (position, length) =>
      readBytes(file, at + position, Math.max(0, Math.min(length, about.size - at - position)));
    let head = await read(0, headBytes);
    for (let tag = bytesOfLeadingTag(head); tag > 0; tag = bytesOfLeadingTag(head)) {
      const behind = await read(tag, headBytes);
      // Of an MP3 file it is a part.
      if (!standsBehindTag(behind)) break;
      at += tag;
      head = behind;
    }
    return await action({ head, size: about.size - at, state: stateIn(about), read });
  } finally {
    await file.close();
  }
}

/** What changes when a file's content does; null where there is no file. */
function stateOf(path: string): string | null {
  const about = statSync(path, { throwIfNoEntry: false });
  return about ? stateIn(about) : null;
}

function stateIn({ size, mtimeMs, ino }: Stats): string {
  return `${size}:${mtimeMs}:${ino}`;
}

/** The sentence for a file that no decoder recognizes. */
function notASound(path: string, decoders: readonly Decoder[]): EarwitnessError {
  const kinds = decoders.map(({ name }) => name).join(', ');
  return new EarwitnessError(
    'bad-input',
    `${shown(path)}: expected an audio file (${kinds}), but its content is none; correct the path or convert the file`,
  );
}

/** A path for a sentence: characters that would steer a terminal or turn the line round become `?`. */
function shown(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}

function cannotOpen(path: string, thrown: unknown): EarwitnessError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  const reason =
    code === 'ENOENT' || code === 'ENOTDIR'
      ? 'there is no such file; correct the path'
      : code === 'EACCES' || code === 'EPERM'
        ? 'it may not be read; change its permissions'
        : code === 'EISDIR'
          ? 'it is a folder; correct the path'
          : `it cannot be opened (${messageOf(thrown).slice(0, 200)})`;
  return new EarwitnessError('bad-input', `${shown(path)}: expected an audio file, but ${reason}`, { cause: thrown });
}
