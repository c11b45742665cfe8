import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { findingsOf, worlds } from '../../cli/testing/invented-worlds.ts';
import type { Comparison, Estimate, Finding } from '../../model/finding.ts';
import { estimateAt, rowsOf } from '../../model/finding-rows.ts';
import type { ChosenRows, ScoreColumn } from '../../model/scores.ts';
import { markupText } from '../html/markup.ts';
import { htmlScores } from '../html/scores.ts';
import { markdownScores } from '../markdown/render-markdown.ts';
import { createPaint, displayWidth } from '../text/display-width.ts';
import { textScores } from '../text/text-scores.ts';
import { intervalHead, resultTableOf } from './result-table.ts';

const n = { utterances: 40, speakers: 20 };
const rate = (value: number): Estimate => ({ value, low: value / 1.2, high: value * 1.2, level: 0.95, n, method: 'x' });
const compared = (value: number, verdict: Comparison['verdict']): Comparison => ({
  difference: { ...rate(Math.abs(value)), value, low: value - 0.02, high: value + 0.02 },
  ...{ pValue: 0.01, adjustedPValue: 0.02, test: 'x', verdict },
});

/** Rates of recognizers on clean audio and in noise, and the verdicts of the clean comparisons of each with the one before. */
function invented(
  rows: readonly (readonly [name: string, clean: number | null, noise: number | null])[],
  verdicts: readonly Comparison['verdict'][],
): Finding {
  const text = (key: string) => ({ key, label: key, kind: 'text' }) as const;
  const number = (key: string, kind: 'rate' | 'difference') => ({ key, label: key, kind }) as const;
  const rates = rows.flatMap(([recognizer, clean, noise]) => [
    { condition: 'clean', recognizer, rate: clean === null ? null : rate(clean), change: null },
    {
      ...{ condition: 'noise', recognizer, rate: noise === null ? null : rate(noise) },
      change: noise === null || clean === null ? null : { ...rate(noise - clean), low: noise - clean - 0.01 },
    },
  ]);
  const comparisons = verdicts.map((verdict, place) => ({
    recognizer: rows[place]![0],
    comparedWith: rows[place + 1]![0],
    difference: compared((rows[place]![1] ?? 0) - (rows[place + 1]![1] ?? 0), verdict),
  }));
  return {
    ...{
      study: { name: 'invented', version: 1 },
      title: 'Invented',
      settings: {},
      answer: [],
      warnings: [],
    },
    scores: {
      measure: 'WER',
      ranks: 0,
      columns: ['clean', 'noise'].map((condition) => ({
        ...{ words: condition === 'clean' ? 'on clean audio' : 'in noise', head: [condition] as const },
        rates: { table: 'rates', column: 'rate', where: { condition } },
        ...(condition === 'clean' && { comparisons: { table: 'pairs', column: 'difference' } }),
        ...(condition === 'noise' && { changes: { table: 'rates', column: 'change', where: { condition } } }),
      })),
    },
    sections: [
      {
        ...{ id: 's', title: 'S' },
        tables: [
          {
            ...{ id: 'rates', title: 'Rates', rows: rates },
            columns: [text('condition'), text('recognizer'), number('rate', 'rate'), number('change', 'difference')],
          },
          {
            ...{ id: 'pairs', title: 'Pairs', rows: comparisons },
            columns: [text('recognizer'), text('comparedWith'), number('difference', 'difference')],
          },
        ],
      },
    ],
  };
}

