import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { nearestName } from '../../base/nearest-name.ts';
import { isInside } from '../shared/folders.ts';

/** Finds files whose names somebody wrote otherwise than they are on the disk. */
export interface FileFinder {
  /**
   * The path of a file that is there: as given, else in another normal form of Unicode, else in another letter case, where that is one
   * file alone; folders likewise. Null where there is none.
   *
   * @param path absolute
   * @param from folders below it may be spelled otherwise; of other paths only the last part
   */
  find(path: string, from: string): string | null;
  /** The name that is most likely meant by a path that was not found, in the folders that were looked into; null where none is near. */
  nearest(path: string): string | null;
}

/** The names in a folder by what they have in common with other spellings; null: several have it. */
interface FolderSpellings {
  readonly names: readonly string[];
  readonly byForm: ReadonlyMap<string, string | null>;
  readonly byCase: ReadonlyMap<string, string | null>;
}

const maxFolders = 64;
/** Names among which the nearest is looked for. */
const maxNames = 10_000;

const form = (name: string) => name.normalize('NFC');
const caseless = (name: string) => form(name).toLowerCase();

/** Folders are listed where a file is missing alone, and some of them remembered. */
export function createFileFinder(): FileFinder {
  const listed = new Map<string, FolderSpellings | null>();
  const namesIn = (folder: string): FolderSpellings | null => {
    const known = listed.get(folder);
    if (known !== undefined) return known;
    if (listed.size === maxFolders) listed.delete(listed.keys().next().value!);
    const found = spellingsIn(folder);
    listed.set(folder, found);
    return found;
  };
  const find = (path: string, from: string): string | null => {
    if (existsSync(path)) return path;
    const above = dirname(path);
    const folder = above === from || !isInside(from, above) ? above : find(above, from);
    const spellings = folder === null ? null : namesIn(folder);
    const name = basename(path);
    const there = spellings?.byForm.get(form(name)) ?? spellings?.byCase.get(caseless(name)) ?? null;
    return there === null ? null : join(folder!, there);
  };
  return {
    find,
    nearest(path) {
      const names = [...listed.values()].flatMap((folder) => folder?.names ?? []);
      const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
      return nearestName(name, names.slice(0, maxNames));
    },
  };
}

function spellingsIn(folder: string): FolderSpellings | null {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return null;
  }
  const by = (spelling: (name: string) => string) => {
    const found = new Map<string, string | null>();
    for (const name of names) found.set(spelling(name), found.has(spelling(name)) ? null : name);
    return found;
  };
  return { names, byForm: by(form), byCase: by(caseless) };
}

/** Folders beside a list in which data sets keep its sounds: Common Voice `clips`, LJ Speech `wavs`. */
const usualFolders = ['', 'clips', 'wavs', 'wav', 'audio'];

/**
 * From which folder the paths of a list are meant: its own, one of the usual folders in it, or, where the paths begin
 * with the name of its own folder, the one above. The first in which one of the given sounds exists; its own where
 * none does.
 *
 * @param file the list, absolute
 * @param paths of the first few rows
 */
export function findSoundFolder(file: string, paths: readonly string[], files: FileFinder): string {
  const own = dirname(file);
  const above = dirname(own);
  const candidates = usualFolders.map((name) => join(own, name));
  for (const folder of candidates) if (paths.some((path) => exists(folder, path, files))) return folder;
  const named = paths.filter((path) => path.startsWith(`${basename(own)}/`));
  return named.some((path) => exists(above, path, files) && isInside(own, resolve(above, path))) ? above : own;
}

function exists(folder: string, path: string, files: FileFinder): boolean {
  if (path === '' || path.includes('\0')) return false;
  return [path, path.replaceAll('\\', '/')].some((written) => files.find(resolve(folder, written), folder) !== null);
}
