import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { quoted } from '../shared/speakable-text.ts';

/**
 * The file that a program's name stands for: a name with a slash is meant from the base folder, any other is looked for
 * on PATH.
 *
 * @throws EarwitnessError `missing-program` where there is none that can be run
 */
export async function findProgram(program: string, baseFolder: string): Promise<string> {
  const hasFolder = /[/\\]/.test(program);
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = hasFolder ? [resolve(baseFolder, program)] : folders.map((folder) => join(folder, program));
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate;
  const place = hasFolder ? 'there is no such file that can be run' : 'it is not on PATH';
  throw new EarwitnessError(
    'missing-program',
    `expected the program ${quoted(program)} of the synthesizer, but ${place}; install it, or correct the option command`,
  );
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
