import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packed } from '../web/folder-shards.ts';
import {
  bytesOf,
  type FolderUtterance,
  heardFrom,
  type PackedColumn,
  saidWords,
  textColumn,
  unpacked,
} from './folder-data.ts';

test('A column comes back as it was packed: of any numbers, of one, of none, and of what is no number.', () => {
  const columns = [
    Uint8Array.of(0, 255),
    Uint16Array.of(0, 65_535),
    Uint32Array.of(1, 4_294_967_295),
    Int32Array.of(-1, 5),
    Int32Array.of(-40_000, 40_000),
    Float32Array.of(0.5, Number.NaN, -0.25),
    Float32Array.of(Number.NaN, Number.NaN),
    Uint32Array.of(7, 7, 7),
    new Uint32Array(0),
  ];
  for (const column of columns) {
    const read: PackedColumn = JSON.parse(JSON.stringify(packed(column)));
    assert.deepEqual([...unpacked(read)], [...column]);
  }
  assert.deepEqual([...new Uint8Array(bytesOf(Buffer.from([0, 128, 255]).toString('base64')))], [0, 128, 255]);
});

test('Texts behind each other are found again by where they begin, a zero within one and an empty one too.', () => {
  const { starts, all } = textColumn(['ä', '', 'a\0b']);
  const texts = [0, 1, 2].map((at) => new TextDecoder().decode(all.subarray(starts[at], starts[at + 1]! - 1)));
  assert.deepEqual(texts, ['ä', '', 'a b']);
});

test('Words that are those of the text are read from it; edits tell which stand in whose place.', () => {
  const index = {
    header: { recognizers: ['one'] },
    columns: { recognizer: Uint16Array.of(0), seconds: Float32Array.of(Number.NaN) },
  } as unknown as Parameters<typeof heardFrom>[0];
  const utterance: FolderUtterance = ['a', 'en', 'so say all', 0, null];
  const heard = heardFrom(index, 0, ['So, all us', null, '=d=i', 'so all us', [0.1, null, 2]], utterance);
  assert.deepEqual(
    [heard.recognizer, heard.seconds, heard.transcript, heard.starts],
    ['one', null, 'So, all us', [0.1, null, 2]],
  );
  assert.deepEqual(
    heard.aligned?.map(({ reference, hypothesis }) => [reference, hypothesis]),
    [
      ['so', 'so'],
      ['say', null],
      ['all', 'all'],
      [null, 'us'],
    ],
  );
  const same = heardFrom(index, 0, ['so all us', null, '=d=i', 0], utterance);
  assert.deepEqual([same.aligned, same.starts], [heard.aligned, []]);
  const failed = heardFrom(index, 0, [null, 'timeout', null, null], utterance);
  assert.deepEqual([failed.failure, failed.aligned, failed.starts], ['timeout', null, []]);
  // Without words a substitution still is none of the same.
  const quiet = heardFrom(index, 0, [null, null, '=s', null], ['a', 'en', null, null, null]);
  assert.deepEqual(
    quiet.aligned?.map(({ reference, hypothesis }) => reference === hypothesis),
    [true, false],
  );
  assert.deepEqual(saidWords(['a', 'en', 'So', 'so  say', null]), ['so', 'say']);
  assert.equal(saidWords(['a', 'en', null, null, null]), null);
});
