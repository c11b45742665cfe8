import type { Mp3Settings, SoundCodec } from '../../audio/codecs/sound-codec.ts';
import { mp3 } from '../../decoders/mp3/mp3.ts';
import { packageVersion } from '../../packages/installed-package.ts';

/** 576 samples of the encoder and 529 of a decoder (LAME's technical FAQ); the library writes no header that tells them. */
const delaySamples = 1105;
/** A decoder gives nothing of a stream of one or two frames; so many samples of silence behind make more of them. */
const tailSamples = 4 * 576;

/** MP3 by LAME in WebAssembly at a constant rate, one channel, the rate of the sound kept; decoded by mpg123. */
export async function openMp3Codec(): Promise<SoundCodec<Mp3Settings>> {
  const { createMp3Encoder } = await import('wasm-media-encoders');
  const encoder = await createMp3Encoder();
  return {
    identity: {
      library: 'wasm-media-encoders',
      version: packageVersion('wasm-media-encoders', 'which codes sound'),
      decoder: 'mpg123-decoder',
      decoderVersion: mp3.version,
    },
    async code({ samples, sampleRate }, { kilobitsPerSecond }) {
      // Nothing is awaited between these lines: the encoder serves one sound after the other.
      encoder.configure({
        channels: 1,
        sampleRate,
        bitrate: kilobitsPerSecond as 8,
        outputSampleRate: sampleRate as 16000,
      });
      const parts = [samples, new Float32Array(tailSamples)].map((part) => encoder.encode([part]).slice());
      parts.push(encoder.finalize().slice());
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());

      // The decoder gives the one channel twice.
      const decoded = await mp3.decode(bytes, 'mp3', 'first');
      const aligned = new Float32Array(samples.length);
      aligned.set(decoded.samples.subarray(delaySamples, delaySamples + samples.length));
      return { samples: aligned, encodedBytes: bytes.length, delaySamples };
    },
  };
}
