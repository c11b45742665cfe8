import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderCsv } from '../../report/csv/render-csv.ts';
import { column, conditionColumn, ofWords, recognizerIn, tableOf } from './tables.ts';

test('A column takes what a row has under its key, or what it is told to; columns that are false and what no column asks for stay out.', () => {
  const rows = [
    { recognizer: 1, condition: 'clean', errors: 1, words: 8 },
    { recognizer: 0, condition: 'hiss', errors: 3, words: 4 },
  ];
  const table = tableOf('rates', 'Rates', rows, [
    recognizerIn([{ name: 'a' }, { name: 'b' }]),
    conditionColumn,
    rows.length > 2 && { key: 'words', label: 'Words', kind: 'count' },
    column('rate', 'Rate', 'rate', ({ errors, words }) => errors / words),
  ]);
  assert.deepEqual(table, {
    id: 'rates',
    title: 'Rates',
    columns: [
      { key: 'recognizer', label: 'Recognizer', kind: 'text' },
      conditionColumn,
      { key: 'rate', label: 'Rate', kind: 'rate' },
    ],
    rows: [
      { recognizer: 'b', condition: 'clean', rate: 0.125 },
      { recognizer: 'a', condition: 'hiss', rate: 0.75 },
    ],
  });
});

test('Tables that rest on words without being rates over them name the normalizer, in a note and in files; failures do not.', () => {
  const table = (id: string) => tableOf(id, 'Cases', [{ cases: 3 }], [{ key: 'cases', label: 'Cases', kind: 'count' }]);
  const [section] = ofWords(
    [{ id: 's', title: 'S', tables: [table('metamorphic-violations'), table('metamorphic-failures')] }],
    'english',
  );
  const [cases, failures] = section!.tables!;
  assert.equal(cases!.note, 'Words: normalizer english.');
  assert.equal(renderCsv(cases!), 'cases,normalizer\r\n3,english\r\n');
  assert.equal(renderCsv(failures!), 'cases\r\n3\r\n');
  assert.equal(failures!.note, undefined);
});
