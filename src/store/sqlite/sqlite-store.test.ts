import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { Observation } from '../../model/observation.ts';
import { personalPlaces } from '../../model/personal-data.ts';
import type { NewRun, PlannedQuestion, Store } from '../contract.ts';
import { exportStore, noteOutputs, pruneStore } from '../maintenance.ts';
import { mergeStore } from '../merge.ts';
import { openDatabase } from '../open-database.ts';
import { openStore } from '../open-store.ts';
import { checksumTriggers } from '../parts/checksums.ts';
import { forgetSpeaker } from '../parts/forget.ts';
import { schemaVersion } from '../schema.ts';
import { onEachStore } from '../testing/test-stores.ts';
import { openFile } from './database.ts';
import { asStoreError } from './open-file-database.ts';

const forgetting = { dryRun: false, forgottenAtMs: 0, cacheFile: () => '/nowhere/absent.wav', madeFiles: () => [] };

function temporaryPath(context: TestContext, name = 'store.sqlite'): string {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-store-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

const newRun: NewRun = {
  name: 'a run',
  purpose: sha256('purpose'),
  config: { corpus: 'c' },
  seed: 1,
  fresh: false,
  parent: null,
  recognizers: [{ name: 'one', identity: { engine: 'one' }, epoch: null }],
  startedAtMs: 1_790_000_000_000,
};

function question(position: number, key = `key ${position}`): PlannedQuestion {
  return {
    position,
    key: sha256(key),
    utterance: position,
    condition: 0,
    draw: 0,
    recognizer: 0,
    repeat: 0,
    twin: false,
  };
}

function answer(text: string): Observation {
  return {
    transcript: { text, words: [{ text, confidence: 0.5 }] },
    soundSeconds: 1.5,
    timing: { seconds: 0.25, calls: 1 },
  };
}

/** A run of so many utterances, one question each, the first `answered` of them answered. */
function filledRun(store: Store, size: number, answered: number, run: NewRun = newRun): string {
  const { id } = store.createRun(run);
  store.addUtterances(
    id,
    0,
    Array.from({ length: size }, (_, index) => ({
      id: `u${index}`,
      language: 'en',
      speaker: `s${index % 2}`,
      reference: `secret ${index}`,
      attributes: {},
      tags: [],
    })),
  );
  store.completeUtterances(id);
  store.addCondition(id, 0, { name: 'clean', steps: [] });
  store.beginBatch(id, 0, 'robustness');
  store.plan(
    id,
    0,
    Array.from({ length: size }, (_, index) => question(index)),
  );
  store.completeBatch(id, 0, sha256('all'), size);
  for (let index = 0; index < answered; index++) {
    const place = { batch: 0, position: index };
    const key = sha256(`key ${index}`);
    const [attempt] = store.record(id, {
      begin: [{ place, key, sentAtMs: 1, reservedSeconds: 1.5, reservedPrice: { amount: 0.5, currency: 'EUR' } }],
    });
    store.record(id, {
      end: [{ attempt: attempt!, state: 'answered', price: null }],
      answers: [
        {
          place,
          key,
          utteranceId: `u${index}`,
          speaker: `s${index % 2}`,
          observation: answer(`heard secret ${index}`),
        },
      ],
    });
  }
  return id;
}

const all = { from: 0, limit: 1000 };
const open = { recognizer: 0, after: -1, limit: 1000 };

for (const one of onEachStore(
  'what an older version kept beside a transcript, however deep, costs no answer: it is left out and counted',
  (newStore) => {
    const path = newStore();
    using store = openStore(path);
    const run = filledRun(store, 3, 1);
    const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    const { soundSeconds, timing } = answer('x');
    // Beside them: one that is as deep as may be, within the transcript and its `details`.
    for (const [position, depth] of [
      [1, 1406],
      [2, 63],
    ] as const) {
      const place = { batch: 0, position };
      const key = sha256(`key ${position}`);
      const [attempt] = store.record(run, {
        begin: [{ place, key, sentAtMs: 1, reservedSeconds: 1, reservedPrice: null }],
      });
      const transcript = { text: 'x', words: [{ text: 'x' }], details: nested(depth) };
      store.record(run, {
        end: [{ attempt: attempt!, state: 'answered', price: null }],
        answers: [
          { place, key, utteranceId: `u${position}`, speaker: 's1', observation: { soundSeconds, timing, transcript } },
        ],
      });
    }
    const read = store.answers(run, 0, all).map(({ observation }) => observation?.transcript);
    assert.deepEqual(read[1], { text: 'x', words: [{ text: 'x' }] });
    assert.deepEqual(read[2]!.details, nested(63));
    assert.deepEqual(
      [...store.trials(run)].map(({ observation }) => observation.transcript?.text),
      ['heard secret 0', 'x', 'x'],
    );
    assert.equal(store.leftOut(run), 1);
    // SQLite reads JSON of no more than 1000 levels.
    assert.deepEqual(store.heardLanguages(run), []);
  },
))
  test(...one);

test('an answer whose rest is no JSON is refused, with its trial', (context) => {
  const path = temporaryPath(context);
  const run = ((): string => {
    using store = openStore(path);
    return filledRun(store, 1, 1);
  })();
  const database = openFile(path, { readonly: false });
  database.exec(`${checksumTriggers}; UPDATE observations SET extra = '{'`);
  database.close();
  using store = openStore(path);
  assert.throws(() => store.answers(run, 0, all), {
    code: 'store',
    message: /an answer that cannot be read, that of one to u0 under clean: .* no JSON; .*--fresh/,
  });
});

test("a store is nobody else's, also one that was open to all before", (context) => {
  const path = join(temporaryPath(context, 'new'), 'store.sqlite');
  const modes = () =>
    readdirSync(dirname(path)).map(
      (name) => `${name} ${(statSync(join(dirname(path), name)).mode & 0o777).toString(8)}`,
    );
  const store = openStore(path);
  filledRun(store, 1, 1);
  assert.deepEqual(
    modes().sort(),
    ['', '-shm', '-wal', '.last', '.lock', '.lock-journal'].map((ending) => `store.sqlite${ending} 600`),
  );
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  store.close();
  for (const name of readdirSync(dirname(path))) chmodSync(join(dirname(path), name), 0o644);
  openStore(path, { readonly: true }).close();
  assert.ok(modes().includes('store.sqlite 644'), 'who only reads changes nothing');
  openStore(path).close();
  assert.deepEqual([...new Set(modes().map((one) => one.slice(-3)))], ['600']);
});

test('every column of a store that holds something of people is in the list of what is forgotten', (context) => {
  const path = temporaryPath(context);
  openStore(path).close();
  const database = openFile(path, { readonly: true });
  context.after(() => database.close());
  const listed = personalPlaces.flatMap(({ of, table, columns = [] }) =>
    of === 'store' && table !== undefined ? columns.map((column) => `${table}.${column}`) : [],
  );
  // Numbers, times, names of studies and measures, hashes of what is no sound; of chores what is removed when it is done.
  const ofNobody =
    `attempts.number attempts.run attempts.batch attempts.position attempts.sent_at_ms attempts.state attempts.seconds attempts.price attempts.currency
    attempts.again_at_ms chores.* elapsed.* predictions.* quality_sets.* run_batches.* run_materials.* clips.checksum files.size files.changed_ns
    materials.hash observations.number observations.run observations.failure_kind observations.sound_seconds observations.seconds observations.calls
    qualities.measure qualities.name run_conditions.run run_conditions.position run_outputs.run run_outputs.kind run_outputs.written run_plans.run
    run_plans.hash run_plans.frozen_at_ms run_sounds.run run_sounds.utterance run_trials.run run_trials.batch run_trials.position run_trials.utterance
    run_trials.condition run_trials.draw run_trials.recognizer run_trials.repeat run_trials.twin run_trials.observation run_trials.reused
    run_trials.quality run_trials.similarity run_trials.asks run_utterances.run run_utterances.position run_utterances.made runs.number runs.id
    runs.purpose runs.seed runs.fresh runs.parent runs.started_at_ms runs.finished_at_ms runs.utterances_complete runs.forgotten_at_ms runs.merged
    sqlite_sequence.*`.split(/\s+/);
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[];
  const columns = tables.flatMap((table) =>
    (database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[])
      .filter((column) => column !== 'checksum')
      .map((column) => `${table}.${column}`),
  );
  const unlisted = columns.filter(
    (column) =>
      !listed.includes(column) && !ofNobody.includes(column) && !ofNobody.includes(`${column.split('.')[0]}.*`),
  );
  assert.deepEqual(unlisted, []);
  assert.deepEqual(
    listed.filter((column) => !columns.includes(column)),
    [],
  );
});

for (const one of onEachStore('what is stored comes back as it was', (newStore) => {
  using store = openStore(newStore());
  const id = filledRun(store, 3, 2);
  const answers = store.answers(id, 0, all);
  assert.deepEqual(
    answers.map(({ observation }) => observation),
    [answer('heard secret 0'), answer('heard secret 1'), null],
  );
  assert.deepEqual(store.open(id, 0, open), [question(2)]);
  assert.deepEqual(store.progress(id, 0), { answered: 2, reused: 0, trials: { planned: 3, answered: 2 } });
  assert.deepEqual(store.spent(id), { calls: 2, audioSeconds: 3, money: { EUR: 1 }, speech: {} });
  assert.deepEqual(store.tally(id), {
    trials: 3,
    answered: 2,
    failed: 0,
    reused: 0,
    failures: {},
    possiblyPaid: 0,
  });
}))
  test(...one);

for (const one of onEachStore('a later run takes over answers but not failures, a fresh one neither', (newStore) => {
  using store = openStore(newStore());
  const first = filledRun(store, 2, 1);
  store.record(first, {
    end: [],
    answers: [
      {
        place: { batch: 0, position: 1 },
        key: sha256('key 1'),
        utteranceId: 'u1',
        speaker: null,
        observation: {
          failure: { kind: 'timeout', message: 'slow' },
          soundSeconds: 1,
          timing: { seconds: 9, calls: 2 },
        },
      },
    ],
  });
  const second = filledRun(store, 2, 0);
  assert.deepEqual(store.open(second, 0, open), [question(1)]);
  assert.equal(store.tally(second).reused, 1);
  const fresh = filledRun(store, 2, 0, { ...newRun, fresh: true });
  assert.equal(store.countOpen(fresh, 0, 0), 2);
}))
  test(...one);

for (const one of onEachStore(
  'a trial that two studies ask is one trial, and what this run answered was not stored before',
  (newStore) => {
    using store = openStore(newStore());
    const id = filledRun(store, 3, 2);
    store.beginBatch(id, 1, 'disparity');
    store.plan(
      id,
      1,
      [0, 1, 2].map((index) => question(index)),
    );
    store.completeBatch(id, 1, sha256('1'), 3);
    store.linkBatch(id, 1);
    assert.deepEqual(store.progress(id, 1), { answered: 2, reused: 2, trials: { planned: 3, answered: 2 } });
    const { trials, answered, reused } = store.tally(id);
    assert.deepEqual([trials, answered, reused], [3, 2, 0]);
    const later = filledRun(store, 3, 0);
    assert.equal(store.tally(later).reused, 2);
  },
))
  test(...one);

for (const one of onEachStore('a question planned twice is answered by the answer of the first', (newStore) => {
  using store = openStore(newStore());
  const { id } = store.createRun(newRun);
  store.beginBatch(id, 0, 'robustness');
  store.plan(id, 0, [question(0, 'same'), question(1, 'same')]);
  store.record(id, {
    end: [],
    answers: [
      {
        place: { batch: 0, position: 0 },
        key: sha256('same'),
        utteranceId: 'u',
        speaker: null,
        observation: answer('once'),
      },
    ],
  });
  assert.equal(store.linkStored(id, { batch: 0, position: 1 }), true);
  assert.equal(store.countOpen(id, 0, 0), 0);
}))
  test(...one);

for (const one of onEachStore(
  'a recognizer that is left alone is told until the call is made again, and one whose call merely failed is not',
  (newStore) => {
    using store = openStore(newStore());
    const id = filledRun(store, 3, 0);
    const call = (position: number) => ({
      ...{ place: { batch: 0, position }, key: sha256(`key ${position}`), sentAtMs: 2 },
      ...{ reservedSeconds: 60, reservedPrice: null },
    });
    const [first = 0, second = 0, third = 0] = store.record(id, { begin: [call(0), call(1), call(2)] });
    const again = { state: 'again', price: null } as const;
    store.record(id, {
      end: [
        { ...again, attempt: first, againAtMs: 5000 },
        { ...again, attempt: second, againAtMs: 7000 },
      ],
    });
    store.record(id, { end: [{ ...again, attempt: third }] });
    assert.deepEqual(store.waits(id, 1000), [{ recognizer: 0, untilMs: 7000 }]);
    assert.deepEqual(store.waits(id, 7000), []);
  },
))
  test(...one);

for (const one of onEachStore(
  'calls whose end was never heard are counted as possibly paid and stay in the budget',
  (newStore) => {
    using store = openStore(newStore());
    const id = filledRun(store, 2, 1);
    const place = { batch: 0, position: 1 };
    store.record(id, {
      begin: [{ place, key: sha256('key 1'), sentAtMs: 2, reservedSeconds: 60, reservedPrice: null }],
    });
    assert.equal(store.loseAttempts(id, [true]), 1);
    assert.equal(store.tally(id).possiblyPaid, 1);
    assert.equal(store.spent(id).calls, 2);
  },
))
  test(...one);

for (const one of onEachStore('calls of an engine of this machine that were cut off have cost nothing', (newStore) => {
  using store = openStore(newStore());
  const id = filledRun(store, 3, 1);
  const begin = [1, 2].map((position) => ({
    ...{ place: { batch: 0, position }, key: sha256(`key ${position}`) },
    ...{ sentAtMs: 2, reservedSeconds: 60, reservedPrice: null },
  }));
  store.record(id, { begin });
  assert.equal(store.loseAttempts(id, [false]), 0);
  assert.deepEqual([store.tally(id).possiblyPaid, store.spent(id).calls], [0, 3]);
}))
  test(...one);

test('a second writer is refused clearly, a reader is not', (context) => {
  const path = temporaryPath(context);
  using _store = openStore(path);
  assert.throws(
    () => openStore(path),
    (error) => error instanceof EarwitnessError && error.code === 'store-busy',
  );
  openStore(path, { readonly: true }).close();
});

test('the lock of a killed writer is gone at once', async (context) => {
  const path = temporaryPath(context);
  const child = spawn(
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      `import { openStore } from ${JSON.stringify(new URL('../open-store.ts', import.meta.url).href)};
       openStore(${JSON.stringify(path)}); console.log('open'); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  assert.throws(() => openStore(path), /another earwitness/);
  child.kill('SIGKILL');
  await once(child, 'exit');
  openStore(path).close();
});

test('a damaged store, a newer one, another database and a folder in the way each get a sentence', (context) => {
  const path = temporaryPath(context);
  const refused = (expected: RegExp) =>
    assert.throws(
      () => openStore(path),
      (error) => error instanceof EarwitnessError && error.code === 'store' && expected.test(error.message),
    );
  writeFileSync(path, 'this is no database, but long enough to be looked at as one. '.repeat(20));
  refused(/damaged/);
  rmSync(path);
  const newer = openFile(path, { readonly: false });
  newer.pragma('user_version = 999');
  newer.close();
  refused(/newer earwitness/);
  const older = openFile(path, { readonly: false });
  older.pragma(`user_version = ${schemaVersion - 1}`);
  older.close();
  refused(/is of version 9, made before the first release; use another `store`/);
  assert.throws(() => openStore(path, { readonly: true }), /made before the first release/);
  assert.throws(() => mergeStore(temporaryPath(context), path), /made before the first release/);
  rmSync(path);
  const other = openFile(path, { readonly: false });
  other.exec('CREATE TABLE recipes (name)');
  other.close();
  refused(/something else/);
  assert.throws(
    () => openStore(join(path, 'below-a-file', 'store.sqlite')),
    (error) => error instanceof EarwitnessError && error.code === 'store',
  );
});

test('a full disk is told in a sentence', (context) => {
  const path = temporaryPath(context);
  const small = openFile(path, { readonly: false });
  small.pragma('max_page_count = 3');
  small.exec('CREATE TABLE filler (bytes)');
  assert.throws(
    () => {
      try {
        small.prepare('INSERT INTO filler VALUES (zeroblob(100000))').run();
      } catch (error) {
        throw asStoreError(error, path);
      } finally {
        small.close();
      }
    },
    (error) => error instanceof EarwitnessError && error.code === 'store' && /disk is full/.test(error.message),
  );
});

for (const one of onEachStore('merging brings runs with their answers, twice changes nothing', (newStore) => {
  const [here, there] = [newStore(), newStore()];
  {
    using store = openStore(here);
    filledRun(store, 2, 2);
  }
  let id: string;
  {
    using store = openStore(there);
    id = filledRun(store, 3, 3, { ...newRun, startedAtMs: newRun.startedAtMs + 5000 });
  }
  assert.equal(mergeStore(here, there).runs, 1);
  assert.equal(mergeStore(here, there).runs, 0);
  using store = openStore(here);
  assert.equal(store.runs().length, 2);
  assert.deepEqual(
    store.answers(id, 0, all).map(({ observation }) => observation?.transcript?.text),
    ['heard secret 0', 'heard secret 1', 'heard secret 2'],
  );
  assert.equal(store.run(id)?.utteranceCount, 3);
}))
  test(...one);

const emptyFinding = {
  ...{ study: { name: 's', version: 1 }, title: 't', settings: {} },
  ...{ answer: [], sections: [], warnings: [] },
};

for (const one of onEachStore(
  'what findings of earlier versions said a second time is not read, as nothing hides or forgets names in it',
  (newStore) => {
    using store = openStore(newStore());
    const id = filledRun(store, 1, 1);
    const told = { ...emptyFinding, data: { worst: 's0' }, plain: { found: [{ text: 's0 is worst' }] } };
    store.finishRun(id, 9, [told]);
    assert.deepEqual(store.findings(id), [emptyFinding]);
  },
))
  test(...one);

test('forgetting a speaker leaves no trace in the file and everybody else untouched', (context) => {
  const path = temporaryPath(context);
  let id: string;
  {
    using store = openStore(path);
    id = filledRun(store, 4, 4);
    const older = { ...emptyFinding, data: { clips: [{ speaker: 's1', said: 'secret 1' }] } };
    store.finishRun(id, 9, [older]);
    store.keepWarnings(id, ['left out 3: rows without sounds', 's1/2.wav: it is cut off']);
  }
  const forgotten = forgetSpeaker(path, 's1', forgetting);
  assert.equal(forgotten.utterances, 2);
  assert.equal(forgotten.observations, 2);
  assert.deepEqual(forgotten.runs, [id]);
  const bytes = readFileSync(path).toString('latin1');
  assert.ok(!bytes.includes('secret 1') && !bytes.includes('secret 3') && !bytes.includes('"s1"'));
  assert.ok(bytes.includes('heard secret 0'));
  using store = openStore(path);
  assert.equal(store.answers(id, 0, all).length, 2);
  assert.deepEqual(
    store.findings(id)!.map(({ title, warnings }) => [title, warnings.length]),
    [['t', 1]],
  );
  assert.deepEqual(store.warnings(id), ['left out 3: rows without sounds']);
  assert.throws(() => forgetSpeaker(path, 's0x', forgetting), /store/);
});

for (const one of onEachStore('an unknown speaker is refused with the nearest name', (newStore) => {
  const path = newStore();
  {
    using store = openStore(path);
    filledRun(store, 2, 0);
  }
  assert.throws(() => forgetSpeaker(path, 's11', forgetting), /did you mean "s1"/);
}))
  test(...one);

for (const one of onEachStore('pruning keeps the newest runs, and answers unless told otherwise', (newStore) => {
  const path = newStore();
  {
    using store = openStore(path);
    filledRun(store, 2, 2);
    filledRun(store, 1, 0);
  }
  assert.deepEqual(pruneStore(path, { keep: 1, answers: false }), { runs: 1, observations: 0 });
  assert.deepEqual(pruneStore(path, { keep: 1, answers: true }), { runs: 0, observations: 1 });
  using store = openStore(path);
  assert.equal(store.runs().length, 1);
}))
  test(...one);

for (const one of onEachStore('an exported run can be merged elsewhere and holds no other run', (newStore, newFile) => {
  const [path, target, elsewhere] = [newStore(), newFile(), newStore()];
  let id: string;
  {
    using store = openStore(path);
    filledRun(store, 2, 2);
    id = filledRun(store, 1, 0);
  }
  exportStore(path, target, id);
  assert.throws(() => exportStore(path, target, id), /already exists/);
  mergeStore(elsewhere, target);
  using store = openStore(elsewhere);
  assert.deepEqual(
    store.runs().map((run) => run.id),
    [id],
  );
  assert.equal(store.answers(id, 0, all)[0]?.observation?.transcript?.text, 'heard secret 0');
}))
  test(...one);

test('a store whose making was cut short is told in a sentence to who only reads', (context) => {
  const [path, here] = [temporaryPath(context), temporaryPath(context)];
  writeFileSync(path, '');
  const refused = (error: unknown) => error instanceof EarwitnessError && error.code === 'store';
  assert.throws(() => openStore(path, { readonly: true }), refused);
  assert.throws(() => mergeStore(here, path), refused);
  openStore(path).close();
  assert.throws(() => mergeStore(path, path), /it is the same one/);
});

for (const one of onEachStore(
  'the newest run is the one that came into the store last, by a run or a merge, whatever clocks say, and pruning keeps it',
  (newStore) => {
    const [here, there] = [newStore(), newStore()];
    const ids: string[] = [];
    const begun = (path: string, startedAtMs: number) => {
      using store = openStore(path);
      ids.unshift(filledRun(store, 1, 1, { ...newRun, startedAtMs }));
    };
    const { startedAtMs } = newRun;
    begun(here, startedAtMs);
    // Its clock is a year ahead, and was set back between its runs.
    begun(there, startedAtMs + 365 * 86_400_000);
    begun(there, startedAtMs - 5000);
    mergeStore(here, there);
    begun(here, startedAtMs + 1000);
    const newest = ids[0]!;
    {
      using store = openStore(here, { readonly: true });
      assert.equal(store.run('last')?.id, newest);
      assert.deepEqual(
        store.runs().map(({ id }) => id),
        ids,
      );
    }
    pruneStore(here, { keep: 1, answers: false });
    using store = openStore(here);
    assert.deepEqual(
      store.runs().map(({ id }) => id),
      [newest],
    );
  },
))
  test(...one);

test("what a person said is forgotten in runs that know them by another name, and no question gets a stranger's answer", (context) => {
  const path = temporaryPath(context);
  let id: string;
  {
    using store = openStore(path);
    filledRun(store, 2, 2);
    ({ id } = store.createRun(newRun));
    store.addUtterances(id, 0, [
      { id: 'u0', language: 'en', speaker: 'Anna', attributes: {}, tags: [] },
      { id: 'u1', language: 'en', attributes: {}, tags: [] },
    ]);
    store.beginBatch(id, 0, 'robustness');
    store.plan(id, 0, [question(0), question(1)]);
    store.completeBatch(id, 0, sha256('all'), 2);
  }
  assert.equal(forgetSpeaker(path, 'Anna', forgetting).observations, 1);
  assert.ok(!readFileSync(path).toString('latin1').includes('heard secret 0'));
  assert.equal(forgetSpeaker(path, 's1', forgetting).observations, 1);
  using store = openStore(path);
  assert.deepEqual(
    store.answers(id, 0, all).map(({ observation }) => observation),
    [null],
  );
});

for (const one of onEachStore('an exported run takes no sounds of other runs with it', (newStore, newFile) => {
  const [path, target] = [newStore(), newFile()];
  let id: string;
  {
    using store = openStore(path);
    filledRun(store, 4, 4);
    id = filledRun(store, 1, 0);
    const measurement = { sampleHash: 'a' } as never;
    for (const [index, utteranceId] of ['u0', 'u3'].entries()) {
      const hash = sha256(utteranceId);
      store.saveClip({ hash, sound: hash, utteranceId, speaker: `s${index}`, measurement });
    }
  }
  exportStore(path, target, id);
  using store = openStore(target, { readonly: true });
  assert.ok(store.clip(sha256('u0')));
  assert.equal(store.clip(sha256('u3')), null);
}))
  test(...one);

test('a store is read by whoever may not write beside it', { skip: !canBecomeNobody() }, (context) => {
  const path = temporaryPath(context);
  let id: string;
  {
    using store = openStore(path);
    id = filledRun(store, 1, 1);
  }
  const folder = dirname(path);
  chmodSync(folder, 0o555);
  chmodSync(path, 0o644);
  const script = `import { openStore } from ${JSON.stringify(import.meta.resolve('../open-store.ts'))};
    process.stdout.write(openStore(${JSON.stringify(path)}, { readonly: true }).runs().map(({ id }) => id).join());`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    ...{ uid: 65534, gid: 65534, cwd: folder, encoding: 'utf8' },
  });
  assert.equal(stdout, id, stderr);
  chmodSync(folder, 0o700);
});

/** Only root can run a program as another user, and only where that user may read this one. */
function canBecomeNobody(): boolean {
  if (process.getuid?.() !== 0) return false;
  const as = { uid: 65534, gid: 65534 };
  return (
    spawnSync(process.execPath, ['--eval', `require('fs').readFileSync(${JSON.stringify(import.meta.filename)})`], as)
      .status === 0
  );
}

for (const one of onEachStore(
  'an answer that was taken over from a run that is gone is taken over still after a merge',
  (newStore) => {
    const [here, there] = [newStore(), newStore()];
    let id: string;
    {
      using store = openStore(there);
      filledRun(store, 2, 2);
      id = filledRun(store, 2, 0, { ...newRun, startedAtMs: newRun.startedAtMs + 5000 });
      assert.deepEqual(
        [...store.askedTimes(id, 0)].map(({ earlier }) => earlier),
        [true, true],
      );
    }
    pruneStore(there, { keep: 1, answers: false });
    mergeStore(here, there);
    using store = openStore(here);
    assert.deepEqual(
      [...store.askedTimes(id, 0)].map(({ earlier }) => earlier),
      [true, true],
    );
  },
))
  test(...one);

for (const one of onEachStore(
  'a merged run keeps its own answers, though this store has others to the same questions that took as long',
  (newStore) => {
    const [here, there] = [newStore(), newStore()];
    const runs = [here, there].map((path, place) => {
      using store = openStore(path);
      const id = filledRun(store, 1, 0);
      const key = sha256('key 0');
      const told = { place: { batch: 0, position: 0 }, key, utteranceId: 'u0', speaker: 's0' };
      store.record(id, { answers: [{ ...told, observation: answer(place === 0 ? 'won' : 'one') }] });
      store.finishRun(id, 2, []);
      return id;
    });
    mergeStore(here, there);
    using store = openStore(here);
    const texts = runs.map((id) => store.answers(id, 0, all)[0]!.observation!.transcript!.text);
    assert.deepEqual(texts, ['won', 'one']);
  },
))
  test(...one);

for (const one of onEachStore(
  'what is read as of one moment is of that moment, whatever another writes meanwhile',
  (newStore) => {
    const path = newStore();
    using writer = openStore(path);
    const reader = openDatabase(path, { readonly: true });
    const count = () => reader.database.prepare('SELECT count(*) FROM runs').pluck().get();
    const seen = reader.database.snapshot(() => {
      const before = count();
      filledRun(writer, 1, 0);
      return [before, count()];
    });
    assert.deepEqual([...seen, count()], [0, 0, 1]);
    reader.close();
  },
))
  test(...one);

test('what is given away names no folder of this machine', (context) => {
  const [path, target] = [temporaryPath(context), temporaryPath(context)];
  {
    using store = openStore(path);
    const run = filledRun(store, 1, 1);
    store.rememberFileHash('/home/anna/calls/1.wav', 1, '1', sha256('1'));
    noteOutputs(path, [{ run, kind: 'report', path: '/home/anna/report' }]);
  }
  exportStore(path, target, null);
  assert.ok(readFileSync(path).includes('/home/anna'));
  assert.ok(!readFileSync(target).includes('/home/anna'));
});
