import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';

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
    throw new EarwitnessError(
      'bad-input',
      `${place()}: expected the path of an audio file, but it is empty; fill it in or take the row out`,
    );
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) {
    throw new EarwitnessError(
      'bad-input',
      `${place()}: expected a path without control characters, but found one; take it out`,
    );
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
  return new EarwitnessError(
    'bad-input',
    `${place}: expected a file inside of ${boundary.shownName}, but ${what.slice(0, 200)} leads out of it; correct it, or set allowOutside: true if you trust it`,
  );
}
