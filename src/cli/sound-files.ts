import { lstat, readdir, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Clip } from '../audio/clip.ts';
import { encodeWav, type WavOptions } from '../audio/encode-wav.ts';
import { badInput, badUsage, fileProblem, messageOf } from '../base/errors.ts';
import { soundEnding } from '../base/sound-endings.ts';
import { writeWhole } from '../session/export/write-whole.ts';
import { packedSounds, passedOver, readSoundTree } from './survey/sound-tree.ts';

/** A sound to read and where its changed form goes. */
interface PlannedFile {
  readonly input: string;
  readonly output: string;
}

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
    throw badInput(`${input}: expected an audio file or a folder, but ${fileProblem(error)}; check the path`, {
      cause: error,
    });
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
  const packed = packedSounds(await readSoundTree(input, input), input, 'init');
  const none = `${input}: expected audio files (.wav, .flac, .mp3, …), but the folder has none`;
  throw badInput(packed === null ? none : `${none}. ${packed.advice}`);
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
    if (other !== undefined) throw badInput(`${other} and ${file} would both become ${target}; rename one`);
    sources.set(target, file);
    return { input: file, output: target };
  });
}

/**
 * Refuses to go on where a file of this name is there, before any work is done for it.
 *
 * @throws EarwitnessError `bad-input`
 */
export async function refuseExisting(path: string, force: boolean): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (found.isDirectory()) throw badInput(`${path}: expected a file to write, but this is a folder; name a file`);
  if (!force) throw badInput(`${path} already exists; name another file, or overwrite it with --force`);
}

/**
 * Refuses a name that says another format than WAV, which alone is written, or that stands for stdout elsewhere.
 *
 * @throws EarwitnessError `bad-usage`
 */
export function refuseOtherSound(path: string): void {
  if (path === '-') throw badUsage('expected a file to write, but got - for stdout; name a file that ends in .wav');
  const ending = extname(path).toLowerCase();
  if (ending === '.wav' || !soundEnding.test(path)) return;
  throw badUsage(
    `${path}: expected a name that ends in .wav, since audio is written as WAV, but it ends in ${ending}; rename it`,
  );
}

/**
 * Writes a clip as WAV, whole or not at all, and makes the folder that it belongs in.
 *
 * @throws EarwitnessError `bad-input` where it cannot be written
 */
export async function writeSound(path: string, clip: Clip, format: WavOptions['format']): Promise<void> {
  let bytes: Uint8Array;
  try {
    bytes = encodeWav(clip, { format });
  } catch (error) {
    throw badInput(`${path}: the audio cannot be written (${messageOf(error)})`, {
      cause: error,
    });
  }
  await writeWhole(path, bytes);
}
