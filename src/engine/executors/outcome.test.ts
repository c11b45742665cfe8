import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, failedWith } from './outcome.ts';

test('what cannot be written down is garbage, and not an error of the whole run', () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const extra of [{ details: { big: 1n } }, { details: circle }, { words: [{ text: 'a', confidence: 1n }] }]) {
    assert.equal(answered({ text: 'a', ...extra }, 1).failure?.kind, 'garbage');
  }
  for (const amount of ['1', Number.NaN, -1]) {
    assert.equal(answered({ text: 'a', price: { amount, currency: 'EUR' } }, 1).failure?.kind, 'garbage');
  }
  assert.equal(answered({ text: 'a', price: { amount: 1, currency: 'EUR' } }, 1).transcript?.text, 'a');
});

test('a failure keeps its kind when it was thrown by another copy of this module', () => {
  class RecognitionError extends Error {
    override name = 'RecognitionError';
    kind = 'unavailable';
    retryable = true;
  }
  const outcome = failedWith(new RecognitionError('busy'), 1);
  assert.ok(outcome.failure && outcome.retryable);
  assert.equal(outcome.failure.kind, 'unavailable');
  const unknown = Object.assign(new RecognitionError('odd'), { kind: '<b>' });
  assert.equal(failedWith(unknown, 1).failure?.kind, 'error');
});

test('how a stream went is told beside the transcript, and not what only looks like it', () => {
  const timing = { firstPartialSeconds: null, finalLatencySeconds: 0.1, waitedSeconds: 0 };
  const outcome = answered({ text: 'go', timing }, 1);
  assert.deepEqual(outcome, { seconds: 1, transcript: { text: 'go' }, stream: timing });
  for (const wrong of [
    {},
    3,
    null,
    { ...timing, waitedSeconds: 'long' },
    { ...timing, finalLatencySeconds: Number.NaN },
  ]) {
    assert.deepEqual(answered({ text: 'go', timing: wrong }, 1), { seconds: 1, transcript: { text: 'go' } });
  }
});
