import type { BitReader } from './bit-reader.ts';
import { crc8 } from './crc.ts';
import { DamagedFlac } from './damaged-flac.ts';
import type { StreamInfo } from './stream-info.ts';

export type Stereo = 'left-side' | 'right-side' | 'mid-side';

export interface FrameHeader {
  /** Samples of each channel in the frame. */
  readonly blockSize: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** How two channels were made of left and right, null where every channel stands for itself. */
  readonly stereo: Stereo | null;
}

// RFC 9639, tables 15, 16 and 17: what stands for itself; undefined is reserved, or read from elsewhere.
const sampleRates = [undefined, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000];
const depths = [undefined, 8, 12, undefined, 16, 20, 24, 32];
const stereos: readonly Stereo[] = ['left-side', 'right-side', 'mid-side'];

/** Whether a frame could begin here: 15 bits of mark. */
export function isFrameSync(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xff && (bytes[at + 1]! & 0xfe) === 0xf8;
}

/**
 * Reads the header of a frame (RFC 9639, section 9.1) and proves its checksum.
 *
 * @throws DamagedFlac where it is none
 */
export function readFrameHeader(reader: BitReader, stream: StreamInfo): FrameHeader {
  if (!isFrameSync(reader.bytes, reader.start)) throw new DamagedFlac('there is no frame where one should begin');
  reader.unsigned(16);
  const blockCode = reader.unsigned(4);
  const rateCode = reader.unsigned(4);
  const channelCode = reader.unsigned(4);
  const depthCode = reader.unsigned(3);
  const reserved = reader.unsigned(1);
  passCodedNumber(reader);
  const blockSize = blockSizeOf(blockCode, reader);
  const sampleRate = rateCode === 0 ? stream.sampleRate : sampleRateOf(rateCode, reader);
  const headerEnd = reader.alignedByte();
  if (reader.unsigned(8) !== crc8(reader.bytes, reader.start, headerEnd)) {
    throw new DamagedFlac("the checksum of a frame's header does not agree");
  }
  const bitsPerSample = depthCode === 0 ? stream.bitsPerSample : depths[depthCode];
  if (!blockSize || !sampleRate || bitsPerSample === undefined || reserved || channelCode > 10) {
    throw new DamagedFlac('a frame is of a reserved kind');
  }
  const channels = channelCode < 8 ? channelCode + 1 : 2;
  return { blockSize, sampleRate, channels, bitsPerSample, stereo: stereos[channelCode - 8] ?? null };
}

/** The number of the frame or of its first sample, in the manner of UTF-8: leading ones count its bytes. */
function passCodedNumber(reader: BitReader): void {
  const leadingOnes = Math.clz32((~reader.unsigned(8) & 0xff) << 24);
  if (leadingOnes === 1 || leadingOnes > 7) throw new DamagedFlac('a frame has no number');
  for (let byte = 1; byte < leadingOnes; byte++) reader.unsigned(8);
}

function blockSizeOf(code: number, reader: BitReader): number | null {
  if (code === 0) return null;
  if (code === 1) return 192;
  if (code < 6) return 144 * 2 ** code;
  if (code === 6) return reader.unsigned(8) + 1;
  if (code === 7) return reader.unsigned(16) + 1;
  return 2 ** code;
}

function sampleRateOf(code: number, reader: BitReader): number | undefined {
  if (code === 12) return reader.unsigned(8) * 1000;
  if (code === 13) return reader.unsigned(16);
  if (code === 14) return reader.unsigned(16) * 10;
  return sampleRates[code];
}
