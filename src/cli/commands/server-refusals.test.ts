import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../../base/errors.ts';
import { openQueue } from '../../queue/open-queue.ts';
import { openStore } from '../../store/open-store.ts';
import { connect } from '../../store/postgres/connection.ts';
import { schemaVersion } from '../../store/schema.ts';
import { guarded, noServer, testServer } from '../../store/testing/postgres-server.ts';
import { runCommand, runProcess, sineWav, temporaryFolder } from '../testing/run-command.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));

// What goes wrong between this program and a server: each time one sentence, which says what was expected, what came, and what to do.

/** A folder with a config of so many clips and a store at an address. */
async function project(context: TestContext, store: string, changes: object = {}): Promise<string> {
  const folder = await temporaryFolder();
  context.after(() => folder[Symbol.asyncDispose]());
  const rows = ['id\tpath\tsentence'];
  for (let index = 0; index < 12; index++) {
    writeFileSync(folder.file(`${index}.wav`), sineWav(200 + 10 * index, 8000, 0.1));
    rows.push(`u${index}\t${index}.wav\tone two three`);
  }
  writeFileSync(folder.file('clips.tsv'), `${rows.join('\n')}\n`);
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: { one: { type: 'scripted', needsAudio: true, default: 'one two three' } },
    studies: [{ type: 'robustness', conditions: [], resamples: 200 }],
    report: { sound: false },
    store,
    ...changes,
  };
  writeFileSync(folder.file('earwitness.config.json'), JSON.stringify(config));
  return folder.path;
}

function otherwise(address: string, ...statements: readonly string[]): void {
  const server = connect(address);
  for (const statement of statements) server.exec(statement);
  server.close();
}

const as = (user: string, address: string) => address.replace('user=earwitness', `user=${user}`);
const whoNeedsPassword = `DO $$ BEGIN CREATE ROLE ${guarded} LOGIN PASSWORD 'right'; EXCEPTION WHEN duplicate_object THEN NULL; END $$`;
const version = (address: string, number: number) =>
  otherwise(address, `UPDATE earwitness.schema_version SET version = ${number}`);

const refusals: readonly {
  readonly what: string;
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Makes it so, and says which address is used. */
  prepare(address: string): string;
  readonly sentence: RegExp;
}[] = [
  {
    what: 'a wrong password',
    prepare(address) {
      otherwise(address, whoNeedsPassword);
      return as(guarded, address);
    },
    env: { PGPASSWORD: 'wrong' },
    sentence: /: the password is wrong, or there is none; put it into PGPASSWORD or ~\/\.pgpass$/,
  },
  {
    what: 'no server there',
    prepare: () => 'postgres://me@127.0.0.1:1/recognition',
    sentence: /: no server answers there; start it, or correct `store`$/,
  },
  {
    what: 'no such database',
    prepare: () => testServer().address('nowhere'),
    sentence: /: there is no such database; type: createdb -h \S+earwitness-postgres-\S+ -U earwitness nowhere$/,
  },
  {
    what: 'an older schema, for who only reads',
    command: ['store', 'list'],
    prepare(address) {
      openStore(address).close();
      version(address, schemaVersion - 1);
      return address;
    },
    sentence: new RegExp(
      `: expected a store of version ${schemaVersion}, but it is of version ${schemaVersion - 1}, made before the first release; use another .store.$`,
    ),
  },
  {
    what: 'a newer schema',
    prepare(address) {
      openStore(address).close();
      version(address, 999);
      return address;
    },
    sentence:
      /: expected a store of version \d+, but it is of version 999, made by a newer earwitness; update earwitness .*$/,
  },
  {
    what: 'no rights',
    prepare(address) {
      openStore(address).close();
      otherwise(address, 'DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN');
      return as('stranger', address);
    },
    sentence:
      /: this user may not do that there; ask its owner for GRANT CREATE ON DATABASE, for rights in the schema earwitness, or to let a worker in .*$/,
  },
  {
    what: 'no rights to work',
    command: ['worker'],
    prepare(address) {
      otherwise(address, 'DROP ROLE IF EXISTS idler; CREATE ROLE idler LOGIN');
      return as('idler', address);
    },
    sentence: /: this user may not do that there; .* \(earwitness store allow-worker ROLE\)$/,
  },
  {
    what: 'a store in a file beside a queue',
    command: ['worker'],
    prepare: () => 'store.sqlite',
    sentence:
      /^expected a store on a server beside a queue, but .* is a file, .*; set store: postgres:\/\/user@host\/database$/,
  },
];

for (const { what, command = ['run'], env = {}, prepare, sentence } of refusals) {
  test(`${what}: one sentence`, { skip: noServer }, async (context) => {
    const address = prepare(testServer().newDatabase());
    const cwd = await project(context, address, { executor: 'queue' });
    const { code, stdout, stderr } = await runCommand(command, { cwd, env });
    assert.equal(stdout, '');
    assert.notEqual(code, 0);
    const [last = '', ...more] = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !/^(ready|workers make) /.test(line));
    assert.deepEqual(more, [], stderr);
    assert.match(last.replace(/^earwitness: /, ''), sentence);
  });
}

