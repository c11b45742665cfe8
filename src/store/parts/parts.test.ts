import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFile } from '../sqlite/database.ts';
import { partsOf } from './rows.ts';

test('parts hold every row once, at most 10,000 each, of keys of several columns and of rows that meet a condition', () => {
  const database = openFile(':memory:', { readonly: false });
  database.exec(`CREATE TABLE t (run INTEGER, batch INTEGER, position INTEGER, PRIMARY KEY (run, batch, position)) WITHOUT ROWID;
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49999)
    INSERT INTO t SELECT i % 2, i / 2 / 7000, i / 2 % 7000 FROM n`);
  const where = { condition: 'run = ?', values: [1] };
  const parts = partsOf(database, 't', 'batch, position', where);
  const sizes = parts.map(({ condition, values }) =>
    database
      .prepare(`SELECT count(*) FROM t WHERE ${condition}`)
      .pluck()
      .get(...values),
  );
  assert.deepEqual(sizes, [10_000, 10_000, 5000]);
  const found = parts.flatMap(({ condition, values }) =>
    database
      .prepare(`SELECT batch * 7000 + position FROM t WHERE ${condition}`)
      .pluck()
      .all(...values),
  );
  assert.deepEqual(
    found,
    Array.from({ length: 25_000 }, (_, index) => index),
  );
  assert.deepEqual(partsOf(database, 't', 'run', { condition: 'run = ?', values: [9] }).length, 1);
  database.close();
});
