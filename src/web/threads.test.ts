import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../cli/testing/run-command.ts';
import { openStore } from '../store/open-store.ts';
import { indexOfRun } from './stored-run.ts';
import { createWebThreads, writeFolderApart } from './threads.ts';
import { viewFile } from './view-files.ts';

const skip = existsSync('/proc/self/task') ? false : 'no /proc on this system';
const trials = 3000;

/** A store with a run that answered one trial for each of many utterances, and what is to be made of it. */
function storeWithRun(file: string) {
  using store = openStore(file);
  const recognizers = [{ name: 'one', identity: {}, pinned: true, epoch: null }];
  const about = { name: 'run', purpose: 'test', config: {}, seed: 1, fresh: false, parent: null, startedAtMs: 1 };
  const run = store.createRun({ ...about, recognizers });
  const positions = Array.from({ length: trials }, (_, position) => position);
  const utterances = positions.map((at) => ({
    id: `u${at}`,
    reference: `word ${at}`,
    language: 'en',
    attributes: {},
    tags: [],
  }));
  store.addUtterances(run.id, 0, utterances);
  store.addCondition(run.id, 0, { name: 'clean', steps: [] });
  store.beginBatch(run.id, 0, 'robustness');
  const keyOf = (at: number) => at.toString(16).padStart(64, '0');
  store.plan(
    run.id,
    0,
    positions.map((position) => ({
      ...{ position, key: keyOf(position), utterance: position, condition: 0, draw: 0, recognizer: 0, repeat: 0 },
      twin: false,
    })),
  );
  store.record(run.id, {
    answers: positions.map((position) => ({
      ...{ place: { batch: 0, position }, key: keyOf(position), utteranceId: `u${position}`, speaker: null },
      observation: { transcript: { text: 'word' }, soundSeconds: 1, timing: { seconds: 1, calls: 1 } },
    })),
  });
  store.completeBatch(run.id, 0, keyOf(0), trials);
  store.finishRun(run.id, 2, []);
  return indexOfRun(store, store.run(run.id)!, trials);
}

