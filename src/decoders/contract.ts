import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import type { ChannelChoice, ChannelFacts, ChannelMixer } from '../audio/channels.ts';
import type { Clip } from '../audio/clip.ts';
import type { PcmLayout, PcmPart, ReadBytes } from '../audio/pcm.ts';
import type { JsonObject } from '../base/json.ts';

/** A part of a file, in seconds. */
export interface TimeSpan {
  readonly startSeconds?: number;
  readonly endSeconds?: number;
}

/** What is meant of a file. */
export interface SoundPart extends TimeSpan {
  /** Absent: nobody has chosen, so that its channels must be alike. */
  readonly channel?: ChannelChoice;
}

/** Takes a sentence for the user. */
export type Warn = (message: string) => void;

/** Reads one container or coding of sound. */
export interface Decoder {
  /** `wav`, `flac`, … */
  readonly name: string;
  /** Raised when the samples for some file change; for a library, its version. Part of every key. */
  readonly version: string;
  /** Whether these are the first bytes (at least 64, or the whole file) of something it reads. */
  recognizes(head: Uint8Array): boolean;
  /**
   * Whether what it needs beside is there; asked of every file that it is chosen for. Nothing is needed if absent.
   *
   * @throws EarwitnessError `missing-program`, which says what the file is
   */
  requires?(head: Uint8Array, nameForErrors: string): void;
  /**
   * @param mix makes one of the channels, as they come; their mean if absent
   * @param warn is told that a file has several tracks of audio, of which the first is read
   * @throws EarwitnessError `bad-input`, whose message begins with `nameForErrors`
   */
  decode(bytes: Uint8Array, nameForErrors: string, mix?: ChannelMixer, warn?: Warn): Promise<Clip>;
  /**
   * For codings in which a stretch can be read without what comes before it: where the samples lie. Null where the head
   * does not reach them.
   *
   * @throws EarwitnessError `bad-input`, as `decode`
   */
  layout?(head: Uint8Array, totalBytes: number, nameForErrors: string): PcmLayout | null;
  /**
   * Where all samples lie, in order; where the layout says if absent.
   *
   * @throws EarwitnessError `bad-input` where something follows that nobody can account for
   */
  parts?(layout: PcmLayout, totalBytes: number, read: ReadBytes, nameForErrors: string): Promise<readonly PcmPart[]>;
  /** For files that were once read otherwise under this version, though all others were not: what sets their identity apart; nothing for others. */
  apart?(totalBytes: number, read: ReadBytes): Promise<JsonObject>;
  /** For codings whose head tells how long the sound is: seconds; null where it does not. */
  promisedSeconds?(head: Uint8Array): number | null;
  /** For codings whose head tells how many channels there are; null where it does not. */
  promisedChannels?(head: Uint8Array): number | null;
}

/** Sound files as a service for corpora and the command. */
export interface SoundFiles {
  /**
   * @throws EarwitnessError `bad-input`: missing, empty, truncated, no sound, a stretch outside of it, longer than
   * allowed, NaN in it; channels that are unlike, of which none is chosen
   */
  read(path: string, part?: SoundPart): Promise<Clip>;
  /**
   * Length of a file in seconds; read from its head where that tells it, else the file is decoded.
   *
   * @throws EarwitnessError `bad-input`, as `read`
   */
  durationSeconds(path: string): Promise<number>;
  /**
   * How the channels of a file stand to each other. Decoded where there are several, and remembered.
   *
   * @throws EarwitnessError `bad-input`, as `read`
   */
  channels(path: string): Promise<ChannelFacts>;
  /**
   * What the samples depend on: SHA-256 of the file, decoder and its version, stretch, the channel where it is not the mean of all, and the
   * frames where they are not those that a first header says.
   * Cheap when asked again.
   */
  identity(path: string, part?: SoundPart): Promise<JsonObject>;
}

/** Files whose hash is remembered; about 200 bytes each. */
const maxRemembered = 1_000_000;

const chunkBytes = 1 << 20;

/**
 * SHA-256 of files by path, streaming, remembered as long as size and time of change stay the same.
 *
 * @example
 * const fileHash = createFileHasher();
 * await fileHash('model/mdef');
 */
export function createFileHasher(): (path: string) => Promise<string> {
  const remembered = new Map<string, { readonly state: string; readonly hash: Promise<string> }>();
  return async (path) => {
    const { size, mtimeMs, ino } = await stat(path);
    const state = `${size}:${mtimeMs}:${ino}`;
    const known = remembered.get(path);
    if (known?.state === state) return known.hash;
    const hash = hashOf(path);
    remembered.set(path, { state, hash });
    if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value!);
    // One that failed is asked again.
    hash.catch(() => remembered.delete(path));
    return hash;
  };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await using file = await open(path);
  // One buffer for the whole file: a stream makes a new one for each chunk, and hundreds of megabytes of a model then cost
  // more in collected garbage than in hashing.
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}
