import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashJson } from '../../base/hash.ts';
import type { NewRun } from '../contract.ts';
import { exportStore, pruneStore } from '../maintenance.ts';
import { mergeStore } from '../merge.ts';
import { openDatabase } from '../open-database.ts';
import { openStore } from '../open-store.ts';
import { onEachStore } from '../testing/test-stores.ts';
import { forgetSpeaker } from './forget.ts';

const forgetting = { dryRun: false, forgottenAtMs: 0, cacheFile: () => '/nowhere/absent.wav', madeFiles: () => [] };

const wish: NewRun = {
  name: 'one',
  purpose: 'p',
  config: {},
  seed: 1,
  fresh: false,
  parent: null,
  recognizers: [],
  startedAtMs: 1000,
};

function filled(path: string): { readonly path: string; readonly id: string } {
  using store = openStore(path);
  const { id } = store.createRun(wish);
  store.addUtterances(id, 0, [
    { id: 'u0', speaker: 'ann', language: 'en', attributes: {}, tags: [] },
    { id: 'u1', speaker: 'bob', language: 'en', attributes: {}, tags: [] },
  ]);
  store.freezePlan(id, { studies: ['a'] }, 2000);
  store.keepMaterial(id, 'text', 'ratings.csv', 'ann,5');
  store.keepMaterial(id, 'ladders', '', []);
  store.saveSounds(id, [
    { utterance: 0, identity: { file: 'aa' } },
    { utterance: 1, identity: { file: 'bb' } },
  ]);
  return { path, id };
}

for (const one of onEachStore('a plan is fixed once: what is kept later changes nothing', (newStore) => {
  const { path, id } = filled(newStore());
  using store = openStore(path);
  const again = store.freezePlan(id, { studies: ['b'] }, 9000);
  assert.deepEqual(again, { plan: { studies: ['a'] }, hash: hashJson({ studies: ['a'] }), frozenAtMs: 2000 });
  assert.deepEqual(store.frozenPlan(id), again);
  assert.equal(store.frozenPlan(store.createRun({ ...wish, startedAtMs: 5000 }).id), null);
}))
  test(...one);

for (const one of onEachStore(
  'materials come back with their hashes, and what two runs were told is stored once',
  (newStore) => {
    const { path, id } = filled(newStore());
    using store = openStore(path);
    const other = store.createRun({ ...wish, startedAtMs: 5000 }).id;
    assert.equal(store.keepMaterial(other, 'text', 'copy.csv', 'ann,5'), hashJson('ann,5'));
    const told = [...store.materials(id)].map(({ kind, name, value }) => [kind, name, value]);
    assert.deepEqual(told, [
      ['ladders', '', []],
      ['text', 'ratings.csv', 'ann,5'],
    ]);
  },
))
  test(...one);

for (const one of onEachStore(
  'export and merge carry plan, materials and sounds to another store',
  (newStore, newFile) => {
    const { path, id } = filled(newStore());
    const file = newFile();
    exportStore(path, file, id);
    const target = newStore();
    mergeStore(target, file);
    using store = openStore(target, { readonly: true });
    assert.equal(store.frozenPlan(id)?.frozenAtMs, 2000);
    assert.equal([...store.materials(id)].length, 2);
    assert.deepEqual(
      [...store.sounds(id, { from: 0, limit: 10 })],
      [
        [0, { file: 'aa' }],
        [1, { file: 'bb' }],
      ],
    );
  },
))
  test(...one);

for (const one of onEachStore(
  'who is forgotten leaves no sound and no text that studies read; the plan, which names nobody, stays',
  (newStore) => {
    const { path, id } = filled(newStore());
    forgetSpeaker(path, 'ann', forgetting);
    using store = openStore(path, { readonly: true });
    assert.deepEqual([...store.sounds(id, { from: 0, limit: 10 }).keys()], [1]);
    assert.deepEqual(
      [...store.materials(id)].map(({ kind }) => kind),
      ['ladders'],
    );
    assert.ok(store.frozenPlan(id));
  },
))
  test(...one);

for (const one of onEachStore('a pruned run takes its plan and its materials with it', (newStore) => {
  const { path } = filled(newStore());
  pruneStore(path, { keep: 0, answers: false });
  const { database, close } = openDatabase(path, { readonly: true });
  for (const table of ['run_plans', 'run_materials', 'run_sounds', 'materials']) {
    assert.equal(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table);
  }
  close();
}))
  test(...one);
