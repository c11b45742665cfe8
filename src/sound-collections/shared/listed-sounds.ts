import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { badInput, type EarwitnessError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { soundEnding } from '../../base/sound-endings.ts';
import type { ListedSound } from '../contract.ts';

/** Where the data set lies. */
export const folderOption = nonEmpty(4096).describe('Folder that it was unpacked to, relative to the config');

/** The sound files of a folder with what their paths tell. */
export async function listedSounds(
  { folder, shownName }: FoundFolder,
  factsOf: (name: string) => JsonObject,
): Promise<readonly ListedSound[]> {
  const names = await listSoundFiles(folder, shownName);
  return names.map((name) => ({ file: join(folder, name), name, facts: factsOf(name) }));
}

/** The name of a file without folders and ending. */
export function stemOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
}

/** Deeper folders are taken for a mistake. */
const deepest = 64;

/**
 * The sound files in a folder and all folders in it, as paths from there with `/`, in the order of these paths by code
 * unit. Hidden files and links are left out.
 *
 * @param shownName how errors name the folder
 * @throws EarwitnessError `bad-input` where it cannot be read, or holds no sound
 */
async function listSoundFiles(folder: string, shownName: string): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (path: string, depth: number): Promise<void> => {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch((thrown) => {
      throw unreadable(path === '' ? shownName : `${shownName}/${path}`, thrown);
    });
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && depth < deepest) await walk(inside, depth + 1);
      else if (entry.isFile() && soundEnding.test(entry.name)) found.push(inside);
    }
  };
  await walk('', 0);
  if (found.length === 0) {
    throw badInput(`${printable(shownName)}: expected audio files in this folder, but there are none; check the path`);
  }
  return found.sort();
}

function unreadable(shownName: string, thrown: unknown): EarwitnessError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  const reason =
    code === 'ENOENT'
      ? 'there is none'
      : code === 'ENOTDIR'
        ? 'it is a file'
        : `it cannot be read (${messageOf(thrown).slice(0, 200)})`;
  return badInput(`${printable(shownName)}: expected a folder of audio files, but ${reason}; check the path`, {
    cause: thrown,
  });
}

/** A folder that was found, and how errors name it. */
export interface FoundFolder {
  readonly folder: string;
  readonly shownName: string;
}

/**
 * A part of a data set, whichever of its folders was given: the one it unpacks to, the one that this lies in, or the part
 * itself.
 *
 * @param given the option, meant from `baseFolder`
 * @param ways from what may have been given to the part, the most exact first
 * @throws EarwitnessError `bad-input` where there is none of them
 * @example await partFolder('musan', baseFolder, ['musan/noise', 'noise'], 'MUSAN')
 */
export async function partFolder(
  given: string,
  baseFolder: string,
  ways: readonly string[],
  dataSet: string,
): Promise<FoundFolder> {
  for (const way of ways) {
    const folder = join(resolve(baseFolder, given), way);
    const about = await stat(folder).catch(() => null);
    if (about?.isDirectory()) return { folder, shownName: join(given, way) };
  }
  throw badInput(
    `${printable(given)}: expected the folder of ${dataSet} with ${ways.map((way) => JSON.stringify(way)).join(' or ')} in it, but there is none; check the path`,
  );
}
