import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Json, JsonObject } from '../../base/json.ts';
import type { SynthesizerServices } from '../contract.ts';

/** A program as it stands in the options, found. */
export interface FoundCommand {
  readonly path: string;
  readonly parameters: readonly string[];
  readonly version: string;
}

/**
 * What can change the sound: the program's content, its arguments, and the content of files that these name (scripts,
 * models). Paths do not belong to it, so that another folder changes nothing.
 */
export async function commandIdentity(
  { path, parameters, version }: FoundCommand,
  { baseFolder, fileHash }: SynthesizerServices,
): Promise<JsonObject> {
  const known: Json[] = [];
  for (const parameter of parameters) {
    const file = resolve(baseFolder, parameter);
    known.push((await isFile(file)) ? { file: await fileHash(file) } : parameter);
  }
  return { engine: 'command', program: basename(path), content: await fileHash(path), arguments: known, version };
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
