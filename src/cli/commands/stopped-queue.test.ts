import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { exitCodes } from '../../base/errors.ts';
import { openStore } from '../../store/open-store.ts';
import { connect } from '../../store/postgres/connection.ts';
import { noServer, testServer } from '../../store/testing/postgres-server.ts';
import { sineWav, temporaryFolder } from '../testing/run-command.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'bin', 'earwitness.js');
const calls = 12;

/** Two recognizers of a price, of which a worker makes one slowly. */
function setUp(folder: Awaited<ReturnType<typeof temporaryFolder>>, context: TestContext) {
  const store = testServer().newDatabase();
  for (let index = 0; index < calls; index++) writeFileSync(folder.file(`${index}.wav`), sineWav(200 + index));
  const rows = Array.from({ length: calls }, (_, index) => `${index}.wav,so say we,s${index % 12}`);
  writeFileSync(folder.file('m.csv'), `audio,text,speaker\n${rows.join('\n')}\n`);
  const shared = {
    ...{ store, executor: 'queue', studies: [{ type: 'robustness', conditions: [], resamples: 200 }] },
    ...{ corpus: { type: 'manifest', file: 'm.csv' } },
    // The first calls are made before the rest is asked.
    ...{ failures: { maxShare: 1 }, budget: { calls: 2 * calls + 3, money: { amount: 2, currency: 'EUR' } } },
  };
  const paid = { pricePerMinute: { amount: 0.6, currency: 'EUR' }, needsAudio: true, type: 'scripted' };
  const slow = { ...paid, default: 'so say we', delaySeconds: 0.8, concurrency: 3 };
  const config = (name: string, recognizers: object) =>
    writeFileSync(folder.file(name), JSON.stringify({ ...shared, recognizers }));
  config('earwitness.config.json', { slow, unknown: { ...paid, default: 'so say' } });
  config('slow.json', { slow });
  const start = (...typed: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, [script, ...typed], {
      cwd: folder.path,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    context.after(() => child.kill('SIGKILL'));
    return child;
  };
  const server = connect(store);
  context.after(() => server.close());
  const states = () =>
    Object.fromEntries(
      server
        .ask([
          {
            sql: 'SELECT state, count(*), round(100 * sum(price)) FROM earwitness.attempts GROUP BY state',
            values: [],
          },
        ])[0]!
        .rows.map(([state, ...counts]) => [state, counts.map(Number)]),
    ) as Readonly<Record<string, readonly number[]>>;
  const begun = async () => {
    for (let tries = 0; tries < 200; tries++) {
      const has = server.ask([{ sql: "SELECT to_regclass('earwitness.attempts') IS NOT NULL", values: [] }]);
      if (has[0]!.rows[0]![0] === 't' && states().answered !== undefined) break;
      await pause(100);
    }
  };
  const startBoth = async (...typed: readonly string[]) => {
    const worker = start('worker', ...typed);
    await once(worker.stderr!, 'data');
    return { worker, run: start('run', '--no-sound') };
  };
  return { start, startBoth, states, begun, store };
}

test('one signal ends a run whose calls nobody makes: what a worker has in hand is kept, what waits comes back and counts as no call', {
  skip: noServer,
}, async (context) => {
  await using folder = await temporaryFolder();
  const { start, startBoth, states, begun } = setUp(folder, context);
  const { worker, run } = await startBoth('--config', 'slow.json');
  const said = text(run.stderr!);
  await begun();
  const startedMs = performance.now();
  run.kill('SIGTERM');
  const tooLate = setTimeout(() => run.kill('SIGKILL'), 15_000);
  const [code] = await once(run, 'exit');
  clearTimeout(tooLate);
  const seconds = (performance.now() - startedMs) / 1000;
  assert.equal(code, exitCodes.interrupted, `after ${seconds} s: ${await said}`);
  assert.ok(seconds < 8, `${seconds} s`);
  assert.match(
    await said,
    /\nearwitness: stopped; everything recognized so far is kept: the same command goes on from here\n$/,
  );
  const { answered, recalled, ...others } = states();
  assert.deepEqual(others, {});
  // A second of sound is a cent.
  assert.ok(answered![0]! >= 3 && answered![0] === answered![1], JSON.stringify(answered));
  assert.deepEqual(recalled, [2 * calls - answered![0]!, 0]);

  const other = start('worker');
  const resumed = start('resume', '--no-sound');
  const [end] = await once(resumed, 'exit');
  assert.equal(end, 0);
  assert.deepEqual(states().answered, [2 * calls, 2 * calls]);
  for (const one of [worker, other]) {
    const ended = once(one, 'exit');
    one.kill('SIGTERM');
    await ended;
  }
});

test('a killed run counts what a worker had begun as possibly paid, and nothing that waited', {
  skip: noServer,
}, async (context) => {
  await using folder = await temporaryFolder();
  const { start, startBoth, states, begun } = setUp(folder, context);
  const { worker, run } = await startBoth('--config', 'slow.json');
  await begun();
  run.kill('SIGKILL');
  await once(run, 'exit');
  const before = states();
  const ended = text(worker.stderr!);
  // It ends what it has in hand, and finds that nobody waits for the rest.
  await pause(2000);
  worker.kill('SIGTERM');
  const [, made] = /(\d+) calls? answered, 0 failed/.exec(await ended)!;
  const other = start('worker');
  const resumed = start('resume', '--no-sound');
  const said = text(resumed.stderr!);
  assert.equal((await once(resumed, 'exit'))[0], 0, await said);
  const { answered, recalled, lost, ...others } = states();
  assert.deepEqual(others, {});
  assert.deepEqual(answered, [2 * calls, 2 * calls]);
  // Three are made at once.
  assert.ok(lost![0]! >= 1 && lost![0]! <= 3 && lost![0] === lost![1], JSON.stringify(lost));
  assert.ok(Number(made) >= before.answered![0]! + 1 && Number(made) <= before.answered![0]! + lost![0]!, made);
  assert.deepEqual(recalled, [before.sent![0]! - lost![0]!, 0]);
  const end = once(other, 'exit');
  other.kill('SIGTERM');
  await end;
});

test('what a killed worker had in hand is asked again, and told as possibly paid in the same run', {
  skip:
    noServer || (process.env.EARWITNESS_SLOW_TESTS === '1' ? false : 'takes half a minute: EARWITNESS_SLOW_TESTS=1'),
}, async (context) => {
  await using folder = await temporaryFolder();
  const { start, startBoth, states, begun, store } = setUp(folder, context);
  const { worker, run } = await startBoth();
  await begun();
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  const other = start('worker');
  assert.equal((await once(run, 'exit'))[0], 0);
  const { answered, lost, ...others } = states();
  assert.deepEqual([others, answered], [{}, [2 * calls, 2 * calls]]);
  assert.ok(lost![0]! >= 1 && lost![0] === lost![1], JSON.stringify(lost));
  {
    using opened = openStore(store);
    assert.equal(opened.tally(opened.runs()[0]!.id).possiblyPaid, lost![0]);
  }
  const end = once(other, 'exit');
  other.kill('SIGTERM');
  await end;
});
