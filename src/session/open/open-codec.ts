import { channelMixer } from '../../audio/channels.ts';
import { type Clip, fitLength } from '../../audio/clip.ts';
import type { CodedSound, Mp3Settings, OpusSettings, SoundCodec, SoundCodecs } from '../../audio/codecs/sound-codec.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { missingProgram } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { mp3 } from '../../decoders/mp3/mp3.ts';
import { installLine, isAbsent, packageVersion } from '../../packages/installed-package.ts';
import { lastWords, runProgram } from '../../system/run-program.ts';

/** 576 samples of the encoder and 529 of a decoder (LAME's technical FAQ); the library writes no header that tells them. */
const delaySamples = 1105;
/** A decoder gives nothing of a stream of one or two frames; so many samples of silence behind make more of them. */
const tailSamples = 4 * 576;

const packages: { readonly [name: string]: string } = { opus: 'libopus-wasm', mp3: 'wasm-media-encoders' };
const makers: { readonly [Name in keyof SoundCodecs]: () => Promise<SoundCodecs[Name]> } = {
  opus: openOpusCodec,
  mp3: openMp3Codec,
  lame: openLame,
};
const opened = new Map<keyof SoundCodecs, Promise<SoundCodecs[keyof SoundCodecs]>>();

/**
 * A codec in WebAssembly, from an optional package that is loaded when it is first asked for, or an installed program.
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
    const needed = packages[name];
    if (needed === undefined || !isAbsent(thrown, needed)) throw thrown;
    throw missingProgram(
      `${name}: expected the package ${needed}, which encodes this audio format, but it is not installed; type: ${installLine(needed)}`,
      { cause: thrown },
    );
  }
}

/** MP3 by LAME in WebAssembly at a constant rate, one channel, the rate of the sound kept; decoded by mpg123. */
async function openMp3Codec(): Promise<SoundCodec<Mp3Settings>> {
  const { createMp3Encoder } = await import('wasm-media-encoders');
  const encoder = await createMp3Encoder();
  const version = packageVersion('wasm-media-encoders', 'which encodes audio');
  return mp3Codec({ library: 'wasm-media-encoders', version }, ({ samples, sampleRate }, kilobitsPerSecond) => {
    // Nothing is awaited between these lines: the encoder serves one sound after the other.
    encoder.configure({
      channels: 1,
      sampleRate,
      bitrate: kilobitsPerSecond as 8,
      outputSampleRate: sampleRate as 16000,
    });
    const parts = [encoder.encode([samples]).slice(), encoder.finalize().slice()];
    return Buffer.concat(parts);
  });
}

/** The same by the installed program. */
async function openLame(): Promise<SoundCodec<Mp3Settings>> {
  const lame = async (given: readonly string[], input: Uint8Array | null = null) => {
    const { end, output, errors } = await runProgram({
      program: 'lame',
      arguments: given,
      input,
      maxSeconds: 300,
      maxOutputBytes: 1e9,
    });
    if (end.how === 'exit' && end.code === 0) return output;
    const came = end.how === 'not started' ? 'it is not installed' : `it failed: ${lastWords(errors, 200)}`;
    throw missingProgram(
      `mp3: expected the program lame to encode, as "encoder" asks, but ${came}; install LAME (Debian: apt install lame), or leave "encoder" out`,
    );
  };
  const [version = ''] = (await lame(['--version'])).toString().split('\n', 1);
  return mp3Codec({ program: 'lame', version: printable(version, 200) }, (clip, kilobitsPerSecond) => {
    const rates = ['--cbr', '-b', `${kilobitsPerSecond}`, '--resample', `${clip.sampleRate / 1000}`];
    return lame(['--silent', '-m', 'm', ...rates, '-', '-'], encodeWav(clip, { format: 'f32' }));
  });
}

function mp3Codec(
  identity: JsonObject,
  encode: (clip: Clip, kilobitsPerSecond: number) => Uint8Array | Promise<Uint8Array>,
): SoundCodec<Mp3Settings> {
  return {
    identity: { ...identity, decoder: 'mpg123-decoder', decoderVersion: mp3.version },
    async code({ samples, sampleRate }, { kilobitsPerSecond }) {
      const withTail = fitLength(samples, samples.length + tailSamples);
      const bytes = await encode({ samples: withTail, sampleRate }, kilobitsPerSecond);
      // The decoder gives the one channel twice.
      const decoded = await mp3.decode(bytes, 'mp3', channelMixer(1, 'mp3'));
      const aligned = fitLength(decoded.samples.subarray(delaySamples), samples.length);
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
