import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell, Comparison, Estimate, Finding } from '../model/finding.ts';
import { testedInRun } from './tested-in-run.ts';

const n = { utterances: 40, speakers: 20, words: 400, pairs: 40 };
const difference: Estimate = { value: -0.1, low: -0.15, high: -0.05, level: 0.95, n, method: 'x' };
const comparison = (adjustedPValue: number): Comparison => ({
  ...{ difference, pValue: 0.001, adjustedPValue, test: 'x', verdict: 'better' },
});

/** What a study said of b less a. */
const studyOf = (condition: string, adjusted: number, settings: object = {}): Finding => ({
  ...{ study: { name: 'robustness', version: 1 }, title: 'Robustness', answer: [], warnings: [] },
  settings: settings as Finding['settings'],
  sections: [
    {
      ...{ id: 'robustness-comparisons', title: '' },
      tables: [
        {
          ...{ id: 'robustness-comparisons', title: '', columns: [] },
          rows: [
            { recognizer: 'b', comparedWith: 'a', condition, group: 'everybody', difference: comparison(adjusted) },
          ],
        },
      ],
    },
  ],
});

const adjustedIn = (findings: readonly Finding[], condition: string) =>
  testedInRun(findings, 'a', 'b')!.known({ condition, group: null }, difference)?.adjustedPValue ?? null;

test('what any study of the run compared is known, of two that compared the same what the first says', () => {
  const findings = [studyOf('clean', 0.01), studyOf('noise', 0.02), studyOf('clean', 0.03)];
  assert.equal(adjustedIn(findings, 'clean'), 0.01);
  assert.equal(adjustedIn(findings, 'noise'), 0.02);
  assert.equal(adjustedIn(findings, 'hum'), null);
  assert.equal(testedInRun(findings, 'a', 'b')!.studies, 3);
});

test('a study that was told beforehand to compare the two says it before others', () => {
  const findings = [studyOf('clean', 0.01), studyOf('clean', 0.005, { pairs: [['b', 'a']] })];
  assert.equal(adjustedIn(findings, 'clean'), 0.005);
  assert.equal(adjustedIn([findings[0]!, studyOf('clean', 0.005, { pairs: [['b', 'c']] })], 'clean'), 0.01);
});

test('where no study compared recognizers, or on other trials, nothing is known', () => {
  assert.equal(testedInRun([], 'a', 'b'), null);
  const other = { ...difference, n: { ...n, pairs: 39 } };
  assert.equal(
    testedInRun([studyOf('clean', 0.01)], 'a', 'b')!.known({ condition: 'clean', group: null }, other),
    null,
  );
});

/** A study with these rows beside each other. */
function withRows(rows: readonly Readonly<Record<string, Cell>>[], more: Partial<Finding> = {}): Finding {
  const whole = studyOf('clean', 0.01);
  const [section] = whole.sections;
  const [table] = section!.tables!;
  return { ...whole, sections: [{ ...section!, tables: [{ ...table!, rows }] }], ...more };
}

test('Turned around, what was said of b less a is what is said of a less b', () => {
  const opposite = { ...difference, value: 0.1, low: 0.05, high: 0.15 };
  const known = testedInRun([studyOf('clean', 0.01)], 'b', 'a')!.known({ condition: 'clean', group: null }, opposite);
  assert.deepEqual(
    [known!.difference.value, known!.difference.low, known!.difference.high, known!.verdict, known!.adjustedPValue],
    [0.1, 0.05, 0.15, 'worse', 0.01],
  );
});

test('a comparison is known in its own condition and group alone, and over all conditions by pooled rates alone', () => {
  const about = { recognizer: 'b', comparedWith: 'a' };
  const finding = withRows([
    { ...about, condition: 'clean', attribute: 'sex', group: 'f', difference: comparison(0.01) },
    { ...about, condition: 'clean', attribute: 'mood', group: 'f', difference: comparison(0.02) },
    { ...about, condition: 'clean', attribute: 'sex', group: 'm', difference: comparison(0.03) },
    { ...about, measure: 'mean word error rate', difference: comparison(0.04) },
    { ...about, measure: 'pooled word error rate', difference: comparison(0.05) },
  ]);
  const known = (condition: string | null, group: { attribute: string; value: string } | null) =>
    testedInRun([finding], 'a', 'b')!.known({ condition, group }, difference)?.adjustedPValue ?? null;
  assert.deepEqual(
    [
      known('clean', { attribute: 'sex', value: 'f' }),
      known('clean', { attribute: 'mood', value: 'f' }),
      known('clean', { attribute: 'sex', value: 'm' }),
      known('clean', null),
      known(null, null),
      known(null, { attribute: 'sex', value: 'f' }),
    ],
    [0.01, 0.02, 0.03, null, 0.05, null],
  );
});

test('a comparison is that of these trials only where value, ends, level and every size are the same', () => {
  const known = (changed: Partial<Estimate>) =>
    testedInRun([studyOf('clean', 0.01)], 'a', 'b')!.known(
      { condition: 'clean', group: null },
      { ...difference, ...changed },
    );
  // Rounding in the last digit is no other comparison.
  assert.ok(known({ value: -0.1 + 1e-15 }));
  for (const changed of [{ value: -0.11 }, { low: -0.16 }, { high: -0.04 }, { high: null }, { level: 0.9 }])
    assert.equal(known(changed), null, JSON.stringify(changed));
  for (const part of ['utterances', 'speakers', 'words', 'pairs'] as const)
    assert.equal(known({ n: { ...n, [part]: 7 } }), null, part);
});

test('a run ranks by clean audio, or by a mean with the rates and the comparison of the two; other studies rank nothing', () => {
  const rate = (value: number): Estimate => ({ ...difference, value, low: value - 0.01, high: value + 0.01 });
  const rows = [
    ...[0.2, 0.3, 0.5].map((value, at) => ({
      recognizer: 'bac'[at]!,
      comparedWith: 'nobody',
      condition: 'rates',
      rate: rate(value),
    })),
    { recognizer: 'b', comparedWith: 'c', condition: 'mean', difference: comparison(0.04) },
    { recognizer: 'b', comparedWith: 'a', condition: 'mean', difference: comparison(0.02) },
  ];
  const of = (column: string, condition: string) => ({ table: 'robustness-comparisons', column, where: { condition } });
  const columns = [
    { words: 'on clean audio', head: ['clean'] as const, rates: of('rate', 'rates') },
    {
      ...{ words: 'on average', head: ['mean', 'excl. clean'] as const, note: 'each condition alike' },
      ...{ rates: of('rate', 'rates'), comparisons: of('difference', 'mean') },
    },
  ];
  const ranked = (ranks: number) => withRows(rows, { scores: { measure: 'WER', columns, ranks } });
  assert.deepEqual(testedInRun([ranked(1)], 'a', 'b')!.ranks, {
    ...{ head: 'mean excl. clean', note: 'each condition alike', before: rate(0.3), after: rate(0.2) },
    comparison: comparison(0.02),
  });
  assert.equal(testedInRun([ranked(0)], 'a', 'b')!.ranks, 'clean');
  assert.equal(testedInRun([studyOf('clean', 0.01)], 'a', 'b')!.ranks, null);
  assert.equal(testedInRun([ranked(1)], 'a', 'nobody')!.ranks, null);
  const other = { ...ranked(1), study: { name: 'disparity', version: 1 } };
  assert.equal(testedInRun([other], 'a', 'b'), null);
});
