import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { badConfig, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { existingFolder, type OnnxFile, openOnnxFile, unusable } from '../../packages/model-files.ts';
import type { RecognizerServices } from '../contract.ts';
import { modelCacheFolder } from '../shared/model-cache-folder.ts';
import { download, type HubFile, type HubSource, listFiles } from './hub-download.ts';
import { hubId, type TransformersOptions, type WeightKind, weightSuffixes } from './options.ts';

/** What the library reads besides graphs, where it is there. */
const settingsFiles: readonly string[] = [
  'config.json',
  'generation_config.json',
  'preprocessor_config.json',
  'processor_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
];

const encoderAndDecoder: readonly string[] = ['encoder_model', 'decoder_model_merged'];
const onlyGraph: readonly string[] = ['model'];
const kinds = Object.keys(weightSuffixes) as WeightKind[];

const listName = 'hub-files.json';

/** Owner of exports to ONNX, under the names that models have with their own owners. */
const exportsOwner = 'onnx-community';

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

/** What is kept of the hub's list, so that a second use needs no network and later files are of the same commit. */
interface KeptList {
  /** The model that the files are of: the one that was named, or its export to ONNX. */
  readonly hub: string;
  readonly commit: string;
  readonly files: readonly HubFile[];
}

/**
 * The folder of a model of the hub in the cache. What is not there yet is downloaded; what is there is used as it is,
 * without a look at the network, so that a branch that moves does not change a study that goes on: another revision, or an
 * emptied cache, fetches anew. A model that was published without ONNX files is taken from `onnx-community`, where its export
 * has the same name.
 *
 * @param hub owner/name
 * @throws EarwitnessError `bad-config`: the hub cannot be reached, knows no such model or revision, or sent something else
 */
async function hubModel(hub: string, options: HubOptions, services: RecognizerServices): Promise<string> {
  const folder = hubFolder(hub, options, services);
  const kept = await readList(join(folder, listName), hub);
  const source = { endpoint: options.endpoint, services };
  const list = kept ?? (await findList(hub, options.revision, source));
  for (const file of await notDownloaded(list, options.dtype, folder)) {
    await download({ hub: list.hub, commit: list.commit, file, to: join(folder, file.name) }, source);
  }
  if (kept === null) await keepList(join(folder, listName), list);
  return folder;
}

type HubOptions = Pick<TransformersOptions, 'revision' | 'dtype' | 'cacheFolder' | 'endpoint'>;

function hubFolder(
  hub: string,
  { revision, cacheFolder }: Pick<HubOptions, 'revision' | 'cacheFolder'>,
  services: Pick<RecognizerServices, 'baseFolder' | 'environment'>,
): string {
  const root = modelCacheFolder(cacheFolder, services);
  return join(root, 'huggingface', hub.replace('/', '--'), encodeURIComponent(revision));
}

async function notDownloaded(
  { hub, files }: KeptList,
  dtype: TransformersOptions['dtype'],
  folder: string,
): Promise<HubFile[]> {
  const weights = chooseWeights(new Set(files.map(({ name }) => name)), dtype, hub);
  const graphs = Object.values(weights).map(({ file }) => file);
  const wanted = files.filter(({ name }) => settingsFiles.includes(name) || graphs.some((file) => belongs(name, file)));
  const missing: HubFile[] = [];
  for (const file of wanted) if (!(await stat(join(folder, file.name)).catch(() => null))?.isFile()) missing.push(file);
  return missing;
}

/** Whether all files of a model of the hub that would be used (of weights in 32-bit floats, if it has them) are in the cache. */
export async function isDownloaded(
  hub: string,
  services: Pick<RecognizerServices, 'baseFolder' | 'environment'>,
): Promise<boolean> {
  const folder = hubFolder(hub, { revision: 'main', cacheFolder: undefined }, services);
  const list = await readList(join(folder, listName), hub);
  if (list === null) return false;
  return notDownloaded(list, undefined, folder).then(
    (missing) => missing.length === 0,
    () => false,
  );
}

async function findList(hub: string, revision: string, source: HubSource): Promise<KeptList> {
  const list = { hub, ...(await listFiles(hub, revision, source)) };
  const [owner, name] = hub.split('/');
  if (list.files.some((file) => file.name.endsWith('.onnx')) || owner === exportsOwner || revision !== 'main')
    return list;
  const exported = `${exportsOwner}/${name}`;
  source.services.progress?.(`${hub} has no ONNX files; its export ${exported} is taken`);
  try {
    return { hub: exported, ...(await listFiles(exported, revision, source)) };
  } catch (cause) {
    throw badConfig(
      `hub: expected ${hub} with ONNX files (onnx/….onnx), or their export as ${exported}, but it has none, and ${messageOf(cause).replace(/^hub: /, '')}; name a model that was exported to ONNX`,
      { cause },
    );
  }
}

/** A graph, or one of the files in which it keeps its weights. */
function belongs(name: string, graph: string): boolean {
  return name === graph || (name.startsWith(`${graph}_data`) && /^(_\d+)?$/.test(name.slice(graph.length + 5)));
}

/** @param named the model that was asked for: older lists do not name another */
async function readList(path: string, named: string): Promise<KeptList | null> {
  try {
    const { hub = named, commit, files } = JSON.parse(await readFile(path, 'utf8')) as Partial<KeptList>;
    return typeof commit === 'string' && Array.isArray(files) ? { hub, commit, files } : null;
  } catch {
    return null;
  }
}

async function keepList(path: string, list: KeptList): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}.part`;
  await writeFile(written, JSON.stringify(list));
  await rename(written, path);
}

/** The graphs of a model: each with its file (relative to the model, with `/`) and what kind of weights it has. */
type ChosenWeights = Readonly<Record<string, { readonly file: string; readonly kind: WeightKind }>>;

/**
 * Which of a model's ONNX files are meant.
 *
 * @param names all files of the model, relative to it, with `/`
 * @param shown the model, for errors
 * @throws EarwitnessError `bad-config`: none, not the kind that is asked for, or several and none asked for
 */
export function chooseWeights(
  names: ReadonlySet<string>,
  dtype: TransformersOptions['dtype'],
  shown: string,
): ChosenWeights {
  const fileOf = (graph: string, kind: WeightKind) => `onnx/${graph}${weightSuffixes[kind]}.onnx`;
  const kindsOf = (graph: string) => kinds.filter((kind) => names.has(fileOf(graph, kind)));
  const graphs = encoderAndDecoder.some((graph) => kindsOf(graph).length > 0) ? encoderAndDecoder : onlyGraph;
  const missing = graphs.find((graph) => kindsOf(graph).length === 0);
  if (missing !== undefined) {
    throw unusable(
      `expected ${fileOf(missing, 'fp32')}, or one of its kinds like ${fileOf(missing, 'q8')}, in ${shown}, but there is none; name a model exported to ONNX for transformers.js`,
    );
  }
  const wrong = typeof dtype === 'object' ? Object.keys(dtype).find((graph) => !graphs.includes(graph)) : undefined;
  if (wrong !== undefined) {
    throw unusable(
      `expected ${graphs.join(' or ')}, but got ${printable(wrong, 60)}; correct the name`,
      undefined,
      'dtype',
    );
  }
  const common = kinds.filter((kind) => graphs.every((graph) => names.has(fileOf(graph, kind))));
  const chosen: Record<string, { file: string; kind: WeightKind }> = {};
  for (const graph of graphs) {
    const there = kindsOf(graph);
    const kind = (typeof dtype === 'object' ? dtype[graph] : dtype) ?? standard(common, there);
    if (kind === null || !there.includes(kind)) {
      throw unusable(
        `expected ${kind === null ? 'one kind of weights' : `weights of kind ${kind}`} for ${graph} in ${shown}, but there is ${there.join(', ')}; name one of them`,
        undefined,
        'dtype',
      );
    }
    chosen[graph] = { file: fileOf(graph, kind), kind };
  }
  return chosen;
}

function standard(common: readonly WeightKind[], there: readonly WeightKind[]): WeightKind | null {
  if (common.includes('fp32')) return 'fp32';
  if (common.length === 1) return common[0]!;
  return common.length === 0 && there.length === 1 ? there[0]! : null;
}
