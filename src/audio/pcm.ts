import { badInput, type EarwitnessError } from '../base/errors.ts';
import { grouped } from '../base/number-format.ts';
import type { ChannelMixer } from './channels.ts';
import { type ChannelSamples, type Clip, mixToMono } from './clip.ts';

/** Rates and channel counts beyond these are taken for a damaged header. */
export const maxSampleRate = 1_536_000;
const maxChannels = 256;

/** Makes a layout of what a header says, once it makes sense. */
export function checkedLayout(
  header: Omit<PcmLayout, 'frames' | 'promisedFrames' | 'end'> & {
    readonly promisedBytes: number;
    readonly totalBytes: number;
  },
  nameForErrors: string,
): PcmLayout {
  const { promisedBytes, totalBytes, ...rest } = header;
  const { sampleRate, channels, dataOffset } = rest;
  if (!(sampleRate >= 1 && sampleRate <= maxSampleRate)) {
    throw damaged(nameForErrors, `a sample rate from 1 to ${maxSampleRate} Hz`, `its header says ${sampleRate}`);
  }
  if (!(Number.isInteger(channels) && channels >= 1 && channels <= maxChannels)) {
    throw damaged(nameForErrors, `1 to ${maxChannels} channels`, `its header says ${channels}`);
  }
  const frameBytes = bytesPerFrame(rest);
  const presentBytes = Math.max(0, Math.min(promisedBytes, totalBytes - dataOffset));
  return {
    ...rest,
    end: dataOffset + presentBytes,
    frames: Math.floor(presentBytes / frameBytes),
    promisedFrames: Math.floor(promisedBytes / frameBytes),
  };
}

/**
 * The sentence for a header that makes no sense.
 *
 * @param came a clause: `its header says 0`
 */
export function damaged(nameForErrors: string, expected: string, came: string): EarwitnessError {
  return badInput(
    `${nameForErrors}: expected ${expected}, but ${came}; the file is damaged, make it again from its source`,
  );
}

/** Floats go beyond full scale where something was amplified, but not by 24 dB. */
const maxPeak = 16;

/**
 * Integers that were written as floats and not divided by their full scale would be heard as noise at full scale.
 *
 * @throws EarwitnessError `bad-input` where a sample is larger than any of sound
 */
export function refuseUndivided(samples: ChannelSamples, nameForErrors: string): void {
  let peak = 0;
  for (let n = 0; n < samples.length; n++) {
    const size = Math.abs(samples[n]!);
    if (size > peak && size < Infinity) peak = size;
  }
  if (peak <= maxPeak) return;
  const bits = [16, 24, 32].find((width) => peak <= 2 ** (width - 1));
  throw badInput(
    `${nameForErrors}: expected floating-point samples from -1 to 1, but the largest is ${bits === undefined ? peak.toPrecision(3) : grouped(Math.round(peak))}${
      bits === undefined
        ? '; the file is damaged, make it again from its source'
        : `, as if ${bits}-bit integers had been saved as floats; make a file of the right level: ffmpeg -i FILE -af volume=1/${2 ** (bits - 1)} OUT.wav`
    }`,
  );
}

/** The 256 values of mu-law as 16-bit integers (ITU-T G.711, table 2). */
export const ulawValues: Int16Array = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84;
  return bits & 0x80 ? -magnitude : magnitude;
});

/** The 256 values of A-law as 16-bit integers (ITU-T G.711, table 1). */
export const alawValues: Int16Array = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55;
  const segment = (bits & 0x70) >> 4;
  const step = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return bits & 0x80 ? magnitude : -magnitude;
});

/** How one sample is written: unsigned, signed, floating point, G.711. */
export type PcmEncoding = 'u8' | 's8' | 's16' | 's24' | 's32' | 'f32' | 'f64' | 'ulaw' | 'alaw';

/** Where the samples of a file lie, and how they are written. Channels are interleaved. */
export interface PcmLayout {
  readonly encoding: PcmEncoding;
  readonly littleEndian: boolean;
  readonly channels: number;
  readonly sampleRate: number;
  /** First byte of the first frame. */
  readonly dataOffset: number;
  /** First byte behind the samples. */
  readonly end: number;
  /** Frames (samples of each channel) that are there. */
  readonly frames: number;
  /** Frames that the header promises; more than `frames` where the file is cut off. */
  readonly promisedFrames: number;
  /** The header leaves open how many there are: all to the end of the file. */
  readonly isOpenEnded?: true;
}

/** Frames that lie together in a file. */
export interface PcmPart {
  /** First byte of the first frame. */
  readonly dataOffset: number;
  readonly frames: number;
}

