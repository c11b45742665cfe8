import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import type { NewRun, Store } from '../contract.ts';
import { exportStore } from '../maintenance.ts';
import { mergeStore } from '../merge.ts';
import { checkStore, isWritten } from '../open-database.ts';
import { openStore } from '../open-store.ts';
import { forgetSpeaker } from '../parts/forget.ts';
import { schemaVersion } from '../schema.ts';
import { storeAt } from '../store-place.ts';
import { guarded, noServer, testServer } from '../testing/postgres-server.ts';
import { connect } from './connection.ts';

const skip = noServer;
const newRun: NewRun = {
  ...{ name: 'a run', purpose: sha256('purpose'), config: { corpus: 'c' }, seed: 1, fresh: false, parent: null },
  recognizers: [{ name: 'one', identity: { engine: 'one' }, epoch: null }],
  startedAtMs: 1_790_000_000_000,
};
const all = { from: 0, limit: 1000 };
const forgetting = { dryRun: false, forgottenAtMs: 0, cacheFile: () => '/nowhere/absent.wav', madeFiles: () => [] };

/** A run whose questions are answered with these texts. */
function answered(store: Store, texts: readonly string[]): string {
  const { id } = store.createRun(newRun);
  const about = { condition: 0, draw: 0, recognizer: 0, repeat: 0, twin: false };
  const questions = texts.map((_, position) => ({
    ...{ ...about, position, utterance: position, key: sha256(`${position}`) },
  }));
  const utterance = { language: 'en', attributes: {}, tags: [] };
  store.addUtterances(
    id,
    0,
    texts.map((_, index) => ({ ...utterance, id: `u${index}`, speaker: `s${index}` })),
  );
  store.completeUtterances(id);
  store.addCondition(id, 0, { name: 'clean', steps: [] });
  store.beginBatch(id, 0, 'robustness');
  store.plan(id, 0, questions);
  store.completeBatch(id, 0, sha256('all'), texts.length);
  const begun = store.record(id, {
    begin: questions.map(({ position, key }) => ({
      ...{ place: { batch: 0, position }, key, sentAtMs: 1, reservedSeconds: 1, reservedPrice: null },
    })),
  });
  store.record(id, {
    end: begun.map((attempt) => ({ attempt, state: 'answered', price: { amount: 0.1, currency: 'EUR' } })),
    answers: questions.map(({ position, key }) => ({
      ...{ place: { batch: 0, position }, key, utteranceId: `u${position}`, speaker: `s${position}` },
      observation: { transcript: { text: texts[position]! }, soundSeconds: 1, timing: { seconds: 1 / 3, calls: 1 } },
    })),
  });
  return id;
}

const textsOf = (store: Store, id: string) => store.answers(id, 0, all).map((one) => one.observation?.transcript?.text);

/** What another program says to the database. */
function otherwise(address: string, ...statements: readonly string[]): void {
  const server = connect(address);
  for (const statement of statements) server.exec(statement);
  server.close();
}

test('where every engine has to be there, a server is', {
  skip: process.env.EARWITNESS_REQUIRE_ENGINES === '1' ? false : 'EARWITNESS_REQUIRE_ENGINES=1 asks for them',
}, () => {
  assert.equal(noServer, false);
});

test('two programs write two runs at once, each has its own, and a reader sees both', { skip }, () => {
  const address = testServer().newDatabase();
  using one = openStore(address);
  using two = openStore(address);
  using reader = openStore(address, { readonly: true });
  const before = reader.version();
  const ids = [answered(one, ['a', 'b']), answered(two, ['c'])];
  assert.notEqual(reader.version(), before);
  assert.deepEqual(
    ids.map((id) => textsOf(reader, id)),
    [['a', 'b'], ['c']],
  );
  assert.throws(() => two.takeRun(ids[0]!), {
    code: 'store-busy',
    message: /another earwitness goes on with this run/,
  });
  one.close();
  two.takeRun(ids[0]!);
});

test('programs that find no store at the same time make one', { skip }, async () => {
  const address = testServer().newDatabase();
  const script = `import { openStore } from ${JSON.stringify(import.meta.resolve('../open-store.ts'))};
    openStore(${JSON.stringify(address)}).close();`;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' }),
  );
  const ends = await Promise.all(children.map((child) => once(child, 'exit')));
  assert.deepEqual(
    ends.map(([code]) => code),
    [0, 0, 0],
  );
});

