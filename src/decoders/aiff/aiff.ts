import { bytesPerSample, checkedLayout, damaged, type PcmEncoding, type PcmLayout } from '../../audio/pcm.ts';
import { badInput } from '../../base/errors.ts';
import { containerEnd } from '../shared/container-end.ts';
import { pcmDecoder } from '../shared/pcm-decoder.ts';

/** Whether these first bytes are those of an AIFF or AIFF-C file. */
export function isAiff(head: Uint8Array): boolean {
  return text(head, 0) === 'FORM' && (text(head, 8) === 'AIFF' || text(head, 8) === 'AIFC');
}

/**
 * Finds the samples of an AIFF or AIFF-C file (Apple, Audio Interchange File Format 1.3, 1989; AIFF-C draft, 1991). Lengths that a writer
 * to a pipe leaves at 0 mean: to the end.
 *
 * @param head the file's beginning, or all of it
 * @param totalBytes length of the file
 * @returns null where the samples, or the format, begin behind `head`
 * @throws EarwitnessError `bad-input` for a header that is cut off or makes no sense, and for compressed AIFF-C
 */
export function aiffLayout(head: Uint8Array, totalBytes: number, nameForErrors: string): PcmLayout | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  let format: ReturnType<typeof readFormat> | null = null;
  let dataOffset: number | null = null;
  let isOpen = false;
  for (let offset = 12; offset + 8 <= totalBytes && (format === null || dataOffset === null); ) {
    if (offset + 26 > head.length && head.length < totalBytes) return null;
    const id = text(head, offset);
    const size = view.getUint32(offset + 4);
    const body = offset + 8;
    if (id === 'COMM') {
      const end = Math.min(body + size, body + 32);
      if (end > head.length && head.length < totalBytes) return null;
      format = readFormat(head.subarray(body, end), nameForErrors);
    }
    if (id === 'SSND' && body + 8 <= head.length) dataOffset = body + 8 + view.getUint32(body);
    if (id === 'SSND') isOpen = size === 0;
    offset = body + size + (size % 2);
  }
  if (format === null || dataOffset === null) {
    throw badInput(
      `${nameForErrors}: expected an AIFF file with samples, but it ends before them, after ${totalBytes} bytes; it is cut off, make it again from its source`,
    );
  }
  const { frames, ...rest } = format;
  const toEnd = isOpen && frames === 0 ? totalBytes - dataOffset : null;
  const promisedBytes = toEnd ?? frames * rest.channels * bytesPerSample[rest.encoding];
  const layout = checkedLayout({ ...rest, dataOffset, promisedBytes, totalBytes }, nameForErrors);
  return toEnd === null ? layout : { ...layout, isOpenEnded: true };
}

const encodings: Readonly<Record<string, PcmEncoding>> = {
  in24: 's24',
  in32: 's32',
  'raw ': 'u8',
  fl32: 'f32',
  FL32: 'f32',
  fl64: 'f64',
  FL64: 'f64',
  ulaw: 'ulaw',
  ULAW: 'ulaw',
  alaw: 'alaw',
  ALAW: 'alaw',
};

/** By a chunk COMM; null where the samples are compressed. */
function encodingOf(body: Uint8Array): PcmEncoding | null {
  const coding = body.length >= 22 ? text(body, 18) : 'NONE';
  if (!['NONE', 'twos', 'sowt'].includes(coding)) return encodings[coding] ?? null;
  const bits = 256 * body[6]! + body[7]!;
  return ({ 1: 's8', 2: 's16', 3: 's24', 4: 's32' } as const)[Math.ceil(bits / 8)] ?? null;
}

/** What an AIFF-C file is compressed by: `ima4`; null where it is none, is not compressed, or these bytes do not tell. */
export function aiffCompression(head: Uint8Array): string | null {
  const comm = String.fromCharCode(...head.subarray(0, 128)).indexOf('COMM');
  const body = head.subarray(comm + 8, comm + 30);
  return text(head, 8) === 'AIFC' && comm > 0 && body.length === 22 && encodingOf(body) === null
    ? text(body, 18)
    : null;
}

function readFormat(body: Uint8Array, nameForErrors: string) {
  if (body.length < 18) throw damaged(nameForErrors, 'a chunk COMM of at least 18 bytes', `it has ${body.length}`);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const coding = body.length >= 22 ? text(body, 18) : 'NONE';
  const encoding = encodingOf(body);
  if (encoding === null) {
    throw badInput(
      `${nameForErrors}: expected plain samples, but the AIFF file has coding "${coding.replace(/[^ -~]/g, '?')}" with ${view.getUint16(6)} bits; convert it: ffmpeg -i FILE OUT.wav`,
    );
  }
  return {
    encoding,
    littleEndian: coding === 'sowt',
    channels: view.getUint16(0),
    frames: view.getUint32(2),
    sampleRate: readExtended(view, 8),
  };
}

/** An 80-bit floating-point number (IEEE 754 extended), which is how AIFF writes its sample rate. */
function readExtended(view: DataView, offset: number): number {
  const exponent = (view.getUint16(offset) & 0x7fff) - 16383 - 63;
  return (view.getUint32(offset + 2) * 2 ** 32 + view.getUint32(offset + 6)) * 2 ** exponent;
}

function text(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4));
}

/** AIFF and AIFF-C with PCM, floats, A-law or mu-law. Compressed AIFF-C is left to other decoders. */
export const aiff = pcmDecoder({
  name: 'aiff',
  version: '1',
  recognizes: (head) => isAiff(head) && aiffCompression(head) === null,
  layout: aiffLayout,
  async parts(layout, totalBytes, read, nameForErrors) {
    if (layout.frames < layout.promisedFrames) return [layout];
    const end = await containerEnd(await read(0, 256), totalBytes, read, nameForErrors);
    if (typeof end !== 'number') throw end;
    return [layout];
  },
});
