import { join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { ListedSound } from '../contract.ts';
import { listSoundFiles } from './list-sound-files.ts';
import type { FoundFolder } from './part-folder.ts';

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