test('a run of a killed program is free at once, and whether somebody writes is told', { skip }, async () => {
  const address = testServer().newDatabase();
  const script = `import { openStore } from ${JSON.stringify(import.meta.resolve('../open-store.ts'))};
    const store = openStore(${JSON.stringify(address)});
    console.log(store.createRun(${JSON.stringify(newRun)}).id); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const id = line.toString().trim();
  assert.equal(isWritten(address), true);
  {
    using store = openStore(address);
    assert.throws(() => store.takeRun(id), { code: 'store-busy' });
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  await until(() => isWritten(address) === false);
  using store = openStore(address);
  store.takeRun(id);
});

/** The server hears of the end of a connection a moment after it. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 200, 'it never came to hold');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('who deletes waits for nobody and lets nobody in meanwhile', { skip }, () => {
  const address = testServer().newDatabase();
  const store = openStore(address);
  const id = answered(store, ['a', 'b']);
  assert.throws(() => forgetSpeaker(address, 's1', forgetting), { code: 'store-busy', message: /is writing/ });
  store.close();
  assert.equal(forgetSpeaker(address, 's1', { ...forgetting, dryRun: true }).observations, 1);
  assert.equal(forgetSpeaker(address, 's1', forgetting).observations, 1);
  using left = openStore(address, { readonly: true });
  assert.deepEqual(textsOf(left, id), ['a']);
});

test('what a killed program left to be removed goes with the next that writes, in the queue too', { skip }, () => {
  const address = testServer().newDatabase();
  openStore(address).close();
  otherwise(
    address,
    'CREATE SCHEMA earwitness_calls',
    // What lies in a bucket stays known until it is removed there.
    "CREATE TABLE earwitness_calls.clips AS VALUES (1, NULL), (2, 's3://clips')",
    'ALTER TABLE earwitness_calls.clips RENAME column2 TO place',
    "INSERT INTO earwitness.chores VALUES ('rewrite', '')",
  );
  const sql = 'SELECT (SELECT count(*) FROM earwitness.chores), (SELECT count(*) FROM earwitness_calls.clips)';
  const counts = () => {
    const server = connect(address);
    const [found] = server.ask([{ sql, values: [] }]);
    server.close();
    return found!.rows;
  };
  using reader = openStore(address, { readonly: true });
  assert.deepEqual(counts(), [['1', '2']]);
  openStore(address).close();
  assert.deepEqual(counts(), [['0', '1']]);
  assert.deepEqual(reader.runs(), []);
});

test('who may delete rows and not rewrite their tables removes nobody', { skip }, () => {
  const address = testServer().newDatabase();
  {
    using store = openStore(address);
    answered(store, ['a']);
  }
  otherwise(
    address,
    'DROP ROLE IF EXISTS helper',
    'CREATE ROLE helper LOGIN',
    'GRANT USAGE ON SCHEMA earwitness TO helper',
    'GRANT ALL ON ALL TABLES IN SCHEMA earwitness TO helper',
  );
  const helper = address.replace('user=earwitness', 'user=helper');
  assert.throws(() => forgetSpeaker(helper, 's0', forgetting), { code: 'store', message: /the owner of the tables/ });
  using store = openStore(helper);
  assert.deepEqual(textsOf(store, store.run('last')!.id), ['a']);
});

test("a server's own settings change nothing of what is read", { skip }, (context) => {
  const address = testServer().newDatabase();
  const settings = { bytea_output: 'escape', extra_float_digits: '-15', default_transaction_isolation: 'serializable' };
  const to = (value: (name: keyof typeof settings) => string) => {
    const names = Object.keys(settings) as (keyof typeof settings)[];
    otherwise(address, ...names.map((name) => `ALTER ROLE earwitness SET ${name} TO ${value(name)}`));
  };
  to((name) => `'${settings[name]}'`);
  context.after(() => to(() => 'DEFAULT'));
  using store = openStore(address);
  const id = answered(store, ['a']);
  const [{ key, observation }] = store.answers(id, 0, all) as [ReturnType<Store['answers']>[0]];
  assert.deepEqual([key, observation?.timing.seconds], [sha256('0'), 1 / 3]);
});

test('what another program changes is never read as something else', { skip }, () => {
  const address = testServer().newDatabase();
  {
    using store = openStore(address);
    answered(store, ['a', 'b']);
  }
  assert.ok(checkStore(address).good);
  otherwise(address, "UPDATE earwitness.observations SET transcript = 'c' WHERE transcript = 'b'");
  using store = openStore(address, { readonly: true });
  assert.throws(() => textsOf(store, store.run('last')!.id), {
    code: 'store',
    message: /the store is damaged: 1 of 2 answers are damaged/,
  });
  assert.ok(!checkStore(address).good);
});

test('a store goes from a file to a server and back, and comes as it was', { skip }, (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-store-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const [here, back, exported] = ['here', 'back', 'exported'].map((name) => join(folder, `${name}.sqlite`));
  let id = '';
  let told: unknown[] = [];
  const tellOf = (store: Store) => [store.answers(id, 0, all), store.tally(id), store.spent(id), store.conditions(id)];
  {
    using store = openStore(here!);
    id = answered(store, ['a', 'ü', '']);
    told = tellOf(store);
  }
  const server = testServer().newDatabase();
  assert.deepEqual(mergeStore(server, here!), { runs: 1, observations: 3 });
  assert.deepEqual(mergeStore(server, here!), { runs: 0, observations: 0 });
  exportStore(server, exported!, id);
  mergeStore(back!, server);
  for (const place of [server, exported!, back!]) {
    using store = openStore(place, { readonly: true });
    assert.deepEqual(tellOf(store), told, place);
  }
});

test('who reads sees trials in their order and pairs beside each other', { skip }, () => {
  const address = testServer().newDatabase();
  const ids: string[] = [];
  for (const texts of [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]) {
    using store = openStore(address);
    ids.push(answered(store, texts));
  }
  using reader = openStore(address, { readonly: true });
  assert.deepEqual(
    [...reader.trials(ids[0]!)].map(({ utterance, observation }) => [utterance.id, observation.transcript?.text]),
    [
      ['u0', 'a'],
      ['u1', 'b'],
      ['u2', 'c'],
    ],
  );
  const [before, after] = ids.map((run) => ({ run, recognizer: 0 }));
  const { unpaired, pairs } = reader.pairs(before!, after!);
  assert.deepEqual(
    [...pairs].map((pair) => [pair.utterance.id, pair.before.transcript?.text, pair.after.transcript?.text]),
    [
      ['u0', 'a', 'd'],
      ['u1', 'b', 'e'],
    ],
  );
  assert.deepEqual([unpaired.onlyBefore, unpaired.onlyAfter], [1, 0]);
});

test('a NUL, which a server has in no text, becomes the sign for it', { skip }, () => {
  using store = openStore(testServer().newDatabase());
  assert.deepEqual(textsOf(store, answered(store, ['a\0b'])), ['a␀b']);
});

test('what is kept is undone where it cannot be kept whole, and the store goes on', { skip }, () => {
  const address = testServer().newDatabase();
  using store = openStore(address);
  const id = answered(store, ['a']);
  const question = { position: 7, key: sha256('7'), utterance: 0, condition: 0, draw: 0, recognizer: 0, repeat: 0 };
  // Two of one place.
  assert.throws(
    () =>
      store.plan(id, 1, [
        { ...question, twin: false },
        { ...question, twin: false },
      ]),
    { code: 'store' },
  );
  store.plan(id, 1, [{ ...question, twin: false }]);
  assert.equal(store.countOpen(id, 1, 0), 1);
});

test('who may not come in, and what is no store of this version, each get a sentence', { skip }, () => {
  const server = testServer();
  const address = server.newDatabase();
  const refused = (place: string, expected: RegExp, readonly = false) =>
    assert.throws(() => openStore(place, { readonly }), { code: 'store', message: expected });
  refused(address, /expected a store, but there is none/, true);
  otherwise(
    address,
    'DROP ROLE IF EXISTS guest',
    "CREATE ROLE guest LOGIN PASSWORD 'right'",
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
  );
  const guest = address.replace('user=earwitness', 'user=guest');
  refused(guest, /this user may not do that there; ask its owner/);
  openStore(address).close();
  refused(guest, /this user may not do that there/);
  refused(server.address('nowhere'), /there is no such database/);
  refused('postgres://nobody@127.0.0.1:1/none', /no server answers there/);
  for (const place of ['me:secret@h/x', 'me:5432/secret@h/x', 'me:5432#secret@h/x', 'me@h/x?sslpassword=secret']) {
    for (const use of [openStore, (address: string) => storeAt('', address)])
      assert.throws(() => use(`postgres://${place}`), {
        code: 'bad-config',
        message: /^(?!.*secret).*expected no password in the address/,
      });
  }
  const version = (number: number) => otherwise(address, `UPDATE earwitness.schema_version SET version = ${number}`);
  version(999);
  refused(address, /of version 999, made by a newer earwitness/);
  refused(address, /of version 999, made by a newer earwitness/, true);
  version(schemaVersion - 1);
  refused(address, /is of version 9, made before the first release; use another `store`/);
  refused(address, /is of version 9, made before the first release/, true);
});

test('a wrong password is told as such, and a missing one', { skip }, (context) => {
  const address = testServer().newDatabase();
  otherwise(address, `CREATE ROLE ${guarded} LOGIN PASSWORD 'right'`);
  const { PGPASSWORD } = process.env;
  context.after(() => {
    if (PGPASSWORD === undefined) delete process.env.PGPASSWORD;
    else process.env.PGPASSWORD = PGPASSWORD;
  });
  for (const password of ['wrong', undefined]) {
    if (password === undefined) delete process.env.PGPASSWORD;
    else process.env.PGPASSWORD = password;
    assert.throws(() => openStore(address.replace('user=earwitness', `user=${guarded}`)), {
      code: 'store',
      message: /the password is wrong, or there is none; put it into PGPASSWORD/,
    });
  }
});
