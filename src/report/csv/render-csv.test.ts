import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { Estimate, Table } from '../../model/finding.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { csvLine, renderCsv, withFormula } from './render-csv.ts';

const groups = sampleReport().findings[0]?.sections[1]?.tables?.[0] as Table;

test('every row is there when another program reads the CSV back', () => {
  const read: Record<string, string>[] = parse(renderCsv(groups), { columns: true, relax_column_count: false });
  assert.equal(read.length, groups.rows.length);
  const first = groups.rows[0]?.['debian-default'];
  assert.ok(typeof first === 'object' && first !== null && 'value' in first);
  assert.equal(Number(read[0]?.['debian-default']), first.value);
  assert.equal(Number(read[0]?.['debian-default_low']), first.low);
  assert.equal(Number(read[0]?.['debian-default_high']), first.high);
  assert.equal(read[0]?.['debian-default_n'], '160');
  assert.equal(read[0]?.['debian-default_speakers'], '16');
});

test('comparisons bring p-values and the verdict, nulls an empty field and a reason', () => {
  const read: Record<string, string>[] = parse(renderCsv(groups), { columns: true });
  assert.equal(read[0]?.difference_p, '0.004');
  assert.equal(read[0]?.difference_adjusted_p, '0.016');
  assert.equal(read[0]?.difference_verdict, 'worse');
  assert.equal(read[4]?.['narrow-beams'], '');
  assert.match(read[4]?.['narrow-beams_reason'] ?? '', /only 1 speaker/);
  assert.match(read[4]?.['debian-default_reason'] ?? '', /only 2 speakers/);
});

function oneCell(text: string): Table {
  return { id: 't', title: 't', columns: [{ key: 'a', label: 'A', kind: 'text' }], rows: [{ a: text }] };
}

test('a text that a spreadsheet would run gets an apostrophe', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1']) {
    const [, row] = parse(renderCsv(oneCell(text)));
    assert.equal(row?.[0], `'${text}`);
  }
  const negative: Table = { ...oneCell(''), rows: [{ a: -1.5 }] };
  assert.equal(renderCsv(negative), 'a\r\n-1.5\r\n');
});

test('what tables are joined by and words that are read again are exact; what is there to be read is safe', () => {
  const odd = ['-5', '+1', '=a', '@x', '\t=1', "'tis", ' a', '"', 'a,b\r\n'];
  assert.deepEqual(parse(csvLine(odd), { record_delimiter: '\r\n' }), [odd]);
  assert.equal(
    csvLine(['-5', '=1+1', -5], (place) => place === 1),
    "-5,'=1+1,-5\r\n",
  );
});

test('any text comes back as it was when the apostrophe is taken away', () => {
  const odd = fc.string({ unit: fc.constantFrom("'", '=', '-', ' ', '\t', '\u00a0', 'a'), minLength: 1 });
  fc.assert(
    fc.property(fc.oneof(odd, fc.string({ unit: 'binary', minLength: 1 })), (text) => {
      const [, row] = parse(renderCsv(oneCell(text)), { record_delimiter: '\r\n' });
      return withFormula(row?.[0] ?? '') === text.toWellFormed().replaceAll('\0', '␀');
    }),
    { numRuns: 1000 },
  );
});

test('NaN is refused', () => {
  assert.throws(() => renderCsv({ ...oneCell(''), rows: [{ a: Number.NaN }] }), TypeError);
});

test('without transcripts their columns are left out', () => {
  const table: Table = {
    ...oneCell('secret'),
    columns: [
      { key: 'a', label: 'A', kind: 'text', transcript: true },
      { key: 'b', label: 'B', kind: 'count' },
    ],
    rows: [{ a: 'secret', b: 1 }],
  };
  assert.equal(renderCsv(table, { transcripts: false }), 'b\r\n1\r\n');
  assert.equal(renderCsv(table), 'a,b\r\nsecret,1\r\n');
});

test('rows of rates over words name what made the words', () => {
  const rows = groups.rows.map((row) => ({
    ...row,
    'debian-default': {
      ...(row['debian-default'] as Estimate),
      n: { utterances: 1, speakers: 1, words: 9, normalizer: 'english 2' },
    },
  }));
  const read: Record<string, string>[] = parse(renderCsv({ ...groups, rows }), { columns: true });
  assert.equal(read[0]?.normalizer, 'english 2');
  assert.doesNotMatch(renderCsv(groups), /normalizer/);
});
