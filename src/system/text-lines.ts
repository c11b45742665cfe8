import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { badInput, EarwitnessError, messageOf } from '../base/errors.ts';
import { commandLine, limitText } from '../base/printable.ts';
import { refuseNoText } from './no-text.ts';

/** One line of a text file, without its end. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** Longer lines are no list of anything: the file is something else, and reading on would fill the memory. */
const maxLineBytes = 1 << 20;

/**
 * The lines of a file in UTF-8 or UTF-16 (as Excel and Praat write it), one after the other, in memory that does not grow with the file. A byte
 * order mark and carriage returns before line ends are taken away.
 *
 * @param file its path, or its bytes as they come
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: the file cannot be read, is not UTF-8 (with line and column), or has a line of
 * more than 1 MiB
 */
export async function* readTextLines(
  file: string | AsyncIterable<Buffer>,
  shownName: string,
): AsyncGenerator<TextLine> {
  let number = 0;
  let carried: Buffer[] = [];
  let carriedBytes = 0;

  function* linesOf(block: Buffer): Generator<TextLine> {
    const valid = isUtf8(block);
    for (let start = 0; start <= block.length; ) {
      const newline = block.indexOf(10, start);
      const end = newline === -1 ? block.length : newline;
      number++;
      const bytes = block.subarray(number === 1 && startsWithMark(block) ? start + 3 : start, end);
      if (!valid && !isUtf8(bytes)) throw notUtf8(bytes, shownName, number);
      // Decoded line by line: a slice of a longer text would keep all of it in memory.
      yield { number, text: bytes.toString('utf8', 0, bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length) };
      start = end + 1;
    }
  }

  try {
    for await (const chunk of readUtf8(file, shownName)) {
      const lastNewline = chunk.lastIndexOf(10);
      carried.push(lastNewline === -1 ? chunk : chunk.subarray(0, lastNewline));
      carriedBytes += chunk.length;
      if (lastNewline !== -1) {
        yield* linesOf(carried.length === 1 ? carried[0]! : Buffer.concat(carried));
        carried = [chunk.subarray(lastNewline + 1)];
        carriedBytes = carried[0]!.length;
      } else if (carriedBytes > maxLineBytes) {
        throw badInput(
          `${shownName}:${number + 1}: expected a text file with lines of at most 1 MiB, but this line is longer; is it another kind of file?`,
        );
      }
    }
    if (carriedBytes > 0) yield* linesOf(Buffer.concat(carried));
  } catch (error) {
    throw error instanceof EarwitnessError ? error : unreadable(error, shownName);
  }
}

/** UTF-16 is known by its mark, or by a zero in every second byte of what begins with letters of ASCII. */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [a, b, c, d] = bytes;
  if ((a === 0xff && b === 0xfe) || (a! > 0 && b === 0 && c! > 0 && d === 0)) return 'utf-16le';
  return (a === 0xfe && b === 0xff) || (a === 0 && b! > 0 && c === 0 && d! > 0) ? 'utf-16be' : null;
}

/**
 * The bytes of a text as they are where it is in UTF-8, and made so where it is in UTF-16; what gzip packed is unpacked.
 *
 * @param file its path, or its bytes as they come
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: it is no text but an archive, a document, a table of a program, audio or markup
 */
export async function* readUtf8(file: string | AsyncIterable<Buffer>, shownName: string): AsyncGenerator<Buffer> {
  let decoder: InstanceType<typeof TextDecoder> | null | undefined;
  for await (const chunk of unpacked(typeof file === 'string' ? blocksOf(file) : file)) {
    if (decoder === undefined) {
      const encoding = utf16Of(chunk);
      decoder = encoding === null ? null : new TextDecoder(encoding);
      if (encoding === null) refuseNoText(chunk, shownName);
    }
    yield decoder === null ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

/** The beginning of a text file, or all of it, without its mark; '' where it cannot be read or is not UTF-8, which reading it by lines tells. */
export async function readText(file: string | AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const blocks: Buffer[] = [];
  let length = 0;
  try {
    for await (const block of readUtf8(file, '')) {
      blocks.push(block);
      length += block.length;
      if (length >= maxBytes) break;
    }
  } catch {
    return '';
  }
  const bytes = Buffer.concat(blocks);
  // The last character may be cut off.
  const isText = [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)));
  return isText ? bytes.toString('utf8').replace(/^\uFEFF/, '') : '';
}

