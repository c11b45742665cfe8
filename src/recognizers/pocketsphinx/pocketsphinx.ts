import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from '../../audio/clip.ts';
import { toInt16 } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { badConfig, missingProgram } from '../../base/errors.ts';
import { notReady } from '../../packages/installed-package.ts';
import { RecognitionError, type Recognizer, type RecognizerKind, type RecognizerServices } from '../contract.ts';
import { type Feeding, streamingIdentity } from '../shared/model-options.ts';
import { recognizeStream } from '../shared/recognize-stream.ts';
import { abortable, clipOf, givenUp } from '../shared/requests.ts';
import { findLibraryFiles, type LibraryFiles, loadBinding, loadKoffi } from './binding.ts';
import { type Decoded, Decoder } from './decoder.ts';
import { debianModel, findModelFiles, installLine, type ModelFiles, modelIdentity } from './model-files.ts';
import { checkParameterNames, type PocketsphinxOptions, pocketsphinxOptions, settingsOf } from './parameters.ts';
import { dictionaryWords, fillerWords, grammarWords, wordsOf } from './pronunciations.ts';

/** Raised when this member feeds the library otherwise, so that answers change. */
const method = 2;

/**
 * CMU PocketSphinx in this machine's library (0.8 or 5prealpha), called directly. Its answers are those of
 * `pocketsphinx_continuous -infile` on the clip as a 16-bit WAV file, word for word.
 */
export const pocketsphinx: RecognizerKind<PocketsphinxOptions> = {
  name: 'pocketsphinx',
  about: 'CMU PocketSphinx through its shared library: small, offline, deterministic; word times and confidences',
  options: pocketsphinxOptions,
  isolation: 'process',

  async describe(options, services) {
    const library = await neededLibrary(services);
    const files = await findModelFiles(options, services);
    return {
      identity: {
        engine: 'pocketsphinx',
        method,
        library: {
          name: library.name,
          decoder: await services.fileHash(library.decoder),
          base: await services.fileHash(library.base),
        },
        model: await modelIdentity(files, services),
        settings: settingsOf(options),
        ...streamingIdentity(options),
      },
      input: 'sound',
      pinned: true,
      concurrency: 1,
      usesProcessor: true,
      facts: { architecture: 'hidden Markov models with Gaussian mixtures', wordTimes: true, confidences: true },
    };
  },

  async open(options, services) {
    const library = await neededLibrary(services);
    const files = await findModelFiles(options, services);
    const binding = await loadBinding(library);
    checkParameterNames(Object.keys(options.parameters), binding.parameterNames);
    const decoder = await Decoder.open(binding, parametersOf(options, files));
    if (options.sampleRate !== undefined && decoder.sampleRate !== options.sampleRate) {
      decoder.close();
      throw badConfig(
        `sampleRate: expected the rate of the acoustic model, which is ${decoder.sampleRate} Hz, but got ${options.sampleRate}; leave it out`,
      );
    }
    return listening(decoder, await fillersOf(files), options);
  },

  async readiness(services) {
    const library = await findLibraryFiles(services);
    try {
      await loadKoffi();
    } catch (error) {
      const { install, ...missing } = notReady(error);
      return { ...missing, install: library ? install! : `${install} && ${installLine}` };
    }
    if (!library) return { ready: false, found: 'libpocketsphinx.so.3 is missing', install: installLine };
    // A model of one's own does as well, so that the lack of Debian's is told but stops nobody.
    const model = await stat(debianModel.languageModel).catch(() => null);
    return model
      ? { ready: true, found: `${library.name}, Debian's US English model` }
      : { ready: true, found: `${library.name}, but no model: name one in the options`, install: installLine };
  },

  async vocabulary(options, services) {
    const files = await findModelFiles(options, services);
    const known = dictionaryWords(await readFile(files.dictionary, 'utf8'));
    if (files.grammar === null) return known;
    const possible = grammarWords(await readFile(files.grammar, 'utf8'));
    return new Set([...possible].filter((word) => known.has(word)));
  },
};

async function neededLibrary(services: RecognizerServices): Promise<LibraryFiles> {
  const library = await findLibraryFiles(services);
  if (library) return library;
  throw missingProgram(
    `the libraries libpocketsphinx.so.3 and libsphinxbase.so.3 are not installed; install them with: ${installLine}; or name their folder in LD_LIBRARY_PATH`,
  );
}

function parametersOf(options: PocketsphinxOptions, files: ModelFiles): Record<string, string> {
  return {
    '-hmm': files.acousticModel,
    ...(files.languageModel === null ? {} : { '-lm': files.languageModel }),
    '-dict': files.dictionary,
    ...(files.grammar === null ? {} : { '-jsgf': files.grammar }),
    ...files.others,
    ...settingsOf(options),
  };
}

async function fillersOf(files: ModelFiles): Promise<ReadonlySet<string>> {
  const path = files.others['-fdict'] ?? join(files.acousticModel, 'noisedict');
  return fillerWords(await readFile(path, 'utf8').catch(() => ''));
}

function listening(decoder: Decoder, fillers: ReadonlySet<string>, feeding: Feeding): Recognizer {
  // The library hears one clip at a time; a call that was given up may still be ending when the next one comes.
  let turn: Promise<unknown> = Promise.resolve();
  const transcriptOf = ({ texts, segments }: Decoded) => {
    const words = wordsOf(segments, fillers, decoder.frameRate);
    return { text: texts.join(' '), ...(words.length > 0 ? { words } : {}) };
  };

  async function* stream(
    chunks: AsyncIterable<Clip>,
    signal: AbortSignal,
  ): ReturnType<NonNullable<Recognizer['stream']>> {
    const before = turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    turn = promise;
    const partials = decoder.hear(blocksOf(chunks, decoder.sampleRate), 'partials', signal);
    try {
      await before;
      for (let heard = await partials.next(); ; heard = await partials.next()) {
        if (heard.done) return yield { ...transcriptOf(heard.value), final: true };
        yield { text: heard.value, final: false };
      }
    } catch (error) {
      throw signal.aborted ? givenUp(signal) : error;
    } finally {
      // A hearer who has had enough leaves the library in the middle of an utterance.
      await partials.return({ texts: [], segments: [] });
      resolve();
    }
  }

  return {
    async recognize(request, signal) {
      const clip = clipOf(request);
      if (feeding.mode === 'streaming') {
        return recognizeStream(stream, resample(clip, decoder.sampleRate), feeding, signal);
      }
      const decoded = turn.then(() => decoder.decode(toSamples(resample(clip, decoder.sampleRate)), signal));
      turn = decoded.catch(() => {});
      return transcriptOf(await abortable(decoded, signal));
    },
    stream,
    streamSampleRate: decoder.sampleRate,
    async close() {
      await turn;
      decoder.close();
    },
  };
}

async function* blocksOf(chunks: AsyncIterable<Clip>, sampleRate: number): AsyncGenerator<Int16Array> {
  for await (const chunk of chunks) {
    if (chunk.sampleRate !== sampleRate) {
      throw new RecognitionError('sound', `expected chunks at ${sampleRate} Hz, got one at ${chunk.sampleRate} Hz`);
    }
    yield toSamples(chunk);
  }
}

function toSamples({ samples }: Clip): Int16Array {
  const integers = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index++) integers[index] = toInt16(samples[index]!);
  return integers;
}
