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
  // Searched in this line alone: where there are no quotes, a search goes on to the end of what it is given.
  const line = buffer.subarray(start, end);
  for (let at = line.indexOf(0x22); at !== -1; at = line.indexOf(0x22, at + 1)) odd = !odd;
  return odd;
}

function tooLong(shownName: string, line: number, inQuotes: boolean): EarwitnessError {
  const problem = inQuotes ? 'a quote that opens here is never closed' : 'this line has more than 4 MiB';
  return new EarwitnessError(
    'bad-input',
    `${shownName}:${line}:1: expected a row of a table, but ${problem}; correct the row, or the format`,
  );
}

/** Where a row stands in its file. */
export interface RowPlace {
  readonly offset: number;
  readonly length: number;
  readonly line: number;
}

/**
 * Finds rows by their key without keeping keys or rows: 24 bytes a row and 4 to 8 for the table, so that a million rows
 * take about 40 MiB. Keys with the same 64 bits are told apart by the caller, who reads the row.
 */
export class RowIndex {
  #size = 0;
  #hashes = new Uint32Array(2 * 1024);
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #lines = new Uint32Array(1024);
  #slots = new Int32Array(2048).fill(-1);

  get size(): number {
    return this.#size;
  }

  add(key: string, place: RowPlace): void {
    if (this.#size === this.#offsets.length) this.#grow();
    const row = this.#size++;
    const low = hash(key, 0x811c9dc5);
    const high = hash(key, 0x9747b28c);
    this.#hashes[2 * row] = low;
    this.#hashes[2 * row + 1] = high;
    this.#offsets[row] = place.offset;
    this.#lengths[row] = place.length;
    this.#lines[row] = place.line;
    this.#put(low, row);
  }

  /** Rows whose keys may be this one: nearly always one or none. */
  *candidates(key: string): Generator<RowPlace> {
    const low = hash(key, 0x811c9dc5);
    const high = hash(key, 0x9747b28c);
    const mask = this.#slots.length - 1;
    for (let slot = low & mask; this.#slots[slot] !== -1; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]!;
      if (this.#hashes[2 * row] !== low || this.#hashes[2 * row + 1] !== high) continue;
      yield { offset: this.#offsets[row]!, length: this.#lengths[row]!, line: this.#lines[row]! };
    }
  }

  #put(low: number, row: number): void {
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    while (this.#slots[slot] !== -1) slot = (slot + 1) & mask;
    this.#slots[slot] = row;
  }

  #grow(): void {
    const rows = this.#offsets.length * 2;
    const larger = <Numbers extends Uint32Array | Float64Array>(old: Numbers, wanted: Numbers): Numbers => {
      wanted.set(old);
      return wanted;
    };
    this.#hashes = larger(this.#hashes, new Uint32Array(2 * rows));
    this.#offsets = larger(this.#offsets, new Float64Array(rows));
    this.#lengths = larger(this.#lengths, new Uint32Array(rows));
    this.#lines = larger(this.#lines, new Uint32Array(rows));
    this.#slots = new Int32Array(2 * rows).fill(-1);
    for (let row = 0; row < this.#size; row++) this.#put(this.#hashes[2 * row]!, row);
  }
}

/** FNV-1a over UTF-16 units, finished as in MurmurHash3 so that low bits are mixed. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
