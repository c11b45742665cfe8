import { grouped } from '../../base/number-format.ts';
import type { Warn } from '../contract.ts';
import { isFiller } from './id3.ts';
import { leftOver, severalFiles, severalTracks, unreadable, withoutBeginning, withoutEnd } from './refusals.ts';

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

/** A page of an Ogg file. */
export interface OggPage {
  readonly start: number;
  readonly bodyAt: number;
  readonly end: number;
  readonly serial: number;
  /** Of the last packet that ends in it; null where none does. */
  readonly granule: number | null;
  readonly isFirst: boolean;
  /** Whether it says that its stream ends with it. */
  readonly isLast: boolean;
  /** Whether pages are missing between it and the headers of its stream. */
  readonly isLate: boolean;
  /** Lengths of the pieces of packets; one of 255 goes on in the next. */
  readonly segments: Uint8Array;
}

/**
 * The pages of an Ogg file, each proved: none may be cut off, missing, or of another checksum than it says (RFC 3533, section 6). The
 * libraries read on over all of that and invent sound there, or draw together what lay apart. Who
 * joins a running stream has its headers, then pages of any number: the first of them is late. Of a stream without the mark of its last page, which recorders that are switched
 * off never write, `oggLinks` warns; what stands behind the last page it judges.
 *
 * @param refuse makes the error of what is wrong
 */
export function* oggPages(bytes: Uint8Array, refuse: (why: string) => Error): Generator<OggPage> {
  let start = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** By stream: the number of the page that comes next. */
  const awaited = new Map<number, number>();
  /** Streams of which sound has come. */
  const sounding = new Set<number>();
  for (let page = 1; start + 27 <= bytes.length && isPage(bytes, start); page++) {
    const where = `its page ${page} at byte ${grouped(start)}`;
    const segments = bytes.subarray(start + 27, start + 27 + bytes[start + 26]!);
    const bodyAt = start + 27 + bytes[start + 26]!;
    const end = segments.reduce((sum, length) => sum + length, bodyAt);
    if (end > bytes.length) throw refuse(`it ends within ${where}`);
    if (oggChecksum(bytes, start, end) !== view.getUint32(start + 22, true)) {
      throw refuse(`the checksum of ${where} does not agree`);
    }
    const [serial, number] = [view.getUint32(start + 14, true), view.getUint32(start + 18, true)];
    const granule = view.getBigInt64(start + 6, true);
    const [isFirst, isLast] = [(bytes[start + 5]! & 2) !== 0, (bytes[start + 5]! & 4) !== 0];
    const isInOrder = isFirst || number === (awaited.get(serial) ?? number);
    if (!isInOrder && sounding.has(serial)) throw refuse(`pages are missing before ${where}`);
    awaited.set(serial, (number + 1) >>> 0);
    // No sound ends in a page of headers.
    if (isFirst) sounding.delete(serial);
    else if (granule > 0n || !isInOrder) sounding.add(serial);
    const sound = { granule: granule === -1n ? null : Number(granule), isFirst, isLast, isLate: !isInOrder };
    yield { start, bodyAt, end, segments, serial, ...sound };
    start = end;
  }
  if (start < bytes.length && bytes.length - start < 27 && isPage(bytes, start))
    throw refuse(`it ends within the page at byte ${grouped(start)}`);
  for (let at = start; at + 4 <= bytes.length; at++) {
    if (bytes[at] === 0x4f && isPage(bytes, at)) {
      throw refuse(`there is something else between its pages, at byte ${grouped(start)}`);
    }
  }
}

/** One of the streams of a chained file, without what runs beside it. */
export interface OggLink {
  /** In the file. */
  readonly pages: readonly OggPage[];
  /** Its pages one behind the other. */
  readonly bytes: Uint8Array;
}

/**
 * The links of a chained file: whole streams one behind the other, which recorders and `cat` write (RFC 3533, section 4). A link begins
 * with a first page of this codec once pages of sound have come.
 *
 * @param kind what a file of this codec is called in sentences: `an Ogg Opus file`
 * @param packetBeginning of the codec's first packet
 * @returns of each link the stream that begins first: the libraries take the pages of all for one
 * @throws EarwitnessError `bad-input` where a page is not whole, where a link of another codec follows, or what is no page
 */
export function oggLinks(
  bytes: Uint8Array,
  kind: string,
  packetBeginning: string,
  nameForErrors: string,
  warn?: Warn,
): OggLink[] {
  const links: OggPage[][] = [];
  const tracks: number[] = [];
  let [isHead, behind] = [false, 0];
  for (const page of oggPages(bytes, (why) => unreadable(kind, nameForErrors, why))) {
    const isOwn = page.isFirst && isOggOf(bytes.subarray(page.start), packetBeginning);
    // Streams that run beside each other all begin before the first sound.
    if (isOwn && !isHead) {
      links.push([]);
      tracks.push(0);
    } else if (page.isFirst && !isHead && links.length > 0)
      throw severalFiles(nameForErrors, `the codec changes at byte ${grouped(page.start)}`);
    const link = links.at(-1);
    if (link && (link.length === 0 || link[0]!.serial === page.serial)) link.push(page);
    if (page.isLate && page.serial === link?.[0]?.serial) warn?.(withoutBeginning(nameForErrors, page.start));
    if (link && page.isFirst && isAudio(bytes.subarray(page.start))) tracks[tracks.length - 1]!++;
    isHead = page.isFirst;
    behind = page.end;
  }
  if (!isFiller(bytes.subarray(behind))) throw leftOver(nameForErrors, bytes.length - behind, behind);
  if (links.some((pages) => !pages.some(({ isLast }) => isLast))) warn?.(withoutEnd(nameForErrors));
  const most = Math.max(...tracks);
  if (most > 1) warn?.(severalTracks(nameForErrors, most));
  return links.map((pages) => ({ pages, bytes: joined(bytes, pages, ({ start }) => start) }));
}

const audioBeginnings = ['OpusHead', '\x01vorbis', '\x7fFLAC', 'Speex   '];

function isAudio(page: Uint8Array): boolean {
  return audioBeginnings.some((codec) => isOggOf(page, codec));
}

/** Pages of a file one behind the other, each from a place in it on. */
export function joined(bytes: Uint8Array, pages: readonly OggPage[], from: (page: OggPage) => number): Uint8Array {
  const [first, last] = [pages[0]!, pages.at(-1)!];
  const length = pages.reduce((sum, page) => sum + page.end - from(page), 0);
  if (length === last.end - from(first)) return bytes.subarray(from(first), last.end);
  return new Uint8Array(Buffer.concat(pages.map((page) => bytes.subarray(from(page), page.end))));
}

function isPage(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === 0x4f && bytes[start + 1] === 0x67 && bytes[start + 2] === 0x67 && bytes[start + 3] === 0x53;
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
