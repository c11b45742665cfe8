import { EarwitnessError } from '../base/errors.ts';
import { checkedLayout, damaged, type PcmEncoding, type PcmLayout } from './pcm.ts';

/** Whether these first bytes are those of a RIFF WAVE file (also big-endian RIFX, and RF64 for more than 4 GB). */
export function isWav(head: Uint8Array): boolean {
  const form = text(head, 0);
  return (form === 'RIFF' || form === 'RIFX' || form === 'RF64') && text(head, 8) === 'WAVE';
}

/**
 * Finds the samples of a WAV file. Chunks may come in any order, be unknown, or lack the padding byte behind an odd
 * length. Lengths that a writer to a pipe leaves open (0, or 2 GB and more beyond the file) mean: to the end.
 * Sources: Multimedia Programming Interface and Data Specifications 1.0 (1991); WAVEFORMATEXTENSIBLE (mmreg.h);
 * EBU Tech 3306 (RF64).
 *
 * @param head the file's beginning, or all of it
 * @param totalBytes length of the file
 * @returns null where the samples begin behind `head`
 * @throws EarwitnessError `bad-input` for a header that is cut off or makes no sense, and for compressed WAV
 */
export function wavLayout(head: Uint8Array, totalBytes: number, nameForErrors: string): PcmLayout | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const littleEndian = text(head, 0) !== 'RIFX';
  let format: { encoding: PcmEncoding; channels: number; sampleRate: number } | null = null;
  let longDataBytes: number | null = null;

  for (let offset = 12; offset + 8 <= totalBytes; ) {
    if (offset + 8 > head.length) return null;
    const id = text(head, offset);
    const size = view.getUint32(offset + 4, littleEndian);
    const body = offset + 8;
    if (id === 'data' && format !== null) {
      if (size === 0 && body + 8 > head.length && head.length < totalBytes) return null;
      const longBytes = size === 0xffffffff ? longDataBytes : null;
      const promisedBytes = longBytes ?? openEnded(head, body, size, totalBytes) ?? size;
      return checkedLayout({ ...format, littleEndian, dataOffset: body, promisedBytes, totalBytes }, nameForErrors);
    }
    if (id === 'data') throw damaged(nameForErrors, 'a format before the samples', 'none');
    if ((id === 'fmt ' || id === 'ds64') && body + size > head.length && head.length < totalBytes) return null;
    if (id === 'fmt ') format = readFormat(head.subarray(body, body + size), littleEndian, nameForErrors);
    if (id === 'ds64' && size >= 16 && body + 16 <= head.length) {
      longDataBytes = Number(view.getBigUint64(body + 8, littleEndian));
    }
    offset = body + size;
    // Chunks of odd length are padded; some writers forget it.
    if (size % 2 === 1 && !looksLikeChunk(head, offset)) offset++;
  }
  throw new EarwitnessError(
    'bad-input',
    `${nameForErrors}: expected a WAV file with samples, but it ends before them; it is cut off, make it again from its source`,
  );
}

/** Whether the format can be read here; null where it is not within these bytes. */
export function readsWavFormat(head: Uint8Array): boolean | null {
  const littleEndian = text(head, 0) !== 'RIFX';
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (text(head, 12) !== 'fmt ' || head.length < 36) return null;
  const size = view.getUint32(16, littleEndian);
  const body = head.subarray(20, 20 + size);
  if (body.length < Math.min(size, 40)) return null;
  return encodingOf(formatFields(body, littleEndian)) !== null;
}

interface FormatFields {
  readonly tag: number;
  readonly channels: number;
  readonly sampleRate: number;
  /** Bits that one sample takes in the file. */
  readonly containerBits: number;
}

const extensible = 0xfffe;

function formatFields(body: Uint8Array, littleEndian: boolean): FormatFields {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const tag = view.getUint16(0, littleEndian);
  const channels = view.getUint16(2, littleEndian);
  const blockBytes = view.getUint16(12, littleEndian);
  const bits = view.getUint16(14, littleEndian);
  // Samples of, say, 12 or 20 bits fill the upper part of whole bytes; the block says of how many.
  const fromBlock = channels > 0 && blockBytes % channels === 0 ? (8 * blockBytes) / channels : 0;
  const containerBits = fromBlock >= bits && fromBlock > 0 ? fromBlock : 8 * Math.ceil(bits / 8);
  // The sub-format is a GUID, whose first two bytes are the plain tag.
  const plainTag = tag === extensible && body.length >= 26 ? view.getUint16(24, littleEndian) : tag;
  return { tag: plainTag, channels, sampleRate: view.getUint32(4, littleEndian), containerBits };
}

function encodingOf({ tag, containerBits }: FormatFields): PcmEncoding | null {
  if (tag === 1) return ({ 8: 'u8', 16: 's16', 24: 's24', 32: 's32' } as const)[containerBits] ?? null;
  if (tag === 3) return ({ 32: 'f32', 64: 'f64' } as const)[containerBits] ?? null;
  if (tag === 6 && containerBits === 8) return 'alaw';
  if (tag === 7 && containerBits === 8) return 'ulaw';
  return null;
}

function readFormat(body: Uint8Array, littleEndian: boolean, nameForErrors: string) {
  if (body.length < 16) throw damaged(nameForErrors, 'a format of at least 16 bytes', `${body.length}`);
  const fields = formatFields(body, littleEndian);
  const encoding = encodingOf(fields);
  if (encoding === null) {
    throw new EarwitnessError(
      'bad-input',
      `${nameForErrors}: expected PCM, floating-point, A-law or mu-law samples, but the WAV file has format ${fields.tag} with ${fields.containerBits} bits; convert it, for example with ffmpeg`,
    );
  }
  return { encoding, channels: fields.channels, sampleRate: fields.sampleRate };
}

/** Bytes to the end of the file, where the length was left open by a writer that could not go back. */
function openEnded(head: Uint8Array, body: number, size: number, totalBytes: number): number | null {
  const present = totalBytes - body;
  // SoX writes 0x7ffff000 and a bit, ffmpeg 0xffffffff, others 0x80000000 or 0.
  const unknownLength = size >= 0x7ffff000 && size > present;
  const empty = size === 0 && present > 0 && !looksLikeChunk(head, body);
  return unknownLength || empty ? present : null;
}

const knownChunks: ReadonlySet<string> = new Set(
  'LIST|JUNK|junk|PEAK|ID3 |id3 |PAD |afsp|bext|cue |data|fact|fmt |iXML|inst|plst|smpl'.split('|'),
);

function looksLikeChunk(head: Uint8Array, offset: number): boolean {
  return offset + 8 <= head.length && knownChunks.has(text(head, offset));
}

function text(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4));
}
