import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Clip } from '../audio/clip.ts';
import { encodeWav, type WavOptions } from '../audio/encode-wav.ts';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import { writeWhole } from '../session/export/write-whole.ts';
import { soundEnding } from './sound-file-plan.ts';

/**
 * Refuses to go on where a file of this name is there, before any work is done for it.
 *
 * @throws EarwitnessError `bad-input`
 */
export async function refuseExisting(path: string, force: boolean): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (found.isDirectory())
    throw new EarwitnessError('bad-input', `${path}: expected a file to write, but this is a folder; name a file`);
  if (!force)
    throw new EarwitnessError('bad-input', `${path} already exists; name another file, or overwrite it with --force`);
}

/**
 * Refuses a name that says another format than WAV, which alone is written, or that stands for stdout elsewhere.
 *
 * @throws EarwitnessError `bad-usage`
 */
export function refuseOtherSound(path: string): void {
  if (path === '-') {
    throw new EarwitnessError(
      'bad-usage',
      'expected a file to write, but got - for stdout; name a file that ends in .wav',
    );
  }
  const ending = extname(path).toLowerCase();
  if (ending === '.wav' || !soundEnding.test(path)) return;
  throw new EarwitnessError(
    'bad-usage',
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
    throw new EarwitnessError('bad-input', `${path}: the audio cannot be written (${messageOf(error)})`, {
      cause: error,
    });
  }
  await writeWhole(path, bytes);
}
