import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { EarwitnessError, messageOf } from '../base/errors.ts';

/** A sound to read and where its changed form goes. */
export interface PlannedFile {
  readonly input: string;
  readonly output: string;
}

const soundEnding = /\.(wav|wave|flac|mp3|ogg|oga|opus|sph|nist|aif|aiff|aifc|au|m4a|aac|webm|mp4|wma|amr)$/i;

/**
 * Which file becomes which: a file becomes the named file; every sound file in a folder, at any depth, becomes a WAV file of
 * the same place in the other folder. Symbolic links to folders are not followed.
 *
 * @throws EarwitnessError `bad-input`: nothing there, no sound file in the folder, two files that would become one
 */
export async function plannedFiles(input: string, output: string): Promise<PlannedFile[]> {
  const found = await stat(input).catch((error: unknown) => {
    throw new EarwitnessError('bad-input', `${input}: expected a sound file or a folder (${messageOf(error)})`, {
      cause: error,
    });
  });
  if (!found.isDirectory()) return [{ input, output }];
  const entries = await readdir(input, { recursive: true, withFileTypes: true });
  const inputs = entries
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && soundEnding.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (inputs.length === 0) {
    throw new EarwitnessError(
      'bad-input',
      `${input}: expected sound files (.wav, .flac, .mp3, …), but the folder has none`,
    );
  }
  const sources = new Map<string, string>();
  return inputs.map((file) => {
    const inside = relative(input, file);
    const target = join(output, `${inside.slice(0, inside.length - extname(inside).length)}.wav`);
    const other = sources.get(target);
    if (other !== undefined) {
      throw new EarwitnessError('bad-input', `${other} and ${file} would both become ${target}; rename one`);
    }
    sources.set(target, file);
    return { input: file, output: target };
  });
}
