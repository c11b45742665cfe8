/** What is wrong with the bytes of a FLAC stream, as the inside of a sentence; the file's name is added by who knows it. */
export class DamagedFlac extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'DamagedFlac';
  }
}

/** Reads numbers of any width, highest bit first, from one place in a stream onwards. */
export class BitReader {
  readonly bytes: Uint8Array;
  /** Where the reading began, in bytes. */
  readonly start: number;
  /** Bits read since. A frame is at most a few megabytes, so that this stays a small integer. */
  bit = 0;

  constructor(bytes: Uint8Array, start: number) {
    this.bytes = bytes;
    this.start = start;
  }

  /**
   * The next 0 to 32 bits, as an unsigned number.
   *
   * @throws DamagedFlac where the stream ends before
   */
  unsigned(width: number): number {
    let value = 0;
    for (let missing = width; missing > 0; ) {
      const at = this.start + (this.bit >> 3);
      if (at >= this.bytes.length) throw new DamagedFlac('it ends within a frame');
      const here = 8 - (this.bit & 7);
      const taken = Math.min(here, missing);
      const bits = (this.bytes[at]! >> (here - taken)) & ((1 << taken) - 1);
      value = value * (1 << taken) + bits;
      this.bit += taken;
      missing -= taken;
    }
    return value;
  }

  /** The next 0 to 33 bits, as a number in two's complement. 33 are those of the difference of two 32-bit channels. */
  signed(width: number): number {
    if (width === 0) return 0;
    const negative = this.unsigned(1);
    const rest = this.unsigned(width - 1);
    return negative ? rest - 2 ** (width - 1) : rest;
  }

  /** How many zeros stand before the next one, which is read as well. */
  unary(): number {
    const { bytes, start } = this;
    let bit = this.bit;
    for (let zeros = 0; ; ) {
      const at = start + (bit >> 3);
      if (at >= bytes.length) throw new DamagedFlac('it ends within a frame');
      const ahead = (bytes[at]! << (24 + (bit & 7))) | 0;
      const here = 8 - (bit & 7);
      const run = Math.clz32(ahead);
      if (run < here) {
        this.bit = bit + run + 1;
        return zeros + run;
      }
      zeros += here;
      bit += here;
    }
  }

  /** Goes on to the next whole byte, and says where it is in the stream. */
  alignedByte(): number {
    this.bit = (this.bit + 7) & ~7;
    return this.start + (this.bit >> 3);
  }
}

const crc8Table = Uint8Array.from({ length: 256 }, (_, index) => shifted(index, 8, 0x07));
const crc16Table = Uint16Array.from({ length: 256 }, (_, index) => shifted(index, 16, 0x8005));

function shifted(index: number, width: number, polynomial: number): number {
  let value = index << (width - 8);
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ ((value >> (width - 1)) & 1 ? polynomial : 0);
  return value & (2 ** width - 1);
}

/** The checksum of a frame's header (RFC 9639, section 9.1.8): polynomial 07, nothing reflected or inverted. */
export function crc8(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = crc8Table[crc ^ bytes[at]!]!;
  return crc;
}

/** The checksum of a whole frame (RFC 9639, section 9.3): polynomial 8005, nothing reflected or inverted. */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = ((crc << 8) & 0xffff) ^ crc16Table[(crc >> 8) ^ bytes[at]!]!;
  return crc;
}

/** What a FLAC stream says of itself (RFC 9639, section 8.2). */
export interface StreamInfo {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** Samples of each channel, null where the encoder did not know. */
  readonly totalSamples: number | null;
  /** MD5 of the samples in lower-case hexadecimal digits, null where the encoder made none. */
  readonly md5: string | null;
  /** Where the first frame begins, in bytes. */
  readonly framesAt: number;
}

/** Whether these bytes begin a FLAC stream. */
export function isFlac(head: Uint8Array): boolean {
  return head[0] === 0x66 && head[1] === 0x4c && head[2] === 0x61 && head[3] === 0x43;
}

/**
 * Reads the head of a native FLAC stream: its mark, STREAMINFO, which comes first, and the lengths of the other blocks of
 * metadata (RFC 9639, section 8), which are passed over.
 *
 * @throws DamagedFlac where the head is cut off or makes no sense
 */
export function readStreamInfo(bytes: Uint8Array): StreamInfo {
  if (!isFlac(bytes)) throw new DamagedFlac('it does not begin with fLaC');
  if (bytes.length < 42) throw new DamagedFlac('it ends within its header');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if ((view.getUint8(4) & 0x7f) !== 0 || view.getUint32(4) % 2 ** 24 !== 34) {
    throw new DamagedFlac('its first block is not STREAMINFO');
  }
  const sampleRate = view.getUint32(18) >>> 12;
  if (sampleRate === 0) throw new DamagedFlac('its header says 0 samples per second');
  const packed = view.getUint16(20);
  return {
    sampleRate,
    channels: ((packed >> 9) & 7) + 1,
    bitsPerSample: ((packed >> 4) & 31) + 1,
    totalSamples: (packed & 15) * 2 ** 32 + view.getUint32(22) || null,
    md5: hexOf(bytes.subarray(26, 42)),
    framesAt: endOfMetadata(view),
  };
}

function endOfMetadata(view: DataView): number {
  for (let at = 4; at + 4 <= view.byteLength; ) {
    const head = view.getUint32(at);
    at += 4 + (head % 2 ** 24);
    if (head >= 2 ** 31 && at <= view.byteLength) return at;
  }
  throw new DamagedFlac('it ends within its header');
}

function hexOf(digest: Uint8Array): string | null {
  if (digest.every((byte) => byte === 0)) return null;
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
