import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { RecognizerServices } from '../contract.ts';
import { existingFolder } from '../shared/existing-file.ts';
import { unusable } from '../shared/model-unusable.ts';
import { type OnnxFile, openOnnxFile } from '../shared/onnx-files.ts';
import { hubModel } from './hub-model.ts';
import { type ChosenWeights, chooseWeights, settingsFiles } from './model-layout.ts';
import { hubId, type TransformersOptions } from './options.ts';

const neededFiles: readonly string[] = ['config.json', 'preprocessor_config.json', 'tokenizer.json'];

/** How a model writes: one token after the other, or a token for each frame. */
export type Family = 'whisper' | 'sequence' | 'ctc';

/** `model_type` of config.json for which the library has a class that transcribes. */
const families: ReadonlyMap<string, Family> = new Map([
  ['whisper', 'whisper'],
  ['lite-whisper', 'whisper'],
  ['moonshine', 'sequence'],
  ['cohere_asr', 'sequence'],
  ['wav2vec2', 'ctc'],
  ['wav2vec2-bert', 'ctc'],
  ['hubert', 'ctc'],
  ['wavlm', 'ctc'],
  ['unispeech', 'ctc'],
  ['unispeech-sat', 'ctc'],
  ['parakeet_ctc', 'ctc'],
] as const);

/** A model's folder, read. */
export interface ModelFiles {
  /** Absolute. */
  readonly folder: string;
  readonly family: Family;
  /** `model_type` of config.json. */
  readonly modelType: string;
  readonly config: JsonObject;
  /** Empty where there is no generation_config.json. */
  readonly generation: JsonObject;
  readonly preprocessor: JsonObject;
  readonly weights: ChosenWeights;
  readonly graphs: Readonly<Record<string, OnnxFile>>;
  /** SHA-256 of everything that decides an answer. */
  readonly hashes: JsonObject;
}

/** @throws EarwitnessError `bad-config`: no such folder or model, a file missing or damaged, a model that does not transcribe */
export async function findModelFiles(options: TransformersOptions, services: RecognizerServices): Promise<ModelFiles> {
  const folder = await modelFolder(options, services);
  const shown = printable(options.model ?? options.hub ?? '');
  const names = new Set(await filesIn(folder));
  for (const name of neededFiles) {
    if (names.has(name)) continue;
    throw unusable(
      `expected a model as transformers.js has it in ${shown}, but ${name} is missing; name the folder that holds ${neededFiles.join(', ')} and onnx/`,
    );
  }
  const json = (name: string) => readObject(join(folder, name), `${shown}/${name}`);
  const config = await json('config.json');
  const modelType = typeof config.model_type === 'string' ? config.model_type : '';
  const family = families.get(modelType);
  if (family === undefined) {
    throw unusable(
      `expected a model that transcribes (${[...families.keys()].join(', ')}), but config.json in ${shown} says ${JSON.stringify(printable(modelType, 60))}; take another model`,
    );
  }
  const weights = chooseWeights(names, options.dtype, shown);
  const graphs: Record<string, OnnxFile> = {};
  const hashes: Record<string, string | readonly string[]> = {};
  for (const [graph, { file }] of Object.entries(weights)) {
    const found = await openOnnxFile(join(folder, file), services);
    graphs[graph] = found;
    hashes[graph] = found.hashes;
  }
  for (const name of settingsFiles) if (names.has(name)) hashes[name] = await services.fileHash(join(folder, name));
  return {
    folder,
    family,
    modelType,
    config,
    generation: names.has('generation_config.json') ? await json('generation_config.json') : {},
    preprocessor: await json('preprocessor_config.json'),
    weights,
    graphs,
    hashes,
  };
}

async function modelFolder(options: TransformersOptions, services: RecognizerServices): Promise<string> {
  const { hub, model = '' } = options;
  if (hub !== undefined) return hubModel(hub, options, services);
  const named = hubId.test(model) && !model.includes('..') && !model.startsWith('.');
  const there = named && (await stat(resolve(services.baseFolder, model)).catch(() => null)) !== null;
  if (!named || there) return existingFolder(services, 'model', model);
  try {
    return await hubModel(model, options, services);
  } catch (cause) {
    const said = messageOf(cause);
    if (!said.startsWith('hub: ')) throw cause;
    throw unusable(`there is no folder ${model} here, and on the hub ${said.slice('hub: '.length)}`, cause);
  }
}

/** Names of the files in a folder and in its onnx/. */
async function filesIn(folder: string): Promise<string[]> {
  const inFolder = await readdir(folder);
  const graphs = await readdir(join(folder, 'onnx')).catch(() => []);
  const found = [...inFolder, ...graphs.map((name) => `onnx/${name}`)];
  const there = await Promise.all(
    found.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.isFile()),
  );
  return found.filter((_, index) => there[index]);
}

async function readObject(path: string, shown: string): Promise<JsonObject> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw unusable(
      `expected JSON in ${shown}, but it cannot be read (${printable(messageOf(cause))}); copy it again`,
      cause,
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw unusable(`expected a JSON object in ${shown}, but it is something else; copy it again`);
}
