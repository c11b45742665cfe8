import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import type { Failure } from '../../model/observation.ts';
import { openStore } from '../open-store.ts';
import { onEachStore } from '../testing/test-stores.ts';

/** A run of two recognizers: one was asked once for each failure (null: it answered), the other answered once; by so many studies. */
function failuresOf(path: string, failures: readonly (Failure | null)[], studies = 1) {
  using store = openStore(path);
  const recognizers = ['fine', 'failing'].map((name) => ({ name, identity: {}, epoch: null }));
  const about = { name: 'a run', purpose: sha256(''), config: {}, seed: 1, fresh: false, parent: null, recognizers };
  const { id } = store.createRun({ ...about, startedAtMs: 0 });
  const asked = [null, ...failures].map((failure, position) => ({
    ...{ position, key: sha256(`${position}`), utterance: position, condition: 0, draw: 0, repeat: 0, twin: false },
    recognizer: position === 0 ? 0 : 1,
    failure,
  }));
  for (let batch = 0; batch < studies; batch++) {
    store.beginBatch(id, batch, `study ${batch}`);
    store.plan(
      id,
      batch,
      asked.map(({ failure: _failure, ...question }) => question),
    );
    store.record(id, {
      answers: asked.map(({ position, key, failure }) => ({
        ...{ place: { batch, position }, key, utteranceId: `u${position}`, speaker: null },
        observation: {
          ...{ soundSeconds: null, timing: { seconds: 1, calls: 1 } },
          ...(failure === null ? { transcript: { text: 'yes' } } : { failure }),
        },
      })),
    });
  }
  return store.failures(id);
}

for (const one of onEachStore(
  'reasons that differ in nothing but utterance, file and time are one, told by the first',
  (newStore) => {
    const found = failuresOf(newStore(), [
      { kind: 'refused', message: 'the key is not valid (401)' },
      { kind: 'sound', message: 'clips/my calls/1.wav: expected an audio file, but it is empty' },
      { kind: 'sound', message: 'clips/my calls/2.wav: expected an audio file, but it is empty' },
      null,
      { kind: 'refused', message: 'no quota left (429)' },
      { kind: 'error', message: 'utterance "u6" is odd after 1.25 s' },
      { kind: 'error', message: 'utterance "u7" is odd after 3.5 s' },
      { kind: 'error', message: 'utterance u8 is odd' },
      { kind: 'error', message: 'utterance u9 is odd' },
      { kind: 'error', message: 'utterance u10 is odd' },
      // As it was at first: what lay between was another all the same.
      { kind: 'error', message: 'utterance "u6" is odd after 1.25 s' },
    ]);
    assert.deepEqual(found, [
      {
        recognizer: 'failing',
        trials: 11,
        failed: 10,
        reasons: [
          { kind: 'error', message: 'utterance "u6" is odd after 1.25 s', count: 3, varied: true },
          { kind: 'error', message: 'utterance u8 is odd', count: 3, varied: true },
          {
            kind: 'sound',
            message: 'clips/my calls/1.wav: expected an audio file, but it is empty',
            count: 2,
            varied: true,
          },
          { kind: 'refused', message: 'the key is not valid (401)', count: 1, varied: false },
          { kind: 'refused', message: 'no quota left (429)', count: 1, varied: false },
        ],
      },
    ]);
  },
))
  test(...one);

for (const one of onEachStore('a trial that several studies ask failed once', (newStore) => {
  const failures: readonly (Failure | null)[] = [{ kind: 'refused', message: 'no' }, null];
  const once = failuresOf(newStore(), failures);
  assert.deepEqual([once[0]!.trials, once[0]!.failed], [2, 1]);
  assert.deepEqual(failuresOf(newStore(), failures, 3), once);
}))
  test(...one);

for (const one of onEachStore(
  'what never failed is not told of, and of many reasons the five most frequent',
  (newStore) => {
    assert.deepEqual(failuresOf(newStore(), [null]), []);
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    const [found] = failuresOf(
      newStore(),
      words.map((word) => ({ kind: 'error', message: `went wrong: ${word}` })),
    );
    assert.equal(found!.failed, 7);
    assert.deepEqual(
      found!.reasons.map(({ message }) => message),
      words.slice(0, 5).map((word) => `went wrong: ${word}`),
    );
  },
))
  test(...one);
