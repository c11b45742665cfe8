// Expected values are counted on paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaseStatus } from '../studies/differential/case.ts';
import { compareTests, countListed, type StoredTest } from './compare-tests.ts';
import { regressionFinding } from './regression-finding.ts';

const storedTest = (sound: string, status: CaseStatus, transcript = status): StoredTest => ({
  ...{ sound, text: `text of ${sound}`, recognizer: 'r', transcript, status },
});
const settings = {
  ...{
    before: 'a',
    after: 'b',
    chosen: false,
    normalizer: 'crossasr',
    level: 0.95,
    resamples: 200,
    seed: 1,
    words: [],
  },
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
  assert.match(finding.sections[0]!.tables![0]!.note!, /no difference and no test/);
  assert.match(finding.answer[0]!.text, /of 1 failed test, 1 fixed and 0 still failing/);
});

test('Words of a list are counted where they are said, heard and written without being said.', () => {
  const heard = (sound: string, text: string, once: string, now: string) => ({
    before: { ...storedTest(sound, 'failed', once as CaseStatus), text },
    after: { ...storedTest(sound, 'failed', now as CaseStatus), text },
  });
  const pairs = [
    heard('one', 'i thank the rapporteur', 'i thank the rap order', 'i thank the rapporteur'),
    heard(
      'two',
      'the rapporteur and the rapporteur',
      'the rapporteur and the rat',
      'the rapporteur and the rapporteur',
    ),
    heard('three', 'we rapporteurs agree', 'we wrap orders agree', 'we rapporteur is agree'),
    heard('four', 'all tax payers', 'all tax payers', 'all tax prayers'),
  ];
  const { words, texts } = countListed(pairs, ['rapporteur', 'tax payers', 'rapporteur', 'nowhere']);
  assert.deepEqual(words, [
    { words: 'rapporteur', said: 3, before: 1, after: 3, addedBefore: 0, addedAfter: 1 },
    { words: 'tax payers', said: 1, before: 1, after: 0, addedBefore: 0, addedAfter: 0 },
  ]);
  assert.deepEqual(texts, [
    { tests: 1, before: 0, after: 1 },
    { tests: 2, before: 1, after: 2 },
    { tests: 1, before: 1, after: 0 },
  ]);

  const changes = compareTests(
    pairs.map(({ before }) => before),
    pairs.map(({ after }) => after),
  );
  const finding = regressionFinding([{ name: 'r', changes }], { ...settings, words: ['rapporteur'] });
  const [told] = finding.answer;
  assert.match(told!.text, /said 3 times, recognized before 1, now 3; inserted where nobody says them before 0, now 1/);
  // Two texts, both better: 2 of 4 arrangements of their signs lie as far out.
  assert.deepEqual([told!.comparison?.pValue, told!.comparison?.verdict], [0.5, 'cannot tell']);
  assert.equal(finding.sections[1]!.tables![0]!.rows.length, 1);
});
