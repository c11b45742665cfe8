import { firstPlace, type ReadBytes } from '../../audio/pcm.ts';
import type { EarwitnessError } from '../../base/errors.ts';
import { beginnings, beginsAs, certainKinds } from '../../base/first-bytes.ts';
import { grouped } from '../../base/number-format.ts';
import { bytesOfLeadingTag, isFiller } from './id3.ts';
import { cutAt, leftOver, severalFiles } from './refusals.ts';

/** A chunk, an object or a block of a container. */
interface Piece {
  /** With its head and what fills it up; Infinity: to the end of the file. */
  readonly bytes: number;
  /** Whether the file is of no use without all of it. */
  readonly isNeeded: boolean;
}

/** A container whose pieces say how long they are. */
interface Container {
  /** How it begins. */
  readonly beginning: RegExp;
  /** Where the first of its pieces begins, of which the beginning itself may be one. */
  from(head: DataView): number;
  /** Null where no piece begins so. */
  piece(head: DataView, at: number, read: ReadBytes): Piece | null | Promise<Piece | null>;
}

/** Of each piece; the packets of a transport stream are shorter. */
const headBytes = 192;

/** A length that a writer to a pipe leaves open: 0, or about all ones. */
const openEnded = (bytes: number) => bytes === 0 || bytes >= 0x7ffff000;

/** Chunks of four letters and a length, which begin at even bytes (EA IFF 85; RIFF MCI 1.0). */
function chunked(beginning: RegExp, sound: string, littleEndian: boolean): Container {
  return {
    beginning,
    from: () => 12,
    piece(head, at) {
      // Some writers leave out the padding behind an odd length.
      if (at % 2 === 1 && head.getUint8(0) === 0) return { bytes: 1, isNeeded: false };
      if (!/^[ -~]{4}$/.test(text(head, 0, 4))) return null;
      const [isNeeded, size] = [text(head, 0, 4) === sound, head.getUint32(4, littleEndian)];
      return { bytes: isNeeded && openEnded(size) ? Infinity : 8 + size, isNeeded };
    },
  };
}

/** Objects of a GUID and a length of 8 bytes with both in it: Sony Wave64, Microsoft ASF (of which what runs live has a length of nothing). */
function byGuid(beginning: RegExp, from: number, multiple: number, sound: string): Container {
  return {
    beginning,
    from: () => from,
    piece(head) {
      const isNeeded = text(head, 0, 4) === sound;
      const size = Number(head.getBigUint64(16, true));
      if (isNeeded && (size <= 50 || size >= 2 ** 62)) return { bytes: Infinity, isNeeded };
      return size < 24 ? null : { bytes: multiple * Math.ceil(size / multiple), isNeeded };
    },
  };
}

const neededBoxes = ['ftyp', 'mdat', 'moov', 'moof', 'mfra', 'udta', 'free', 'skip', 'sidx', 'uuid', 'wide'];

const containers = {
  aiff: chunked(beginnings.aiff, 'SSND', false),
  wav: chunked(beginnings.wav, 'data', true),
  /** Sun and NeXT: one head and its samples. */
  au: {
    beginning: beginnings.au,
    from: () => 0,
    piece(head, at) {
      const size = head.getUint32(8);
      return at > 0 ? null : { bytes: openEnded(size) ? Infinity : head.getUint32(4) + size, isNeeded: true };
    },
  },
  caf: {
    beginning: beginnings.caf,
    from: () => 8,
    piece(head) {
      if (!/^[ -~]{4}$/.test(text(head, 0, 4))) return null;
      const [isNeeded, size] = [text(head, 0, 4) === 'data', Number(head.getBigInt64(4))];
      return { bytes: size < 0 ? Infinity : 12 + size, isNeeded };
    },
  },
  w64: byGuid(beginnings.w64, 40, 8, 'data'),
  asf: byGuid(beginnings.asf, 0, 1, '\x36\x26\xb2\x75'),
  /** Creative Voice: a byte of kind, three of length; the kind 0 ends it, and may be left out. */
  voc: {
    beginning: beginnings.voc,
    from: (head) => head.getUint16(20, true),
    piece(head) {
      const kind = head.getUint8(0);
      if (kind > 9) return null;
      return { bytes: kind === 0 ? 1 : 4 + (head.getUint32(0, true) >>> 8), isNeeded: kind !== 0 };
    },
  },
  /** ISO/IEC 14496-12, 4.2, and QuickTime. */
  mp4: {
    beginning: beginnings.mp4,
    from: () => 0,
    piece(head) {
      const [size, type] = [head.getUint32(0), text(head, 4, 8)];
      const long = size === 1 ? Number(head.getBigUint64(8)) : size === 0 ? Infinity : size;
      return long < 8 || !/^[ -~\xa9]{4}$/.test(type) ? null : { bytes: long, isNeeded: neededBoxes.includes(type) };
    },
  },
  /** RIFF of a gigabyte each, one behind the other: the Open DML extensions of AVI, 1.02. */
  avi: {
    beginning: beginnings.avi,
    from: () => 0,
    piece(head) {
      const size = head.getUint32(4, true);
      const isOne = text(head, 0, 4) === 'RIFF' && /^AVI[ X]$/.test(text(head, 8, 12));
      return isOne ? { bytes: openEnded(size) ? Infinity : 8 + size + (size % 2), isNeeded: true } : null;
    },
  },
  /** Flash Video 10.1, annex E: tags, each with its length before and behind it. */
  flv: {
    beginning: beginnings.flv,
    from: () => 13,
    piece(head) {
      const kind = head.getUint8(0) & 31;
      return [8, 9, 18].includes(kind) ? { bytes: 15 + (head.getUint32(0) & 0xffffff), isNeeded: kind !== 18 } : null;
    },
  },
  /** Matroska and WebM: two elements, names and lengths of as many bytes as their zeros before say (RFC 8794). */
  matroska: {
    beginning: beginnings.matroska,
    from: () => 0,
    piece(head) {
      const name = bytesOfNumber(head.getUint8(0));
      const length = bytesOfNumber(head.getUint8(name));
      if (!['\x1aE\xdf\xa3', '\x18S\x80g', '\xbf', '\xec'].includes(text(head, 0, name)) || length > 8) return null;
      let [size, open] = [head.getUint8(name) & (0xff >> length), 0xff >> length];
      for (let n = 1; n < length; n++) [size, open] = [256 * size + head.getUint8(name + n), 256 * open + 255];
      return { bytes: size === open ? Infinity : name + length + size, isNeeded: true };
    },
  },
  /** ISO/IEC 13818-1, 2.4.3: packets of 188 bytes. */
  transportStream: {
    beginning: /G.{187}G/s,
    from: () => 0,
    piece: (head) => (text(head, 0, 1) === 'G' ? { bytes: 188, isNeeded: true } : null),
  },
  /** True Audio 1: a head, the lengths of its frames, the frames. */
  tta: {
    beginning: beginnings.tta,
    from: () => 0,
    async piece(head, at, read) {
      const frameSamples = Math.floor((256 * head.getUint32(10, true)) / 245);
      const frames = Math.ceil(head.getUint32(14, true) / frameSamples);
      if (at > 0 || !(frames < 2 ** 28)) return null;
      const table = await read(at + 22, 4 * frames);
      const lengths = new DataView(table.buffer, table.byteOffset, table.byteLength);
      let sum = 22 + 4 * frames + 4;
      for (let place = 0; place + 4 <= table.length; place += 4) sum += lengths.getUint32(place, true);
      return { bytes: sum, isNeeded: true };
    },
  },
} satisfies Readonly<Record<string, Container>>;

