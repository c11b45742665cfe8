import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDelimitedRows } from './delimited-rows.ts';

test('a table with fifty thousand columns is read in the time that its size takes', async () => {
  const names = Array.from({ length: 50_000 }, (_, column) => `c${column}`);
  async function* lines() {
    yield { text: names.join('\t'), number: 1 };
    yield { text: names.map((name) => `of ${name}`).join('\t'), number: 2 };
  }
  const started = performance.now();
  const format = { delimiter: '\t', quotes: 'literal' } as const;
  for await (const row of readDelimitedRows(lines() as never, 'wide.tsv', format as never)) {
    assert.equal(row.text('c49999'), 'of c49999');
    assert.equal(row.place('c1'), `wide.tsv:2:${'of c0'.length + 2}`);
  }
  // With a place made for each column of the header it was a hundred seconds.
  assert.ok(performance.now() - started < 5000, `${performance.now() - started} ms`);
});
