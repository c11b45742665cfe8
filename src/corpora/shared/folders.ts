import { opendir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { badInput, type EarwitnessError, messageOf } from '../../base/errors.ts';

/** Where files may lie. */
export interface Boundary {
  readonly folder: string;
  /** The folder as the user knows it, for errors. */
  readonly shownName: string;
  /** Files elsewhere are allowed too. */
  readonly allowOutside: boolean;
}

/** Whether a path lies in a folder, by its text alone. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * The absolute path that a text in somebody's list means, checked by its text alone, so that it costs no look at the
 * disk. `checkLinks` looks where it really leads.
 *
 * @param from relative paths are meant from here
 * @param place gives `file:line:column`, asked only for an error
 * @throws EarwitnessError `bad-input`: empty, control characters, or outside of the boundary
 */
export function containedPath(path: string, from: string, boundary: Boundary, place: () => string): string {
  if (path.trim() === '') {
    throw badInput(`${place()}: expected the path of an audio file, but it is empty; fill it in or take the row out`);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) {
    throw badInput(`${place()}: expected a path without control characters, but found one; take it out`);
  }
  const absolute = resolve(from, path);
  if (!boundary.allowOutside && !isInside(boundary.folder, absolute)) throw outside(place(), path, boundary);
  return absolute;
}

/**
 * Checks that a file lies inside of the boundary after symbolic links are followed. A file that does not exist passes:
 * whoever reads it says so.
 *
 * @throws EarwitnessError `bad-input`: a link leads out
 */
export async function checkLinks(file: string, boundary: Boundary): Promise<void> {
  if (boundary.allowOutside) return;
  const [real, realFolder] = await Promise.all([realpath(file).catch(() => null), realpath(boundary.folder)]);
  if (real !== null && !isInside(realFolder, real)) throw outside(file, 'a symbolic link', boundary);
}

function outside(place: string, what: string, boundary: Boundary): EarwitnessError {
  return badInput(
    `${place}: expected a file inside of ${boundary.shownName}, but ${what.slice(0, 200)} leads out of it; correct it, or set allowOutside: true if you trust it`,
  );
}

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
    throw badInput(
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
      throw badInput(
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