async function* unpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const all = chunks[Symbol.asyncIterator]();
  const first = await all.next();
  async function* again(): AsyncGenerator<Buffer> {
    for (let next = first; !next.done; next = await all.next()) yield next.value;
  }
  try {
    const isPacked = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b;
    yield* isPacked ? pipeline(again(), createGunzip(), () => {}) : again();
  } finally {
    await all.return?.();
  }
}

/** A corpus may have a text of a few words for each of its sounds: a stream takes 64 KiB of memory for each. */
const firstBlockBytes = 4096;
const blockBytes = 1 << 16;

async function* blocksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    let size = firstBlockBytes;
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size);
      if (bytesRead === 0) return;
      if (bytesRead === size) size = blockBytes;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function startsWithMark(block: Buffer): boolean {
  return block[0] === 0xef && block[1] === 0xbb && block[2] === 0xbf;
}

function unreadable(error: unknown, shownName: string): Error {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return error as Error;
  const problem =
    code === 'ENOENT'
      ? 'there is none'
      : code === 'EISDIR'
        ? 'this is a folder'
        : `reading it failed: ${messageOf(error)}`;
  return badInput(`${shownName}: expected a text file, but ${problem}; check the path`, {
    cause: error,
  });
}

/**
 * What is wrong with a line, or several, of a file that is not UTF-8: the sentence, with the place of the first bad byte.
 *
 * @param line of the file on which the bytes begin, from 1
 */
export function notUtf8(bytes: Buffer, shownName: string, line: number): EarwitnessError {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const before = bytes.toString('utf8').slice(0, firstBadCharacter(bytes));
  const byte = bytes[Buffer.byteLength(before)] ?? 0;
  const found = utf16 ? 'it is UTF-16' : `byte 0x${byte.toString(16).padStart(2, '0')} is not part of any character`;
  const lines = before.split('\n');
  const from = before.lastIndexOf('\n') + 1;
  const end = bytes.indexOf(10, Buffer.byteLength(before));
  const read = utf16
    ? null
    : asWindows1252(bytes.subarray(Buffer.byteLength(before.slice(0, from)), end === -1 ? undefined : end));
  const hint =
    read === null
      ? 'save the file as UTF-8'
      : `it reads ${JSON.stringify(limitText(read, 60))} as Windows-1252: if that is right, ${commandLine(['iconv', '-f', 'WINDOWS-1252', '-t', 'UTF-8', shownName])} writes it as UTF-8`;
  return badInput(
    `${shownName}:${line + lines.length - 1}:${lines.at(-1)!.length + 1}: expected UTF-8 text, but ${found}; ${hint}`,
  );
}

/** Beyond ASCII Western texts have letters, and signs that stand between words. */
const western = /^[\p{ASCII}À-ÖØ-öø-ÿŒœŠšŽžŸªº«»“”„‘’‚–—…€£§°·¡¿©®™½¼¾²³×\u00A0]*$/u;

/** The first word beyond ASCII of a line, as Windows or Latin-1 would have it; null where it is hardly a text in a Western language: most of its letters are beyond ASCII, or signs stand in words. */
function asWindows1252(bytes: Buffer): string | null {
  const text = new TextDecoder('windows-1252').decode(bytes).trim();
  const letters = text.match(/\p{L}/gu) ?? [];
  const beyond = letters.filter((letter) => letter > '\x7f').length;
  const hasSigns = /[a-zà-ÿ][¡¿£§°½¼¾²³×©®][a-zà-ÿ]/i.test(text);
  return western.test(text) && !hasSigns && beyond * 2 < letters.length
    ? (/[^\s",;<>]*[^\p{ASCII}][^\s",;<>]*/u.exec(text)?.[0] ?? null)
    : null;
}

/** Place of the first character that is not UTF-8: of the first U+FFFD that the bytes do not really hold. */
function firstBadCharacter(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  for (let index = text.indexOf('\uFFFD'); index !== -1; index = text.indexOf('\uFFFD', index + 1)) {
    const offset = Buffer.byteLength(text.slice(0, index));
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return index;
  }
  return 0;
}
