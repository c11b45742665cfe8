import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Finding } from '../../model/finding.ts';
import type { OpenVerdict } from '../../model/reason.ts';
import { type GapTable, gapNotes, worstOf } from './gap-table.ts';

const n = { utterances: 40, speakers: 20 };
const gap = (open?: Partial<OpenVerdict>): Comparison => ({
  difference: { value: 0.1, low: -0.1, high: 0.3, level: 0.95, n, method: 'x' },
  ...{ pValue: 0.2, adjustedPValue: 0.2, test: 'x', verdict: open === undefined ? 'worse' : 'cannot tell' },
  ...(open && { open: { reason: { code: 'holds-nothing' }, more: null, unit: 'speaker', ...open } }),
});
const corrected: Partial<OpenVerdict> = {
  reason: { code: 'corrected', among: 9, pValue: 0.01, minPValue: 0.001 },
  more: 5,
};
const notesOf = (...gaps: readonly Comparison[]) => {
  const rows = gaps.map((comparison, at) => ({
    ...{ name: `r${at}`, comparison, groups: ['f', 'm'] as const, rates: [null, null] as const },
  }));
  const table: GapTable = {
    attribute: 'sex',
    measure: 'WER',
    kind: 'rate',
    of: 'clean audio',
    groups: ['f', 'm'],
    rows,
  };
  return gapNotes(table);
};

test('What would settle gaps stands in one note, and why an interval is wider on each row that has one', () => {
  const [few, many] = [gap({ more: 9 }), gap({ more: 1400 })];
  const both = 'about 1,400 and 9 more speakers would settle them';
  assert.deepEqual(notesOf(many, few), [both, both]);
  assert.deepEqual(notesOf(few), ['about 9 more speakers would settle it']);
  const wide = gap(corrected);
  const why = /^wider than alone: 9 comparisons/;
  // However many rows there are, and whichever is told.
  for (const gaps of [
    [few, many, wide],
    [few, many, few, wide],
    [gap(), wide],
    [gap(), few, few, few, wide],
  ])
    assert.match(String(notesOf(...gaps).at(-1)), why);
  assert.deepEqual(notesOf(gap(), few), [null, null]);
  assert.deepEqual(notesOf(few, many, few, few), ['about 9 more speakers would settle it', null, null, null]);
});

test('The worst group is called by its values, whatever words its attributes have', () => {
  const rate = { value: 0.4, low: 0.3, high: 0.5, level: 0.95, n, method: 'x' };
  const worstOfGroup = (group: string) => {
    const rows = [{ group, recognizer: 'one', gap: gap(), rate }];
    const columns = ['group', 'recognizer', 'gap', 'rate'].map((key) => ({ key, label: key, kind: 'text' }) as const);
    const finding: Finding = {
      ...{ study: { name: 'invented', version: 1 }, title: 'Invented', settings: {}, answer: [], warnings: [] },
      sections: [{ id: 's', title: 'S', tables: [{ id: 'groups', title: 'Groups', columns, rows }] }],
    };
    const [differences, rates] = ['gap', 'rate'].map((column) => ({ table: 'groups', column }));
    const attributes = ['home', 'home region', 'age'];
    return worstOf(finding, { differences: differences!, rates: rates!, attributes }, 'one')?.values;
  };
  assert.equal(worstOfGroup('home region south'), 'south');
  assert.equal(worstOfGroup('age 19-29 × home far away'), '19-29, far away');
});
