import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { isInside } from './contained-path.ts';

/** What lies in one folder, each sorted by code unit, so that the order is the same on every machine. */
export interface FolderNames {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Symbolic links to folders, to files outside, and to nothing: passed over. */
  readonly links: number;
}

/**
 * The names in a folder without those that begin with a dot. Links to folders are never followed, so no circle can be
 * entered; links to files count where they lead to a file inside of the root, or anywhere with `allowOutside`.
 *
 * @param realRoot the root after links are followed (`realpath`)
 * @param shownName how errors name the folder
 * @throws EarwitnessError `bad-input`: the folder cannot be read
 */
export async function listFolder(
  folder: string,
  realRoot: string,
  shownName: string,
  allowOutside: boolean,
): Promise<FolderNames> {
  const files: string[] = [];
  const folders: string[] = [];
  let links = 0;
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) folders.push(entry.name);
      else if (entry.isFile()) files.push(entry.name);
      else if (entry.isSymbolicLink()) {
        if (await isUsableLink(join(folder, entry.name), realRoot, allowOutside)) files.push(entry.name);
        else links++;
      }
    }
  } catch (error) {
    throw new EarwitnessError(
      'bad-input',
      `${shownName}: expected a folder that can be read, but ${messageOf(error)}; check the path and its permissions`,
      { cause: error },
    );
  }
  return { files: files.sort(), folders: folders.sort(), links };
}

async function isUsableLink(path: string, realRoot: string, allowOutside: boolean): Promise<boolean> {
  const real = await realpath(path).catch(() => null);
  if (real === null || !(allowOutside || isInside(realRoot, real))) return false;
  return (await stat(real)).isFile();
}

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
 * All folders inside of one, in the order of their names by code unit: a folder's own files first. Links are treated as
 * `listFolder` says.
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

  async function* walk(path: string, depth: number): AsyncGenerator<WalkedFolder> {
    const shown = path === '' ? shownName : `${shownName}/${path}`;
    if (depth > deepest) {
      throw new EarwitnessError(
        'bad-input',
        `${shown}: expected at most ${deepest} folders in each other, but there are more; name a folder further in`,
      );
    }
    const { files, folders, links } = await listFolder(join(root, path), realRoot, shown, allowOutside);
    passedOver.links += links;
    yield { path, files };
    for (const name of folders) yield* walk(path === '' ? name : `${path}/${name}`, depth + 1);
  }

  yield* walk('', 0);
}
