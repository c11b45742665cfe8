// Expected values are counted on paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DifferentialCase } from '../studies/differential/case.ts';
import { partOf, wordsToBoost } from './words-to-boost.ts';

const failedCase = (text: string, transcript: string): DifferentialCase => ({
  ...{ text, textId: text, voice: 'v', recognizer: 'r', transcript, status: 'failed', iteration: 1, otherwise: {} },
  sound: { utteranceId: text, conditionName: 'clean', draw: 0 },
});

test('Words are weighted by the failures that each explains; spelling and inserted words are no hints.', () => {
  const failed = [
    failedCase('the tax rises', 'the tacks rises'),
    failedCase('no tax on wine', 'no tacks on whine'),
    failedCase('red wine', 'red whine'),
    failedCase('it may be so', 'it maybe so'),
    failedCase('we agree', 'we we agree'),
    failedCase('__proto__ now', 'prototype now'),
  ];
  assert.deepEqual(
    wordsToBoost(failed, 10).map(({ words, failures, everywhere, texts }) => [words, failures, everywhere, texts]),
    [
      ['tax', 2, 2, 2],
      ['__proto__', 1, 1, 1],
      ['wine', 1, 2, 2],
    ],
  );
  assert.equal(wordsToBoost(failed, 1).length, 1);
  assert.deepEqual(wordsToBoost([], 5), []);
});

test('A text is held out by seed and text alone, about as often as the share says.', () => {
  const texts = Array.from({ length: 2000 }, (_, number) => `text ${number}`);
  const held = texts.filter((text) => partOf(text, 0.3, 1) === 'held out');
  // Three standard errors of a share of .3 of 2,000.
  assert.ok(Math.abs(held.length / 2000 - 0.3) < 3 * Math.sqrt((0.3 * 0.7) / 2000));
  assert.deepEqual(
    held,
    texts.filter((text) => partOf(text, 0.3, 1) === 'held out'),
  );
  assert.notDeepEqual(
    held,
    texts.filter((text) => partOf(text, 0.3, 2) === 'held out'),
  );
  assert.ok(
    held.every((text) => partOf(text, 0.5, 1) === 'held out'),
    'a larger share holds the smaller one',
  );
});
