import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommand, temporaryFolder } from '../../cli/testing/run-command.ts';
import { awsTestKeys } from '../../http/testing/verify-aws-signature.ts';
import { type SpeechQuestion, type SpeechServer, startSpeechServer } from '../testing/speech-server.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));
const key = 'el-0123456789abcdef-secret';
const environment = { EW_KEY: key };
// 14 characters each: 14 cents at a cent for a character.
const texts = ['turn left here', 'call him again', 'read this book', 'open that door'];
const aCentEach = { amount: 10_000, currency: 'EUR' };
const cents = (amount: number) => Math.round(amount * 1e8) / 1e6;

async function project(folder: string, server: SpeechServer, speaker: object, more: object = {}): Promise<void> {
  const config = {
    corpus: { type: 'sentences', texts, synthesizer: 'bought', language: 'en' },
    synthesizers: {
      bought: {
        ...{ type: 'hosted', service: 'elevenlabs', endpoint: `${server.origin}/elevenlabs`, keyVariable: 'EW_KEY' },
        voices: [{ name: 'rachel', language: 'en', attributes: { sex: 'female' } }],
        ...speaker,
      },
    },
    recognizers: { mine: { type: 'scripted', default: 'turn left here', needsAudio: true, pinned: false } },
    studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
    report: { sound: false },
    workers: 1,
    ...more,
  };
  await writeFile(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

/** In cents, over all runs. */
function bought(folder: string): { readonly spent: number; readonly calls: number } {
  const database = new DatabaseSync(join(folder, '.earwitness/store.sqlite'), { readOnly: true });
  try {
    const row = database
      .prepare('SELECT coalesce(sum(price), 0) AS spent, count(*) AS calls FROM attempts WHERE batch = -1')
      .get() as { spent: number; calls: number };
    return { spent: cents(row.spent), calls: row.calls };
  } finally {
    database.close();
  }
}
const spoken = ({ questions }: SpeechServer) => questions.filter(({ method }) => method === 'POST').length;

test('a run says what was spent on speech, and what is kept is not paid again', async () => {
  await using server = await startSpeechServer({ key });
  await using folder = await temporaryFolder();
  await project(folder.path, server, { pricePerMillionCharacters: aCentEach });
  const run = () => runCommand(['run'], { cwd: folder.path, env: environment });
  const first = await run();
  assert.equal(first.code, 0, first.stderr);
  const sentence = /Spent by this run: EUR 0\.5600 \(recognition 0\.0000, speech 0\.5600\)\./;
  const again = await runCommand(['report'], { cwd: folder.path });
  const [id] = await readdir(join(folder.path, 'earwitness-report'));
  const written = (ending: string) => readFile(join(folder.path, 'earwitness-report', id!, `report.${ending}`), 'utf8');
  for (const told of [first.stdout, again.stdout, await written('md'), await written('html')]) {
    assert.match(told.replaceAll(/\s+/g, ' ').replaceAll('\\', ''), sentence);
  }
  const { timing } = JSON.parse(await written('json')) as { timing: { spent: unknown } };
  assert.deepEqual(timing.spent, { EUR: { total: 0.56, speech: 0.56 } });
  const second = await runCommand(['run', '--new'], { cwd: folder.path, env: environment });
  assert.equal(second.code, 0, second.stderr);
  assert.ok(!second.stdout.includes('Spent by this run'), second.stdout);
  assert.deepEqual([spoken(server), bought(folder.path)], [4, { spent: 56, calls: 4 }]);
});

test('one budget holds for speech and recognition together, to the cent', async () => {
  await using server = await startSpeechServer({ key });
  await using folder = await temporaryFolder();
  // Each clip is 14 tones of 50 ms at 24 kHz, 0.7 s: 6 cents at 6 / .7 cents a second. A text and its recognition are 20 cents.
  const recognizers = {
    mine: {
      ...{ type: 'scripted', default: 'turn left here', needsAudio: true, pinned: false, limits: { concurrency: 1 } },
      pricePerMinute: { amount: (0.06 / 0.7) * 60, currency: 'EUR' },
    },
  };
  const money = { amount: 0.54, currency: 'EUR' };
  await project(folder.path, server, { pricePerMillionCharacters: aCentEach }, { recognizers, budget: { money } });
  const run = await runCommand(['run'], { cwd: folder.path, env: environment });
  assert.equal(run.code, 8, run.stderr);
  assert.match(
    run.stderr,
    /the budget of 0\.54 EUR would be exceeded \(0\.\d{4} used\); everything recognized and spoken so far is kept/,
  );
  const database = new DatabaseSync(join(folder.path, '.earwitness/store.sqlite'), { readOnly: true });
  const { spent } = database.prepare('SELECT sum(price) AS spent FROM attempts').get() as { spent: number };
  database.close();
  assert.ok(spent <= 0.54 + 1e-9 && spent > 0.54 - 0.2, `${spent}`);
  assert.equal(bought(folder.path).calls, spoken(server));

  await project(
    folder.path,
    server,
    { pricePerMillionCharacters: aCentEach },
    { recognizers, budget: { money: { amount: 0.8, currency: 'EUR' } } },
  );
  const rest = await runCommand(['run'], { cwd: folder.path, env: environment });
  assert.equal(rest.code, 0, rest.stderr);
  assert.match(rest.stdout, /EUR 0\.8000 \(recognition 0\.2400, speech 0\.5600\)/);
  assert.equal(spoken(server), 4);
});

test('what a service says that it counted is what the call cost in the end', async () => {
  await using server = await startSpeechServer({ key });
  await using folder = await temporaryFolder();
  const polly = { type: 'hosted', service: 'polly', endpoint: `${server.origin}/polly`, voices: undefined };
  const config = { corpus: { type: 'sentences', texts, synthesizer: 'bought', language: 'en', voices: ['Brian'] } };
  await project(folder.path, server, { ...polly, keyVariable: undefined }, config);
  const env = { ...awsTestKeys, AWS_SECRET_ACCESS_KEY: key };
  const run = await runCommand(['run'], { cwd: folder.path, env });
  assert.equal(run.code, 0, run.stderr);
  // 14 characters of a text, which the server counts twice, at 16 dollars for a million: .1792 of a cent for four.
  assert.deepEqual(bought(folder.path), { spent: 0.1792, calls: 4 });
});

test('calls that are made again are paid again, and all count before they are made', async () => {
  let refusals = 1;
  const misbehave = (
    question: SpeechQuestion,
    response: Parameters<NonNullable<Parameters<typeof startSpeechServer>[0]['misbehave']>>[1],
  ) => {
    if (question.method !== 'POST' || refusals-- <= 0) return false;
    response.writeHead(503, { 'Retry-After': '0' }).end();
    return true;
  };
  await using server = await startSpeechServer({ key, misbehave });
  await using folder = await temporaryFolder();
  await project(folder.path, server, { pricePerMillionCharacters: aCentEach });
  const run = await runCommand(['run'], { cwd: folder.path, env: environment });
  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual([spoken(server), bought(folder.path)], [5, { spent: 70, calls: 5 }]);
});

test('a synthesizer without a known price is refused under a budget in money, and 0 is a price', async () => {
  await using server = await startSpeechServer({ key });
  await using folder = await temporaryFolder();
  const budget = { money: { amount: 1, currency: 'EUR' } };
  await project(folder.path, server, {}, { budget });
  const run = () => runCommand(['run'], { cwd: folder.path, env: environment });
  const refused = await run();
  assert.equal(refused.code, 3, refused.stderr);
  assert.match(
    refused.stderr,
    /budget\.money: expected each hosted synthesizer to have a price, but none is known of "bought", so that no budget in money could hold; write pricePerMillionCharacters: \{ amount: …, currency: EUR \} into its entry \(0 where it costs nothing\), or take the budget out/,
  );
  assert.equal(server.questions.length, 0);
  await project(folder.path, server, { pricePerMillionCharacters: { amount: 0, currency: 'EUR' } }, { budget });
  const free = await run();
  assert.equal(free.code, 0, free.stderr);
  await project(
    folder.path,
    server,
    { pricePerMillionCharacters: { amount: 1, currency: 'USD' }, version: '2' },
    { budget },
  );
  const foreign = await run();
  assert.equal(foreign.code, 3, foreign.stderr);
  assert.match(
    foreign.stderr,
    /budget\.money: expected all prices in EUR, but the synthesizer "bought" has one in USD; write pricePerMillionCharacters: \{ amount: …, currency: EUR \} into its entry, or the budget in USD/,
  );
});

test('a recognizer with a price in another currency than the budget is refused before a text is bought', async () => {
  await using server = await startSpeechServer({ key });
  await using folder = await temporaryFolder();
  const budget = { money: { amount: 1, currency: 'EUR' } };
  const mine = { type: 'scripted', default: 'turn left here', needsAudio: true, pinned: false };
  const priced = (amount: number) => ({ mine: { ...mine, pricePerMinute: { amount, currency: 'USD' } } });
  const speaker = { pricePerMillionCharacters: aCentEach };
  await project(folder.path, server, speaker, { recognizers: priced(0.01), budget });
  const run = () => runCommand(['run'], { cwd: folder.path, env: environment });
  const foreign = await run();
  assert.equal(foreign.code, 3, foreign.stderr);
  assert.match(
    foreign.stderr,
    /budget\.money: expected all prices in EUR, but the recognizer "mine" has one in USD; write/,
  );
  assert.equal(spoken(server), 0);
  // What costs nothing does so in each currency.
  await project(folder.path, server, speaker, { recognizers: priced(0), budget });
  const free = await run();
  assert.equal(free.code, 0, free.stderr);
});

test('a call that the service refuses, for its key or because there are too many, costs nothing', async () => {
  const answers = [429, 401];
  const misbehave: Parameters<typeof startSpeechServer>[0]['misbehave'] = ({ method }, response) => {
    const status = method === 'POST' ? answers.shift() : undefined;
    if (status === undefined) return false;
    response.writeHead(status, { 'Retry-After': '0' }).end('{}');
    return true;
  };
  await using server = await startSpeechServer({ key, misbehave });
  await using folder = await temporaryFolder();
  const budget = { money: { amount: 0.56, currency: 'EUR' } };
  await project(folder.path, server, { pricePerMillionCharacters: aCentEach }, { budget });
  const run = () => runCommand(['run'], { cwd: folder.path, env: environment });
  const refused = await run();
  assert.equal(refused.code, 3, refused.stderr);
  assert.deepEqual([spoken(server), bought(folder.path)], [2, { spent: 0, calls: 2 }]);
  const whole = await run();
  assert.equal(whole.code, 0, whole.stderr);
  assert.deepEqual(bought(folder.path), { spent: 56, calls: 6 });
});

test('killed while it speaks, again and again: a text that is kept is not paid twice, and every call that was sent is counted', async () => {
  await using server = await startSpeechServer({
    key,
    misbehave: async () => {
      await pause(60);
      return false;
    },
  });
  await using folder = await temporaryFolder();
  await project(
    folder.path,
    server,
    { pricePerMillionCharacters: aCentEach },
    { budget: { money: { amount: 5, currency: 'EUR' } } },
  );
  let kills = 0;
  for (let moment = 1; moment <= 5; moment++) {
    const before = server.questions.length;
    const child = spawn(process.execPath, [script, 'run'], {
      cwd: folder.path,
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    // A kill at another point of a call each time: while it is answered, or between two.
    const killer = (async () => {
      while (server.questions.length === before && child.exitCode === null) await pause(2);
      await pause((moment * 17) % 75);
      child.kill('SIGKILL');
    })();
    const [, signal] = await ended;
    await killer;
    if (signal === null) break;
    kills++;
  }
  const last = await runCommand(['run'], { cwd: folder.path, env: environment });
  assert.equal(last.code, 0, last.stderr);
  assert.ok(kills >= 3, `${kills} kills`);
  const { spent, calls } = bought(folder.path);
  assert.equal(calls, spoken(server), 'each call stands in the journal before it is sent');
  assert.equal(spent, 14 * calls);
  // The audio of the next trial is made while one is recognized: two texts are spoken side by side.
  assert.ok(calls <= texts.length + 2 * kills, `${calls} calls, ${kills} kills: at most two were cut off by each`);
  assert.match(last.stdout, new RegExp(`EUR [\\d.]+ \\(recognition [\\d.]+, speech ${(spent / 100).toFixed(4)}\\)`));
});
