import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../cli/testing/run-command.ts';
import type { FailureKind } from '../model/observation.ts';
import { openStore } from '../store/open-store.ts';
import { tellProgress } from './live.ts';
import { createWebThreads } from './threads.ts';

type Told = Readonly<Record<'done' | 'failed' | 'left' | 'reasons' | 'stopped', string>>;

const keyOf = (at: number) => at.toString(16).padStart(64, '0');

/** A run of two recognizers whose first trials failed in these ways (null: it answered); as many more are open. */
function beginRun(store: ReturnType<typeof openStore>, failures: readonly (readonly [0 | 1, FailureKind | null])[]) {
  const recognizers = ['alpha', 'gamma'].map((name) => ({ name, identity: {}, epoch: null }));
  const about = { name: 'run', purpose: 'test', config: {}, seed: 1, fresh: false, parent: null, startedAtMs: 1 };
  const { id } = store.createRun({ ...about, recognizers });
  store.addUtterances(
    id,
    0,
    failures.map((_, at) => ({ id: `u${at}`, reference: 'word', language: 'en', attributes: {}, tags: [] })),
  );
  store.addCondition(id, 0, { name: 'clean', steps: [] });
  // Another study asks the same: each is one trial.
  for (const batch of [0, 1]) {
    store.beginBatch(id, batch, 'robustness');
    const asked = failures.map(([recognizer], at) => ({ utterance: at, condition: 0, draw: 0, recognizer, repeat: 0 }));
    const later = failures.map(([recognizer], at) => ({ utterance: at, condition: 0, draw: 1, recognizer, repeat: 0 }));
    store.plan(
      id,
      batch,
      [...asked, ...later].map((trial, position) => ({ ...trial, position, key: keyOf(position), twin: false })),
    );
    store.record(id, {
      answers: failures.map(([, kind], at) => ({
        ...{ place: { batch, position: at }, key: keyOf(at), utteranceId: `u${at}`, speaker: null },
        observation: {
          ...{ soundSeconds: 1, timing: { seconds: 1, calls: 1 } },
          ...(kind === null ? { transcript: { text: 'word' } } : { failure: { kind, message: `no ${at}` } }),
        },
      })),
    });
  }
  return id;
}

/** What is told until it is so. */
async function toldUntil(file: string, run: string, is: (told: Told) => boolean): Promise<Told> {
  using store = openStore(file, { readonly: true });
  await using threads = createWebThreads(file);
  const ended = new AbortController();
  let last: Told | null = null;
  const tell = (event: string, data: string) => {
    assert.equal(event, 'progress');
    last = JSON.parse(data).texts as Told;
    if (is(last)) ended.abort();
  };
  await tellProgress({ store, storeFile: file, threads, workers: null }, run, tell, ended.signal);
  return last!;
}

test('The ways in which trials failed are told for each recognizer, and add up to those that failed.', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  using store = openStore(file);
  const failures = [
    ...(['sound', 'timeout', 'timeout', null] as const).map((kind) => [0, kind] as const),
    ...(['refused', 'refused', null] as const).map((kind) => [1, kind] as const),
  ];
  const run = beginRun(store, failures);
  const told = await toldUntil(file, run, ({ failed }) => failed !== undefined);
  assert.equal(told.failed, '5');
  assert.equal(told.reasons, 'alpha: timeout × 2, sound × 1; gamma: refused × 2');
});

test('A run that nobody writes any more is said to have stopped, without a time left, until somebody goes on with it.', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  const failures = [[0, null]] as const;
  let run: string;
  {
    using store = openStore(file);
    run = beginRun(store, failures);
    const told = await toldUntil(file, run, () => true);
    assert.equal(told.stopped, '');
  }
  const told = await toldUntil(file, run, () => true);
  assert.equal(
    told.stopped,
    `Nothing is being written: the run has stopped; \`earwitness resume ${run}\` goes on with it.`,
  );
  assert.equal(told.left, '–');
  using _resumed = openStore(file);
  assert.equal((await toldUntil(file, run, () => true)).stopped, '');
});

test('Who asks to be left alone is told, and for how long, as long as somebody writes the run.', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  let run: string;
  {
    using store = openStore(file);
    run = beginRun(store, [
      [0, null],
      [1, null],
    ]);
    // The open trial of gamma.
    const call = { place: { batch: 0, position: 3 }, key: keyOf(3), sentAtMs: Date.now(), reservedSeconds: 1 };
    const [attempt = 0] = store.record(run, { begin: [{ ...call, reservedPrice: null }] });
    const againAtMs = Date.now() + 3_600_000;
    store.record(run, { end: [{ attempt, state: 'again', price: null, againAtMs }] });
    const told = await toldUntil(file, run, () => true);
    assert.equal(told.reasons, 'gamma asks to be left alone for 60 min');
  }
  assert.equal((await toldUntil(file, run, () => true)).reasons, '');
});
