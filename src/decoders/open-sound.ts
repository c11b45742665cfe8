import { constants, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import type { Decoder } from './contract.ts';

/**
 * Opens a file that should be sound, and closes it again.
 *
 * @param action is given the file, its length in bytes, and what changes when its content does
 * @throws EarwitnessError `bad-input`: missing, not readable, a folder or a device, empty
 */
export async function openSound<Result>(
  path: string,
  action: (file: FileHandle, size: number, state: string) => Promise<Result>,
): Promise<Result> {
  // Opening a named pipe would wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((thrown) => {
    throw cannotOpen(path, thrown);
  });
  try {
    const about = await file.stat();
    if (!about.isFile()) {
      const kind = about.isDirectory() ? 'a folder' : 'neither a file nor a folder';
      throw new EarwitnessError(
        'bad-input',
        `${shown(path)}: expected an audio file, but it is ${kind}; correct the path`,
      );
    }
    if (about.size === 0) {
      throw new EarwitnessError(
        'bad-input',
        `${shown(path)}: expected an audio file, but it is empty; record it again or take it out`,
      );
    }
    return await action(file, about.size, stateIn(about));
  } finally {
    await file.close();
  }
}

/** What changes when a file's content does; null where there is no file. */
export function stateOf(path: string): string | null {
  const about = statSync(path, { throwIfNoEntry: false });
  return about ? stateIn(about) : null;
}

function stateIn({ size, mtimeMs, ino }: Stats): string {
  return `${size}:${mtimeMs}:${ino}`;
}

/** The sentence for a file that no decoder recognizes. */
export function notASound(path: string, decoders: readonly Decoder[]): EarwitnessError {
  const kinds = decoders.map(({ name }) => name).join(', ');
  return new EarwitnessError(
    'bad-input',
    `${shown(path)}: expected an audio file (${kinds}), but its content is none; correct the path or convert the file`,
  );
}

/** A path for a sentence: characters that would steer a terminal or turn the line round become `?`. */
export function shown(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}

function cannotOpen(path: string, thrown: unknown): EarwitnessError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  const reason =
    code === 'ENOENT' || code === 'ENOTDIR'
      ? 'there is no such file; correct the path'
      : code === 'EACCES' || code === 'EPERM'
        ? 'it may not be read; change its permissions'
        : code === 'EISDIR'
          ? 'it is a folder; correct the path'
          : `it cannot be opened (${messageOf(thrown).slice(0, 200)})`;
  return new EarwitnessError('bad-input', `${shown(path)}: expected an audio file, but ${reason}`, { cause: thrown });
}
