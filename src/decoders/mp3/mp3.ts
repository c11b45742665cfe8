import { beginsAs, certainKinds } from '../../base/first-bytes.ts';
import { grouped } from '../../base/number-format.ts';
import { bytesOfLeadingTag, isFiller } from '../shared/id3.ts';
import { libraryDecoder } from '../shared/library-decoder.ts';
import { changedChannels, leftOver, severalFiles } from '../shared/refusals.ts';

/** MPEG audio, layers I to III. */
export const mp3 = libraryDecoder({
  name: 'mp3',
  library: 'mpg123-decoder',
  kind: 'an MP3 file',
  revision: 1,
  recognizes: (head) => beginsAs(head, 'id3') || isFrame(head),
  async open() {
    const { MPEGDecoder } = await import('mpg123-decoder');
    const decoder = new MPEGDecoder();
    await decoder.ready;
    stopAtEndlessErrors(decoder);
    return decoder;
  },
  links(bytes, nameForErrors, warn) {
    const { streams, end } = streamsOf(bytes);
    const rest = bytes.subarray(end);
    if (end > bytes.length && streams.map(promisedSamples).includes(null)) {
      warn?.(
        `${nameForErrors} ends within its last frame, which is not heard: up to 0.1 s are missing, or more if it was cut off; copy it again from its source`,
      );
    }
    if (beginsAs(rest, ...certainKinds)) throw severalFiles(nameForErrors, `another begins at byte ${grouped(end)}`);
    if (!isFiller(rest) && !hasFrames(rest)) throw leftOver(nameForErrors, rest.length, end);
    // The library makes two channels of one.
    const [first, ...others] = streams.map(channelsOf);
    const place = others.findIndex((count) => count !== first);
    const other = others[place];
    if (first && other) {
      const at = streams[place + 1]!.byteOffset - bytes.byteOffset;
      throw changedChannels(nameForErrors, `at byte ${grouped(at)}`, first, other);
    }
    return streams.map((stream) => ({ bytes: stream, samples: null }));
  },
  promisedSamples(bytes) {
    const promised = streamsOf(bytes).streams.map(promisedSamples);
    if (promised.some((one) => one === null)) return null;
    const sumOf = (field: 'samples' | 'slack') => promised.reduce((sum, one) => sum + one![field], 0);
    return { samples: sumOf('samples'), slack: sumOf('slack') };
  },
  promisedChannels: channelsOf,
});

function channelsOf(head: Uint8Array): number | null {
  const frame = head.subarray(bytesOfLeadingTag(head));
  return isFrame(frame) ? (isMono(frame) ? 1 : 2) : null;
}

interface Mpg123 {
  mpeg_decoder_read(...parameters: number[]): number;
}

const needMore = -10;
const newFormat = -11;
const maxErrors = 1000;

/** The library asks again after an error, however often the same one comes. */
function stopAtEndlessErrors(decoder: object): void {
  const program = (decoder as { _common?: { wasm?: Mpg123 } })._common?.wasm;
  if (!program?.mpeg_decoder_read) return;
  const read = program.mpeg_decoder_read;
  let errors = 0;
  program.mpeg_decoder_read = (...parameters) => {
    const code = read(...parameters);
    errors = code === 0 || code === needMore || code === newFormat ? 0 : errors + 1;
    if (errors > maxErrors) throw new Error(`mpg123 gives error ${code} again and again`);
    return code;
  };
}

/** Encoders that do not count the frame of their header, by the letters in it. */
const exactEncoders = /^(LAME|Lavc|Lavf)/;
/** Of a decoder, which takes them off the padding. */
const decoderDelay = 529;

/**
 * Samples of the frames that the encoder noted in its Xing or Info header, without the delay and padding that it noted behind them (LAME tag), and
 * how many fewer are let pass: some encoders count the header's own frame. Null where there is no such header.
 */
