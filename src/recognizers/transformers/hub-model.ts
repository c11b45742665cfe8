import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import type { RecognizerServices } from '../contract.ts';
import { modelCacheFolder } from '../shared/cache-folder.ts';
import { download, type HubFile, listFiles } from './hub-download.ts';
import { chooseWeights, settingsFiles } from './model-layout.ts';
import type { TransformersOptions } from './options.ts';

/** What is kept of the hub's list, so that a second use needs no network and later files are of the same commit. */
interface KeptList {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

const listName = 'hub-files.json';

/**
 * The folder of a model of the hub in the cache. What is not there yet is downloaded; what is there is used as it is,
 * without a look at the network, so that a branch that moves does not change a study that goes on: another revision, or an
 * emptied cache, fetches anew.
 *
 * @throws EarwitnessError `bad-config`: the hub cannot be reached, knows no such model or revision, or sent something else
 */
export async function hubModel(options: TransformersOptions, services: RecognizerServices): Promise<string> {
  const { hub, revision, dtype, cacheFolder } = options;
  if (hub === undefined) throw new EarwitnessError('bad-config', 'expected hub (owner/name); set it');
  const root = modelCacheFolder(cacheFolder, services);
  const folder = join(root, 'huggingface', hub.replace('/', '--'), encodeURIComponent(revision));
  const kept = await readList(join(folder, listName));
  const list = kept ?? (await listFiles(hub, revision, services));
  const weights = chooseWeights(new Set(list.files.map(({ name }) => name)), dtype, hub);
  const graphs = Object.values(weights).map(({ file }) => file);
  const wanted = list.files.filter(
    ({ name }) => settingsFiles.includes(name) || graphs.some((file) => belongs(name, file)),
  );
  const missing: HubFile[] = [];
  for (const file of wanted) if (!(await stat(join(folder, file.name)).catch(() => null))?.isFile()) missing.push(file);
  for (const file of missing) {
    await download({ hub, commit: list.commit, file, to: join(folder, file.name) }, services);
  }
  if (kept === null) await keepList(join(folder, listName), list);
  return folder;
}

/** A graph, or one of the files in which it keeps its weights. */
function belongs(name: string, graph: string): boolean {
  return name === graph || (name.startsWith(`${graph}_data`) && /^(_\d+)?$/.test(name.slice(graph.length + 5)));
}

async function readList(path: string): Promise<KeptList | null> {
  try {
    const { commit, files } = JSON.parse(await readFile(path, 'utf8')) as KeptList;
    return typeof commit === 'string' && Array.isArray(files) ? { commit, files } : null;
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
