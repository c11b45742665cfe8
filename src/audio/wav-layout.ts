import { badInput, type EarwitnessError } from '../base/errors.ts';
import { grouped } from '../base/number-format.ts';
import {
  bytesPerFrame,
  checkedLayout,
  damaged,
  firstPlace,
  type PcmEncoding,
  type PcmLayout,
  type PcmPart,
  type ReadBytes,
} from './pcm.ts';

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
      // Of RF64, too, a writer to a pipe leaves the length at 0.
      const longBytes = size === 0xffffffff && longDataBytes ? longDataBytes : null;
      const open = longBytes === null ? openEnded(head, body, size, totalBytes) : null;
      const promisedBytes = longBytes ?? open ?? size;
      const layout = checkedLayout(
        { ...format, littleEndian, dataOffset: body, promisedBytes, totalBytes },
        nameForErrors,
      );
      return open === null ? layout : { ...layout, isOpenEnded: true };
    }
    if (id === 'data')
      throw damaged(nameForErrors, 'a chunk fmt before the samples', `these begin at byte ${body} without one`);
    if ((id === 'fmt ' || id === 'ds64') && body + size > head.length && head.length < totalBytes) return null;
    if (id === 'fmt ') format = readFormat(head.subarray(body, body + size), littleEndian, nameForErrors);
    if (id === 'ds64' && size >= 16 && body + 16 <= head.length) {
      longDataBytes = Number(view.getBigUint64(body + 8, littleEndian));
    }
    offset = body + size;
    // Chunks of odd length are padded; some writers forget it.
    if (size % 2 === 1 && !looksLikeChunk(head, offset)) offset++;
  }
  throw badInput(
    `${nameForErrors}: expected a WAV file with samples, but it ends before them, after ${totalBytes} bytes; it is cut off, make it again from its source`,
  );
}

/** Bytes in which the header of a file that stands behind another one is looked for. */
const innerHeadBytes = 4096;

/**
 * Where all samples of a file lie, in order. More may stand behind those of the first chunk: servers wrap each piece of a stream in a header of
 * its own, or write one chunk for each. Chunks of other content are passed over, and so are zeros, an ID3v1 tag and fewer bytes than a chunk has.
 *
 * @param layout of the file's first samples
 * @throws EarwitnessError `bad-input` where something follows that is neither, or samples of another format
 */
export async function wavParts(
  layout: PcmLayout,
  totalBytes: number,
  read: ReadBytes,
  nameForErrors: string,
): Promise<PcmPart[]> {
  const first = await partOf(layout, 0, totalBytes, read);
  const parts: PcmPart[] = [first];
  let at = first.end;
  while (totalBytes - at >= 8) {
    let head = await read(at, 64);
    // Chunks of odd length are padded; some writers forget it.
    if (at % 2 === 1 && head[0] === 0 && !isWav(head)) {
      at++;
      head = await read(at, 64);
    }
    if (isWav(head)) {
      const inner = await read(at, innerHeadBytes);
      const next = wavLayout(inner, totalBytes - at, nameForErrors);
      if (next === null || !hasSameFormat(next, layout)) throw otherFormat(nameForErrors, at);
      const part = await partOf(next, at, totalBytes, read);
      parts.push(part);
      at = part.end;
      continue;
    }
    const size = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(4, layout.littleEndian);
    const isWhole = at + 8 + size <= totalBytes;
    if (text(head, 0) === 'data' && isWhole) {
      parts.push({ dataOffset: at + 8, frames: Math.floor(size / bytesPerFrame(layout)) });
    } else if (knownChunks.has(text(head, 0))) {
      if (!isWhole) return parts;
    } else if (!(isWhole && /^[ -~]{4}$/.test(text(head, 0)))) {
      if (await isFiller(head, at, totalBytes, read)) return parts;
      throw leftOver(layout, at, totalBytes - at, nameForErrors);
    }
    at += 8 + size;
  }
  return parts;
}

/**
 * The samples of a header at a place of a file. Where it leaves their length open, the next header ends them, as in a stream of which each piece has
 * one, and so do chunks or an ID3v1 tag which reach exactly to there or to the end of the file: nothing that only looks like them ends them.
 */
