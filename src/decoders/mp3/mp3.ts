import { bytesOfLeadingTag, isId3 } from '../shared/id3.ts';
import { libraryDecoder } from '../shared/library-decoder.ts';

/** MPEG audio, layers I to III. */
export const mp3 = libraryDecoder({
  name: 'mp3',
  library: 'mpg123-decoder',
  kind: 'an MP3 file',
  recognizes: (head) => isId3(head) || isFrame(head),
  async open() {
    const { MPEGDecoder } = await import('mpg123-decoder');
    const decoder = new MPEGDecoder();
    await decoder.ready;
    stopAtEndlessErrors(decoder);
    return decoder;
  },
  promisedSamples,
  promisedChannels(head) {
    const frame = head.subarray(bytesOfLeadingTag(head));
    return isFrame(frame) ? (isMono(frame) ? 1 : 2) : null;
  },
});

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

/**
 * Frames that the encoder noted in its Xing or Info header, without the delay and padding that it noted behind them (LAME
 * tag); null where there is no such header. One frame less is let pass, as some encoders count the header's own.
 */
function promisedSamples(bytes: Uint8Array): number | null {
  const start = bytesOfLeadingTag(bytes);
  if (!isFrame(bytes.subarray(start))) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const latin1 = new TextDecoder('latin1');
  const mpeg1 = ((bytes[start + 1]! >> 3) & 3) === 3;
  const mono = isMono(bytes.subarray(start));
  const tag = start + 4 + (mpeg1 ? (mono ? 17 : 32) : mono ? 9 : 17);
  if (tag + 144 > bytes.length || !['Xing', 'Info'].includes(latin1.decode(bytes.subarray(tag, tag + 4)))) return null;
  const flags = view.getUint32(tag + 4);
  if ((flags & 1) === 0) return null;
  const frames = view.getUint32(tag + 8);
  // Behind the header's fields: 9 letters of the encoder's name, 12 bytes, then delay and padding of 12 bits each.
  const lame = tag + 8 + 4 * (1 + ((flags >> 1) & 1)) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0) + 21;
  const trimmed = (bytes[lame]! << 4) + (bytes[lame + 1]! >> 4) + ((bytes[lame + 1]! & 0x0f) << 8) + bytes[lame + 2]!;
  return Math.max(0, (frames - 1) * (mpeg1 ? 1152 : 576) - trimmed);
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
