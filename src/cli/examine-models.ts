import { stat } from 'node:fs/promises';
import { homedir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { isDownloaded, weightsOf } from '../recognizers/transformers/model-files.ts';
import { type KnownModel, pipArguments } from '../session/members/model-rows.ts';
import { type PythonVersions, pythonVersions } from '../system/python.ts';
import { programEnvironment } from '../system/run-program.ts';
import { type ExaminedMember, examineRecognizers, examineSynthesizers } from './examine-machine.ts';

type Packages = PythonVersions['packages'];

/** What is looked at once for all models. */
interface Surroundings {
  readonly folder: string;
  readonly memoryBytes: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly members: readonly ExaminedMember[];
  readonly speakers: readonly ExaminedMember[];
  /** Versions of packages by the Python that has them, null for a package that is missing; null where there is no such Python. */
  packagesOf(python: string): Promise<Packages | null>;
  /** Why the hub cannot be reached; null where it can. */
  hubProblem(): Promise<string | null>;
}

const maxHubSeconds = 5;

/**
 * Looks which models would run in a folder: memory for the weights, Python and packages, files, keys by the names of their variables,
 * and whether the hub has to be asked and can be. Nothing is loaded, no service is asked, and no key is read but for being there.
 *
 * @param memoryBytes of this machine, in bytes
 * @example await examineModels(knownModels, process.cwd()) // [{ name: 'whisper-tiny', ready: true, found: '…' }, …]
 */
export async function examineModels(
  models: readonly KnownModel[],
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  memoryBytes = totalmem(),
): Promise<ExaminedMember[]> {
  const everyPackage = [...new Set(models.flatMap(({ config }) => (config?.packages ?? []) as string[]))];
  const pythons = new Map<string, Promise<Packages | null>>();
  let hub: Promise<string | null> | undefined;
  const surroundings: Surroundings = {
    ...{ folder, environment, memoryBytes, members: await examineRecognizers(folder) },
    speakers: models.some(({ speaks }) => speaks) ? await examineSynthesizers(folder) : [],
    packagesOf(python) {
      const asked = pythons.get(python) ?? askPython(python, everyPackage, folder);
      pythons.set(python, asked);
      return asked;
    },
    hubProblem() {
      hub ??= reach(environment.HF_ENDPOINT || 'https://huggingface.co');
      return hub;
    },
  };
  return Promise.all(models.map((model) => examineModel(model, surroundings)));
}

async function examineModel(model: KnownModel, around: Surroundings): Promise<ExaminedMember> {
  const { name, config, note } = model;
  if (config === null) return { name, ready: false, found: note };
  const problems: string[] = [];
  const present: string[] = [];
  const member = (model.speaks ? around.speakers : around.members).find((one) => one.name === config.type);
  if (member !== undefined && !member.ready) problems.push(`${member.name}: ${member.found}`);
  if (model.parameters !== null) {
    const bytes = model.parameters.millions * 1e6 * model.bytesPerParameter;
    const gigabytes = (of: number) => (of / 1e9).toFixed(1);
    if (bytes > around.memoryBytes)
      problems.push(
        `its weights take ${gigabytes(bytes)} GB, and this machine has ${gigabytes(around.memoryBytes)} GB of memory`,
      );
  }
  if (typeof config.python === 'string') {
    const packages = await around.packagesOf(config.python);
    const named = (config.packages ?? []) as string[];
    const missing = named.filter((one) => typeof packages?.[one] !== 'string');
    const install = `${config.python} -m pip install ${pipArguments(model)}`;
    if (packages === null) problems.push(`no Python at ${config.python} (python3 -m venv .venv && ${install})`);
    else if (missing.length > 0) problems.push(`${config.python} lacks ${missing.join(', ')} (${install})`);
    else present.push(`${config.python} has ${named.join(', ') || 'what it needs'}`);
  }
  const folders = typeof config.folder === 'string' ? [config.folder] : [];
  for (const file of [...((config.models ?? []) as string[]), ...folders]) {
    const there = (await stat(resolve(around.folder, file)).catch(() => null)) !== null;
    if (!there) problems.push(`no ${file} in this folder`);
  }
  for (const key of model.keys) {
    if (around.environment[key]) present.push(`the variable ${key} is set`);
    else problems.push(`the variable ${key} is not set`);
  }
  if (model.hub !== null) {
    const own = await modelFolder(model.hub, String(config.type), around.folder);
    const downloaded = own === null && (await isHere(model.hub, String(config.type), around));
    const why = own !== null || downloaded ? null : await around.hubProblem();
    if (own?.problem !== undefined) problems.push(own.problem);
    else if (own !== null) present.push(own.found);
    else if (downloaded) present.push('its files were downloaded before');
    else if (why === null) present.push('its files would be downloaded at first use');
    else problems.push(`its files are not here, and ${why}`);
  }
  return { name, ready: problems.length === 0, found: (problems.length > 0 ? problems : present).join('; ') };
}

/** A model beside the config, under its name on the hub or the end of it; null where there is none. */
async function modelFolder(
  hub: string,
  type: string,
  folder: string,
): Promise<{ readonly found: string; readonly problem?: string } | null> {
  const [, name = hub] = hub.split('/');
  for (const path of [hub, name, `models/${name}`, `models/${hub}`]) {
    if ((await stat(resolve(folder, path, 'config.json')).catch(() => null)) === null) continue;
    const where =
      path === hub ? `its files are in ${path}` : `its files are in ${path}, to be named in place of ${hub}`;
    if (type !== 'transformers') return { found: where };
    const kinds = await weightsOf(resolve(folder, path), path).catch(messageOf);
    return typeof kinds === 'string'
      ? { found: '', problem: kinds }
      : { found: `${where}${kinds.join() === 'fp32' ? '' : `, with weights of kind ${kinds.join(' and ')}`}` };
  }
  return null;
}

/** In the cache of this package, or in that of Python's huggingface_hub (HF_HUB_CACHE, HF_HOME). */
async function isHere(hub: string, type: string, { folder, environment }: Surroundings): Promise<boolean> {
  if (type === 'transformers')
    return isDownloaded(hub, { baseFolder: folder, environment: (name) => environment[name] });
  const home = environment.HF_HOME || join(homedir(), '.cache', 'huggingface');
  const cache = environment.HF_HUB_CACHE || join(home, 'hub');
  return (await stat(join(cache, `models--${hub.replace('/', '--')}`, 'snapshots')).catch(() => null)) !== null;
}

async function askPython(python: string, packages: readonly string[], folder: string): Promise<Packages | null> {
  const named = { python, folder, environment: programEnvironment() };
  const versions = await pythonVersions(named, packages).catch(() => null);
  return versions?.packages ?? null;
}

async function reach(endpoint: string): Promise<string | null> {
  try {
    const { host } = new URL(endpoint);
    try {
      await fetch(endpoint, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(maxHubSeconds * 1000) });
      return null;
    } catch {
      return `${host} cannot be reached`;
    }
  } catch (error) {
    return `HF_ENDPOINT is no address (${messageOf(error)})`;
  }
}
