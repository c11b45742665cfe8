import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate, Finding, Table } from '../../model/finding.ts';
import { pairMatrices } from '../html/heat-map.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { rankingOf } from './ranking.ts';

const rate = (value: number | null): Estimate => ({
  ...{ value, low: null, high: null, level: 0.95, n: { utterances: 9, speakers: 3 }, method: 'invented' },
});
const text = (key: string) => ({ key, label: key, kind: 'text' as const });
const wer = { key: 'wer', label: 'WER', kind: 'rate' as const };

function findingWith(...tables: readonly Table[]): Finding {
  return { ...sampleReport().findings[0]!, sections: [{ id: 's', title: 'S', tables }] };
}

const names = (finding: Finding) => rankingOf(finding)?.rows.map(({ name }) => name);

test('recognizers are ranked by the first estimates of the first table that has each once, unknown ones last', () => {
  const table = (id: string, ...rows: Table['rows']) => ({ id, title: id, columns: [text('recognizer'), wer], rows });
  const of = (values: Readonly<Record<string, number | null>>) =>
    Object.entries(values).map(([recognizer, value]) => ({ recognizer, wer: rate(value) }));
  const one = table('one', ...of({ a: 0.3, b: null, c: 0.1 }));
  assert.deepEqual(names(findingWith(one)), ['c', 'a', 'b']);
  assert.equal(rankingOf(findingWith(table('alone', ...of({ a: 0.3 })))), null);
  // Twice the same name stands for something that the table does not tell apart.
  assert.equal(rankingOf(findingWith(table('twice', ...of({ a: 0.3 }), ...of({ a: 0.2 })))), null);
  // A second column says nothing of who is better where the first has no values.
  const second = { key: 'right', label: 'Right', kind: 'rate' as const };
  const unknown = ['a', 'b'].map((recognizer) => ({ recognizer, wer: rate(null), right: rate(0.5) }));
  const none = { id: 'none', title: 'none', columns: [text('recognizer'), wer, second], rows: unknown };
  assert.equal(rankingOf(findingWith(none)), null);
  // Undivided before divided.
  const columns = [text('condition'), text('recognizer'), wer];
  const rows = ['clean', 'noise'].flatMap((condition, at) => [
    { condition, recognizer: 'x', wer: rate(0.2 + at) },
    { condition, recognizer: 'y', wer: rate(0.1 + at) },
  ]);
  const divided = { id: 'd', title: 'd', columns, rows };
  assert.deepEqual(names(findingWith(divided, one)), ['c', 'a', 'b']);
  assert.deepEqual(rankingOf(findingWith(divided))?.slice, ['clean']);
  assert.deepEqual(names(findingWith(divided)), ['y', 'x']);
  // What a study declares goes first.
  const groups = { id: 'g', title: 'g', columns: [text('group'), { ...wer, ranks: true as const }] };
  const declared = { ...groups, rows: [0.2, 0.1].map((value) => ({ group: `g ${value}`, wer: rate(value) })) };
  assert.deepEqual(names(findingWith(one, declared)), ['g 0.1', 'g 0.2']);
  // Of what has two directions the size counts, and differences that are tested have it too.
  const gap = { key: 'gap', label: 'Gap', kind: 'difference' as const };
  const gaps = { a: -0.3, b: 0.1, c: -0.05 };
  const sized = (ranks: true | 'size') => ({
    ...{ id: 'gaps', title: 'Gaps', columns: [text('recognizer'), { ...gap, ranks }] },
    rows: Object.entries(gaps).map(([recognizer, value]) => ({ recognizer, gap: beside(value, 'worse') })),
  });
  assert.deepEqual(names(findingWith(one, sized(true))), ['a', 'c', 'b']);
  assert.deepEqual(names(findingWith(one, sized('size'))), ['c', 'b', 'a']);
});

const beside = (value: number, verdict: Comparison['verdict']): Comparison => ({
  difference: { ...rate(value), low: value - 0.1, high: value + 0.2 },
  ...{ pValue: 0.01, adjustedPValue: 0.02, test: 'invented', verdict },
});

test('pairs make a matrix in which both sides say the same', () => {
  const columns = [
    text('condition'),
    text('recognizer'),
    text('comparedWith'),
    { key: 'difference', label: 'Difference', kind: 'difference' as const },
  ];
  const pairs = [
    ['a', 'b', -0.3, 'better'],
    ['a', 'c', 0.2, 'worse'],
    ['b', 'c', 0.1, 'cannot tell'],
  ] as const;
  const rows = ['clean', 'noise'].flatMap((condition) =>
    pairs.map(([recognizer, comparedWith, value, verdict]) => ({
      ...{ condition, recognizer, comparedWith, difference: beside(value, verdict) },
    })),
  );
  const [clean, noise, ...more] = pairMatrices({ id: 't', title: 'Pairs', columns, rows });
  assert.deepEqual([clean!.title, noise!.title, more.length], ['Pairs, clean', 'Pairs, noise', 0]);
  assert.deepEqual(clean!.names, ['a', 'b', 'c']);
  const seen = clean!.cells.map((row) => row.map((cell) => cell && [cell.difference.value, cell.verdict]));
  assert.deepEqual(seen, [
    [null, [-0.3, 'better'], [0.2, 'worse']],
    [[0.3, 'worse'], null, [0.1, 'cannot tell']],
    [[-0.2, 'better'], [-0.1, 'cannot tell'], null],
  ]);
  const { low, high } = clean!.cells[2]![0]!.difference;
  assert.deepEqual([low!.toFixed(6), high!.toFixed(6)], ['-0.400000', '-0.100000']);
  // Two beside each other need no matrix.
  assert.deepEqual(pairMatrices({ id: 't', title: 'Pairs', columns, rows: rows.slice(0, 1) }), []);
});
