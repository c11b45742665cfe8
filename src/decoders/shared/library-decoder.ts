import { format } from 'node:util';
import type { ChannelMixer } from '../../audio/channels.ts';
import { type Clip, mixToMono } from '../../audio/clip.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { isAbsent, missingPackage, packageVersion } from '../../packages/installed-package.ts';
import type { Decoder, Warn } from '../contract.ts';
import { joinClips } from './join-clips.ts';
import { cutOff, maxSamples, tooLong, unreadable } from './refusals.ts';

/** What one call of a library decoder gives. */
export interface DecodedPart {
  readonly channelData: readonly Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
  readonly errors: readonly { readonly message: string }[];
}

/** The part of a library decoder that is used. */
export interface LibraryDecoder {
  readonly ready: Promise<void>;
  decode(bytes: Uint8Array): Promise<DecodedPart> | DecodedPart;
  /** What is still held back when the file ends. */
  flush?(): Promise<DecodedPart>;
  free(): void;
}

/** One of the streams of a file. */
interface LibraryLink {
  readonly bytes: Uint8Array;
  readonly samples: number | null;
  /** What its header says that samples are multiplied by, where the library does not; 1 if absent. */
  readonly gain?: number;
}

/** A decoder that is an npm package, loaded when it is used. */
export interface LibraryMember {
  readonly name: string;
  /** The npm package. */
  readonly library: string;
  /** What a file of this kind is called in sentences: `an MP3 file`. */
  readonly kind: string;
  recognizes(head: Uint8Array): boolean;
  /** Loads the package: the import must stand in the member, so that it is resolved from there. */
  open(): Promise<LibraryDecoder>;
  /**
   * Streams that stand one behind the other, with the samples that each says it has, null where it does not; the file is one if absent.
   *
   * @throws EarwitnessError `bad-input` for damage that the library would read on over
   */
  links?(bytes: Uint8Array, nameForErrors: string, warn?: Warn): readonly LibraryLink[];
  /** Counts how often samples were changed here, whatever the library gives. */
  readonly revision?: number;
  /** As a decoder has it. */
  promisedChannels?(head: Uint8Array): number | null;
  /** Samples that the file says it has, null where it does not; fewer by more than the slack mean that it is cut off or damaged. */
  promisedSamples?(bytes: Uint8Array): { readonly samples: number; readonly slack: number } | null;
}

const purpose = 'which reads this kind of audio file';

/** Bytes given to the library at once: what it decodes of them is mixed to one channel before the next are given. */
const pieceBytes = 1 << 20;

/** A decoder over an optional WebAssembly package that is loaded when it is first used. */
export function libraryDecoder(member: LibraryMember): Decoder {
  const { name, library } = member;
  /** A decoder that has flushed is as new; making one costs more than decoding a sentence. */
  let idle: LibraryDecoder | null = null;
  const decodeLink = async (bytes: Uint8Array, nameForErrors: string, mix: ChannelMixer): Promise<Clip> => {
    const decoder = idle ?? (await open(member));
    idle = null;
    let reusable = false;
    try {
      const clip = await withoutLibraryChatter(() => decodeAll(decoder, bytes, member, nameForErrors, mix));
      reusable = decoder.flush !== undefined && idle === null;
      return clip;
    } finally {
      if (reusable) idle = decoder;
      else free(decoder);
    }
  };
  return {
    name,
    get version() {
      const version = packageVersion(library, purpose);
      return member.revision === undefined ? version : `${version}, revision ${member.revision}`;
    },
    recognizes: member.recognizes,
    promisedChannels: (head) => member.promisedChannels?.(head) ?? null,
    async decode(bytes, nameForErrors, mix = mixToMono, warn) {
      const clips: Clip[] = [];
      const whole: LibraryLink = { bytes, samples: null };
      for (const link of member.links?.(bytes, nameForErrors, warn) ?? [whole]) {
        const { samples, gain = 1 } = link;
        const amplified: ChannelMixer = (channels, rate) =>
          mix(
            channels.map((channel) => channel.map((sample) => gain * sample)),
            rate,
          );
        const clip = await decodeLink(link.bytes, nameForErrors, gain === 1 ? mix : amplified);
        clips.push({ ...clip, samples: clip.samples.subarray(0, samples ?? clip.samples.length) });
      }
      const clip = joinClips(clips, nameForErrors);
      const promised = member.promisedSamples?.(bytes) ?? null;
      if (promised !== null && clip.samples.length < promised.samples - promised.slack) {
        throw cutOff(nameForErrors, promised.samples, clip.samples.length, clip.sampleRate);
      }
      return clip;
    },
  };
}

/** One that broke inside may not be freed any more; its memory goes with the object. */
function free(decoder: LibraryDecoder): void {
  try {
    decoder.free();
  } catch {}
}

async function open(member: LibraryMember): Promise<LibraryDecoder> {
  try {
    const decoder = await member.open();
    await decoder.ready;
    return decoder;
  } catch (thrown) {
    throw isAbsent(thrown, member.library) ? missingPackage(member.library, purpose, undefined, thrown) : thrown;
  }
}

async function decodeAll(
  decoder: LibraryDecoder,
  bytes: Uint8Array,
  member: LibraryMember,
  nameForErrors: string,
  mix: ChannelMixer,
) {
  const parts: Clip[] = [];
  let length = 0;
  const take = (part: DecodedPart) => {
    const [error] = part.errors;
    if (error) throw unreadable(member.kind, nameForErrors, error.message);
    const channels = part.channelData.map((samples) => samples.subarray(0, part.samplesDecoded));
    if (part.samplesDecoded === 0 || channels.length === 0) return;
    const { sampleRate } = part;
    length += part.samplesDecoded;
    if (length > maxSamples) throw tooLong(nameForErrors, sampleRate);
    parts.push({ samples: mix(channels, sampleRate), sampleRate });
  };
  try {
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      take(await decoder.decode(bytes.subarray(start, start + pieceBytes)));
    }
    if (decoder.flush) take(await decoder.flush());
  } catch (thrown) {
    throw thrown instanceof EarwitnessError ? thrown : unreadable(member.kind, nameForErrors, messageOf(thrown));
  }
  if (length === 0) throw unreadable(member.kind, nameForErrors, 'there is no sound in it');
  return joinClips(parts, nameForErrors);
}

const libraries = /^(@wasm-audio-decoders\/|mpg123-decoder|ogg-opus-decoder|opus-decoder|codec-parser)/;
let listening = 0;
let original: typeof console.error | null = null;
let originalWarn: typeof console.warn | null = null;

/**
 * Runs something while what the decoder libraries print about damaged files is dropped: it comes back as an error, in one
 * sentence. Anything that others print meanwhile is passed on.
 */
async function withoutLibraryChatter<Result>(action: () => Promise<Result>): Promise<Result> {
  if (listening++ === 0) {
    original = console.error;
    originalWarn = console.warn;
    console.error = passOn(original);
    console.warn = passOn(originalWarn);
  }
  try {
    return await action();
  } finally {
    if (--listening === 0 && original && originalWarn) {
      console.error = original;
      console.warn = originalWarn;
    }
  }
}

function passOn(print: (...values: unknown[]) => void) {
  return (...values: unknown[]) => {
    if (!libraries.test(format(...values))) print(...values);
  };
}
