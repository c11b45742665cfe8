import { toInt16 } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { notReady } from '../../packages/installed-package.ts';
import { RecognitionError, type Recognizer, type RecognizerKind } from '../contract.ts';
import { abortable, givenUp } from '../shared/abortable.ts';
import { existingFile } from '../shared/existing-file.ts';
import { clipOf } from '../shared/request-clip.ts';
import { createTurns } from '../shared/turns.ts';
import { whisperParameters } from '../shared/whisper-parameters.ts';
import { type GgmlModel, readGgmlModel } from './ggml-file.ts';
import { type WhisperCppOptions, whisperCppOptions } from './options.ts';
import { loadPackage, packageVersions, usesVectorInstructions, type WhisperContext } from './package.ts';
import { wordsOfTokens } from './token-words.ts';

/** Raised when this member feeds the library otherwise, so that answers change. */
const method = 1;
const sampleRate = 16_000;
/** In less than .1 s, counted in its own frames, whisper.cpp hears nothing; shorter sound is filled up with silence. */
const shortestSamples = sampleRate / 5;

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

  async readiness() {
    try {
      const versions = packageVersions();
      await loadPackage();
      const found = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
      const slow =
        (await usesVectorInstructions()) === false
          ? '; its binary uses no vector instructions and may be slower than the sound is long'
          : '';
      return { ready: true, found: `${found.join(', ')}${slow}; models are named in the options` };
    } catch (error) {
      return notReady(error);
    }
  },
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
  const integers = new Int16Array(Math.max(samples.length, shortestSamples));
  for (let index = 0; index < samples.length; index++) integers[index] = toInt16(samples[index]!);
  return integers.buffer;
}
