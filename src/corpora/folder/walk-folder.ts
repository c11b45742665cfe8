import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { isInside } from '../shared/contained-path.ts';

/** A folder with the names of the files in it, sorted by code unit. */
export interface WalkedFolder {
  /** Path inside of the root with `/`, '' for the root itself. */
  readonly path: string;
  readonly files: readonly string[];
}

/** What was passed over on the way. */
export interface PassedOver {
  /** Symbolic links to folders, to files outside, and to nothing. */
  links: number;
}

/** Deeper folders are taken for a mistake. */
const deepest = 64;

/**
 * All folders inside of one. Files in a folder and the folders in it come in the order of their names by code unit, so
 * that the order is the same on every machine: a folder's own files first. Links to folders are never followed, so no circle can
 * be entered; links to files are where they lead to a file inside of the root, or anywhere with `allowOutside`.
 *
 * @throws EarwitnessError `bad-input`: a folder cannot be read, or lies deeper than 64
 */
export async function* walkFolder(
  root: string,
  shownName: string,
  allowOutside: boolean,
  passedOver: PassedOver,
): AsyncGenerator<WalkedFolder> {
  const realRoot = await realpath(root).catch(() => root);

  async function isUsableLink(path: string): Promise<boolean> {
    const real = await realpath(path).catch(() => null);
    if (real === null || !(allowOutside || isInside(realRoot, real))) return false;
    return (await stat(real)).isFile();
  }

  async function* walk(path: string, depth: number): AsyncGenerator<WalkedFolder> {
    const shown = path === '' ? shownName : `${shownName}/${path}`;
    if (depth > deepest) {
      throw new EarwitnessError(
        'bad-input',
        `${shown}: expected at most ${deepest} folders in each other, but there are more; name a folder further in`,
      );
    }
    const files: string[] = [];
    const folders: string[] = [];
    try {
      for await (const entry of await opendir(join(root, path))) {
        if (entry.name.startsWith('.')) continue;
        if (entry.isDirectory()) folders.push(entry.name);
        else if (entry.isFile()) files.push(entry.name);
        else if (entry.isSymbolicLink()) {
          if (await isUsableLink(join(root, path, entry.name))) files.push(entry.name);
          else passedOver.links++;
        }
      }
    } catch (error) {
      throw new EarwitnessError(
        'bad-input',
        `${shown}: expected a folder that can be read, but ${messageOf(error)}; check the path and its permissions`,
        {
          cause: error,
        },
      );
    }
    yield { path, files: files.sort() };
    for (const name of folders.sort()) yield* walk(path === '' ? name : `${path}/${name}`, depth + 1);
  }

  yield* walk('', 0);
}
