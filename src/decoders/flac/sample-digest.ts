import { createHash } from 'node:crypto';
import type { Samples } from '../../audio/flac/samples.ts';

/** The MD5 of samples as FLAC makes it: interleaved, signed, lowest byte first, whole bytes (RFC 9639, section 8.2). */
export interface SampleDigest {
  add(channels: readonly Samples[]): void;
  hex(): string;
}

export function createSampleDigest(bitsPerSample: number): SampleDigest {
  const hash = createHash('md5');
  const width = Math.ceil(bitsPerSample / 8);
  return {
    add(channels) {
      const step = width * channels.length;
      const bytes = new Uint8Array(step * channels[0]!.length);
      for (const [channel, samples] of channels.entries()) {
        let at = channel * width;
        for (let n = 0; n < samples.length; n++, at += step) {
          const value = samples[n]!;
          bytes[at] = value;
          for (let byte = 1; byte < width; byte++) bytes[at + byte] = value >> (8 * byte);
        }
      }
      hash.update(bytes);
    },
    hex: () => hash.digest('hex'),
  };
}
