import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { EarwitnessError } from '../../base/errors.ts';
import { notUtf8 } from '../../system/text-lines.ts';

/** A record of a text file: a line, or several where a field in quotes goes over line ends. */
export interface FileRecord {
  /** First line, from 1. */
  readonly line: number;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Bytes, without the line end. */
  readonly length: number;
  readonly text: string;
}

const chunkBytes = 1 << 20;
/** What is longer is no row of a table: the file is something else, or a quote was never closed. */
const maxRecordBytes = 1 << 22;

/**
 * Reads a UTF-8 file record by record, in memory that does not grow with it. Blank lines, a byte order mark and carriage
 * returns before line ends are passed over.
 *
 * @param quotes whether line ends between `"` belong to the record
 * @param onRecord what it throws ends the reading
 * @returns SHA-256 of the file's content
 * @throws EarwitnessError `bad-input` with file, line and column: not UTF-8, a record of more than 4 MiB
 */
export async function scanRecords(
  path: string,
  shownName: string,
  quotes: boolean,
  onRecord: (record: FileRecord) => void,
): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    let buffer: Buffer = Buffer.alloc(0);
    let bufferOffset = 0;
    let line = 1;
    // Within `buffer`: where the record in hand starts, and how far its lines have been looked at.
    let start = 0;
    let looked = 0;
    let lines = 0;
    let inQuotes = false;
    let valid = true;

    const finish = (end: number) => {
      const mark = bufferOffset + start === 0 && buffer.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
      const carriage = end > start && buffer[end - 1] === 0x0d ? 1 : 0;
      const bytes = buffer.subarray(start + mark, end - carriage);
      if (!valid && !isUtf8(bytes)) throw notUtf8(bytes, shownName, line);
      const text = bytes.toString('utf8');
      if (text.trim() !== '') onRecord({ line, offset: bufferOffset + start + mark, length: bytes.length, text });
      line += lines;
      lines = 0;
    };

    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await file.read(chunk, 0, chunkBytes);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      buffer = Buffer.concat([buffer.subarray(start), chunk.subarray(0, bytesRead)]);
      bufferOffset += start;
      looked -= start;
      start = 0;
      valid = isUtf8(buffer);
      for (let newline = buffer.indexOf(0x0a, looked); newline !== -1; newline = buffer.indexOf(0x0a, looked)) {
        if (quotes && oddQuotes(buffer, looked, newline)) inQuotes = !inQuotes;
        looked = newline + 1;
        lines++;
        if (inQuotes) continue;
        finish(newline);
        start = looked;
      }
      if (buffer.length - start > maxRecordBytes) throw tooLong(shownName, line, inQuotes);
    }
    lines++;
    valid = false;
    if (quotes && oddQuotes(buffer, looked, buffer.length)) inQuotes = !inQuotes;
    if (inQuotes) throw tooLong(shownName, line, true);
    finish(buffer.length);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

function oddQuotes(buffer: Buffer, start: number, end: number): boolean {
  let odd = false;
  for (let at = buffer.indexOf(0x22, start); at !== -1 && at < end; at = buffer.indexOf(0x22, at + 1)) odd = !odd;
  return odd;
}

function tooLong(shownName: string, line: number, inQuotes: boolean): EarwitnessError {
  const problem = inQuotes ? 'a quote that opens here is never closed' : 'this line has more than 4 MiB';
  return new EarwitnessError(
    'bad-input',
    `${shownName}:${line}:1: expected a row of a table, but ${problem}; correct the row, or the format`,
  );
}
