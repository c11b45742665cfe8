import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { RecognizerServices } from '../contract.ts';
import { modelCacheFolder } from '../shared/cache-folder.ts';
import { download, type HubFile, type HubSource, listFiles } from './hub-download.ts';
import { chooseWeights, settingsFiles } from './model-layout.ts';
import type { TransformersOptions } from './options.ts';

/** What is kept of the hub's list, so that a second use needs no network and later files are of the same commit. */
interface KeptList {
  /** The model that the files are of: the one that was named, or its export to ONNX. */
  readonly hub: string;
  readonly commit: string;
  readonly files: readonly HubFile[];
}

const listName = 'hub-files.json';

/** Owner of exports to ONNX, under the names that models have with their own owners. */
const exportsOwner = 'onnx-community';

/**
 * The folder of a model of the hub in the cache. What is not there yet is downloaded; what is there is used as it is,
 * without a look at the network, so that a branch that moves does not change a study that goes on: another revision, or an
 * emptied cache, fetches anew. A model that was published without ONNX files is taken from `onnx-community`, where its export
 * has the same name.
 *
 * @param hub owner/name
 * @throws EarwitnessError `bad-config`: the hub cannot be reached, knows no such model or revision, or sent something else
 */
export async function hubModel(hub: string, options: HubOptions, services: RecognizerServices): Promise<string> {
  const { revision, dtype, cacheFolder } = options;
  const root = modelCacheFolder(cacheFolder, services);
  const folder = join(root, 'huggingface', hub.replace('/', '--'), encodeURIComponent(revision));
  const kept = await readList(join(folder, listName), hub);
  const source = { endpoint: options.endpoint, services };
  const list = kept ?? (await findList(hub, revision, source));
  const weights = chooseWeights(new Set(list.files.map(({ name }) => name)), dtype, list.hub);
  const graphs = Object.values(weights).map(({ file }) => file);
  const wanted = list.files.filter(
    ({ name }) => settingsFiles.includes(name) || graphs.some((file) => belongs(name, file)),
  );
  const missing: HubFile[] = [];
  for (const file of wanted) if (!(await stat(join(folder, file.name)).catch(() => null))?.isFile()) missing.push(file);
  for (const file of missing) {
    await download({ hub: list.hub, commit: list.commit, file, to: join(folder, file.name) }, source);
  }
  if (kept === null) await keepList(join(folder, listName), list);
  return folder;
}

type HubOptions = Pick<TransformersOptions, 'revision' | 'dtype' | 'cacheFolder' | 'endpoint'>;

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
    throw new EarwitnessError(
      'bad-config',
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
