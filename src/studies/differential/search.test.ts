import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missedWords } from './search.ts';

test('A word is missed where the transcript has another or none, and where words stand before it that nobody said.', () => {
  const missed = (transcript: string) => missedWords('we vote on the budget', transcript);
  assert.deepEqual(missed('we vote on the budget'), []);
  assert.deepEqual(missed('we boat on budget'), [1, 3]);
  assert.deepEqual(missed('we do vote on the budget'), [1]);
  // Behind the last word there is none to blame but this.
  assert.deepEqual(missed('we vote on the budget now'), [4]);
  assert.deepEqual(missed(''), [0, 1, 2, 3, 4]);
});
