import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionColumn, recognizerIn, tableOf } from './tables.ts';

test('A column takes what a row has under its key, or what it is told to; columns that are false and what no column asks for stay out.', () => {
  const rows = [
    { recognizer: 1, condition: 'clean', errors: 1, words: 8 },
    { recognizer: 0, condition: 'hiss', errors: 3, words: 4 },
  ];
  const rate = { key: 'rate', label: 'Rate', kind: 'rate' } as const;
  const table = tableOf({ id: 'rates', title: 'Rates', note: 'pooled' }, rows, [
    recognizerIn([{ name: 'a' }, { name: 'b' }]),
    conditionColumn,
    rows.length > 2 && { key: 'words', label: 'Words', kind: 'count' },
    { ...rate, of: ({ errors, words }) => errors / words },
  ]);
  assert.deepEqual(table, {
    id: 'rates',
    title: 'Rates',
    note: 'pooled',
    columns: [{ key: 'recognizer', label: 'Recognizer', kind: 'text' }, conditionColumn, rate],
    rows: [
      { recognizer: 'b', condition: 'clean', rate: 0.125 },
      { recognizer: 'a', condition: 'hiss', rate: 0.75 },
    ],
  });
});
