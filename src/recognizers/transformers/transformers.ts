import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import { badInput, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { WaveformGradient } from '../../gradients/contract.ts';
import { openWaveformGradient } from '../../gradients/open-gradient.ts';
import type { LossGradient } from '../../model/attack.ts';
import type { Transcript, Word } from '../../model/observation.ts';
import { readinessOf } from '../../packages/installed-package.ts';
import { unusable } from '../../packages/model-files.ts';
import { RecognitionError, type Recognizer, type RecognizerKind } from '../contract.ts';
import { quietPieces } from '../shared/quiet-pieces.ts';
import { laterBy } from '../shared/recognize-stream.ts';
import { abortable, clipOf, createTurns, givenUp } from '../shared/requests.ts';
import { type Hearing, libraryVersions, loadLibrary, loadModel } from './load-model.ts';
import { findModelFiles, type ModelFiles } from './model-files.ts';
import { openCtc } from './open-ctc.ts';
import { openWriter } from './open-writer.ts';
import { type TransformersOptions, transformersOptions, whisperLanguage, whisperLanguages } from './options.ts';

/** Raised when this member feeds the library otherwise, so that answers change. */
const method = 1;

/** Seconds that Whisper's encoder takes, and what others hear at once without slowing down by the square of it. */
const standardChunkSeconds = 30;

/**
 * Neural models in ONNX through transformers.js, on onnxruntime-node: Whisper, Moonshine, and models with connectionist
 * temporal classification (wav2vec 2.0, HuBERT, WavLM, Parakeet). A model is known by the content of its files.
 */
export const transformers: RecognizerKind<TransformersOptions> = {
  name: 'transformers',
  about: 'Whisper, Moonshine, wav2vec 2.0 and other neural models in ONNX, from a folder or the Hugging Face hub',
  options: transformersOptions,
  isolation: 'process',

  async describe(options, services) {
    const libraries = libraryVersions();
    const files = await findModelFiles(options, services);
    const wordTimes = givesWordTimes(files, options);
    const { language, task, device, maxNewTokens, temperature } = options;
    return {
      identity: {
        engine: 'transformers',
        method,
        libraries,
        processor: process.arch,
        model: files.hashes,
        settings: {
          device,
          language: language ?? null,
          task: task ?? null,
          wordTimes,
          chunkSeconds: chunkSecondsOf(files, options),
          maxNewTokens: maxNewTokens ?? null,
          temperature,
        },
      },
      input: 'sound',
      pinned: true,
      concurrency: 1,
      usesProcessor: device === 'cpu',
      facts: modelFacts(files, wordTimes),
    };
  },

  async open(options, services) {
    const library = await loadLibrary();
    const files = await findModelFiles(options, services);
    const wordTimes = givesWordTimes(files, options);
    const chunkSeconds = chunkSecondsOf(files, options);
    const loaded = await loadModel(library, files, options);
    try {
      const hearing =
        files.family === 'ctc'
          ? openCtc(loaded, files, wordTimes)
          : openWriter(loaded, files, { ...options, wordTimes });
      return listening(hearing, chunkSeconds);
    } catch (error) {
      await loaded.model.dispose();
      throw error;
    }
  },

  async gradient(options, services) {
    return lossGradient(await findModelFiles(options, services), options);
  },

  readiness: () =>
    readinessOf(async () => {
      const versions = libraryVersions();
      await loadLibrary();
      const found = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
      return `${found.join(', ')}; models are named in the options`;
    }),
};

/** @throws EarwitnessError `bad-config` where times are asked for and the model cannot give them */
function givesWordTimes(files: ModelFiles, { wordTimes }: TransformersOptions): boolean {
  if (wordTimes === undefined) return files.family === 'ctc';
  if (!wordTimes || files.family === 'ctc') return wordTimes;
  const reason =
    files.family === 'sequence'
      ? `models of type ${files.modelType} have none`
      : !files.graphs.decoder_model_merged?.graph.outputs.some((name) => name.startsWith('cross_attentions'))
        ? 'this one was exported without cross-attentions'
        : !Array.isArray(files.generation.alignment_heads)
          ? 'its generation_config.json has no alignment_heads'
          : null;
  if (reason === null) return true;
  throw unusable(
    `expected a model that gives times of words, but ${reason}; take an export with them (Whisper's are called "_timestamped" on the hub), or leave wordTimes out`,
    undefined,
    'wordTimes',
  );
}

/** @throws EarwitnessError `bad-config`: Whisper hears 30 s at once and would not hear the rest */
function chunkSecondsOf(files: ModelFiles, { chunkSeconds }: TransformersOptions): number {
  const longest = files.family === 'whisper' ? Number(files.preprocessor.chunk_length ?? standardChunkSeconds) : 600;
  if (chunkSeconds !== undefined && chunkSeconds > longest) {
    throw unusable(
      `expected at most ${longest}, which the model takes at once, but got ${chunkSeconds}; leave it out`,
      undefined,
      'chunkSeconds',
    );
  }
  return chunkSeconds ?? Math.min(longest, standardChunkSeconds);
}

function listening(hearing: Hearing, chunkSeconds: number): Recognizer {
  const turns = createTurns();
  const hear = async (clip: Clip, language: string, repeat: number, signal: AbortSignal): Promise<Transcript> => {
    const { samples } = resample(clip, hearing.sampleRate);
    const texts: string[] = [];
    const words: Word[] = [];
    for (const piece of quietPieces(samples, hearing.sampleRate, chunkSeconds)) {
      // The models answer without leaving the thread: whoever gives up must be heard between two pieces.
      await setImmediate();
      if (signal.aborted) throw givenUp(signal);
      // There is nothing to hear, and models that must write something invent it.
      if (piece.samples.length === 0) continue;
      const seed = seedOf(piece.samples, repeat);
      const heard = await hearing.hear({ samples: piece.samples, language, seed, signal });
      if (heard.text !== '') texts.push(heard.text);
      words.push(...laterBy(piece.startSeconds, heard.words ?? []));
    }
    return { text: texts.join(' '), ...(words.length > 0 ? { words } : {}) };
  };
  return {
    async recognize(request, signal) {
      const clip = clipOf(request);
      const heard = turns.take(async () => {
        if (signal.aborted) throw givenUp(signal);
        return hear(clip, request.language, request.repeat, signal);
      });
      return abortable(heard.catch(asFailure), signal);
    },
    async close() {
      await turns.idle();
      await hearing.close();
    },
  };
}

/** What the runtime throws may hold a page of shapes. */
function asFailure(error: unknown): never {
  if (error instanceof RecognitionError) throw error;
  throw new RecognitionError('error', printable(messageOf(error), 300), { cause: error });
}

/** From the sound and the repeat alone, so that order and workers change no draw. */
function seedOf(samples: Float32Array, repeat: number): number {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return Number.parseInt(sha256(`${sha256(bytes)} ${repeat}`).slice(0, 8), 16);
}

const architectures: Readonly<Record<ModelFiles['family'], string>> = {
  whisper: 'encoder-decoder Transformer',
  sequence: 'encoder-decoder Transformer',
  ctc: 'encoder with connectionist temporal classification',
};

/** What the files say of a model, for analyses by size and kind; what else is known of it stands in the config's `facts`. */
function modelFacts(files: ModelFiles, wordTimes: boolean): JsonObject {
  const { family, modelType, config, generation, weights, graphs } = files;
  const all = Object.values(graphs);
  const stored = all.reduce((sum, { graph }) => sum + graph.parameters, 0);
  return {
    architecture: architectures[family],
    modelType,
    parameters: (family === 'whisper' ? whisperParameters(config) : null) ?? stored,
    modelBytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    weights: Object.fromEntries(Object.entries(weights).map(([graph, { kind }]) => [graph, kind])),
    ...(family === 'whisper' ? { languages: whisperLanguages(generation) ?? ['en'] } : {}),
    wordTimes,
    confidences: family === 'ctc' && wordTimes,
  };
}

/**
 * Parameters of a Whisper model by the sizes in its config.json (A. Radford et al., "Robust Speech Recognition via Large-Scale Weak
 * Supervision", 2022, section 2.2, and OpenAI's model.py: key projections have no bias, the token embedding is the output layer too).
 * Files hold copies of some, so that counting what is stored would say more.
 *
 * @returns null where a size is not a number
 */
function whisperParameters(config: JsonObject): number | null {
  const size = (name: string) => (typeof config[name] === 'number' ? config[name] : Number.NaN);
  const width = size('d_model');
  const norm = 2 * width;
  const attention = 4 * width ** 2 + 3 * width;
  const feedForward = (inner: number) => 2 * width * inner + inner + width;
  const convolution = (channels: number) => 3 * channels * width + width;
  const encoderLayer = attention + feedForward(size('encoder_ffn_dim')) + 2 * norm;
  const decoderLayer = 2 * attention + feedForward(size('decoder_ffn_dim')) + 3 * norm;
  const positions = size('max_source_positions') * width;
  const encoder = convolution(size('num_mel_bins')) + convolution(width) + positions + norm;
  const decoder = (size('vocab_size') + size('max_target_positions')) * width + norm;
  const all = encoder + size('encoder_layers') * encoderLayer + decoder + size('decoder_layers') * decoderLayer;
  return Number.isSafeInteger(all) ? all : null;
}

/**
 * The gradient of a model's loss, for sounds that are made against it. Whisper is told a language with its text: a model is open for the
 * language that was asked about last.
 *
 * @throws EarwitnessError `bad-config` for models of other kinds; with the first loss, as `openWaveformGradient`
 */
function lossGradient(
  { folder, weights, family, modelType, generation, preprocessor }: ModelFiles,
  { language: wanted, threads }: Pick<TransformersOptions, 'language' | 'threads'>,
): LossGradient {
  if (family === 'sequence') {
    throw unusable(
      `expected Whisper or a model with connectionist temporal classification, whose loss has a gradient here, but got one of type ${modelType}; take another model`,
    );
  }
  const known = family === 'whisper' ? (whisperLanguages(generation) ?? ['en']) : null;
  const files = Object.fromEntries(Object.entries(weights).map(([graph, { file }]) => [graph, file]));
  let open: { readonly language: string; readonly opening: Promise<WaveformGradient> } | null = null;
  const close = async () => {
    const before = open;
    open = null;
    await before?.opening.then((gradient) => gradient.dispose()).catch(() => {});
  };
  const gradientFor = async (spoken: string): Promise<WaveformGradient> => {
    const tag = wanted ?? spoken;
    const language = known === null ? 'en' : whisperLanguage(tag, known);
    if (language === null) {
      throw badInput(
        `expected a language that the model knows, but got ${JSON.stringify(tag.slice(0, 40))}; leave such utterances out`,
      );
    }
    if (open?.language !== language) {
      await close();
      open = { language, opening: openWaveformGradient({ folder, files, language, threads }) };
    }
    return open.opening;
  };
  return {
    sampleRate: Number(preprocessor.sampling_rate ?? 16_000),
    loss: async (samples, text, language) => (await gradientFor(language)).lossAndGradient(samples, text),
    async agreement(samples, text, language) {
      const found = await (await gradientFor(language)).agreement(samples, text);
      return found === null ? null : { positions: found.positions, sameTokens: found.sameTokens };
    },
    memoryBytes: async (durationSeconds) =>
      (await (open?.opening ?? gradientFor(wanted ?? known?.[0] ?? 'en'))).memoryBytes(durationSeconds),
    close,
  };
}
