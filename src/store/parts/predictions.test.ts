import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewRun, PlannedQuestion, Store } from '../contract.ts';
import { exportStore, pruneStore } from '../maintenance.ts';
import { mergeStore } from '../merge.ts';
import { openStore } from '../open-store.ts';
import { onEachStore } from '../testing/test-stores.ts';

const key = (digit: string) => digit.repeat(64);
const newRun: NewRun = {
  name: 'run',
  purpose: 'test',
  config: {},
  seed: 1,
  fresh: false,
  parent: null,
  recognizers: [],
  startedAtMs: 0,
};

function question(position: number, asks: 'prediction' | 'elapsed', itsKey: string): PlannedQuestion {
  const about = { utterance: -1, condition: -1, draw: 0, recognizer: null, repeat: 0, twin: false };
  return { position, key: itsKey, asks, ...about };
}

/** A run that asked for a prediction and for the time twice. */
function planned(store: Store): string {
  const { id } = store.createRun(newRun);
  store.beginBatch(id, 0, 'differential');
  store.plan(id, 0, [
    question(0, 'prediction', key('a')),
    question(1, 'elapsed', key('b')),
    question(2, 'elapsed', key('c')),
  ]);
  store.completeBatch(id, 0, key('f'), 3);
  return id;
}

const prediction = {
  determinable: Float64Array.of(0.1, 1 / 3, 1),
  failing: Float64Array.of(0, 0.5, Number.EPSILON),
  seconds: 0.25,
};

for (const one of onEachStore(
  'Predictions and times are open until they are kept, and come back bit for bit.',
  (newStore, newFile) => {
    const path = newStore();
    const store = openStore(path);
    const id = planned(store);
    assert.equal(store.countOpen(id, 0, null), 3);
    assert.deepEqual(
      store.open(id, 0, { recognizer: null, after: -1, limit: 9 }).map(({ asks }) => asks),
      ['prediction', 'elapsed', 'elapsed'],
    );
    store.savePrediction(key('a'), prediction);
    store.savePrediction(key('a'), { ...prediction, seconds: 9 });
    store.saveElapsed(key('b'), 2.5);
    assert.equal(store.countOpen(id, 0, null), 1);
    const [first, second, third] = store.answers(id, 0, { from: 0, limit: 9 });
    assert.deepEqual(first!.prediction, prediction);
    assert.deepEqual([first!.elapsedSeconds, second!.elapsedSeconds, third!.elapsedSeconds], [null, 2.5, null]);
    assert.equal(second!.prediction, null);
    assert.equal(store.elapsed(id), 2.5);
    store.close();

    const [exported, there] = [newFile(), newStore()];
    exportStore(path, exported, id);
    mergeStore(there, exported);
    using merged = openStore(there);
    assert.deepEqual(merged.answers(id, 0, { from: 0, limit: 1 })[0]!.prediction, prediction);
    assert.equal(merged.elapsed(id), 2.5);
  },
))
  test(...one);

for (const one of onEachStore('Predictions of pruned runs stay as answers do, and go with them.', (newStore) => {
  const path = newStore();
  const store = openStore(path);
  planned(store);
  store.savePrediction(key('a'), prediction);
  store.saveElapsed(key('b'), 2.5);
  store.close();
  const kept = (answers: boolean) => {
    pruneStore(path, { keep: 0, answers });
    using again = openStore(path);
    const id = planned(again);
    const [first] = again.answers(id, 0, { from: 0, limit: 1 });
    return [first!.prediction !== null, again.elapsed(id)];
  };
  assert.deepEqual(kept(false), [true, 0]);
  assert.deepEqual(kept(true), [false, 0]);
}))
  test(...one);