test('who has no password is told so, and nobody waits: the program ends', {
  skip: noServer,
  timeout: 50_000,
}, async (context) => {
  const address = testServer().newDatabase();
  otherwise(address, whoNeedsPassword);
  const cwd = await project(context, as(guarded, address), { executor: 'queue' });
  const env = { ...process.env, PGPASSFILE: join(cwd, 'absent'), PGPASSWORD: undefined };
  for (const command of ['worker', 'workers', 'run']) {
    const started = spawn(process.execPath, [script, command], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    // A server lets go of who says nothing for a minute.
    const tooLong = setTimeout(() => started.kill('SIGKILL'), 15_000);
    const said = text(started.stderr);
    const [code] = await once(started, 'exit');
    clearTimeout(tooLong);
    assert.match(await said, /: the password is wrong, or there is none; put it into PGPASSWORD or ~\/\.pgpass\n$/);
    assert.equal(code, exitCodes.store, command);
  }
});

test('a worker who may only work comes in by ~/.pgpass, no package complains to it, and it reads no store', {
  skip: noServer,
}, async (context) => {
  const address = testServer().newDatabase();
  otherwise(address, whoNeedsPassword);
  const cwd = await project(context, address, { executor: 'queue' });
  // A user who may only work.
  const allowed = await runCommand(['store', 'allow-worker', guarded], { cwd });
  assert.match(allowed.stdout, new RegExp(`^GRANT .* TO ${guarded};$`, 'm'), allowed.stderr);
  writeFileSync(join(cwd, 'pgpass'), `*:*:*:${guarded}:right\n`, { mode: 0o600 });
  const env = { ...process.env, PGPASSFILE: join(cwd, 'pgpass') };
  const worker = spawn(process.execPath, [script, 'worker', '--store', as(guarded, address)], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  context.after(() => worker.kill());
  const told = text(worker.stderr);
  const { code, stderr } = await runCommand(['run', '--json'], { cwd });
  assert.equal(code, 0, stderr);
  const listed = await runProcess(['store', 'list', '--store', as(guarded, address)], { cwd, env });
  assert.match(listed.stderr, /^earwitness: .*: this user may not do that there/);
  worker.kill('SIGTERM');
  assert.match(
    await told,
    /^ready for calls of one\ntaking no more; ending what is in hand\n12 calls answered, 0 failed\n$/,
  );
});

test('a bucket that cannot be reached keeps nobody from being forgotten, is named at the end, and stays known', {
  skip: noServer,
}, async (context) => {
  const address = testServer().newDatabase();
  const cwd = await project(context, address);
  const rows = ['id\tpath\tsentence\tspeaker', 'u0\t0.wav\tone two three\tann', 'u1\t1.wav\tone two three\tbob'];
  writeFileSync(join(cwd, 'clips.tsv'), `${rows.join('\n')}\n`);
  const made = await runCommand(['run', '--json'], { cwd });
  assert.equal(made.code, 0, made.stderr);
  await (await openQueue(address)).close();
  const place = 's3://clips/x?endpoint=http://127.0.0.1:1';
  otherwise(
    address,
    `INSERT INTO earwitness_calls.clips (owner, hash, sample_rate, place) VALUES (4711, '${'0'.repeat(64)}-16000', 16000, '${place}')`,
  );
  const env = { AWS_ACCESS_KEY_ID: 'mine', AWS_SECRET_ACCESS_KEY: 'secret' };
  const ends = (would: string) =>
    new RegExp(
      `^earwitness: 1 clip of a killed run may still lie in s3://clips/x\\S+, by names that end in -4711, and could not be reached there: .*; everything else ${would} removed: give the command again`,
      'm',
    );
  const forget = ['forget', '--speaker', 'ann'];
  for (const [more, would, removed] of [
    [['--dry-run'], 'would be', /^would be removed: 1 utterance/],
    [['--yes'], 'was', /^removed: 1 utterance/],
  ] as const) {
    const { code, stdout, stderr } = await runCommand([...forget, ...more], { cwd, env });
    assert.equal(code, exitCodes.store, stderr);
    assert.match(stderr, ends(would));
    assert.match(stdout, removed);
  }
  assert.match((await runCommand([...forget, '--yes'], { cwd, env })).stderr, /it knows no "ann"|expected a speaker/);
  const pruned = await runCommand(['store', 'prune', '--keep', '1'], { cwd, env });
  assert.match(pruned.stderr, ends('was'));
});

/** What the server says when its disk is full, wherever it is written to `table`. */
const fullDisk = (table: string) => `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file: No space left on device'; END $$;
  CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`;

test('a run whose server has a full disk ends with a sentence, and goes on where there is room', {
  skip: noServer,
}, async (context) => {
  const address = testServer().newDatabase();
  openStore(address).close();
  otherwise(address, fullDisk('earwitness.observations'));
  const cwd = await project(context, address);
  const full = await runCommand(['run', '--json'], { cwd });
  assert.equal(full.code, exitCodes.store, full.stderr);
  assert.match(
    full.stderr,
    /the server's disk is full; everything recognized so far is kept: free some space and run again\n$/,
  );
  otherwise(address, 'DROP FUNCTION full_disk CASCADE');
  const { code, stdout, stderr } = await runCommand(['run', '--json'], { cwd });
  assert.equal(code, 0, stderr);
  assert.equal((JSON.parse(stdout) as { tally: { answered: number } }).tally.answered, 12);
});

test('a report whose server goes away while it is made ends with a sentence, and is made by the same command', {
  skip: noServer || (process.env.EARWITNESS_SLOW_TESTS === '1' ? false : 'waits ten seconds: EARWITNESS_SLOW_TESTS=1'),
}, async (context) => {
  const address = testServer().newDatabase();
  const cwd = await project(context, address);
  const run = await runCommand(['run'], { cwd });
  assert.equal(run.code, 0, run.stderr);
  const behind = new URL(address);
  let [isGone, breaks] = [false, true];
  const door = createServer((socket) => {
    if (isGone) return socket.destroy();
    const server = connectTo(join(behind.searchParams.get('host')!, '.s.PGSQL.5432'));
    for (const one of [socket, server]) one.on('error', () => {});
    socket.on('close', () => server.destroy());
    server.pipe(socket);
    socket.on('data', (asked) => {
      isGone ||= breaks && asked.includes('FROM run_trials');
      if (isGone) socket.destroy();
      else server.write(asked);
    });
  }).listen(0, '127.0.0.1');
  context.after(() => door.close());
  await once(door, 'listening');
  const { port } = door.address() as AddressInfo;
  const command = ['report', '--store', `postgres://earwitness@127.0.0.1:${port}${behind.pathname}`];
  const { code, stdout, stderr } = await runProcess(command, { cwd });
  assert.deepEqual([code, stdout, isGone], [exitCodes.store, '', true], stderr);
  assert.match(
    stderr,
    /the server has not answered for \d+ s; everything recognized so far is kept: start it and give the same command again\n$/,
  );
  isGone = breaks = false;
  const again = await runProcess(command, { cwd });
  assert.equal(again.code, 0, again.stderr);
});

/** Of 24 MiB, as the server's user; absent where this machine lets nobody mount. */
function tinyDisk(context: TestContext): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-tiny-'));
  context.after(() => {
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]).status !== 0) return null;
  chownSync(folder, 65534, 65534);
  return folder;
}

