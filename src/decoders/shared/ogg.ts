import type { Warn } from '../contract.ts';
import { isFiller } from './id3.ts';
import { leftOver, severalFiles, severalTracks } from './join-clips.ts';

/** Whether a file is Ogg, and its first packet begins so (RFC 3533, section 6; the codecs' own documents). */
export function isOggOf(head: Uint8Array, packetBeginning: string): boolean {
  const latin1 = new TextDecoder('latin1');
  if (latin1.decode(head.subarray(0, 4)) !== 'OggS') return false;
  return latin1.decode(firstPacket(head).subarray(0, packetBeginning.length)) === packetBeginning;
}

/** From the first byte of the first packet of an Ogg file on. */
export function firstPacket(head: Uint8Array): Uint8Array {
  return head.subarray(27 + (head[26] ?? 0));
}

/**
 * What is wrong with the pages of an Ogg file, null if nothing is: a page that is cut off, missing, or whose checksum does not agree
 * (RFC 3533, section 6). The libraries read on over all of them and invent sound there, or draw together what lay apart. Who
 * joins a running stream has its headers, then pages of any number. The mark of the last page is not asked
 * for: recorders that are switched off never write it. What stands behind the last page `oggLinks` judges.
 */
export function oggPageProblem(bytes: Uint8Array): string | null {
  let start = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** By stream: the number of the page that comes next, once sound has come. */
  const awaited = new Map<number, number>();
  for (let page = 0; start + 27 <= bytes.length && isPage(bytes, start); page++) {
    const segments = bytes[start + 26]!;
    let length = 27 + segments;
    for (let segment = 0; segment < segments; segment++) length += bytes[start + 27 + segment] ?? 0;
    if (start + length > bytes.length) return `it ends within its page ${page + 1}`;
    if (oggChecksum(bytes, start, start + length) !== storedChecksum(bytes, start)) {
      return `the checksum of its page ${page + 1} does not agree`;
    }
    const [serial, number] = [view.getUint32(start + 14, true), view.getUint32(start + 18, true)];
    const isFirst = (bytes[start + 5]! & 2) !== 0;
    const next = isFirst ? undefined : awaited.get(serial);
    if (next !== undefined && number !== next) return `pages are missing before its page ${page + 1}`;
    if (isFirst) awaited.delete(serial);
    // No sound ends in a page of headers.
    else if (next !== undefined || view.getBigInt64(start + 6, true) > 0n) awaited.set(serial, (number + 1) >>> 0);
    start += length;
  }
  if (start < bytes.length && bytes.length - start < 27 && isPage(bytes, start)) return 'it ends within a page';
  for (let at = start; at + 4 <= bytes.length; at++) {
    if (bytes[at] === 0x4f && isPage(bytes, at)) return 'there is something else between its pages';
  }
  return null;
}

/** A page of an Ogg file. */
export interface OggPage {
  readonly start: number;
  readonly bodyAt: number;
  readonly end: number;
  readonly serial: number;
  /** Of the last packet that ends in it; null where none does. */
  readonly granule: number | null;
  readonly isFirst: boolean;
  /** Lengths of the pieces of packets; one of 255 goes on in the next. */
  readonly segments: Uint8Array;
}

/** The pages of an Ogg file that was found to be whole. */
export function* oggPages(bytes: Uint8Array): Generator<OggPage> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start + 27 <= bytes.length && isPage(bytes, start); ) {
    const segments = bytes.subarray(start + 27, start + 27 + bytes[start + 26]!);
    const bodyAt = start + 27 + segments.length;
    const end = segments.reduce((sum, length) => sum + length, bodyAt);
    const granule = view.getBigInt64(start + 6, true);
    yield {
      start,
      bodyAt,
      end,
      segments,
      serial: view.getUint32(start + 14, true),
      granule: granule === -1n ? null : Number(granule),
      isFirst: (bytes[start + 5]! & 2) !== 0,
    };
    start = end;
  }
}

/**
 * The links of a chained file: whole streams one behind the other, which recorders and `cat` write (RFC 3533, section 4). A link begins
 * with a first page of this codec once pages of sound have come.
 *
 * @param packetBeginning of the codec's first packet
 * @returns of each link the stream that begins first
 * @throws EarwitnessError `bad-input` where one of another codec follows, or what is no page
 */
export function oggLinks(bytes: Uint8Array, packetBeginning: string, nameForErrors: string, warn?: Warn): Uint8Array[] {
  const starts: number[] = [];
  let [isHead, behind] = [false, 0];
  for (const { start, end, isFirst } of oggPages(bytes)) {
    behind = end;
    // Streams that run beside each other all begin before the first sound.
    if (isFirst && !isHead) {
      if (isOggOf(bytes.subarray(start), packetBeginning)) starts.push(start);
      else if (starts.length > 0) throw severalFiles(nameForErrors, 'the codec changes');
    }
    isHead = isFirst;
  }
  if (!isFiller(bytes.subarray(behind))) throw leftOver(nameForErrors, bytes.length - behind);
  const links = starts.map((start, place) => bytes.subarray(start, starts[place + 1]));
  const tracks = Math.max(...links.map(tracksOf));
  if (tracks > 1) warn?.(severalTracks(nameForErrors, tracks));
  return links.map(firstStream);
}

const audioBeginnings = ['OpusHead', '\x01vorbis', '\x7fFLAC', 'Speex   '];

/** Streams of audio that run beside each other. */
function tracksOf(link: Uint8Array): number {
  const firstPages = [...oggPages(link)].filter(({ isFirst }) => isFirst);
  return firstPages.filter(({ start }) => audioBeginnings.some((codec) => isOggOf(link.subarray(start), codec))).length;
}

/** The pages of the first stream alone: the libraries take those of all for one. */
function firstStream(link: Uint8Array): Uint8Array {
  const pages = [...oggPages(link)];
  const own = pages.filter(({ serial }) => serial === pages[0]?.serial);
  if (own.length === pages.length) return link;
  return new Uint8Array(Buffer.concat(own.map(({ start, end }) => link.subarray(start, end))));
}

function isPage(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === 0x4f && bytes[start + 1] === 0x67 && bytes[start + 2] === 0x67 && bytes[start + 3] === 0x53;
}

function storedChecksum(bytes: Uint8Array, start: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + start + 22, 4).getUint32(0, true);
}

/** CRC-32 with the polynomial 04c11db7, nothing reflected or inverted; the checksum's own bytes count as 0. */
export function oggChecksum(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) {
    const byte = at >= start + 22 && at < start + 26 ? 0 : bytes[at]!;
    crc = (crc << 8) ^ crcTable[((crc >>> 24) ^ byte) & 0xff]!;
  }
  return crc >>> 0;
}

const crcTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value;
});
