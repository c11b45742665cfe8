import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { mergeStore } from '../merge.ts';
import { openStore } from '../open-store.ts';
import { onEachStore } from '../testing/test-stores.ts';
import { forgetSpeaker } from './forget.ts';

const forgetting = { dryRun: false, forgottenAtMs: 0, cacheFile: () => '/nowhere/absent.wav', madeFiles: () => [] };

const hashOf = (digit: string) => digit.repeat(64);
const [clip, stoi, snr] = [hashOf('1'), hashOf('2'), hashOf('3')];

function _folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-quality-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function begun(path: string) {
  const store = openStore(path);
  const wish = { name: 'n', purpose: 'p', config: {}, seed: 1, fresh: false, parent: null, recognizers: [] };
  const { id } = store.createRun({ ...wish, startedAtMs: 0 });
  store.addUtterances(id, 0, [{ id: 'u', language: 'en', speaker: 's', attributes: {}, tags: [] }]);
  return { store, id };
}

function ask(store: ReturnType<typeof begun>['store'], id: string, batch: number, quality: readonly string[]) {
  const place = { position: 0, key: clip, utterance: 0, condition: 0, draw: 0, recognizer: null, repeat: 0 };
  store.beginBatch(id, batch, 'study');
  store.plan(id, batch, [{ ...place, twin: false, ...(quality.length === 0 ? {} : { quality }) }]);
  store.completeBatch(id, batch, 'h', 1);
}

const openOf = (store: ReturnType<typeof begun>['store'], id: string, batch: number) =>
  store.open(id, batch, { recognizer: null, after: -1, limit: 9 });
const answerOf = (store: ReturnType<typeof begun>['store'], id: string, batch: number) =>
  store.answers(id, batch, { from: 0, limit: 1 })[0]!.measurement;
const measurement = {
  durationSeconds: 1,
  sampleRate: 8000,
  levelDbfs: -20,
  clippedShare: 0,
  facts: [],
  sampleHash: '',
};

for (const one of onEachStore(
  'A measure that is asked for later is open though the clip was measured, and adds to what is stored.',
  (newStore) => {
    const { store, id } = begun(newStore());
    store.saveClip({ hash: clip, sound: clip, utteranceId: 'u', speaker: 's', measurement });
    store.saveQuality(clip, [{ key: stoi, measure: 'stoi', values: { stoi: 0.5 } }]);
    ask(store, id, 0, []);
    ask(store, id, 1, [stoi]);
    ask(store, id, 2, [snr, stoi]);
    assert.deepEqual(
      [0, 1, 2].map((batch) => store.countOpen(id, batch, null)),
      [0, 0, 1],
    );
    assert.deepEqual(openOf(store, id, 2)[0]!.quality, [stoi, snr]);
    assert.deepEqual([...store.storedQuality(clip, [snr, stoi])], [stoi]);
    store.saveQuality(clip, [
      { key: stoi, measure: 'stoi', values: { stoi: 0.9 } },
      { key: snr, measure: 'snr', values: { snrDb: null }, reason: 'no noise' },
    ]);
    assert.equal(store.countOpen(id, 2, null), 0);
    assert.deepEqual(store.progress(id, 2), { answered: 1, reused: 0, trials: { planned: 0, answered: 0 } });
    assert.deepEqual(answerOf(store, id, 0), measurement);
    assert.deepEqual(answerOf(store, id, 1)!.quality, { stoi: { values: { stoi: 0.5 } } });
    assert.deepEqual(answerOf(store, id, 2)!.quality, {
      snr: { values: { snrDb: null }, reason: 'no noise' },
      stoi: { values: { stoi: 0.5 } },
    });
    store.close();
  },
))
  test(...one);

for (const one of onEachStore('Quality goes over with a merge, and with its speaker it is forgotten.', (newStore) => {
  const [path, target] = [newStore(), newStore()];
  const { store, id } = begun(path);
  store.saveClip({ hash: clip, sound: clip, utteranceId: 'u', speaker: 's', measurement });
  store.saveQuality(clip, [{ key: stoi, measure: 'stoi', values: { stoi: 0.5 } }]);
  ask(store, id, 0, [stoi]);
  store.completeUtterances(id);
  store.close();
  openStore(target).close();
  mergeStore(target, path);
  const merged = openStore(target);
  assert.deepEqual(answerOf(merged, id, 0)!.quality, { stoi: { values: { stoi: 0.5 } } });
  merged.close();
  forgetSpeaker(target, 's', forgetting);
  const left = openStore(target);
  assert.equal(left.storedQuality(clip, [stoi]).size, 0);
  left.close();
}))
  test(...one);
