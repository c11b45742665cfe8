import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, collected, temporaryFolder } from '../corpora/conformance.ts';
import { readJsonRows } from './json-rows.ts';
import { readJsonArray } from './read-rows.ts';

async function read(text: string) {
  await using tree = await temporaryFolder({ 'list.json': text });
  return await collected(readJsonArray(`${tree.path}/list.json`, 'list.json'));
}

test('objects of a list are found wherever braces and quotes stand in their texts', async () => {
  const entries = [{ a: 'x } ] \\" {' }, { b: { c: [{ d: '"' }] }, e: '你好\n' }, {}];
  for (const text of [JSON.stringify(entries), JSON.stringify(entries, null, 4)]) {
    const lines = await read(text);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line.text)),
      entries,
    );
  }
  assert.deepEqual(
    (await read('[\n{"a": 1},\n\n{"a": 2}\n]')).map(({ number }) => number),
    [2, 4],
  );
  assert.deepEqual(await read('[]'), []);
});

test('entries are the same where the blocks of the file end inside of them', async () => {
  const entries = Array.from({ length: 2000 }, (_, index) => ({ index, text: 'é{"'.repeat(index % 90) }));
  const lines = await read(JSON.stringify(entries));
  assert.deepEqual(
    lines.map((line) => JSON.parse(line.text)),
    entries,
  );
});

test('what is no list of objects is refused', async () => {
  await assertRefused(read('{"a": 1}'), /list\.json:1: expected a JSON list of objects, but it begins with an object/);
  await assertRefused(read('["a"]'), /a text stands in it/);
  await assertRefused(read('nothing'), /there is none/);
  await assertRefused(read('[{"a": "b'), /it ends inside of one/);
  await assertRefused(read(`[{"a": "${'x'.repeat(5 << 20)}"}]`), /longer than 4 MiB/);
});

test('an entry over several lines is placed by the line of its member', async () => {
  await using tree = await temporaryFolder({ 'list.json': '[\n  {\n    "a": "x",\n    "b": "y"\n  }\n]' });
  const rows = readJsonRows(readJsonArray(`${tree.path}/list.json`, 'list.json'), 'list.json');
  const [row] = await collected(rows);
  assert.equal(row!.place('b'), 'list.json:4:5');
  assert.equal(row!.place(), 'list.json:2:1');
});
