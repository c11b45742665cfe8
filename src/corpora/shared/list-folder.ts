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