async function partOf(
  { dataOffset, frames, end, ...format }: PcmLayout,
  at: number,
  totalBytes: number,
  read: ReadBytes,
) {
  const [from, to] = [at + dataOffset, at + end];
  if (to !== totalBytes || !format.isOpenEnded) return { dataOffset: from, frames, end: to };
  const isHeader = async (place: number) => isWav(await read(place, 12));
  const next = (await firstPlace(/RI(?=F[FX])|RF(?=64)/g, from, to, read, isHeader)) ?? to;
  const isTagged = next === to && to - from >= tagBytes && isTag(await read(to - tagBytes, tagBytes));
  const tagged = isTagged ? to - tagBytes : next;
  const reaches = (place: number) => chunksReach(place, tagged, format.littleEndian, read);
  const behind = (await firstPlace(new RegExp([...knownChunks].join('|'), 'g'), from, tagged, read, reaches)) ?? tagged;
  return { dataOffset: from, frames: Math.floor((behind - from) / bytesPerFrame(format)), end: behind };
}

/** Whether chunks, one behind the other, fill a file from here to `to`. Some writers leave out the padding behind an odd length. */
async function chunksReach(from: number, to: number, littleEndian: boolean, read: ReadBytes): Promise<boolean> {
  let at = from;
  // More are none of a writer's, and a file made of them would be walked through from each.
  for (let chunks = 0; to - at >= 8 && chunks < 100; chunks++) {
    const head = await read(at, 9);
    if (at % 2 === 1 && head[0] === 0) {
      at++;
      continue;
    }
    if (!/^[ -~]{4}$/.test(text(head, 0))) return false;
    at += 8 + new DataView(head.buffer, head.byteOffset, 8).getUint32(4, littleEndian);
  }
  return at === to || (at + 1 === to && at % 2 === 1);
}

const tagBytes = 128;

/** Whether the last bytes of a file are an ID3v1 tag: text, padded with zeros or spaces. */
function isTag(bytes: Uint8Array): boolean {
  return text(bytes, 0).startsWith('TAG') && bytes.subarray(3, 97).every((byte) => byte === 0 || byte >= 0x20);
}

function hasSameFormat(one: PcmLayout, other: PcmLayout): boolean {
  return (['encoding', 'littleEndian', 'channels', 'sampleRate'] as const).every(
    (field) => one[field] === other[field],
  );
}

async function isFiller(head: Uint8Array, at: number, totalBytes: number, read: ReadBytes): Promise<boolean> {
  const length = totalBytes - at;
  if (text(head, 0).startsWith('TAG') && length === tagBytes) return true;
  const pieceBytes = 1 << 20;
  for (let from = 0; from < length; from += pieceBytes) {
    const piece = await read(at + from, Math.min(pieceBytes, length - from));
    if (piece.some((byte) => byte !== 0)) return false;
  }
  return true;
}

function otherFormat(nameForErrors: string, at: number): EarwitnessError {
  return badInput(
    `${nameForErrors}: expected one WAV file, but another one of a different format begins at byte ${grouped(at)}; make a file of each`,
  );
}

function leftOver(layout: PcmLayout, at: number, bytes: number, nameForErrors: string): EarwitnessError {
  const seconds = (frames: number) => `${(frames / layout.sampleRate).toFixed(2)} s`;
  return badInput(
    `${nameForErrors}: expected a file that ends with the ${seconds(layout.frames)} of audio that its header counts, at byte ${grouped(at)}, but ${grouped(bytes)} more bytes follow (${seconds(bytes / bytesPerFrame(layout))} if they are samples); make a file with them (ffmpeg -ignore_length 1 -i FILE OUT.wav) or without (ffmpeg -i FILE OUT.wav)`,
  );
}

/** What the commonest compressed codings of WAV are called. Source: mmreg.h. */
const compressed: Readonly<Record<number, string>> = {
  2: 'Microsoft ADPCM',
  17: 'IMA ADPCM',
  49: 'GSM 6.10',
  80: 'MPEG audio',
  85: 'MP3',
  255: 'AAC',
};

/** What a WAV file is compressed by, with its code: `IMA ADPCM, code 17`; null where it is none or is not compressed. */
export function wavCompression(head: Uint8Array): string | null {
  if (!isWav(head) || readsWavFormat(head) !== false) return null;
  const { tag } = formatFields(head.subarray(20), text(head, 0) !== 'RIFX');
  return `${compressed[tag] ?? 'an unknown coding'}, code ${tag}`;
}

