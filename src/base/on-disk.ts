import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Waits until what was written to a file is on the disk, so that a power cut does not take it. */
export function syncFile(path: string): void {
  // Windows flushes only what may be written.
  const file = openSync(path, 'r+');
  try {
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the names in a folder are on the disk: files that were made, renamed or removed there. Systems that cannot keep them so. */
export function syncFolder(folder: string): void {
  let file: number | null = null;
  try {
    file = openSync(folder, 'r');
    fsyncSync(file);
  } catch {
    // Windows opens no folders, and some network file systems sync none.
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * Gives a file that is written to its end the name it is to have: whoever looks, whatever happens, finds the old one or the new one whole.
 *
 * @param half in the same folder
 */
export function putInPlace(half: string, path: string): void {
  syncFile(half);
  renameSync(half, path);
  syncFolder(dirname(path));
}

/** Makes a folder with all above it, so that a power cut does not take it with what is in it. */
export function makeDurableFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(folder); made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}
