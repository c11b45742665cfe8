import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { sha256 } from '../../base/hash.ts';
import type { EngineEvent } from '../../engine/events.ts';
import { clean } from '../../model/trial.ts';
import { openStore } from '../../store/open-store.ts';
import { withTrialsTold } from './trials-told.ts';

const trials = 4000;

test('whoever goes through the trials for long is told how far that is, and how long the rest takes', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-told-'));
  const store = openStore(join(folder, 'store.sqlite'));
  context.after(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const recognizers = [{ name: 'one', identity: {}, epoch: null }];
  const about = { name: 'n', purpose: 'p', config: {}, seed: 1, fresh: false, parent: null, recognizers };
  const { id } = store.createRun({ ...about, startedAtMs: 0 });
  store.addUtterances(id, 0, [{ id: 'u', language: 'en', attributes: {}, tags: [] }]);
  store.addCondition(id, 0, clean);
  store.beginBatch(id, 0, 'study');
  const questions = Array.from({ length: trials }, (_, position) => ({
    ...{ position, key: sha256(`${position}`), utterance: 0, condition: 0, draw: position, recognizer: 0, repeat: 0 },
    twin: false,
  }));
  store.plan(id, 0, questions);
  store.completeBatch(id, 0, 'hash', trials);
  const observation = { soundSeconds: null, timing: { seconds: 1, calls: 1 }, transcript: { text: 'yes' } };
  store.record(id, {
    answers: questions.map(({ position, key }) => ({
      ...{ place: { batch: 0, position }, key, utteranceId: 'u', speaker: null, observation },
    })),
  });

  const told = (stepMs: number) => {
    let now = 0;
    const clock = { ...systemClock, monotonicMs: () => (now += stepMs) };
    const events: EngineEvent[] = [];
    const reader = withTrialsTold(store, 'writing', clock, (event) => events.push(event));
    assert.equal([...reader.trials(id)].length, trials);
    return events;
  };
  // The clock is looked at when it begins and after each thousand.
  const lasts = (share: number, secondsLeft: number) => ({ type: 'reporting', what: 'writing', share, secondsLeft });
  assert.deepEqual(told(3000), [lasts(0.5, 6), lasts(0.75, 3), lasts(1, 0)]);
  assert.deepEqual(told(100), [], 'what is soon done is not told');
});
