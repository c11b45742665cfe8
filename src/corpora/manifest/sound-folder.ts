import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside } from '../shared/contained-path.ts';

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
export function findSoundFolder(file: string, paths: readonly string[]): string {
  const own = dirname(file);
  const above = dirname(own);
  const candidates = usualFolders.map((name) => join(own, name));
  for (const folder of candidates) if (paths.some((path) => exists(folder, path))) return folder;
  const named = paths.filter((path) => path.startsWith(`${basename(own)}/`));
  return named.some((path) => exists(above, path) && isInside(own, resolve(above, path))) ? above : own;
}

function exists(folder: string, path: string): boolean {
  return path !== '' && !path.includes('\0') && existsSync(resolve(folder, path));
}
