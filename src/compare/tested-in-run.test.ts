import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate, Finding } from '../model/finding.ts';
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
