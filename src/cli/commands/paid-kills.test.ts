import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../store/postgres/connection.ts';
import { noServer, startServer } from '../../store/testing/postgres-server.ts';
import { sineWav, temporaryFolder } from '../testing/run-command.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'bin', 'earwitness.js');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const skip =
  noServer || (process.env.EARWITNESS_SLOW_TESTS === '1' ? false : 'takes a minute: EARWITNESS_SLOW_TESTS=1');

test('a budget is held to the cent while workers, the run and the server are killed', { skip }, async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const server = startServer();
  const address = server.newDatabase();
  const clips = 100;
  for (let index = 0; index < clips; index++) await writeFile(folder.file(`${index}.wav`), sineWav(200 + index));
  const rows = Array.from({ length: clips }, (_, index) => `${index}.wav,so say we,s${index % 12}`);
  await writeFile(folder.file('m.csv'), `audio,text,speaker\n${rows.join('\n')}\n`);
  const paid = { type: 'scripted', default: 'so say we', delaySeconds: 0.8, needsAudio: true };
  const config = {
    ...{ store: address, executor: 'queue', corpus: { type: 'manifest', file: 'm.csv' } },
    recognizers: {
      paid: { ...paid, pricePerMinute: { amount: 0.6, currency: 'EUR' }, limits: { concurrency: 4 } },
    },
    studies: [{ type: 'robustness', conditions: [] }],
    budget: { money: { amount: 0.8, currency: 'EUR' } },
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  const start = (...typed: readonly string[]): ChildProcess =>
    spawn(process.execPath, [script, ...typed], { cwd, stdio: 'ignore' });
  const workers = [start('worker'), start('worker')];
  let run = start('run', '--no-sound');
  try {
    const kill: readonly (() => Promise<void>)[] = [
      async () => {
        workers[0]!.kill('SIGKILL');
        workers[0] = start('worker');
      },
      async () => {
        run.kill('SIGKILL');
        await pause(200);
        run = start('resume', '--no-sound');
        await pause(5000);
      },
      async () => {
        await server.stop('SIGKILL');
        await pause(1000);
        server.restart();
      },
    ];
    await pause(8000);
    for (let kills = 0; run.exitCode === null && kills < 60; kills++) {
      await kill[kills % kill.length]!();
      await pause(1000 + Math.random() * 3000);
    }
    assert.equal(run.exitCode, 8);
  } finally {
    for (const one of [...workers, run]) one.kill('SIGKILL');
  }
  const store = connect(address);
  const ask = (sql: string) => store.ask([{ sql, values: [] }])[0]!.rows[0]!.map(Number);
  const [calls, cents] = ask('SELECT count(*), round(100 * sum(price)) FROM earwitness.attempts');
  const [answers, keys, answered] = ask(
    "SELECT count(*), count(DISTINCT key), (SELECT count(*) FROM earwitness.attempts WHERE state = 'answered') FROM earwitness.observations",
  );
  store.close();
  // Each clip lasts a second: a cent.
  assert.deepEqual([calls, cents], [80, 80]);
  assert.ok(answers! > 0);
  assert.deepEqual([keys, answered], [answers, answers]);
});
