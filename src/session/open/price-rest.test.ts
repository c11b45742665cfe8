import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Corpus } from '../../corpora/contract.ts';
import { createBudget } from '../../engine/limits.ts';
import type { RecognizerSetup, RunSetup } from '../../engine/setup.ts';
import type { Utterance } from '../../model/utterance.ts';
import { priceRest } from './price-rest.ts';
import type { Services } from './services.ts';

const spending = createBudget({}, { calls: 0, audioSeconds: 0, money: {} });

/** Segments of two seconds of one recording of a minute. */
const segments = Array.from({ length: 30 }, (_, place): Utterance => {
  const sound = { file: 'hour.wav', startSeconds: 2 * place, endSeconds: 2 * place + 2 };
  return { id: `u${place}`, language: 'en', attributes: {}, tags: [], sound };
});

/** Of ten of them, which took three seconds each, on two workers. */
async function restOf(asked: Pick<RecognizerSetup, 'usesProcessor'> & { readonly limits: object }) {
  const recognizer = {
    ...{ name: 'one', pricePerMinute: { amount: 0.6, currency: 'EUR' } },
    ...asked,
  } as unknown as RecognizerSetup;
  const answer = {
    recognizer: 0,
    observation: { transcript: { text: 'a' }, soundSeconds: 2, timing: { seconds: 3, calls: 1 } },
  };
  const store = {
    trials: () => Array.from({ length: 10 }, () => answer),
  } as unknown as RunSetup['store'];
  const corpus = {
    utterances: async function* () {
      yield* segments.slice(0, 10);
    },
  } as unknown as Corpus;
  const sounds = { durationSeconds: async () => 60 } as unknown as Services['sounds'];
  const whole = async function* () {
    yield* segments;
  };
  const recognizers = [recognizer];
  return priceRest({ store, runId: 'r', recognizers, workers: 2, corpus, spending }, whole, sounds);
}

test('The rest of segments is as long as they are, and calls that go out together take their time together.', async () => {
  const rest = await restOf({ usesProcessor: false, limits: { concurrency: 4 } });
  // Twenty calls of 3 s, four at once; forty seconds of audio.
  assert.deepEqual([rest.trials, rest.elapsedSeconds, rest.audioMinutes, rest.trialMinutes], [20, 15, 1, 40 / 60]);
  assert.equal(rest.money[0]!.amount.toFixed(6), '0.400000');
});

test('What the processor recognizes shares the workers, and clips of a batch share their time.', async () => {
  const secondsOf = async (limits: object) => (await restOf({ usesProcessor: true, limits })).elapsedSeconds;
  // Twenty calls of 3 s on two workers; two at a time; one after the other, however many workers there are.
  assert.equal(await secondsOf({ concurrency: 8 }), 30);
  assert.equal(await secondsOf({ concurrency: 8, batch: 2 }), 15);
  assert.equal(await secondsOf({ concurrency: 1 }), 60);
});