test('a disk that is full in truth is told as such, and nothing of the store is lost', {
  skip: noServer,
}, async (context) => {
  const folder = tinyDisk(context);
  if (folder === null) return context.skip('this machine lets nobody mount a small disk');
  const server = testServer();
  const database = 'on_a_tiny_disk';
  otherwise(server.address('postgres'), `CREATE TABLESPACE tiny LOCATION '${folder}'`);
  otherwise(server.address('postgres'), `CREATE DATABASE ${database} TABLESPACE tiny`);
  const address = server.address(database);
  const cwd = await project(context, address);
  const first = await runCommand(['run', '--json'], { cwd });
  assert.equal(first.code, 0, first.stderr);
  const filler = join(folder, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k']);
  const second = await runCommand(['run', '--json', '--fresh'], { cwd });
  assert.match(
    second.stderr,
    /the server's disk is full; everything recognized so far is kept: free some space and run again\n$/,
  );
  rmSync(filler);
  const listed = await runCommand(['store', 'check'], { cwd });
  assert.match(listed.stdout, /all rows are intact/);
  const third = await runCommand(['run', '--json'], { cwd });
  assert.equal(third.code, 0, third.stderr);
  otherwise(server.address('postgres'), `DROP DATABASE ${database} WITH (FORCE)`);
  otherwise(server.address('postgres'), 'DROP TABLESPACE tiny');
});

test('two programs on one run: the second is told so, and changes nothing', { skip: noServer }, async (context) => {
  const address = testServer().newDatabase();
  openStore(address).close();
  otherwise(address, fullDisk('earwitness.observations'));
  const cwd = await project(context, address);
  await runCommand(['run', '--json'], { cwd });
  otherwise(address, 'DROP FUNCTION full_disk CASCADE');
  const first = openStore(address);
  const { id } = first.run('last')!;
  first.takeRun(id);
  for (const command of [['run'], ['resume']]) {
    const { code, stderr } = await runCommand(command, { cwd });
    assert.equal(code, exitCodes['store-busy'], stderr);
    assert.match(
      stderr,
      /another earwitness goes on with this run; wait until it is done, or start a new run with --new\n$/,
    );
  }
  first.close();
  const { code, stderr } = await runCommand(['resume'], { cwd });
  assert.equal(code, 0, stderr);
});
