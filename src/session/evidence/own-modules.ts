import { readFile } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';

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
