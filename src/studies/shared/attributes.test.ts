import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBinning, numericBinsOption } from './attributes.ts';

// The cut-offs of FairLENS: teen up to 18, adult 19 to 55, senior from 56; its Appendix E has 20 in place of 18.
test('ages fall into the published ranges', () => {
  const names = ['18', '18.9', '19', '55', '56', '90'].map(createBinning('fairlens'));
  assert.deepEqual(
    names.map((name) => name.split(' ')[0]),
    ['teen', 'teen', 'adult', 'adult', 'senior', 'senior'],
  );
  assert.deepEqual(['20', '21', '56'].map(createBinning('casual-conversations')), ['to 20', '21 to 55', 'from 56']);
});

test('ranges of your own hold their lower end; what is no number keeps its name', () => {
  const values = ['-5', '19', '55.9', '56', '1e9', 'unknown', ''];
  assert.deepEqual(values.map(createBinning([19, 56])), [
    'under 19',
    '19 to under 56',
    '19 to under 56',
    'from 56',
    'from 56',
    'unknown',
    '',
  ]);
  assert.equal(numericBinsOption.safeParse({ age: [56, 19] }).success, false);
  assert.equal(numericBinsOption.safeParse({ age: [] }).success, false);
});
