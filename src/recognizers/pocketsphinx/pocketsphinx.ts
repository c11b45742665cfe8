import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clip } from '../../audio/clip.ts';
import { toInt16 } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { Recognizer, RecognizerKind, RecognizerServices } from '../contract.ts';
import { abortable } from '../shared/abortable.ts';
import { clipOf } from '../shared/request-clip.ts';
import { loadBinding, loadKoffi } from './binding.ts';
import { Decoder } from './decoder.ts';
import { dictionaryWords, grammarWords } from './dictionary-words.ts';
import { findLibraryFiles, type LibraryFiles } from './library-files.ts';
import { debianModel, findModelFiles, installLine, type ModelFiles, modelIdentity } from './model-files.ts';
import { type PocketsphinxOptions, pocketsphinxOptions } from './options.ts';
import { checkParameterNames, settingsOf } from './parameters.ts';
import { fillerWords, wordsOf } from './segments.ts';

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
    const library = await neededLibrary(options, services);
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
      },
      input: 'sound',
      pinned: true,
      concurrency: 1,
      usesProcessor: true,
      facts: { architecture: 'hidden Markov models with Gaussian mixtures', wordTimes: true, confidences: true },
    };
  },

  async open(options, services) {
    const library = await neededLibrary(options, services);
    const files = await findModelFiles(options, services);
    const binding = await loadBinding(library);
    checkParameterNames(Object.keys(options.parameters), binding.parameterNames);
    const decoder = await Decoder.open(binding, parametersOf(options, files));
    if (options.sampleRate !== undefined && decoder.sampleRate !== options.sampleRate) {
      decoder.close();
      throw new EarwitnessError(
        'bad-config',
        `sampleRate: expected the rate of the acoustic model, which is ${decoder.sampleRate} Hz, but got ${options.sampleRate}; leave it out`,
      );
    }
    return listening(decoder, await fillersOf(files));
  },

  async readiness(services) {
    try {
      await loadKoffi();
    } catch (error) {
      return { ready: false, found: messageOf(error), install: `npm install koffi && ${installLine}` };
    }
    const library = await findLibraryFiles(services, undefined);
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

async function neededLibrary(options: PocketsphinxOptions, services: RecognizerServices): Promise<LibraryFiles> {
  const library = await findLibraryFiles(services, options.libraryFolder);
  if (library) return library;
  throw new EarwitnessError(
    'missing-program',
    `the libraries libpocketsphinx.so.3 and libsphinxbase.so.3 are not ${options.libraryFolder === undefined ? 'installed' : 'in libraryFolder'}; install them with: ${installLine}`,
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

function listening(decoder: Decoder, fillers: ReadonlySet<string>): Recognizer {
  // The library hears one clip at a time; a call that was given up may still be ending when the next one comes.
  let turn: Promise<unknown> = Promise.resolve();
  return {
    async recognize(request, signal) {
      const clip = clipOf(request);
      const decoded = turn.then(() => decoder.decode(toSamples(clip, decoder.sampleRate), signal));
      turn = decoded.catch(() => {});
      const { texts, segments } = await abortable(decoded, signal);
      const words = wordsOf(segments, fillers, decoder.frameRate);
      return { text: texts.join(' '), ...(words.length > 0 ? { words } : {}) };
    },
    async close() {
      await turn;
      decoder.close();
    },
  };
}

function toSamples(clip: Clip, sampleRate: number): Int16Array {
  const { samples } = resample(clip, sampleRate);
  const integers = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index++) integers[index] = toInt16(samples[index]!);
  return integers;
}