test('the lowest is marked in each column, what cannot be told from it only where that was compared, and what more than doubles', () => {
  const table = resultTableOf(
    invented(
      [
        ['b', 0.3, 0.65],
        ['a', 0.2, 0.5],
        ['c', 0.21, 0.4],
      ],
      ['worse', 'cannot tell'],
    ),
  )!;
  assert.deepEqual(
    table.rows.map(({ name, cells }) => [name, ...cells.map((cell) => [cell!.beside, cell!.isDoubled])]),
    [
      ['a', ['lowest', false], [null, true]],
      ['c', ['alike', false], ['lowest', false]],
      ['b', [null, false], [null, true]],
    ],
  );
  // The lowest of the clean column stands second in its row with b, and first in that with c: both are turned to it.
  assert.deepEqual(
    table.rows.map(({ behind }) => behind && [Number(behind.difference.value?.toFixed(2)), behind.verdict]),
    [null, [0.01, 'cannot tell'], [0.1, 'worse']],
  );
  assert.deepEqual(table.found, [
    'a and c lead; these data cannot order them.',
    'a breaks in noise: 50.0 % WER, more than twice as much.',
  ]);
});

test('who leads is told of all others, of some, of none, and of one alone', () => {
  const leads = (verdicts: readonly Comparison['verdict'][], names = ['a', 'b', 'c', 'd', 'e']) =>
    resultTableOf(
      invented(
        names.slice(0, verdicts.length + 1).map((name, place) => [name, 0.2 + place / 100, null] as const),
        verdicts,
      ),
    )!.found[0];
  assert.equal(leads([]), 'a: 20.0 % WER on clean audio.');
  assert.equal(leads(['better']), 'a makes the fewest errors on clean audio: 1.0 points below b.');
  const three = [
    ['b', 0.22, null],
    ['a', 0.2, null],
    ['c', 0.23, null],
  ] as const;
  assert.equal(
    resultTableOf(invented(three, ['worse', 'better']))!.found[0],
    'a makes the fewest errors on clean audio: 2.0 points below b, the next.',
  );
  assert.equal(leads(['cannot tell']), 'These data cannot tell which of a and b makes fewer errors.');
});

/** With how far groups of recognizers are above everybody, and the verdicts of that; null: without an interval. */
function withGroups(
  finding: Finding,
  groups: readonly (readonly [name: string, group: string, above: number, verdict: Comparison['verdict'] | null])[],
): Finding {
  const rows = groups.map(([recognizer, group, above, verdict]) => {
    const told = compared(above, verdict ?? 'cannot tell');
    const difference = verdict === null ? { ...told.difference, low: null, high: null } : told.difference;
    return { recognizer, group, rate: rate(0.2 + above), gap: { ...told, difference } };
  });
  const of = (column: string) => ({ table: 'groups', column });
  const columns = (['recognizer', 'group'] as const).map((key) => ({ key, label: key, kind: 'text' }) as const);
  const numbers = [
    { key: 'rate', label: 'rate', kind: 'rate' },
    { key: 'gap', label: 'gap', kind: 'difference' },
  ] as const;
  const table = { id: 'groups', title: 'Groups', rows, columns: [...columns, ...numbers] };
  return {
    ...finding,
    scores: { ...finding.scores!, worst: { differences: of('gap'), rates: of('rate'), attributes: [] } },
    sections: [...finding.sections, { id: 'g', title: 'G', tables: [table] }],
  };
}

test('for whom more errors are made is told with how many more of one recognizer, and of several with how many they are', () => {
  const two = invented(
    [
      ['a', 0.2, null],
      ['b', 0.3, null],
    ],
    ['better'],
  );
  const whom = (ofB: Comparison['verdict']) =>
    resultTableOf(
      withGroups(two, [
        ['a', 'sex female', 0.05, 'worse'],
        ['b', 'sex female', 0.06, ofB],
      ]),
    )!.found[1];
  assert.equal(whom('cannot tell'), 'a makes more errors for sex female than for everybody: 5.0 points more.');
  assert.equal(whom('worse'), '2 of 2 recognizers make more errors for some group than for everybody.');
});