/** Processes that were started by this one, or another, and live. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const [state, parent] = readFileSync(`/proc/${Number(name)}/stat`, 'utf8')
        .split(') ')
        .at(-1)!
        .split(' ');
      return Number(parent) === pid && state !== 'Z' ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

async function until<Value>(look: () => Value | undefined | false): Promise<Value> {
  for (;;) {
    const seen = look();
    if (seen) return seen;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('What a run needs is made by a process or a thread, and is kept for the next viewer.', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  const of = storeWithRun(file);
  for (const answeredInThread of [0, trials]) {
    const given = { ...of, answered: of.answered + answeredInThread };
    await using threads = createWebThreads(file, { answeredInThread: answeredInThread * 2 });
    let { value, failed } = await threads.index(given);
    while (value === null && failed === null) ({ value, failed } = await threads.index(given));
    assert.equal(failed, null);
    assert.equal(value?.header.rows, trials);
    assert.equal(
      value?.select({ chosen: new Map(), search: 'word', confused: null, sort: 'wer', by: null, descending: true })
        .count,
      trials,
    );
    let page = await threads.page(given);
    while (page.value === null && page.failed === null) page = await threads.page(given);
    assert.match(page.value ?? page.failed ?? '', /All trials/);
    assert.equal((await threads.summary(given)).value?.answered, trials);
  }
  // Another viewer finds it made.
  await using next = createWebThreads(file, { answeredInThread: 0 });
  const again = { ...of, answered: of.answered + trials };
  const [index, page] = await Promise.all([next.index(again), next.page(again)]);
  assert.deepEqual([index.making, index.value?.header.rows, page.making], [null, trials, null]);
  // Of another state nothing of it is shown, not even until there is something newer.
  const other = await next.page({ ...again, state: 'somebody was forgotten' });
  assert.equal(other.value === null || other.making === null, true);
});

test('What two sides differ in is told once it is found, and found once: a page waits for no comparison.', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  const of = storeWithRun(file);
  const side = `${of.run}:one`;
  const sides = { before: side, after: side, normalizer: 'basic' };
  const both = { ...of, run: `${side} ${side}` };
  await using threads = createWebThreads(file, { answeredInThread: 0 });
  let { value, making, failed } = await threads.comparison(both, sides);
  assert.deepEqual([value, making], [null, 0]);
  while (value === null && failed === null) ({ value, making, failed } = await threads.comparison(both, sides));
  assert.match(value ?? failed ?? '', /one in run compared with one in run/);
  await using next = createWebThreads(file, { answeredInThread: 0 });
  const again = await next.comparison(both, sides);
  assert.deepEqual([again.value, again.making], [value, null]);
  const other = await next.comparison({ ...both, state: 'somebody was forgotten' }, sides);
  assert.equal(other.value, null);
});

test('A process that scores trials tells how far it is, and then that it is done.', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  const job = { job: 'keep', store: file, folder: join(dirname(file), 'view'), of: storeWithRun(file), kind: 'index' };
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [JSON.stringify(job)]);
  const told: unknown[] = [];
  child.on('message', (message) => told.push(message));
  await once(child, 'disconnect');
  const progress = [1000, 2000, 3000].map((done) => ({ say: 'progress', done }));
  assert.deepEqual(told, [...progress, { say: 'done' }]);
});

test('A folder of pages is written by a process of its own, which tells how far it is, and what it refuses.', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  const { run } = storeWithRun(file);
  using store = openStore(file, { readonly: true });
  const told: (string | number)[][] = [];
  const options = {
    audio: false,
    transcripts: true,
    minSpeakers: 1,
    tell: (...all: (string | number)[]) => told.push(all),
  };
  const asked = { ...options, store, storeFile: file, runs: [store.run(run)!], folder: folder.file('pages') };
  const written = await writeFolderApart(asked);
  assert.deepEqual([written.trials, written.clips, written.notes], [trials, 0, []]);
  assert.deepEqual(told.at(-1), ['trials', trials, trials]);
  assert.ok(existsSync(folder.file('pages/index.html')));
  await writeFile(folder.file('pages/mine.txt'), '');
  await assert.rejects(writeFolderApart(asked), /mine\.txt is in it and not as it was written/);
});

test('What a process cannot do it says; that it was killed is said too, and the next request begins anew.', {
  skip,
}, async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  const of = storeWithRun(file);
  await using threads = createWebThreads(file, { answeredInThread: 0 });
  const wrong = { ...of, run: 'nobody' };
  let state = await threads.index(wrong);
  while (state.failed === null) state = await threads.index(wrong);
  assert.match(state.failed, /run nobody is not in the store any more/);
  const before = new Set(childrenOf(process.pid));
  const asked = threads.index(of);
  process.kill(await until(() => childrenOf(process.pid).find((pid) => !before.has(pid))), 'SIGKILL');
  state = await asked;
  while (state.failed === null && state.value === null) state = await threads.index(of);
  assert.match(state.failed ?? '', /ended without an answer; is there too little memory\?/);
  while (state.value === null) state = await threads.index(of);
  assert.equal(state.value.header.rows, trials);
});

test('A process that scores trials ends with the viewer, however that ends, and leaves no half index.', {
  skip,
}, async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('store.sqlite');
  const of = storeWithRun(file);
  const viewer = `
    import { createWebThreads } from ${JSON.stringify(new URL('./threads.ts', import.meta.url).href)};
    const threads = createWebThreads(${JSON.stringify(file)}, { answeredInThread: 0 });
    const of = ${JSON.stringify(of)};
    for (;;) await threads.index(of);`;
  await writeFile(folder.file('viewer.mjs'), viewer);
  const parent = spawn(process.execPath, [folder.file('viewer.mjs')], { stdio: 'ignore' });
  const child = await until(() => childrenOf(parent.pid!)[0]);
  process.kill(child, 'SIGSTOP');
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  process.kill(child, 'SIGCONT');
  await until(() => !existsSync(`/proc/${child}`));
  assert.equal(existsSync(viewFile(join(dirname(file), 'view'), of.run, 'index')), false);
});
