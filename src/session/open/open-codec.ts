import { channelMixer } from '../../audio/channels.ts';
import type { Clip } from '../../audio/clip.ts';
import type { CodedSound, Mp3Settings, OpusSettings, SoundCodec, SoundCodecs } from '../../audio/codecs/sound-codec.ts';
import { type EarwitnessError, missingProgram } from '../../base/errors.ts';
import { mp3 } from '../../decoders/mp3/mp3.ts';
import { installLine, isAbsent, packageVersion } from '../../packages/installed-package.ts';

/** 576 samples of the encoder and 529 of a decoder (LAME's technical FAQ); the library writes no header that tells them. */
const delaySamples = 1105;
/** A decoder gives nothing of a stream of one or two frames; so many samples of silence behind make more of them. */
const tailSamples = 4 * 576;

const packages = { opus: 'libopus-wasm', mp3: 'wasm-media-encoders' } as const;
const makers: { readonly [Name in keyof SoundCodecs]: () => Promise<SoundCodecs[Name]> } = {
  opus: openOpusCodec,
  mp3: openMp3Codec,
};
const opened = new Map<keyof SoundCodecs, Promise<SoundCodecs[keyof SoundCodecs]>>();

/**
 * A codec in WebAssembly, from an optional package that is loaded when it is first asked for.
 *
 * @throws EarwitnessError `missing-program` with the line that installs it
 * @example const opus = await openCodec('opus');
 */
export function openCodec<Name extends keyof SoundCodecs>(name: Name): Promise<SoundCodecs[Name]> {
  const known = opened.get(name) ?? open(name);
  opened.set(name, known);
  return known as Promise<SoundCodecs[Name]>;
}

async function open(name: keyof SoundCodecs): Promise<SoundCodecs[keyof SoundCodecs]> {
  try {
    return await makers[name]();
  } catch (thrown) {
    opened.delete(name);
    throw isAbsent(thrown, packages[name]) ? missingCodec(name, thrown) : thrown;
  }
}

function missingCodec(name: keyof SoundCodecs, cause: unknown): EarwitnessError {
  return missingProgram(
    `${name}: expected the package ${packages[name]}, which encodes this audio format, but it is not installed; type: ${installLine(packages[name])}`,
    { cause },
  );
}

/** MP3 by LAME in WebAssembly at a constant rate, one channel, the rate of the sound kept; decoded by mpg123. */
async function openMp3Codec(): Promise<SoundCodec<Mp3Settings>> {
  const { createMp3Encoder } = await import('wasm-media-encoders');
  const encoder = await createMp3Encoder();
  return {
    identity: {
      library: 'wasm-media-encoders',
      version: packageVersion('wasm-media-encoders', 'which encodes audio'),
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
      const decoded = await mp3.decode(bytes, 'mp3', channelMixer(1, 'mp3'));
      const aligned = new Float32Array(samples.length);
      aligned.set(decoded.samples.subarray(delaySamples, delaySamples + samples.length));
      return { samples: aligned, encodedBytes: bytes.length, delaySamples };
    },
  };
}

/**
 * Opus packets by libopus in WebAssembly, at full complexity and with a variable rate, as ffmpeg's `libopus` encodes by
 * default. Every sound has an encoder and decoder of its own, so that one does not depend on another.
 */
async function openOpusCodec(): Promise<SoundCodec<OpusSettings>> {
  const library = await import('libopus-wasm');
  const { version } = await library.loadLibopus();
  return {
    identity: {
      library: 'libopus-wasm',
      version: packageVersion('libopus-wasm', 'which encodes audio'),
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
