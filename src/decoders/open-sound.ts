import { constants, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ReadBytes } from '../audio/pcm.ts';
import { badInput, type EarwitnessError, messageOf } from '../base/errors.ts';
import { beginsAs, certainKinds, isHtml } from '../base/first-bytes.ts';
import type { Decoder } from './contract.ts';
import { bytesOfLeadingTag } from './shared/id3.ts';

/** The head by which a decoder is chosen, and in which most files' samples begin. */
const headBytes = 4096;

/** A file that should be sound, behind the tags in front of it. */
export interface OpenSound {
  /** Its first bytes. */
  readonly head: Uint8Array;
  /** In bytes, without the tags. */
  readonly size: number;
  /** Changes when the content of the file does. */
  readonly state: string;
  readonly read: ReadBytes;
}

/**
 * Opens a file that should be sound, and closes it again.
 *
 * @throws EarwitnessError `bad-input`: missing, not readable, a folder or a device, empty
 */
export async function openSound<Result>(path: string, action: (sound: OpenSound) => Promise<Result>): Promise<Result> {
  // Opening a named pipe would wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((thrown) => {
    throw cannotOpen(path, thrown);
  });
  try {
    const about = await file.stat();
    if (!about.isFile()) {
      const kind = about.isDirectory() ? 'a folder' : 'neither a file nor a folder';
      throw badInput(`${shown(path)}: expected an audio file, but it is ${kind}; correct the path`);
    }
    if (about.size === 0) {
      throw badInput(`${shown(path)}: expected an audio file, but it is empty; record it again or take it out`);
    }
    let at = 0;
    const read: ReadBytes = (position, length) =>
      readBytes(file, at + position, Math.max(0, Math.min(length, about.size - at - position)));
    let head = await read(0, headBytes);
    for (let tag = bytesOfLeadingTag(head); tag > 0; tag = bytesOfLeadingTag(head)) {
      const behind = await read(tag, headBytes);
      // Of an MP3 file it is a part; before all others taggers write one too, which have no place for it.
      if (!beginsAs(behind, 'id3', 'adts', ...certainKinds)) break;
      at += tag;
      head = behind;
    }
    return await action({ head, size: about.size - at, state: stateIn(about), read });
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

async function readBytes(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, Math.min(length - filled, 1 << 30), position + filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
  }
  return bytes;
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
          : `it cannot be opened (${messageOf(thrown).slice(0, 200)}); copy it to where it can be read`;
  return badInput(`${shown(path)}: expected an audio file, but ${reason}`, { cause: thrown });
}

/** The sentence for a file that no decoder recognizes. */
export function notASound(path: string, decoders: readonly Decoder[], head?: Uint8Array): EarwitnessError {
  const kinds = decoders.map(({ name }) => (name === 'ffmpeg' ? 'what ffmpeg reads' : name)).join(', ');
  const text = Buffer.from(head?.subarray(0, 200) ?? []).toString('latin1');
  const what = text.startsWith('version https://git-lfs')
    ? 'is a pointer of Git LFS; fetch the file itself (git lfs pull)'
    : isHtml(text)
      ? 'is a page of HTML, as servers answer instead of a file; download it again'
      : 'content is none of these; correct the path or convert the file';
  const subject = what.startsWith('content') ? 'its' : 'it';
  return badInput(`${shown(path)}: expected an audio file (${kinds}), but ${subject} ${what}`);
}