function promisedSamples(bytes: Uint8Array): { readonly samples: number; readonly slack: number } | null {
  const start = bytesOfLeadingTag(bytes);
  const tag = start + bytesBeforeTag(bytes.subarray(start));
  if (tag + 144 > bytes.length || !hasTag(bytes.subarray(start))) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mpeg1 = isMpeg1(bytes.subarray(start));
  const flags = view.getUint32(tag + 4);
  if ((flags & 1) === 0) return null;
  const frames = view.getUint32(tag + 8);
  // Behind the header's fields: 9 letters of the encoder's name, 12 bytes, then delay and padding of 12 bits each.
  const lame = tag + 8 + 4 * (1 + ((flags >> 1) & 1)) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0) + 21;
  const padding = ((bytes[lame + 1]! & 0x0f) << 8) + bytes[lame + 2]!;
  const trimmed = (bytes[lame]! << 4) + (bytes[lame + 1]! >> 4) + padding;
  const frameSamples = mpeg1 ? 1152 : 576;
  const isExact = exactEncoders.test(String.fromCharCode(...bytes.subarray(lame - 21, lame - 17)));
  return {
    samples: Math.max(0, frames * frameSamples - trimmed),
    slack: isExact ? Math.max(0, decoderDelay - padding) : frameSamples,
  };
}

/**
 * The streams that stand one behind the other, as `cat` leaves them: each begins with a tag, or a frame that notes the length of its stream. Where the
 * frames end that follow each other: behind the file where the last of them is cut off.
 */
function streamsOf(bytes: Uint8Array): { readonly streams: readonly Uint8Array[]; readonly end: number } {
  const starts = [0];
  let at = 0;
  let [rate, mono] = [0, false];
  for (;;) {
    const id3 = bytesOfLeadingTag(bytes.subarray(at));
    const frame = bytes.subarray(at + id3);
    const length = isFrame(frame) ? bytesOfFrame(frame) : 0;
    if (length === 0) break;
    const isOther = sampleRateOf(frame) !== rate || isMono(frame) !== mono;
    if (at > 0 && (id3 > 0 || hasTag(frame) || isOther)) starts.push(at);
    [rate, mono] = [sampleRateOf(frame), isMono(frame)];
    at += id3 + length;
  }
  const last = isFiller(bytes.subarray(at)) ? at : bytes.length;
  return { streams: starts.map((start, place) => bytes.subarray(start, starts[place + 1] ?? last)), end: at };
}

/** Whether frames go on behind what is none: one of which the length leads to the next. */
function hasFrames(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const frame = bytes.subarray(at);
    const length = isFrame(frame) ? bytesOfFrame(frame) : 0;
    if (length > 0 && isFrame(frame.subarray(length))) return true;
  }
  return false;
}

/** In kbit/s by the header's index, of MPEG 1 layers I to III, of MPEG 2 layer I, and of its other two (ISO/IEC 11172-3, 2.4.2.3; 13818-3). */
const bitRates = [
  [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;

function bytesOfFrame(frame: Uint8Array): number {
  const layer = 4 - ((frame[1]! >> 1) & 3);
  const mpeg1 = isMpeg1(frame);
  const bitRate = 1000 * bitRates[mpeg1 ? layer - 1 : layer === 1 ? 3 : 4]![(frame[2]! >> 4) - 1]!;
  const sampleRate = sampleRateOf(frame);
  const padding = (frame[2]! >> 1) & 1;
  if (layer === 1) return 4 * (Math.floor((12 * bitRate) / sampleRate) + padding);
  return Math.floor(((layer === 3 && !mpeg1 ? 72 : 144) * bitRate) / sampleRate) + padding;
}

/** MPEG 2 halves the sample rates, MPEG 2.5 once more. */
function sampleRateOf(frame: Uint8Array): number {
  return [44_100, 48_000, 32_000][(frame[2]! >> 2) & 3]! / [4, 1, 2, 1][(frame[1]! >> 3) & 3]!;
}

/** Whether a frame holds a Xing or Info header and no sound. */
function hasTag(frame: Uint8Array): boolean {
  const at = bytesBeforeTag(frame);
  return isFrame(frame) && ['Xing', 'Info'].includes(String.fromCharCode(...frame.subarray(at, at + 4)));
}

function bytesBeforeTag(frame: Uint8Array): number {
  const [few, many] = isMpeg1(frame) ? [17, 32] : [9, 17];
  return 4 + (isMono(frame) ? few : many);
}

/** By the header of a frame. */
function isMpeg1(frame: Uint8Array): boolean {
  return ((frame[1]! >> 3) & 3) === 3;
}

/** By the header of a frame. */
function isMono(frame: Uint8Array): boolean {
  return frame[3]! >> 6 === 3;
}

/** A frame header: 11 set bits, then no reserved version, layer, bit rate or sample rate (ISO/IEC 11172-3, 2.4.2.3). */
function isFrame(head: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  const bitRate = third >> 4;
  return version !== 1 && layer !== 0 && bitRate !== 0 && bitRate !== 15 && ((third >> 2) & 3) !== 3;
}