/** Reads bytes of a file; fewer where it ends before. */
export type ReadBytes = (position: number, length: number) => Promise<Uint8Array>;

/** Bytes. */
const longestPattern = 64;

/** The first place of a stretch of a file where the pattern, with `g`, is found among characters of one byte, and `holds`; null where there is none. */
export async function firstPlace(
  pattern: RegExp,
  from: number,
  to: number,
  read: ReadBytes,
  holds: (place: number) => Promise<boolean> | boolean = () => true,
): Promise<number | null> {
  const pieceBytes = 1 << 20;
  for (let at = from; at < to; at += pieceBytes) {
    // With what a pattern may have in the next piece.
    const piece = Buffer.from(await read(at, Math.min(pieceBytes + longestPattern, to - at))).toString('latin1');
    for (const { index } of piece.matchAll(pattern)) if (await holds(at + index)) return at + index;
  }
  return null;
}

/** Bytes of one sample. */
export const bytesPerSample: Readonly<Record<PcmEncoding, number>> = {
  u8: 1,
  s8: 1,
  s16: 2,
  s24: 3,
  s32: 4,
  f32: 4,
  f64: 8,
  ulaw: 1,
  alaw: 1,
};

/** Bytes of one frame: a sample of each channel. */
export function bytesPerFrame({ encoding, channels }: Pick<PcmLayout, 'encoding' | 'channels'>): number {
  return bytesPerSample[encoding] * channels;
}

/**
 * Reads interleaved samples and makes one channel of several. Integers are divided by the size of their most negative value, so that every
 * program's full scale is 1.
 *
 * @param bytes whole frames only; a rest too short for a frame is left out
 * @param mix their mean if absent
 */
export function decodePcm(
  bytes: Uint8Array,
  layout: Omit<PcmLayout, 'dataOffset' | 'end' | 'frames' | 'promisedFrames'>,
  mix: ChannelMixer = mixToMono,
): Clip {
  const { encoding, littleEndian, channels, sampleRate } = layout;
  const frameBytes = bytesPerFrame(layout);
  const frames = Math.floor(bytes.length / frameBytes);
  const interleaved = new Float32Array(frames * channels);
  fill[encoding](bytes.subarray(0, frames * frameBytes), littleEndian, interleaved);
  if (channels === 1) return { samples: mix([interleaved], sampleRate), sampleRate };
  const apart = Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames);
    for (let frame = 0, at = channel; frame < frames; frame++, at += channels) samples[frame] = interleaved[at]!;
    return samples;
  });
  return { samples: mix(apart, sampleRate), sampleRate };
}

type Fill = (bytes: Uint8Array, littleEndian: boolean, into: Float32Array) => void;

/** One loop for each coding: a common one would look up the coding again for every sample, at ten times the cost. */
const fill: Readonly<Record<PcmEncoding, Fill>> = {
  u8: byTable((code) => (code - 128) / 128),
  s8: byTable((code) => ((code << 24) >> 24) / 128),
  ulaw: byTable((code) => ulawValues[code]! / 32768),
  alaw: byTable((code) => alawValues[code]! / 32768),
  s16(bytes, littleEndian, into) {
    const low = littleEndian ? 0 : 1;
    for (let n = 0, at = 0; n < into.length; n++, at += 2) {
      into[n] = (((bytes[at + 1 - low]! << 24) >> 16) | bytes[at + low]!) / 32768;
    }
  },
  s24(bytes, littleEndian, into) {
    const low = littleEndian ? 0 : 2;
    for (let n = 0, at = 0; n < into.length; n++, at += 3) {
      into[n] = (((bytes[at + 2 - low]! << 24) >> 8) | (bytes[at + 1]! << 8) | bytes[at + low]!) / 8388608;
    }
  },
  s32(bytes, littleEndian, into) {
    const view = viewOf(bytes);
    for (let n = 0; n < into.length; n++) into[n] = view.getInt32(4 * n, littleEndian) / 2147483648;
  },
  f32(bytes, littleEndian, into) {
    const view = viewOf(bytes);
    for (let n = 0; n < into.length; n++) into[n] = view.getFloat32(4 * n, littleEndian);
  },
  f64(bytes, littleEndian, into) {
    const view = viewOf(bytes);
    for (let n = 0; n < into.length; n++) into[n] = view.getFloat64(8 * n, littleEndian);
  },
};

function byTable(value: (code: number) => number): Fill {
  const table = Float32Array.from({ length: 256 }, (_, code) => value(code));
  return (bytes, _littleEndian, into) => {
    for (let n = 0; n < into.length; n++) into[n] = table[bytes[n]!]!;
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
