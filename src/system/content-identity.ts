import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { EarwitnessError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { printable } from '../base/printable.ts';

/** Where paths are meant from, and how files are hashed. */
export interface Files {
  readonly baseFolder: string;
  fileHash(path: string): Promise<string>;
}

/** What an argument of a program is: a file by its content, a folder by its name alone, anything else as it stands. */
export async function argumentIdentity(part: string, { baseFolder, fileHash }: Files): Promise<Json> {
  const path = resolve(baseFolder, part);
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return { file: await fileHash(path) };
  return found?.isDirectory() ? { folder: basename(path) } : { text: part };
}

/**
 * One hash of the contents of a file, or of all files of a folder with their names.
 *
 * @throws EarwitnessError `bad-config` where there is neither
 */
export async function modelIdentity(named: string, { baseFolder, fileHash }: Files): Promise<string> {
  const path = resolve(baseFolder, named);
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return fileHash(path);
  if (!found?.isDirectory())
    throw new EarwitnessError(
      'bad-config',
      `models: expected a file or folder at ${printable(named, 200)}, but there is none; correct the path`,
    );
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${file.slice(path.length)}\0${await fileHash(file)}\0`);
  return hash.digest('hex');
}
