import type { Clip } from './clip.ts';

/** What the samples are written as: 16-bit integers (rounded, saturated) or 32-bit floats (unchanged). */
export interface WavOptions {
  readonly format: 's16' | 'f32';
  /** Said of the sound in its file (`ICMT` of a `LIST` chunk, as RIFF has it): plain ASCII. */
  readonly comment?: string;
}

/**
 * A clip as a WAV file with one channel. 16 bits: the nearest of the steps of 1/32768, values beyond full scale end there.
 *
 * @throws RangeError where the sample rate is not whole, which WAV cannot say, or the file would exceed 4 GB
 * @example await writeFile('a.wav', encodeWav(clip, { format: 's16' }))
 */
export function encodeWav(
  { samples, sampleRate }: Clip,
  { format, comment = '' }: WavOptions,
): Uint8Array<ArrayBuffer> {
  if (!Number.isInteger(sampleRate) || sampleRate < 1 || sampleRate > 0xffffffff) {
    throw new RangeError(`expected a whole sample rate for a WAV file, got ${sampleRate}; resample first`);
  }
  const width = format === 's16' ? 2 : 4;
  const dataBytes = samples.length * width;
  // Formats other than PCM carry a `fact` chunk with the number of frames, and the length of an extension.
  const formatBytes = format === 's16' ? 16 : 18;
  // Ends with a zero, and has an even length.
  const said = comment === '' ? '' : comment.padEnd(comment.length + 2 - (comment.length % 2), '\0');
  const listBytes = said === '' ? 0 : 20 + said.length;
  const headerBytes = 12 + 8 + formatBytes + (format === 's16' ? 0 : 12) + listBytes + 8;
  if (headerBytes + dataBytes > 0xffffffff) throw new RangeError('a WAV file cannot hold more than 4 GB');
  const bytes = new Uint8Array(headerBytes + dataBytes);
  const view = new DataView(bytes.buffer);
  let offset = 0;
  const text = (value: string) => {
    for (const character of value) view.setUint8(offset++, character.charCodeAt(0));
  };
  const u32 = (value: number) => {
    view.setUint32(offset, value, true);
    offset += 4;
  };
  const u16 = (value: number) => {
    view.setUint16(offset, value, true);
    offset += 2;
  };
  text('RIFF');
  u32(headerBytes + dataBytes - 8);
  text('WAVEfmt ');
  u32(formatBytes);
  u16(format === 's16' ? 1 : 3);
  u16(1);
  u32(sampleRate);
  u32(Math.min(sampleRate * width, 0xffffffff));
  u16(width);
  u16(8 * width);
  if (format === 'f32') {
    u16(0);
    text('fact');
    u32(4);
    u32(samples.length);
  }
  if (said !== '') {
    text('LIST');
    u32(listBytes - 8);
    text('INFOICMT');
    u32(said.length);
    text(said);
  }
  text('data');
  u32(dataBytes);
  if (format === 's16') {
    for (let n = 0; n < samples.length; n++, offset += 2) view.setInt16(offset, toInt16(samples[n]!), true);
  } else {
    for (let n = 0; n < samples.length; n++, offset += 4) view.setFloat32(offset, samples[n]!, true);
  }
  return bytes;
}

/** A sample as a 16-bit integer: rounded to the nearest step, ends at full scale. Not a number becomes 0. */
export function toInt16(sample: number): number {
  const step = Math.round(sample * 32768);
  return step > 32767 ? 32767 : step < -32768 ? -32768 : step || 0;
}
