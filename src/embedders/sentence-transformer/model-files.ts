import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { badConfig, type EarwitnessError, messageOf } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { printable, someOf } from '../../base/printable.ts';
import { isFile } from '../../packages/model-files.ts';
import { readOnnxGraph } from '../../packages/onnx-graph.ts';
import type { EmbedderServices } from '../contract.ts';
import type { SentenceTransformerOptions } from './options.ts';

/** What the folder of a model holds. */
export interface ModelFiles {
  /** As the options name it, for errors. */
  readonly shownFolder: string;
  /** The folder's own name. */
  readonly folderName: string;
  /** Absolute path of the ONNX file. */
  readonly graph: string;
  readonly tokenizer: JsonObject;
  /** Empty where there is no tokenizer_config.json. */
  readonly tokenizerConfig: JsonObject;
  readonly config: JsonObject;
  /** Of sentence-transformers, where the folder has them: 1_Pooling/config.json, sentence_bert_config.json, modules.json. */
  readonly pooling: JsonObject | null;
  readonly sentenceConfig: JsonObject | null;
  readonly modules: readonly JsonObject[];
  /** SHA-256 of every file that decides vectors, by its place in the folder. */
  readonly hashes: { readonly [file: string]: string };
}

/**
 * The files of an embedding model in a folder.
 *
 * @throws EarwitnessError `bad-config`: no such folder, a file missing or damaged, several ONNX files to choose from
 */
export async function findModelFiles(
  { model, file }: Pick<SentenceTransformerOptions, 'model' | 'file'>,
  services: EmbedderServices,
): Promise<ModelFiles> {
  const folder = resolve(services.baseFolder, model);
  const shownFolder = printable(model);
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw unusable(`expected a folder at ${shownFolder}, but there is none; correct the path`);
  }
  const read = async (name: string) => readJson(join(folder, name), `${shownFolder}/${name}`);
  const needed = async (name: string): Promise<JsonObject> => {
    const found = await read(name);
    if (isJsonObject(found)) return found;
    throw unusable(
      `expected a model as transformers.js has it in ${shownFolder}, but ${name} is ${found === null ? 'missing' : 'no JSON object'}; name the folder that holds config.json, tokenizer.json and onnx/`,
    );
  };
  const optional = async (name: string) => {
    const found = await read(name);
    return isJsonObject(found) ? found : null;
  };
  const config = await needed('config.json');
  const tokenizer = await needed('tokenizer.json');
  const graph = await findGraph(folder, shownFolder, file);
  const modules = await read('modules.json');
  return {
    shownFolder,
    folderName: basename(folder),
    graph,
    tokenizer,
    tokenizerConfig: (await optional('tokenizer_config.json')) ?? {},
    config,
    pooling: await optional('1_Pooling/config.json'),
    sentenceConfig: await optional('sentence_bert_config.json'),
    modules: Array.isArray(modules) ? modules.filter(isJsonObject) : [],
    hashes: await hashFiles(folder, graph, services),
  };
}

/** The file that is named, else model.onnx, else the only one. */
async function findGraph(folder: string, shownFolder: string, file: string | undefined): Promise<string> {
  const places = [join(folder, 'onnx'), folder];
  for (const place of places) {
    const graph = join(place, file ?? 'model.onnx');
    if (await isFile(graph)) return graph;
  }
  const found: string[] = [];
  for (const place of places) {
    const names = await readdir(place).catch(() => []);
    found.push(...names.filter((name) => name.endsWith('.onnx')).map((name) => join(place, name)));
  }
  if (file === undefined && found.length === 1) return found[0]!;
  const names = found.map((graph) => printable(basename(graph), 60)).sort();
  const there = names.length === 0 ? 'there is no ONNX file at all' : `there are ${someOf(names, 10)}`;
  throw unusable(
    `expected ${printable(file ?? 'model.onnx')} in ${shownFolder} or its folder onnx, but ${there}; name one as \`file\``,
  );
}

async function hashFiles(folder: string, graph: string, services: EmbedderServices): Promise<Record<string, string>> {
  const hashes: Record<string, string> = { graph: await services.fileHash(graph) };
  for (const name of (await readOnnxGraph(graph))?.externalFiles ?? []) {
    const path = join(dirname(graph), name);
    if (await isFile(path)) hashes[`weights ${name}`] = await services.fileHash(path);
  }
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) {
    const path = join(folder, name);
    if (await isFile(path)) hashes[name] = await services.fileHash(path);
  }
  return hashes;
}

async function readJson(path: string, shown: string): Promise<unknown> {
  if (!(await isFile(path))) return null;
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw unusable(`expected JSON in ${shown}, but it cannot be read (${printable(messageOf(cause))}); copy it again`);
  }
}

/** The sentence for a model that cannot be used. */
export function unusable(problem: string, cause?: unknown): EarwitnessError {
  return badConfig(`model: ${problem}`, { cause });
}
