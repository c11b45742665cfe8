import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { EarwitnessError } from '../base/errors.ts';
import { readParquetRows } from './parquet-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-parquet-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const rows = 300;
const texts = (of: (place: number) => string) => Array.from({ length: rows }, (_, place) => of(place));
const whole = Buffer.from(
  parquetWriteBuffer({
    columnData: [
      { name: 'id', data: texts((place) => `u${place}`), type: 'STRING' },
      { name: 'text', data: texts((place) => `words number ${place * 7919}`), type: 'STRING' },
    ],
    rowGroupSize: 100,
  }),
);

/** How many rows are read, or the sentence. */
async function read(bytes: Buffer): Promise<number | string> {
  const path = join(folder, 'a.parquet');
  writeFileSync(path, bytes);
  let count = 0;
  try {
    for await (const row of readParquetRows(path, 'a.parquet')) count += row.names.length / 2;
    return count;
  } catch (error) {
    assert.ok(error instanceof EarwitnessError, String(error));
    return error.message;
  }
}

const damaged =
  /^a\.parquet: expected a Parquet file, but (?:its table of contents|what holds its rows \d+ to \d+) cannot be read: /;

test('a Parquet file that is cut off anywhere says so, with what it has', async () => {
  assert.equal(await read(whole), rows);
  for (let size = 100; size < whole.length; size += 100)
    assert.equal(
      await read(whole.subarray(0, size)),
      `a.parquet: expected a Parquet file, but it is cut off after ${size.toLocaleString('en')} bytes; copy or write it again`,
    );
  assert.match(String(await read(Buffer.alloc(0))), /but it is none \(it has 0 bytes and begins otherwise\)/);
  assert.match(String(await read(Buffer.from('id,text\na,b c d e f g h\n'))), /but it is none \(it has \d+ bytes/);
});

test('a Parquet file of which bytes are missing or wrong says where, and nothing of the program that reads it', async () => {
  for (let at = 100; at < whole.length - 400; at += 100)
    assert.match(String(await read(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 37)]))), damaged);
  for (let at = 4; at < whole.length - 4; at += 100) {
    const bytes = Buffer.from(whole);
    bytes[at] = bytes[at]! ^ 0x5a;
    const given = await read(bytes);
    // Letters of a text may be others: nothing in the file says so.
    if (typeof given === 'string') assert.match(given, damaged);
    else assert.equal(given, rows);
  }
});
