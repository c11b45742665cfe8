import { BitReader } from './bit-reader.ts';
import { crc16 } from './crc.ts';
import { DamagedFlac } from './damaged-flac.ts';
import { readFrameHeader, type Stereo } from './frame-header.ts';
import { roomFor, type Samples } from './samples.ts';
import type { StreamInfo } from './stream-info.ts';
import { readSubframe } from './subframe.ts';

/** One decoded frame. */
export interface Frame {
  readonly channels: readonly Samples[];
  /** Samples of each channel. */
  readonly blockSize: number;
  /** Where the next frame begins, in bytes. */
  readonly end: number;
}

/**
 * Decodes the frame that begins at a byte of a stream (RFC 9639, section 9), and proves both of its checksums.
 *
 * @throws DamagedFlac where there is none, it is damaged, or differs from the stream's rate, channels or depth
 */
export function readFrame(bytes: Uint8Array, start: number, stream: StreamInfo): Frame {
  const reader = new BitReader(bytes, start);
  const { blockSize, sampleRate, channels, bitsPerSample, stereo } = readFrameHeader(reader, stream);
  refuseChange('sample rate', stream.sampleRate, sampleRate);
  refuseChange('number of channels', stream.channels, channels);
  refuseChange('depth in bits', stream.bitsPerSample, bitsPerSample);
  const side = stereo === null ? -1 : stereo === 'right-side' ? 0 : 1;
  const decoded = Array.from({ length: channels }, (_, channel) => {
    const samples = roomFor(blockSize, bitsPerSample);
    readSubframe(reader, bitsPerSample + (channel === side ? 1 : 0), samples);
    return samples;
  });
  const checksumAt = reader.alignedByte();
  if (reader.unsigned(16) !== crc16(bytes, start, checksumAt)) {
    throw new DamagedFlac('the checksum of a frame does not agree');
  }
  if (stereo !== null) restoreStereo(decoded[0]!, decoded[1]!, stereo);
  return { channels: decoded, blockSize, end: checksumAt + 2 };
}

/** Turns two channels into left and right, in place (RFC 9639, section 4.2). */
function restoreStereo(first: Samples, second: Samples, stereo: Stereo): void {
  for (let n = 0; n < first.length; n++) {
    const one = first[n]!;
    const other = second[n]!;
    if (stereo === 'left-side') second[n] = one - other;
    else if (stereo === 'right-side') first[n] = one + other;
    else {
      // The middle lost its last bit, which is the difference's as well.
      const sum = 2 * one + (other & 1);
      first[n] = (sum + other) / 2;
      second[n] = (sum - other) / 2;
    }
  }
}

function refuseChange(what: string, before: number, now: number): void {
  if (before !== now) throw new DamagedFlac(`its ${what} changes from ${before} to ${now}`);
}
