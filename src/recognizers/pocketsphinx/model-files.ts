import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { badConfig, missingProgram } from '../../base/errors.ts';
import { existingFile, existingFolder } from '../../packages/model-files.ts';
import type { RecognizerServices } from '../contract.ts';
import { fileParameters, otherSearches, type PocketsphinxOptions } from './parameters.ts';
import { dictionaryWords } from './pronunciations.ts';

/** Everything the decoder reads, as absolute paths. */
export interface ModelFiles {
  readonly acousticModel: string;
  /** Null where a grammar or another search stands in its place. */
  readonly languageModel: string | null;
  readonly dictionary: string;
  readonly grammar: string | null;
  /** Files of further parameters, by parameter. */
  readonly others: Readonly<Record<string, string>>;
}

/** Where Debian's package pocketsphinx-en-us puts its model. */
const debianFolder = '/usr/share/pocketsphinx/model/en-us';
export const debianModel = {
  acousticModel: join(debianFolder, 'en-us'),
  languageModel: join(debianFolder, 'en-us.lm.bin'),
  dictionary: join(debianFolder, 'cmudict-en-us.dict'),
} as const;

export const installLine = 'sudo apt-get install libpocketsphinx3 pocketsphinx-en-us';

/** Files of an acoustic model's folder that the library reads; all but the first four only where they are there. */
const acousticFiles = [
  'mdef',
  'means',
  'variances',
  'transition_matrices',
  'mixture_weights',
  'sendump',
  'noisedict',
  'feature_transform',
  'feat.params',
  'senmgau',
];
const neededAcousticFiles = 4;

/**
 * @throws EarwitnessError `bad-config` for a named file that is not there or options that exclude each other,
 * `missing-program` where Debian's model is meant and not installed
 */
export async function findModelFiles(options: PocketsphinxOptions, services: RecognizerServices): Promise<ModelFiles> {
  const { grammar, languageModel, parameters } = options;
  const others: Record<string, string> = {};
  for (const name of fileParameters) {
    const path = parameters[name];
    if (path !== undefined) others[name] = await existingFile(services, `parameters: ${name}`, String(path));
  }
  const searches = [
    ...(grammar === undefined ? [] : ['grammar']),
    ...(languageModel === undefined ? [] : ['languageModel']),
    ...otherSearches.filter((name) => parameters[name] !== undefined),
  ];
  if (searches.length > 1) {
    throw badConfig(`expected one of ${searches.join(' and ')}, but both are set; leave one out`);
  }
  const named = async (option: 'languageModel' | 'dictionary') =>
    options[option] === undefined ? debian(debianModel[option]) : await existingFile(services, option, options[option]);
  const acousticModel =
    options.acousticModel === undefined
      ? await debian(debianModel.acousticModel)
      : await existingFolder(services, 'acousticModel', options.acousticModel);
  for (const file of acousticFiles.slice(0, neededAcousticFiles)) {
    if (!(await isThere(join(acousticModel, file)))) {
      throw badConfig(
        `acousticModel: expected a folder with ${acousticFiles.slice(0, neededAcousticFiles).join(', ')}, but ${file} is missing; name the folder that holds them`,
      );
    }
  }
  return {
    acousticModel,
    languageModel: searches.length === 1 && languageModel === undefined ? null : await named('languageModel'),
    dictionary: await readableDictionary(await named('dictionary'), options.dictionary),
    grammar: grammar === undefined ? null : await wholeGrammar(await existingFile(services, 'grammar', grammar)),
    others,
  };
}

/** Hashes of the content of each file, by what it is. */
export async function modelIdentity(files: ModelFiles, services: RecognizerServices) {
  const acousticModel: Record<string, string> = {};
  for (const file of acousticFiles) {
    const path = join(files.acousticModel, file);
    if (await isThere(path)) acousticModel[file] = await services.fileHash(path);
  }
  const others: Record<string, string> = {};
  for (const [name, path] of Object.entries(files.others)) others[name] = await services.fileHash(path);
  return {
    acousticModel,
    languageModel: files.languageModel === null ? null : await services.fileHash(files.languageModel),
    dictionary: await services.fileHash(files.dictionary),
    grammar: files.grammar === null ? null : await services.fileHash(files.grammar),
    others,
  };
}

async function debian(path: string): Promise<string> {
  if (await isThere(path)) return path;
  throw missingProgram(
    `Debian's US English model for PocketSphinx is not installed; install it with: ${installLine}, or name a model in the options`,
  );
}

/** @throws EarwitnessError `bad-config`: from what is no dictionary the library reads no word, and says nothing */
async function readableDictionary(path: string, named: string | undefined): Promise<string> {
  if (named === undefined) return path;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    if (!head.includes('\0') && dictionaryWords(head).size > 0) return path;
  } finally {
    await file.close();
  }
  throw badConfig(
    `dictionary: expected lines with a word and its phones in ${named}, but there are none; name a pronouncing dictionary`,
  );
}

/** @throws EarwitnessError `bad-config`: what a grammar imports would not be part of the identity */
async function wholeGrammar(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const line = lines.findIndex((text) => /^\s*import\s*</.test(text));
  if (line === -1) return path;
  throw badConfig(
    `grammar: line ${line + 1} imports another grammar, which would not be part of the recognizer's identity; put its rules into this file`,
  );
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
