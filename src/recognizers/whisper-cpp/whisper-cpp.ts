import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { toInt16 } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { messageOf, missingProgram } from '../../base/errors.ts';
import { between, flag, nonEmpty, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import type { Word } from '../../model/observation.ts';
import { installLine, packageVersion, readinessOf } from '../../packages/installed-package.ts';
import { existingFile, unusable } from '../../packages/model-files.ts';
import { RecognitionError, type Recognizer, type RecognizerKind } from '../contract.ts';
import {
  spokenLanguageOption,
  threadsOption,
  type WhisperSizes,
  whisperParameters,
  whisperTask,
} from '../shared/model-options.ts';
import { abortable, clipOf, createTurns, givenUp } from '../shared/requests.ts';

const name = '@fugood/whisper.node';
const purpose = 'which the recognizer whisper-cpp needs';
const binary = `@fugood/node-whisper-${process.platform}-${process.arch}`;

const magic = 0x67_67_6d_6c;
const headNumbers = 11;
/** Words of the vocabularies of multilingual models; English-only ones have 51864. */
const minMultilingual = 51_865;

const unitSeconds = 0.001;
/** whisper.cpp counts in hundredths of a second. */
const minSeconds = 0.01;

const whisperCppOptions = z.strictObject({
  model: nonEmpty().describe('A ggml file of whisper.cpp, like ggml-base.en.bin'),
  threads: threadsOption,
  gpu: flag(false).describe('Whether a graphics card computes, where the package installed can'),
  language: spokenLanguageOption,
  task: whisperTask.default('transcribe').describe('What the model does; "translate" writes English'),
  beamSize: whole(1, 8).default(1).describe('Paths that are searched; 1 takes the likeliest token each time'),
  temperature: between(0, 1).default(0).describe('0 takes the likeliest tokens; above, they are drawn'),
  temperatureStep: between(0, 1)
    .default(0)
    .describe('Added to the temperature when the model does not trust its own answer; 0 takes the first answer'),
  prompt: z.string().max(2000).optional().describe('Text that the model takes for what was said before'),
  wordTimes: flag(false).describe('Whether words get times, from the times of their tokens'),
});

/** Raised when this member feeds the library otherwise, so that answers change. */
const method = 1;
const sampleRate = 16_000;
/** In less than .1 s, counted in its own frames, whisper.cpp hears nothing; shorter sound is filled up with silence. */
const minSamples = sampleRate / 5;

/** Whisper through whisper.cpp, from a ggml file. */
export const whisperCpp: RecognizerKind<WhisperCppOptions> = {
  name: 'whisper-cpp',
  about: 'Whisper through whisper.cpp, from a ggml file; the package @fugood/whisper.node is yours to install',
  options: whisperCppOptions,
  isolation: 'process',

  async describe(options, services) {
    const packages = packageVersions();
    const path = await existingFile(services, 'model', options.model);
    const { sizes, multilingual, weightType, bytes } = await readGgmlModel(path);
    const { gpu, language, task, beamSize, temperature, temperatureStep, prompt, wordTimes } = options;
    return {
      identity: {
        engine: 'whisper-cpp',
        method,
        packages,
        model: await services.fileHash(path),
        settings: {
          gpu,
          language: language ?? null,
          task,
          beamSize,
          temperature,
          temperatureStep,
          prompt: prompt ?? null,
          wordTimes,
        },
      },
      input: 'sound',
      pinned: true,
      concurrency: 1,
      usesProcessor: !gpu,
      facts: {
        architecture: 'encoder-decoder Transformer',
        modelType: 'whisper',
        parameters: whisperParameters(sizes),
        modelBytes: bytes,
        weightType,
        multilingual,
        wordTimes,
        vectorInstructions: await usesVectorInstructions(),
      },
    };
  },

  async open(options, services) {
    const { initWhisper } = await loadPackage();
    const path = await existingFile(services, 'model', options.model);
    const model = await readGgmlModel(path);
    return listening(await initWhisper({ filePath: path, useGpu: options.gpu }), model, options);
  },

  readiness: () =>
    readinessOf(async () => {
      const versions = packageVersions();
      await loadPackage();
      const found = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
      const slow =
        (await usesVectorInstructions()) === false
          ? '; its binary uses no vector instructions and may be slower than the sound is long'
          : '';
      return `${found.join(', ')}${slow}; models are named in the options`;
    }),
};

function listening(context: WhisperContext, model: GgmlModel, options: WhisperCppOptions): Recognizer {
  const turns = createTurns();
  return {
    async recognize(request, signal) {
      const { samples } = resample(clipOf(request), sampleRate);
      const language = languageOf(options.language ?? request.language, model);
      const hear = async () => {
        if (signal.aborted) throw givenUp(signal);
        if (samples.length === 0) return { result: '', segments: [] };
        // Its `stop` ends no computation, and may leave the promise open for ever: a call that is given up is heard to its end.
        return context.transcribeData(toPcm(samples), settingsOf(options, language)).promise;
      };
      const { result, segments } = await abortable(turns.take(hear), signal);
      const words = options.wordTimes ? wordsOfTokens(segments) : [];
      return { text: result.trim(), ...(words.length > 0 ? { words } : {}) };
    },
    async close() {
      await turns.idle();
      await context.release();
    },
  };
}

/** @throws RecognitionError `refused`: English-only models know no other language */
function languageOf(tag: string, { multilingual }: GgmlModel): string {
  const primary = tag.toLowerCase().split('-', 1)[0]!;
  if (multilingual || primary === 'en') return primary;
  throw new RecognitionError(
    'refused',
    `the utterance is in ${JSON.stringify(tag.slice(0, 40))}, but the model knows English alone`,
  );
}

function settingsOf(options: WhisperCppOptions, language: string): object {
  const { threads, task, beamSize, temperature, temperatureStep, prompt, wordTimes } = options;
  return {
    language,
    translate: task === 'translate',
    maxThreads: threads,
    // One recognition depends on its clip alone, not on texts of the last one.
    maxContext: prompt === undefined ? 0 : -1,
    temperature,
    temperatureInc: temperatureStep,
    ...(beamSize > 1 ? { beamSize } : { bestOf: 1 }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(wordTimes ? { tokenTimestamps: true, maxLen: 1 } : {}),
  };
}

function toPcm(samples: Float32Array): ArrayBuffer {
  const integers = new Int16Array(Math.max(samples.length, minSamples));
  for (let index = 0; index < samples.length; index++) integers[index] = toInt16(samples[index]!);
  return integers.buffer;
}

type WhisperCppOptions = z.output<typeof whisperCppOptions>;

/**
 * Words of segments that hold a token each: one that begins with a blank begins a word. Times of tokens are guesses of
 * whisper.cpp from probabilities of its time tokens; a word lasts at least a hundredth of a second, and none begins before the last.
 */
export function wordsOfTokens(segments: WhisperResult['segments']): Word[] {
  const words: { text: string; startSeconds: number; endSeconds: number }[] = [];
  let earliest = 0;
  for (const { text, t0, t1 } of segments) {
    const letters = text.trim();
    if (letters === '') continue;
    const last = words.at(-1);
    if (last !== undefined && !/^\s/.test(text)) {
      last.text += letters;
      last.endSeconds = Math.max(last.endSeconds, t1 * unitSeconds);
      continue;
    }
    const startSeconds = Math.max(earliest, t0 * unitSeconds);
    words.push({ text: letters, startSeconds, endSeconds: Math.max(t1 * unitSeconds, startSeconds + minSeconds) });
    earliest = startSeconds;
  }
  return words;
}

/** What the head of a model says of it. */
interface GgmlModel {
  readonly sizes: WhisperSizes;
  /** Whether it can be told a language: English-only models have one token fewer for each. */
  readonly multilingual: boolean;
  /** `ftype`: how weights are written (0 fp32, 1 fp16, others quantized). */
  readonly weightType: number;
  readonly bytes: number;
}

/**
 * Reads the head of whisper.cpp's own format (whisper.cpp, `whisper_model_load`: magic, then eleven 32-bit numbers).
 *
 * @throws EarwitnessError `bad-config`: it is something else
 */
export async function readGgmlModel(path: string): Promise<GgmlModel> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4 * (1 + headNumbers)), 0, 4 * (1 + headNumbers), 0);
    if (bytesRead < buffer.length || buffer.readUInt32LE(0) !== magic) {
      throw unusable(
        `expected a ggml file of whisper.cpp, but ${printable(basename(path), 80)} is none; convert the model with whisper.cpp's own script`,
      );
    }
    const number = (place: number) => buffer.readInt32LE(4 * (1 + place));
    const width = number(2);
    return {
      sizes: {
        vocabulary: number(0),
        audioPositions: number(1),
        width,
        encoderLayers: number(4),
        encoderInner: 4 * width,
        textPositions: number(5),
        decoderLayers: number(8),
        decoderInner: 4 * number(6),
        melBands: number(9),
      },
      multilingual: number(0) >= minMultilingual,
      weightType: number(10),
      bytes: size,
    };
  } finally {
    await file.close();
  }
}

