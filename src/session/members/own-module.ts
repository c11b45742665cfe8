import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { isAbsolute, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { badConfig, fileProblem, messageOf, missingProgram } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';

/** What a module of the user's own exports. */
interface OwnModule {
  readonly exported: object;
  /** SHA-256 of its file. */
  readonly hash: string;
}

/** Whether a name is the path of a module of the user's own (relative or absolute) and not a name of ours. */
export function isModulePath(name: string): boolean {
  return /^\.{1,2}[/\\]/.test(name) || isAbsolute(name);
}

/**
 * Loads a module by its path, meant from `baseFolder`, and gives the object that it exports as its default or as its only
 * export.
 *
 * @param kind what is wanted, for the sentence: `recognizer`
 * @param required keys that the object must have; enough to catch a wrong file, the contracts say the rest
 * @throws EarwitnessError `bad-config`: the module is missing, fails, or exports something else
 */
export async function loadOwnModule(
  path: string,
  baseFolder: string,
  kind: string,
  required: readonly string[],
): Promise<OwnModule> {
  refuseUntrustedCode(`the module ${path}`);
  const file = resolve(baseFolder, path);
  const fail = (problem: string, cause?: unknown) =>
    badConfig(`${path}: expected a module with a ${kind}, but ${problem}`, { cause });
  const bytes = await readFile(file).catch((error: unknown) => {
    throw fail(`it cannot be read (${fileProblem(error)})`, error);
  });
  const module = await importOwn(file).catch((error: unknown) => {
    throw fail(`loading it failed: ${reasonOf(error)}`, error);
  });
  const found = Object.entries(module).filter(([name]) => name !== 'module.exports');
  const exported = module.default ?? (found.length === 1 ? found[0]?.[1] : undefined);
  if (exported === undefined) {
    const program = kind === 'recognizer' ? `; if it is a program that speaks the protocol, write program:${path}` : '';
    throw fail(`it has ${found.length} exports and none is the default; export one object${program}`);
  }
  const missing = required.filter((key) => !(typeof exported === 'object' && exported !== null && key in exported));
  if (missing.length > 0) throw fail(`what it exports lacks ${missing.join(', ')}`);
  return { exported: exported as object, hash: sha256(bytes) };
}

/**
 * Imports a module of the user's own. `import … from 'earwitness'`, `'earwitness/scoring'`, `'earwitness/statistics'`,
 * `'earwitness/studies'` and `'zod'` work in it and in what it imports even where these are not installed beside it, as after
 * `npx earwitness`.
 *
 * @param earwitness the file of this program that `earwitness` stands for then, from src/ and without its extension
 */
export async function importOwn(file: string, earwitness = 'index'): Promise<Record<string, unknown>> {
  const url = pathToFileURL(file).href;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      // Told the format, Node neither guesses nor warns where no package.json says "module".
      const known = specifier === url && /\.ts$/.test(file) ? { format: 'module-typescript' } : {};
      try {
        return { ...next(specifier, context), ...known };
      } catch (error) {
        const stands = specifier === 'earwitness' ? earwitness : entries[specifier];
        if (stands !== undefined) return { url: ownFile(stands), shortCircuit: true };
        if (specifier === 'zod') return { url: import.meta.resolve('zod'), shortCircuit: true };
        throw error;
      }
    },
  });
  try {
    return await import(url);
  } finally {
    hooks.deregister();
  }
}

const entries: Readonly<Record<string, string>> = {
  'earwitness/scoring': 'scoring/scoring',
  'earwitness/statistics': 'statistics/statistics',
  'earwitness/audio': 'perturbations/perturbations',
  'earwitness/studies': 'studies/studies',
};