/** Whose blocks have a number of samples, which stands behind the format: ADPCM of Microsoft, IMA and ITU, and GSM. */
const codedInBlocks = new Set([2, 17, 49, 64, 69]);

/**
 * How many frames a compressed WAV file says that it has, in its chunk `fact`: less than one block fewer than there are. Null where it does not, or where
 * the coding has no blocks.
 *
 * @param bytes all of the file
 */
export function compressedWavFrames(bytes: Uint8Array): number | null {
  if (wavCompression(bytes) === null) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const of = { blockFrames: 0, blockBytes: 1, frames: 0 };
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [id, size] = [text(bytes, at), view.getUint32(at + 4, true)];
    if (id === 'data') {
      const decoded = Math.ceil(size / of.blockBytes) * of.blockFrames;
      return of.frames > 0 && of.frames <= decoded && decoded - of.frames < of.blockFrames ? of.frames : null;
    }
    if (id === 'fmt ' && size >= 20 && codedInBlocks.has(view.getUint16(at + 8, true))) {
      of.blockBytes = Math.max(1, view.getUint16(at + 20, true));
      of.blockFrames = view.getUint16(at + 26, true);
    }
    if (id === 'fact' && at + 12 <= bytes.length) of.frames = view.getUint32(at + 8, true);
    at += 8 + size + (size % 2);
  }
  return null;
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
  /** Bytes of a frame by channels and bits, and as the header says, where nothing tells which is right; null where something does. */
  readonly contradiction: { readonly byBits: string; readonly said: string } | null;
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
  const sampleRate = view.getUint32(4, littleEndian);
  const ownBytes = channels * Math.ceil(bits / 8);
  // Samples of, say, 12, 20 or 24 bits fill the upper part of whole bytes; the block says of how many.
  const isWider = (bits % 8 !== 0 || bits === 24) && blockBytes > ownBytes && blockBytes % channels === 0;
  const containerBits = isWider ? (8 * blockBytes) / channels : 8 * Math.ceil(bits / 8);
  // Where the bytes of a second agree with channels and bits, those of a frame alone are wrong.
  const agrees = isWider || blockBytes === ownBytes || view.getUint32(8, littleEndian) === sampleRate * ownBytes;
  const byBits = `frames of ${ownBytes} bytes (${channels} x ${bits} bits)`;
  const contradiction = agrees || channels === 0 ? null : { byBits, said: `${blockBytes}` };
  // The sub-format is a GUID, whose first two bytes are the plain tag.
  const plainTag = tag === extensible && body.length >= 26 ? view.getUint16(24, littleEndian) : tag;
  return { tag: plainTag, channels, sampleRate, containerBits, contradiction };
}

function encodingOf({ tag, containerBits }: FormatFields): PcmEncoding | null {
  if (tag === 1) return ({ 8: 'u8', 16: 's16', 24: 's24', 32: 's32' } as const)[containerBits] ?? null;
  if (tag === 3) return ({ 32: 'f32', 64: 'f64' } as const)[containerBits] ?? null;
  if (tag === 6 && containerBits === 8) return 'alaw';
  if (tag === 7 && containerBits === 8) return 'ulaw';
  return null;
}

function readFormat(body: Uint8Array, littleEndian: boolean, nameForErrors: string) {
  if (body.length < 16) throw damaged(nameForErrors, 'a chunk fmt of at least 16 bytes', `it has ${body.length}`);
  const fields = formatFields(body, littleEndian);
  const encoding = encodingOf(fields);
  if (encoding === null) {
    throw badInput(
      `${nameForErrors}: expected PCM, floating-point, A-law or mu-law samples, but the WAV file has ${compressed[fields.tag] ?? `format ${fields.tag}`} with ${fields.containerBits} bits; convert it: ffmpeg -i FILE OUT.wav`,
    );
  }
  const { channels, sampleRate, contradiction } = fields;
  if (contradiction !== null) {
    throw damaged(nameForErrors, contradiction.byBits, `its header says ${contradiction.said}`);
  }
  return { encoding, channels, sampleRate };
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
