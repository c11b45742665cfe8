// Rates, intervals and differences are written into a finding here, and are what Python is told.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate, Finding } from '../model/finding.ts';
import { sampleReport } from '../report/testing/sample-report.ts';
import { toldReport, toldTables } from './told-report.ts';

const n = { utterances: 40, speakers: 20, words: 400 };
const estimate = (value: number, low: number, high: number): Estimate => {
  return { value, low, high, level: 0.95, n, method: 'x' };
};
const compared = (difference: Estimate, verdict: Comparison['verdict']): Comparison => {
  return { difference, pValue: 0.01, adjustedPValue: 0.02, test: 'x', verdict };
};
const text = (key: string) => ({ key, label: key, kind: 'text' }) as const;
const of = (table: string, column: string) => ({ table, column });
const finding: Finding = {
  ...{ study: { name: 'mine', version: 1 }, title: 'Mine', settings: {}, answer: [], warnings: ['A warning.'] },
  scores: {
    ...{ measure: 'WER', ranks: 0 },
    columns: [
      { words: 'on clean audio', head: ['clean'], rates: of('rates', 'rate'), comparisons: of('pairs', 'difference') },
    ],
    gaps: { of: 'clean audio', differences: of('gaps', 'gap'), rates: of('gaps', 'rate') },
  },
  sections: [
    {
      ...{ id: 's', title: 'S' },
      tables: [
        {
          ...{ id: 'rates', title: 'Rates', columns: [text('recognizer'), { key: 'rate', label: 'r', kind: 'rate' }] },
          rows: [
            { recognizer: 'slow', rate: estimate(0.3, 0.25, 0.36) },
            { recognizer: 'quick', rate: estimate(0.2, 0.11, 0.42) },
          ],
        },
        {
          ...{ id: 'pairs', title: 'Pairs' },
          columns: [text('recognizer'), text('comparedWith'), { key: 'difference', label: 'd', kind: 'difference' }],
          rows: [
            {
              ...{ recognizer: 'slow', comparedWith: 'quick' },
              difference: compared(estimate(0.1, 0.04, 0.17), 'worse'),
            },
          ],
        },
        {
          ...{ id: 'gaps', title: 'Gaps' },
          columns: [text('recognizer'), text('attribute'), text('group'), text('comparedWith')],
          rows: [
            {
              ...{
                recognizer: 'quick',
                attribute: 'sex',
                group: 'f',
                comparedWith: 'm',
                rate: estimate(0.25, 0.2, 0.3),
              },
              gap: compared(estimate(0.05, 0.01, 0.08), 'worse'),
            },
          ],
        },
      ],
    },
  ],
};
type Row = Readonly<Record<string, unknown>>;
/** As Python has it. */
interface Told {
  readonly tables: readonly [{ readonly rows: readonly Row[]; readonly gaps: readonly Row[] }];
  readonly warnings: readonly string[];
  readonly text: string;
  readonly html: string;
  readonly markdown: string;
}
const report = { ...sampleReport(), findings: [finding], failures: [], warnings: [] };

test('Rows of a result have the rates with both ends, how far they are above the first, and the gaps of groups.', () => {
  const { tables, warnings, text: screen, html, markdown } = toldTables(report) as unknown as Told;
  const size = { utterances: 40, speakers: 20 };
  const told = { pValue: 0.02, verdict: 'worse' };
  const [{ rows, gaps, ...table }] = tables;
  assert.deepEqual(table, { finding: 'mine', measure: 'WER', of: 'recognizer', columns: ['clean'] });
  const withoutWords = ({ says: _, ...one }: Row) => one;
  assert.deepEqual(
    rows.map(({ above, ...row }) => ({ ...row, above: above && withoutWords(above as Row) })),
    [
      { name: 'quick', values: [0.2], low: 0.11, high: 0.42, ...size, above: null },
      {
        name: 'slow',
        values: [0.3],
        low: 0.25,
        high: 0.36,
        ...size,
        above: { value: 0.1, low: 0.04, high: 0.17, ...told },
      },
    ],
  );
  assert.deepEqual(gaps.map(withoutWords), [
    { name: 'quick', attribute: 'sex', groups: ['f', 'm'], value: 0.05, low: 0.01, high: 0.08, ...told },
  ]);
  // The screen, the page and the text say the same.
  assert.deepEqual(warnings, ['A warning.']);
  for (const one of [screen, html, markdown]) assert.match(one, /quick/);
  for (const one of [html, markdown]) assert.match(one, /11\.0(?:,|–| to) ?42\.0/);
  assert.match(html, /^<div class="earwitness-result">/);
  assert.match(screen, /quick makes the fewest errors on clean audio: 10\.0 points below slow\./);
});

test('A whole report is that of report.json, and what compares two without a table says so in its own words.', () => {
  const { report: whole } = toldReport(report) as unknown as { report: { findings: { title: string }[] } };
  assert.deepEqual(
    whole.findings.map(({ title }) => title),
    ['Mine'],
  );
  const { scores: _, ...without } = finding;
  const answer = [{ text: 'They differ.', headline: true }] as const;
  const told = toldTables({ ...report, findings: [{ ...without, answer }] }) as unknown as Told;
  assert.deepEqual(told.tables, []);
  assert.match(told.markdown, /^They differ\./);
  assert.match(told.html, /<p class="found"><bdi>They differ\.<\/bdi><\/p>/);
});
