import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { badInput, EarwitnessError, fileProblem } from '../../base/errors.ts';
import { makeFolder, personal } from '../../base/on-disk.ts';

/**
 * Writes a file of people (`personal-data`) whole or not at all, for nobody else's eyes, and makes the folder that it belongs in.
 *
 * @throws EarwitnessError `bad-input` where it cannot be written
 */
export function writePersonal(path: string, content: Uint8Array | string): Promise<void> {
  return writeWhole(path, content, personal);
}

/**
 * Writes a file whole or not at all, and makes the folder that it belongs in.
 *
 * @param mode of the file, and of folders that are made for it; absent: as the system has it
 * @throws EarwitnessError `bad-input` where it cannot be written
 */
export async function writeWhole(
  path: string,
  content: Uint8Array | string,
  mode?: { readonly file: number; readonly folder: number },
): Promise<void> {
  const unfinished = unfinishedOf(path);
  try {
    makeFolder(dirname(path), mode?.folder);
    await writeFile(unfinished, content, mode && { mode: mode.file });
    // Left by a kill of an older version, it would keep its own.
    if (mode) await chmod(unfinished, mode.file);
    await rename(unfinished, path);
  } catch (error) {
    await removeUnfinished(path);
    throw cannotWrite(path, error);
  }
}

/** Removes what of a file was written before its writer was ended. */
export async function removeUnfinished(path: string): Promise<void> {
  await rm(unfinishedOf(path), { force: true }).catch(() => {});
}

/** Of the same name every time: what a kill left is overwritten when the same is written again. */
const unfinishedOf = (path: string) => `${path}.part`;

/**
 * Makes a folder that files are written into.
 *
 * @throws EarwitnessError `bad-input` where it cannot be made
 */
export function makeOutputFolder(folder: string): void {
  try {
    makeFolder(folder, personal.folder);
  } catch (error) {
    throw badInput(`${folder}: expected to write into this folder, but it cannot be made (${fileProblem(error)})`, {
      cause: error,
    });
  }
}

/**
 * Removes what says of others that they are there, before these are written anew: what is left of a half export then says nothing.
 *
 * @throws EarwitnessError `bad-input` where it cannot be removed
 */
export async function removeEarlier(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
}

/**
 * Why one clip of many cannot be made, where the others are gone on with.
 *
 * @throws what is no clip's own: a disk that takes nothing more, a fault of the program
 */
export function whyUnmade(error: unknown): string {
  if (error instanceof EarwitnessError && error.code !== 'store') return error.message;
  throw error;
}

/** Why a file cannot be written, in one sentence. */
export function cannotWrite(path: string, error: unknown): EarwitnessError {
  if (error instanceof EarwitnessError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const why =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'the disk is full; make room, then do the same again'
      : `it cannot be written (${fileProblem(error)})`;
  return badInput(`${path}: expected to write this file, but ${why}`, { cause: error });
}