function ownFile(path: string): string {
  return new URL(`../../${path}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href;
}

/** Why a module could not be imported. Syntax errors carry file and line only at the head of their stack. */
export function reasonOf(error: unknown): string {
  const where = error instanceof SyntaxError ? /:(\d+)\s*$/m.exec(error.stack?.split('\n')[0] ?? '') : null;
  return where ? `${messageOf(error)} (line ${where[1]})` : messageOf(error);
}

/**
 * Sees to it that a module which a bundle names may be loaded: whoever verifies has given a folder of modules, the file lies in
 * it, and it is byte for byte the one that the run used. No code comes from a bundle, and none is loaded before this.
 *
 * @param folder null: none was given
 * @param hash SHA-256 that the bundle states; undefined where it states none
 * @throws EarwitnessError `missing-program` where it may not be loaded
 */
export async function checkOwnModule(path: string, folder: string | null, hash: string | undefined): Promise<void> {
  const shown = printable(path, 150);
  const refuse = (problem: string) => missingProgram(`it uses the module ${shown}, ${problem}`);
  if (folder === null)
    throw refuse('which is code of the author: get it, inspect it, and give its folder with --modules');
  const file = resolve(folder, path);
  const inside = relative(resolve(folder), file);
  if (isAbsolute(path) || inside.startsWith('..') || isAbsolute(inside))
    throw refuse('which lies outside of the folder given with --modules');
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null) throw refuse('which is not in the folder given with --modules');
  if (sha256(bytes) !== hash) throw refuse('but the file in the folder given with --modules differs');
}

// Kept in environment variables because these reach every thread and process of a run. They only ever take away.
const [trustVariable, hostsVariable, namesVariable] = [
  'EARWITNESS_TRUST',
  'EARWITNESS_ALLOWED_HOSTS',
  'EARWITNESS_ALLOWED_VARIABLES',
] as const;

/** What the user allows a config of somebody else. */
interface Allowed {
  /** Hosts that may be asked, as they stand in addresses: `api.example.org`, `localhost:8000`. */
  readonly hosts: readonly string[];
  /** Environment variables that may be read. */
  readonly variables: readonly string[];
}

/** From here on this process and its children run no modules and no programs of a config, and ask and read only what is allowed. */
export function trustNone({ hosts, variables }: Allowed): void {
  process.env[trustVariable] = 'none';
  process.env[hostsVariable] = hosts.join(' ');
  process.env[namesVariable] = variables.join(' ');
}

function distrusting(): boolean {
  return process.env[trustVariable] === 'none';
}

/** Members that start a program which their options name. */
const startsPrograms: readonly string[] = ['command', 'program', 'python', 'pesq'];

/** @throws EarwitnessError `bad-config` where code that a config names is not to be run */
export function refuseUntrustedCode(what: string): void {
  if (!distrusting()) return;
  throw badConfig(
    `expected nothing but earwitness' own members (--trust none), but got ${what}; inspect it, and run without --trust none if you trust it`,
  );
}

/** @throws EarwitnessError `bad-config` where a member starts programs and none is to be started */
export function refuseUntrustedMember(type: string): void {
  if (startsPrograms.includes(type)) refuseUntrustedCode(`"${type}", which starts a program that the config names`);
}

/**
 * Addresses in options whose hosts were not allowed; hosted services without an address, and buckets, by their names.
 *
 * @param baseFolder relative paths of folders are meant from here
 * @example untrustedHosts('openai-compatible', { baseUrl: 'https://api.example.org/v1' }, '.') // ['api.example.org'] with --trust none
 */
export function untrustedHosts(type: string, options: unknown, baseFolder: string): string[] {
  if (!distrusting()) return [];
  const allowed = (process.env[hostsVariable] ?? '').split(' ');
  const found = new Set<string>();
  let sawAddress = false;
  const walk = (value: unknown): void => {
    // Parsed as whoever asks parses it, which passes over blanks, tabs and line ends even in the middle of "http".
    const url = typeof value === 'string' ? URL.parse(value) : null;
    if (url !== null) {
      sawAddress = true;
      if (/^(https?|wss?):$/.test(url.protocol) && !allowed.includes(url.host)) found.add(url.host);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
  };
  walk(options);
  const { hub, model, service, bucket } = options as Readonly<Record<'hub' | 'model' | 'service' | 'bucket', unknown>>;
  // Without an address in its options a service is asked where its vendor has it.
  const isNamed = type === 'hosted' && typeof service === 'string' && !sawAddress && !allowed.includes(service);
  if (isNamed) found.add(service);
  // Clips are put into it, whoever's it is.
  if (type === 'hosted' && typeof bucket === 'string' && !allowed.includes(bucket)) found.add(bucket);
  // A model that is no folder here is looked for on the hub.
  const mayBeId = typeof model === 'string' && /^[\w.-]+\/[\w.-]+$/.test(model) && !model.startsWith('.');
  const fromHub =
    type === 'transformers' && (hub !== undefined || (mayBeId && !existsSync(resolve(baseFolder, model))));
  if (fromHub && !allowed.includes('huggingface.co')) found.add('huggingface.co');
  return [...found];
}

/** An environment variable, as far as configs may read it. */
export function trustedVariable(name: string): string | undefined {
  const allowed = (process.env[namesVariable] ?? '').split(' ');
  return distrusting() && !allowed.includes(name) ? undefined : process.env[name];
}
