import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate, Finding } from '../../model/finding.ts';
import type { OpenVerdict } from '../../model/reason.ts';
import { furthestOf, type GapTable, gapNotes, gapsOf, worstOf } from './gap-table.ts';

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

/** Gaps of groups of an attribute, as a study tells them: recognizer, group, compared with, by how much, and whether that is told. */
function withGaps(
  gaps: readonly (readonly [name: string, group: string, comparedWith: string, value: number, isTold: boolean])[],
  groupRates: Readonly<Record<string, number>>,
): Finding {
  const names = [...new Set(gaps.map(([name]) => name))];
  const differences = gaps.map(([recognizer, group, comparedWith, value, isTold]) => {
    const told = gap(isTold ? undefined : {});
    const verdict = isTold ? (value < 0 ? 'better' : 'worse') : 'cannot tell';
    const difference = { ...told.difference, value, low: value - 0.01, high: value + 0.02 };
    return { recognizer, attribute: 'team', group, comparedWith, gap: { ...told, difference, verdict } as Comparison };
  });
  const rates = names.flatMap((recognizer) =>
    Object.entries(groupRates).map(([group, value]) => ({ recognizer, attribute: 'team', group, rate: rate(value) })),
  );
  const table = (id: string, rows: typeof differences | typeof rates) => ({ id, title: id, columns: [], rows });
  return {
    ...{ study: { name: 'mine', version: 1 }, title: 'Mine', settings: {}, answer: [], warnings: [] },
    scores: {
      ...{ measure: 'WER', ranks: 0, columns: [] },
      gaps: {
        of: 'clean audio',
        differences: { table: 'gaps', column: 'gap' },
        rates: { table: 'rates', column: 'rate' },
      },
    },
    sections: [{ id: 's', title: 'S', tables: [table('gaps', differences), table('rates', rates)] }],
  };
}
const rate = (value: number): Estimate => ({ value, low: null, high: null, level: 0.95, n, method: 'x' });
const about = { measure: 'WER', kind: 'rate' } as const;
const told = ({ rows, groups }: GapTable) => [
  groups,
  ...rows.map(({ name, groups: own, rates, comparison: { difference, verdict } }) => [
    ...[name, ...own, ...rates.map((one) => one?.value)],
    ...[difference.value, difference.low, difference.high, verdict],
  ]),
];

test('The same two groups stand in one order in all rows: that of the first recognizer, the higher first.', () => {
  const finding = withGaps(
    [
      ['a', 'f', 'm', -0.125, true],
      ['b', 'f', 'm', 0.25, true],
    ],
    { f: 0.25, m: 0.375 },
  );
  const [table] = gapsOf(finding, ['a', 'b'], about);
  assert.deepEqual(told(table!), [
    ['m', 'f'],
    ['a', 'm', 'f', 0.375, 0.25, 0.125, 0.125 - 0.02, 0.125 + 0.01, 'worse'],
    ['b', 'm', 'f', 0.375, 0.25, -0.25, -0.25 - 0.02, -0.25 + 0.01, 'better'],
  ]);
});

test('Of several groups each recognizer has its two furthest apart, those that are told before others, the higher first.', () => {
  const finding = withGaps(
    [
      ['a', 'x', 'y', 0.5, false],
      ['a', 'x', 'z', -0.125, true],
      ['a', 'y', 'z', -0.25, true],
      ['b', 'x', 'y', -0.125, false],
      ['b', 'x', 'z', 0.0625, false],
    ],
    { x: 0.25, y: 0.125, z: 0.375 },
  );
  const [table] = gapsOf(finding, ['b', 'a'], about);
  assert.deepEqual(told(table!), [
    null,
    ['b', 'y', 'x', 0.125, 0.25, 0.125, 0.125 - 0.02, 0.125 + 0.01, 'cannot tell'],
    ['a', 'z', 'y', 0.375, 0.125, 0.25, 0.25 - 0.02, 0.25 + 0.01, 'worse'],
  ]);
});

test('Beside everybody those recognizers stand first whose worst group is told to be worse.', () => {
  const row = (name: string, isTold: boolean) => ({
    ...{ name, everybody: rate(0.25) },
    worst: { group: 'sex f', values: 'f', rate: rate(0.375), comparison: gap(isTold ? undefined : {}) },
  });
  const rows = [row('open', false), row('told', true), { name: 'none', everybody: null, worst: null }];
  const table = furthestOf(rows, { ...about, of: 'clean audio' })!;
  assert.deepEqual(
    table.rows.map(({ name, groups, rates }) => [name, ...groups, ...rates.map((one) => one?.value)]),
    [
      ['told', 'f', 'everybody', 0.375, 0.25],
      ['open', 'f', 'everybody', 0.375, 0.25],
    ],
  );
  assert.equal(furthestOf(rows.slice(2), { ...about, of: 'clean audio' }), null);
});
