import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import { judgeText, majorityText, tolerantRule } from './case.ts';
import { differentialOptions } from './options.ts';

const tolerance = (written: object = {}) =>
  tolerantRule(differentialOptions.parse({ tolerant: written }).tolerant, normalizerNamed('english'));

test('The three cases of CrossASR: all right, some right, none right.', () => {
  const says = tolerance();
  assert.deepEqual(judgeText('a cat', ['a cat', 'a cat'], says).exact, ['success', 'success']);
  // Its printed formula of the second case would turn these two round; the sentence before the formula does not.
  assert.deepEqual(judgeText('a cat', ['a cat', 'a hat'], says).exact, ['success', 'failed']);
  assert.deepEqual(judgeText('a cat', ['a hat', 'a bat'], says).exact, ['indeterminable', 'indeterminable']);
});

test('A recognizer without a transcript has no status, and an empty transcript is one.', () => {
  const says = tolerance();
  assert.deepEqual(judgeText('a cat', [null, 'a cat', ''], says).exact, [null, 'success', 'failed']);
  assert.deepEqual(judgeText('a cat', [null, null], says).exact, [null, null]);
});

test('The tolerant rule overlooks blanks, variants and few letters, each only where it is told to.', () => {
  // The false positives that the paper names: taxpayers / tax payers, may be / maybe.
  assert.equal(tolerance()('the taxpayers may be right', 'the tax payers maybe right'), true);
  assert.equal(tolerance({ ignoreBlanks: false })('the taxpayers', 'the tax payers'), false);
  const variants = [['mister smith', 'mr smyth']];
  assert.equal(tolerance()('dear mister smith', 'dear mr smyth'), false);
  assert.equal(tolerance({ variants })('dear mister smith', 'dear mr smyth'), true);
  // 13 letters without blanks: one of them may differ from a share of 1/13 on.
  assert.equal(tolerance({ distance: 0.07 })('the fishermens', 'the fishermans'), false);
  assert.equal(tolerance({ distance: 0.08 })('the fishermens', 'the fishermans'), true);
});

test('A tolerant success makes the text determinable for the others.', () => {
  const { exact, tolerant } = judgeText('the taxpayers', ['the tax payers', 'the packs'], tolerance());
  assert.deepEqual(exact, ['indeterminable', 'indeterminable']);
  assert.deepEqual(tolerant, ['success', 'failed']);
});

test('Most recognizers can outvote the text, word by word; without a majority nothing is told.', () => {
  // Each has one word wrong, and each word has two of three votes.
  assert.deepEqual(
    majorityText([
      ['a', 'cat', 'sat'],
      ['a', 'hat', 'sat'],
      ['the', 'cat', 'sat'],
    ]),
    ['a', 'cat', 'sat'],
  );
  assert.equal(majorityText([['a'], ['b']]), null);
  assert.equal(majorityText([['a']]), null);
  const { majority } = judgeText('a mat', ['a cat', 'a cat', 'a bat'], tolerance());
  assert.deepEqual(majority, ['success', 'success', 'failed']);
  // All write nothing: a silent sound, and no text to be right about.
  assert.deepEqual(judgeText('a mat', ['', '', ''], tolerance()).majority, Array(3).fill('indeterminable'));
});

test('A transcript of megabytes is judged in a moment.', () => {
  const garbage = 'ha '.repeat(700_000).trim();
  const begun = process.cpuUsage().user;
  const { exact, majority } = judgeText('a cat', [garbage, 'a cat', garbage], tolerance({ distance: 0.5 }));
  assert.deepEqual(exact, ['failed', 'success', 'failed']);
  assert.deepEqual(majority, Array(3).fill('indeterminable'));
  assert.ok(process.cpuUsage().user - begun < 3e6);
});
