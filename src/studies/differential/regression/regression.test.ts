// Expected values are counted on paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaseStatus } from '../case.ts';
import { compareTests, type StoredTest } from './compared-tests.ts';
import { regressionFinding } from './regression-finding.ts';

const storedTest = (sound: string, status: CaseStatus, transcript = status): StoredTest => ({
  ...{ sound, text: `text of ${sound}`, recognizer: 'r', transcript, status },
});
const settings = {
  ...{ before: 'a', after: 'b', chosen: false, normalizer: 'crossasr', level: 0.95, resamples: 200, seed: 1 },
};

test('Tests are fixed, still failing or new failures, and those without a counterpart are counted apart.', () => {
  const before = [
    storedTest('one', 'failed'),
    storedTest('two', 'failed'),
    storedTest('three', 'success'),
    storedTest('four', 'success', 'tax payers' as CaseStatus),
    storedTest('five', 'indeterminable'),
    storedTest('six', 'success'),
    storedTest('gone', 'failed'),
  ];
  const after = [
    storedTest('one', 'success'),
    storedTest('two', 'indeterminable'),
    storedTest('three', 'indeterminable'),
    // Right before by a tolerant rule, and the same still.
    storedTest('four', 'failed', 'tax payers' as CaseStatus),
    storedTest('five', 'success'),
    storedTest('six', 'success'),
    storedTest('new', 'failed'),
  ];
  const changes = compareTests(before, after);
  const sounds = (tests: typeof changes.fixed) => tests.map(({ before: { sound } }) => sound);
  assert.deepEqual(
    [sounds(changes.fixed), sounds(changes.stillFailing), sounds(changes.newFailures)],
    [['one'], ['two'], ['three']],
  );
  const { tests, stillRight, nowRight, stillWrong, onlyBefore, onlyAfter } = changes;
  assert.deepEqual([tests, stillRight, nowRight, stillWrong, onlyBefore, onlyAfter], [6, 2, 1, 0, 1, 1]);
});

test('A change is tested by texts: many tests of one text are one sign.', () => {
  const many = (sound: string, status: CaseStatus, count: number) =>
    Array.from({ length: count }, (_, voice) => ({ ...storedTest(`${sound} ${voice}`, status), text: sound }));
  const texts = Array.from({ length: 12 }, (_, number) => `text ${number}`);
  const all = regressionFinding(
    [
      {
        name: 'r',
        changes: compareTests(
          texts.flatMap((text) => many(text, 'failed', 3)),
          texts.flatMap((text) => many(text, 'success', 3)),
        ),
      },
    ],
    settings,
  );
  const { comparison } = all.answer[0]!;
  // All twelve signs alike: 2 of 4,096 arrangements lie as far out.
  assert.equal(comparison?.pValue, 2 / 4096);
  assert.equal(comparison?.verdict, 'better');
  const one = regressionFinding(
    [{ name: 'r', changes: compareTests(many('text', 'failed', 36), many('text', 'success', 36)) }],
    settings,
  );
  assert.equal(one.answer[0]!.comparison?.verdict, 'cannot tell');
  assert.equal(one.answer[0]!.comparison?.pValue, 1);
});

test('Cases chosen for having failed are given no test, and the reader is told why.', () => {
  const changes = compareTests([storedTest('one', 'failed')], [storedTest('one', 'success')]);
  const finding = regressionFinding([{ name: 'r', changes }], { ...settings, chosen: true });
  assert.equal(finding.answer[0]!.comparison, undefined);
  assert.match(finding.warnings.join(), /chosen for having failed/);
  assert.match(finding.sections[0]!.tables![0]!.note!, /no test is made/);
  assert.match(finding.answer[0]!.text, /of 1 failed test 1 are fixed/);
});