test('the worst group is one that is told to be, else one with an interval, however far above everybody others are', () => {
  const one = invented([['a', 0.2, null]], []);
  const worst = (...groups: readonly (readonly [string, number, Comparison['verdict'] | null])[]) =>
    resultTableOf(
      withGroups(
        one,
        groups.map(([group, above, verdict]) => ['a', group, above, verdict]),
      ),
    )!.rows[0]!.worst!.group;
  const few = ['age 90', 0.3, null] as const;
  const open = ['age 80', 0.1, 'cannot tell'] as const;
  assert.equal(worst(few, open), 'age 80');
  assert.equal(worst(few, open, ['age 70', 0.05, 'worse']), 'age 70');
  assert.equal(worst(few, ['age 91', 0.2, null]), 'age 90');
});

test('a recognizer without an answer stands last, or nowhere, and nobody else changes for it', () => {
  const both = [
    ['a', 0.2, null],
    ['b', 0.3, 0.4],
  ] as const;
  const without = resultTableOf(invented(both, ['better']))!;
  const withNobody = resultTableOf(invented([...both, ['nobody', null, null]], ['better']))!;
  assert.deepEqual(withNobody.rows, without.rows);
  assert.equal(without.rows[0]!.cells[1], null);
  assert.equal(resultTableOf(invented([['nobody', null, null]], [])), null);
});

for (const [world, made] of Object.entries(worlds)) {
  test(`robustness, ${world}: every number of the first table is that of its row, and no line is wider than the terminal`, async () => {
    for (const finding of await findingsOf('robustness', made)) {
      const table = resultTableOf(finding);
      if (table === null) continue;
      for (const { name, cells } of table.rows) {
        for (const [column, cell] of cells.entries()) {
          if (cell === null) continue;
          const rates: ChosenRows = table.columns[column]!.rates;
          const rows = rowsOf(finding, rates.table).filter(
            (row) =>
              row.recognizer === name && Object.entries(rates.where ?? {}).every(([key, value]) => row[key] === value),
          );
          assert.deepEqual(
            rows.map((row) => estimateAt(row, rates.column)),
            [cell.estimate],
          );
        }
      }
      assert.ok(table.found.length <= 2);
      for (const width of [40, 79, 139]) {
        for (const line of textScores(table, { width, paint: createPaint(true) }))
          assert.ok(displayWidth(stripVTControlCharacters(line)) <= width, `${width}: ${line}`);
      }
    }
  });
}

test('in text, Markdown and HTML an interval behind several columns says of which it is, and of one that it is an interval', () => {
  const two = invented(
    [
      ['a', 0.1, 0.3],
      ['b', 0.2, 0.4],
    ],
    ['worse'],
  );
  const one = { ...two, scores: { ...two.scores!, columns: two.scores!.columns.slice(0, 1) } };
  const mean = { ...two, scores: { ...two.scores!, ranks: 1 } };
  for (const [finding, head] of [
    [two, '95 % interval of clean'],
    [one, '95 % interval'],
    [mean, '95 % interval of noise'],
  ] as const) {
    const table = resultTableOf(finding)!;
    assert.equal(intervalHead(table), head);
    assert.ok(markdownScores(finding).some((line) => line.includes(` | ${head} |`)));
    assert.ok(markupText(htmlScores(table, 'x')).includes(`<bdi>${head}</bdi>`));
    const shown = textScores(table, { width: 100, paint: (_, text) => text });
    assert.ok(
      shown.some((line) => new RegExp(`  ${head}(  |$)`).test(line)),
      shown.join('\n'),
    );
  }
  // Of a head of two lines the first, if no other begins so.
  const headed = (heads: readonly ScoreColumn['head'][]) => {
    const table = resultTableOf(two)!;
    return { ...table, ranks: 1, columns: table.columns.map((column, at) => ({ ...column, head: heads[at]! })) };
  };
  assert.equal(intervalHead(headed([['clean'], ['mean', 'excl. clean']]), true), '95 % interval of mean');
  assert.equal(
    intervalHead(
      headed([
        ['noise', '5 dB'],
        ['noise', '0 dB'],
      ]),
      true,
    ),
    '95 % interval of noise 0 dB',
  );
});