function bytesOfNumber(first: number): number {
  return Math.clz32(first) - 23;
}

function containerOf(head: Uint8Array): Container | undefined {
  const beginning = latin1(head.subarray(0, headBytes));
  return Object.values(containers).find((container) => beginning.search(container.beginning) === 0);
}

/**
 * Where the file ends by what its container says: what stands behind is no sound. Else what is wrong: it is cut off, another file stands behind it,
 * or bytes that nobody can account for. What reads such files passes over each of these in silence. The end of the file where the container is none of these.
 *
 * @param head at least 192 bytes, or all of the file
 */
export async function containerEnd(
  head: Uint8Array,
  totalBytes: number,
  read: ReadBytes,
  nameForErrors: string,
): Promise<number | EarwitnessError> {
  const container = containerOf(head);
  if (container === undefined || head.length < 64) return totalBytes;
  let at = container.from(viewOf(head));
  while (at < totalBytes) {
    const here = await read(at, headBytes);
    if (at > 0 && beginsAs(here, ...certainKinds)) return another(nameForErrors, at);
    const tag = bytesOfLeadingTag(here);
    const piece = tag > 0 ? { bytes: tag, isNeeded: false } : await container.piece(viewOf(here), at, read);
    if (piece === null || (piece.bytes === 1 && here.every((byte) => byte === 0))) break;
    if (piece.bytes === Infinity) {
      return (await openProblem(container.beginning, at + 1, totalBytes, read, nameForErrors)) ?? totalBytes;
    }
    if (at + piece.bytes > totalBytes) {
      if (piece.isNeeded) return cutAt(nameForErrors, at + piece.bytes, totalBytes);
      break;
    }
    at += piece.bytes;
  }
  return (await behindProblem(at, totalBytes, read, nameForErrors)) ?? Math.min(at, totalBytes);
}

/** What is wrong with what stands behind the last sample and chunk of a file; null where it is nothing, zeros or a tag. */
export async function behindProblem(
  at: number,
  totalBytes: number,
  read: ReadBytes,
  nameForErrors: string,
): Promise<EarwitnessError | null> {
  const rest = await read(at, totalBytes - at);
  if (rest.length === 0 || isFiller(rest)) return null;
  if (beginsAs(rest, ...certainKinds)) return another(nameForErrors, at);
  return leftOver(nameForErrors, rest.length, at);
}

/** What is wrong with samples that go on to the end of a file: that another one begins among them. */
export async function openProblem(
  beginning: RegExp,
  from: number,
  to: number,
  read: ReadBytes,
  nameForErrors: string,
): Promise<EarwitnessError | null> {
  const place = await firstPlace(new RegExp(beginning, 'gs'), from, to, read);
  return place === null ? null : another(nameForErrors, place);
}

function another(nameForErrors: string, at: number): EarwitnessError {
  return severalFiles(nameForErrors, `another begins at byte ${grouped(at)}`);
}

function latin1(content: Uint8Array): string {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
}

/** Of the last bytes of a file, filled up with zeros. */
function viewOf(head: Uint8Array): DataView {
  const whole = new Uint8Array(headBytes);
  whole.set(head.subarray(0, headBytes));
  return new DataView(whole.buffer);
}

function text(view: DataView, from: number, to: number): string {
  return latin1(new Uint8Array(view.buffer, from, to - from));
}
