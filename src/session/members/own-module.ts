import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { isAbsolute, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EarwitnessError, fileProblem, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';
import { refuseUntrustedCode } from './trust.ts';

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
    new EarwitnessError('bad-config', `${path}: expected a module with a ${kind}, but ${problem}`, { cause });
  const bytes = await readFile(file).catch((error: unknown) => {
    throw fail(`it cannot be read (${fileProblem(error)})`, error);
  });
  const module = await importOwn(file).catch((error: unknown) => {
    throw fail(`loading it failed: ${reasonOf(error)}`, error);
  });
  const found = Object.entries(module).filter(([name]) => name !== 'module.exports');
  const exported = module.default ?? (found.length === 1 ? found[0]?.[1] : undefined);
  if (exported === undefined) {
    throw fail(`it has ${found.length} exports and none is the default; export one object`);
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
  const refuse = (problem: string) => new EarwitnessError('missing-program', `it uses the module ${shown}, ${problem}`);
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