/** What is used of the package; its declarations do not resolve from an ES module. */
interface WhisperPackage {
  initWhisper(options: { filePath: string; useGpu: boolean }): Promise<WhisperContext>;
  toggleNativeLog(enable: boolean): Promise<void>;
}

interface WhisperContext {
  /** @param sound 16-bit samples at 16 kHz */
  transcribeData(sound: ArrayBuffer, options: object): { readonly promise: Promise<WhisperResult> };
  release(): Promise<void>;
}

interface WhisperResult {
  readonly result: string;
  readonly isAborted: boolean;
  /** Times in milliseconds. */
  readonly segments: readonly { readonly text: string; readonly t0: number; readonly t1: number }[];
}

/**
 * Versions of the package and of its binary for this machine; nothing is loaded.
 *
 * @throws EarwitnessError `missing-program` where one is not installed
 */
function packageVersions(): { readonly [packageName: string]: string } {
  return Object.fromEntries([name, binary].map((each) => [each, packageVersion(each, purpose, installLine(name))]));
}

/** @throws EarwitnessError `missing-program`: it is not installed, or its binary does not load */
async function loadPackage(): Promise<WhisperPackage> {
  packageVersions();
  try {
    const specifier: string = name;
    const loaded = (await import(specifier)) as WhisperPackage & { default?: WhisperPackage };
    const found = typeof loaded.initWhisper === 'function' ? loaded : loaded.default!;
    // Its log goes to nobody while it is on, and to the terminal while it is off.
    await found.toggleNativeLog(true);
    return found;
  } catch (cause) {
    throw missingProgram(
      `the package ${name} does not load on ${process.platform} ${process.arch} (${printable(messageOf(cause).split('\n')[0]!)}); type: ${installLine(name)}`,
      { cause },
    );
  }
}

/**
 * Whether the binary computes with the vector instructions of its processor: one that does not is about ten times slower.
 *
 * @returns null where that cannot be told: other processors than x64, or no koffi to ask it with
 */
async function usesVectorInstructions(): Promise<boolean | null> {
  if (process.arch !== 'x64' || process.platform === 'win32') return null;
  try {
    const { fileURLToPath } = await import('node:url');
    const { default: koffi } = await import('koffi');
    const library = koffi.load(fileURLToPath(new URL('./index.node', import.meta.resolve(binary))), { lazy: true });
    return library.func('int ggml_cpu_has_avx2()')() !== 0;
  } catch {
    return null;
  }
}
