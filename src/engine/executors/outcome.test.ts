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

test('what no text is, or is too much, is garbage from whatever engine', () => {
  for (const [given, said] of [
    [{ text: 'a\0b' }, /: "text" has the character U\+0000/],
    [{ text: 'a\ud800' }, /: "text" has half of a surrogate pair/],
    [{ text: '', details: { a: 'x'.repeat(70_000) } }, /: "details" has 70008 characters of JSON/],
    [{ text: '', words: Array(200_001).fill({ text: 'a' }) }, /: "words" has 200001 entries/],
    [{ text: 'x'.repeat(1_000_001) }, /: "text" has 1000001 characters, more than 1000000/],
  ] as const)
    assert.match(answered(given, 1).failure!.message, said);
});

test('what an error asks to be waited for is waited for up to an hour', () => {
  class RecognitionError extends Error {
    override name = 'RecognitionError';
    kind = 'unavailable';
    retryable = true;
    retryAfterSeconds: number;
    constructor(seconds: number) {
      super('busy');
      this.retryAfterSeconds = seconds;
    }
  }
  const { failure, ...again } = failedWith(new RecognitionError(2 ** 32), 1) as { failure?: { message: string } };
  assert.equal(failure?.message, 'busy, to be asked again after more than an hour');
  assert.deepEqual(again, { seconds: 1, retryable: false, retryAfterSeconds: undefined });
  assert.deepEqual(failedWith(new RecognitionError(3600), 1), {
    ...{ seconds: 1, failure: { kind: 'unavailable', message: 'busy' }, retryable: true, retryAfterSeconds: 3600 },
  });
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
  const stream = { firstPartialSeconds: null, finalLatencySeconds: 0.1, waitedSeconds: 0 };
  const outcome = answered({ text: 'go', timing: { stream, more: 1 } }, 1);
  const alone = { seconds: 1, processorSeconds: null, transcript: { text: 'go' } };
  assert.deepEqual(outcome, { ...alone, stream });
  for (const wrong of [
    {},
    3,
    null,
    { stream: { ...stream, waitedSeconds: 'long' } },
    { stream: { ...stream, finalLatencySeconds: Number.NaN } },
  ]) {
    assert.deepEqual(answered({ text: 'go', timing: wrong }, 1), alone);
  }
});

test('processor time is what an engine tells of its own processes, else that of the process it is alone in', () => {
  const of = (told: unknown, own: number | null) =>
    answered({ text: 'go', timing: { processorSeconds: told } }, 1, own).processorSeconds;
  assert.equal(of(0.5, 7), 0.5);
  assert.equal(of(0, 7), 0);
  for (const wrong of [undefined, null, -1, '1', Number.NaN, Number.POSITIVE_INFINITY]) assert.equal(of(wrong, 7), 7);
  assert.equal(of(undefined, null), null);
});
