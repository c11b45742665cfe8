import type { Clip } from '../../audio/clip.ts';
import type { CodedSound, OpusSettings, SoundCodec } from '../../audio/codecs/sound-codec.ts';
import { packageVersion } from '../../packages/installed-package.ts';

/**
 * Opus packets by libopus in WebAssembly, at full complexity and with a variable rate, as ffmpeg's `libopus` encodes by
 * default. Every sound has an encoder and decoder of its own, so that one does not depend on another.
 */
export async function openOpusCodec(): Promise<SoundCodec<OpusSettings>> {
  const library = await import('libopus-wasm');
  const { version } = await library.loadLibopus();
  return {
    identity: {
      library: 'libopus-wasm',
      version: packageVersion('libopus-wasm', 'which codes sound'),
      engine: version,
    },
    async code(clip: Clip, { kilobitsPerSecond, application, frameSeconds, lose }): Promise<CodedSound> {
      const sampleRate = clip.sampleRate as 8000 | 12000 | 16000 | 24000 | 48000;
      const frameSize = Math.round(sampleRate * frameSeconds);
      using encoder = await library.createEncoder({
        channels: 1,
        sampleRate,
        frameSize,
        application: application === 'voip' ? library.Application.Voip : library.Application.Audio,
        bitrate: Math.round(1000 * kilobitsPerSecond),
        complexity: 10,
        vbr: true,
        vbrConstraint: false,
      });
      using decoder = await library.createDecoder({ channels: 1, sampleRate, maxFrameSize: frameSize });
      const delaySamples = encoder.getLookahead();
      const { length } = clip.samples;
      const packets = Math.ceil((length + delaySamples) / frameSize);
      const lost = lose?.(packets) ?? null;

      const frame = new Float32Array(frameSize);
      const decoded = new Float32Array(packets * frameSize);
      let encodedBytes = 0;
      for (let packet = 0; packet < packets; packet++) {
        const start = packet * frameSize;
        frame.fill(0);
        frame.set(clip.samples.subarray(Math.min(start, length), Math.min(start + frameSize, length)));
        const bytes = encoder.encodeFloat(frame);
        encodedBytes += bytes.length;
        const heard = lost?.[packet] ? decoder.decodePacketLossFloat(frameSize) : decoder.decodeFloat(bytes);
        decoded.set(heard.subarray(0, frameSize), start);
      }
      return { samples: decoded.slice(delaySamples, delaySamples + length), encodedBytes, delaySamples };
    },
  };
}
