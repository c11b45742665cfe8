import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { EarwitnessError } from '../base/errors.ts';
import { fileProblem } from '../base/file-problem.ts';
import { packedSounds } from './survey/packed-sounds.ts';
import { passedOver } from './survey/sound-tree.ts';

/** A sound to read and where its changed form goes. */
export interface PlannedFile {
  readonly input: string;
  readonly output: string;
}

/** Names of sound files. */
export const soundEnding = /\.(wav|wave|flac|mp3|ogg|oga|opus|sph|nist|aif|aiff|aifc|au|m4a|aac|webm|mp4|wma|amr)$/i;

/**
 * The sound files in a folder, at any depth, in order; a file is itself. Symbolic links to folders are not followed, and what is
 * hidden or of a report is left out.
 *
 * @throws EarwitnessError `bad-input`: nothing there, no sound file in the folder
 */
export async function soundFilesOf(
  input: string,
): Promise<{ readonly files: readonly string[]; readonly folder: boolean }> {
  const found = await stat(input).catch((error: unknown) => {
    throw new EarwitnessError(
      'bad-input',
      `${input}: expected an audio file or a folder, but ${fileProblem(error)}; check the path`,
      { cause: error },
    );
  });
  if (!found.isDirectory()) return { files: [input], folder: false };
  const entries = await readdir(input, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && soundEnding.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // What earwitness itself keeps beside recordings, and other programs, is hidden.
    .filter((file) =>
      relative(input, file)
        .split(sep)
        .every((part) => !part.startsWith('.') && !passedOver.has(part)),
    )
    .sort();
  if (files.length > 0) return { files, folder: true };
  const packed = await packedSounds(input, '.', 'init');
  const none = `${input}: expected audio files (.wav, .flac, .mp3, …), but the folder has none`;
  throw new EarwitnessError('bad-input', packed === null ? none : `${none}. ${packed.advice}`);
}

/**
 * Which file becomes which: a file becomes the named file; every sound file in a folder, at any depth, becomes a WAV file of
 * the same place in the other folder.
 *
 * @throws EarwitnessError `bad-input`: nothing there, no sound file in the folder, two files that would become one
 */
export async function plannedFiles(input: string, output: string): Promise<PlannedFile[]> {
  const { files, folder } = await soundFilesOf(input);
  if (!folder) return [{ input, output }];
  const sources = new Map<string, string>();
  return files.map((file) => {
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
