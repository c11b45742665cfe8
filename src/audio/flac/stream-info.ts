import { DamagedFlac } from './bit-reader.ts';

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
