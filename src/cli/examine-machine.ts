import { stat, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, homedir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { harper } from '../grammar-checkers/harper/harper.ts';
import type { Readiness } from '../recognizers/contract.ts';
import { versionOf } from '../session/members/listings.ts';
import { loadMember, memberNames } from '../session/members/load-member.ts';
import { type KnownModel, pipArguments } from '../session/members/model-rows.ts';
import { describeOptions } from '../session/members/option-schema.ts';
import { createServices } from '../session/services.ts';
import { type PythonVersions, pythonVersions } from '../system/python.ts';
import { programEnvironment } from '../system/run-program.ts';
import { isInCache } from './suggest-recognizers.ts';

/** A member and whether it would work on this machine. */
export interface ExaminedMember extends Readiness {
  readonly name: string;
}

/** What a run would find on this machine. */
export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  /** In the current folder; null where the system does not say. */
  readonly freeDiskBytes: number | null;
  readonly recognizers: readonly ExaminedMember[];
  readonly synthesizers: readonly ExaminedMember[];
  readonly decoders: readonly ExaminedMember[];
  readonly embedders: readonly ExaminedMember[];
  readonly predictors: readonly ExaminedMember[];
  readonly quality: readonly ExaminedMember[];
  readonly grammarCheckers: readonly ExaminedMember[];
}

/** Looks at this machine: show what is installed, what is missing and how to install it. */
export async function examineMachine(folder: string): Promise<Machine> {
  const services = createServices({ baseFolder: folder });
  const disk = await statfs(folder).catch(() => null);
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    freeDiskBytes: disk === null ? null : disk.bavail * disk.bsize,
    recognizers: await examineRecognizers(folder),
    synthesizers: await examine('synthesizers', async (name) =>
      (await loadMember('synthesizers', name, folder)).member.readiness(services.synthesizer),
    ),
    embedders: await examine('embedders', async (name) =>
      (await loadMember('embedders', name, folder)).member.readiness(services.embedder),
    ),
    predictors: await examine('predictors', async (name) =>
      (await loadMember('predictors', name, folder)).member.readiness(services.predictor),
    ),
    quality: await examine('quality', async (name) => {
      const { member } = await loadMember('quality', name, folder);
      const { found, ...state } = (await member.readiness?.()) ?? { ready: true, found: 'part of earwitness' };
      const needed = describeOptions(member.options).filter(({ required }) => required);
      const needs = needed.map((option) => `${option.name} (${option.about})`).join(', ');
      return { ...state, found: needs === '' ? found : `${found}; where it is used it needs ${needs}` };
    }),
    grammarCheckers: [{ name: harper.name, ...(await harper.readiness()) }],
    decoders: await examine('decoders', async (name) => {
      const { member } = await loadMember('decoders', name, folder);
      const version = versionOf(member);
      if (version !== null) return { ready: true, found: `version ${version}` };
      return { ready: false, found: reasonOf(() => member.version) };
    }),
  };
}

/** Looks which recognizers would work on this machine. */
export function examineRecognizers(folder: string): Promise<ExaminedMember[]> {
  const services = createServices({ baseFolder: folder });
  return examine('recognizers', async (name) =>
    (await loadMember('recognizers', name, folder)).member.readiness(services.recognizer),
  );
}

async function examine(
  family: 'recognizers' | 'synthesizers' | 'decoders' | 'embedders' | 'predictors' | 'quality',
  readiness: (name: string) => Promise<Readiness>,
): Promise<ExaminedMember[]> {
  return Promise.all(
    memberNames(family).map(async (name) => {
      try {
        return { name, ...(await readiness(name)) };
      } catch (error) {
        return { name, ready: false, found: messageOf(error) };
      }
    }),
  );
}

function reasonOf(ask: () => unknown): string {
  try {
    return String(ask());
  } catch (error) {
    return messageOf(error);
  }
}

type Packages = PythonVersions['packages'];

/** What is looked at once for all models. */
interface Surroundings {
  readonly folder: string;
  readonly memoryBytes: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly members: readonly ExaminedMember[];
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
  const member = around.members.find((one) => one.name === config.type);
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
  for (const file of (config.models ?? []) as string[]) {
    const there = (await stat(resolve(around.folder, file)).catch(() => null)) !== null;
    if (!there) problems.push(`no ${file} in this folder`);
  }
  for (const key of model.keys) {
    if (around.environment[key]) present.push(`the variable ${key} is set`);
    else problems.push(`the variable ${key} is not set`);
  }
  if (model.hub !== null) {
    const here = await isHere(model.hub, String(config.type), around);
    const why = here ? null : await around.hubProblem();
    if (here) present.push('its files were downloaded before');
    else if (why === null) present.push('its files would be downloaded at first use');
    else problems.push(`its files are not here, and ${why}`);
  }
  return { name, ready: problems.length === 0, found: (problems.length > 0 ? problems : present).join('; ') };
}

/** In the cache of this package, or in that of Python's huggingface_hub (HF_HUB_CACHE, HF_HOME). */
async function isHere(hub: string, type: string, { folder, environment }: Surroundings): Promise<boolean> {
  if (type === 'transformers') return isInCache(hub, folder);
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
