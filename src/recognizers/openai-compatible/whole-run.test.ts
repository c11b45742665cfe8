import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { startTranscriptionServer, type TranscriptionServerOptions } from '../testing/transcription-server.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));
const key = 'sk-test-0123456789abcdefghij';
const clipSeconds = 0.6;

/** Clips of .6 s named after what happens to them, and a config that has one server hear them for .1 EUR a second. */
async function project(folder: string, baseUrl: string, names: readonly string[], more: object): Promise<void> {
  const rows = ['id\tpath\tsentence\tspeaker'];
  for (const [index, name] of names.entries()) {
    await writeFile(join(folder, `${name}.wav`), sineWav(200 + 50 * index, 16_000, clipSeconds));
    rows.push(`${name}\t${name}.wav\tall is well\ts${index % 2}`);
  }
  await writeFile(join(folder, 'clips.tsv'), `${rows.join('\n')}\n`);
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: {
      hosted: {
        type: 'openai-compatible',
        baseUrl,
        model: 'm',
        keyVariable: 'EARWITNESS_TEST_KEY',
        pricePerMinute: { amount: 6, currency: 'EUR' },
        limits: { attempts: 2, timeLimitSeconds: 1, concurrency: 1 },
      },
    },
    studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
    report: { sound: false },
    ...more,
  };
  await writeFile(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

/** How many questions about each clip have come: the first samples of sines tell them apart. */
function byClip(
  names: readonly string[],
  misbehave: Record<string, NonNullable<TranscriptionServerOptions['misbehave']>>,
) {
  const counts = new Map<string, number>();
  const pitches = names.map((_, index) => 200 + 50 * index);
  const answering: Pick<TranscriptionServerOptions, 'misbehave'> = {
    misbehave(question, response) {
      const { samples, sampleRate } = question.clip;
      let crossings = 0;
      for (let n = 1; n < samples.length; n++) if (samples[n - 1]! < 0 && samples[n]! >= 0) crossings++;
      const pitch = (crossings * sampleRate) / samples.length;
      const nearest = pitches.findIndex((expected) => Math.abs(expected - pitch) < 20);
      const name = names[nearest]!;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return misbehave[name]?.({ ...question, number: count }, response) ?? false;
    },
  };
  return { counts, answering };
}

interface Row {
  readonly utterance_id: string;
  readonly transcript: string | null;
  readonly failure_kind: string | null;
  readonly failure_message: string | null;
  readonly calls: number;
}

function stored(folder: string): { readonly rows: readonly Row[]; readonly spent: number; readonly attempts: number } {
  const database = new DatabaseSync(join(folder, '.earwitness/store.sqlite'), { readOnly: true });
  try {
    return {
      rows: database
        .prepare(
          'SELECT utterance_id, transcript, failure_kind, failure_message, calls FROM observations ORDER BY utterance_id',
        )
        .all() as unknown as Row[],
      ...(database.prepare('SELECT sum(price) AS spent, count(*) AS attempts FROM attempts').get() as {
        spent: number;
        attempts: number;
      }),
    };
  } finally {
    database.close();
  }
}

async function everyByte(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
}

const names = ['closed', 'fine', 'half', 'late', 'page', 'refused', 'twice'];

test('a run with a server that misbehaves: every failure is told, none is an answer, and the key is nowhere', async () => {
  await using folder = await temporaryFolder();
  const { counts, answering } = byClip(names, {
    closed(_, response) {
      response.socket!.destroy();
      return true;
    },
    half(_, response) {
      response.writeHead(200, { 'Content-Length': '50' });
      response.write('{"text": "all is', () => response.socket!.destroy());
      return true;
    },
    late: () => true,
    page(_, response) {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<html>${key}`);
      return true;
    },
    refused(_, response) {
      response.writeHead(400).end(`no: ${key}`);
      return true;
    },
    twice({ number }, response) {
      if (number > 1) return false;
      response.writeHead(429, { 'Retry-After': '1' }).end();
      return true;
    },
  });
  await using server = await startTranscriptionServer({
    key,
    recognize: async () => ({ text: 'all is well' }),
    ...answering,
  });
  await project(folder.path, server.baseUrl, names, {});
  const environment = { EARWITNESS_TEST_KEY: key };
  const { stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path, env: environment });

  const { rows, spent, attempts } = stored(folder.path);
  assert.deepEqual(
    rows.map((row) => [row.utterance_id, row.transcript ?? row.failure_kind, row.calls]),
    [
      ['closed', 'unavailable', 2],
      ['fine', 'all is well', 1],
      ['half', 'garbage', 2],
      ['late', 'timeout', 2],
      ['page', 'garbage', 1],
      ['refused', 'refused', 1],
      ['twice', 'all is well', 2],
    ],
  );
  // Each call is reserved and stays reserved, whether a broken one was billed only the bill will tell; but the one that was too many.
  assert.equal(attempts, 11);
  assert.deepEqual(
    [...counts.values()].reduce((sum, count) => sum + count, 0),
    11,
  );
  assert.ok(Math.abs(spent - 10 * clipSeconds * 0.1) < 1e-9, String(spent));
  const report = JSON.parse(stdout) as { tally: { answered: number; failed: number; failures: object } };
  assert.deepEqual(report.tally.failures, { garbage: 2, refused: 1, timeout: 1, unavailable: 1 });
  assert.deepEqual([report.tally.answered, report.tally.failed], [2, 5]);

  for (const text of [stdout, stderr, await everyByte(folder.path)]) assert.ok(!text.includes(key));
  assert.match(rows[5]!.failure_message!, /^the server answered 400: no: \[key\]$/);

  // What was answered is not asked again; what failed is, in a run of its own.
  await runCommand(['run', '--retry-failed', '--json'], { cwd: folder.path, env: environment });
  assert.deepEqual([counts.get('fine'), counts.get('twice'), counts.get('page')], [1, 2, 2]);
});

test('the budget stops a run before the call that would exceed it, and keeps what was paid for', async () => {
  await using folder = await temporaryFolder();
  await using server = await startTranscriptionServer({ key, recognize: async () => ({ text: 'all is well' }) });
  await project(folder.path, server.baseUrl, names, { budget: { money: { amount: 0.2, currency: 'EUR' } } });
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path, env: { EARWITNESS_TEST_KEY: key } });
  assert.equal(code, 8, stderr);
  assert.match(stderr, /the budget of 0\.2 EUR would be exceeded/);
  const { rows, attempts } = stored(folder.path);
  assert.deepEqual([rows.length, attempts, server.questions.length], [3, 3, 3]);
  assert.ok(rows.every(({ transcript }) => transcript === 'all is well'));
});

test('a budget in money is refused where a hosted recognizer has no price, before anything is asked', async () => {
  await using folder = await temporaryFolder();
  await using server = await startTranscriptionServer({ key, recognize: async () => ({ text: 'all is well' }) });
  const unpriced = {
    type: 'openai-compatible',
    baseUrl: server.baseUrl,
    model: 'm',
    keyVariable: 'EARWITNESS_TEST_KEY',
  };
  const budget = { money: { amount: 0, currency: 'EUR' } };
  await project(folder.path, server.baseUrl, names, { recognizers: { unpriced }, budget });
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path, env: { EARWITNESS_TEST_KEY: key } });
  assert.equal(code, 3, stderr);
  assert.match(
    stderr,
    /budget\.money: expected each hosted recognizer to have a price, but none is known of "unpriced"/,
  );
  assert.equal(server.questions.length, 0);
});

test('a run that is killed while the server works says that the call was possibly paid', async () => {
  await using folder = await temporaryFolder();
  let sent: () => void = () => {};
  const underWay = new Promise<void>((resolve) => {
    sent = resolve;
  });
  const { answering } = byClip(names, {
    half({ number }) {
      if (number === 1) sent();
      return number === 1;
    },
  });
  await using server = await startTranscriptionServer({
    key,
    recognize: async () => ({ text: 'all is well' }),
    ...answering,
  });
  await project(folder.path, server.baseUrl, names, {
    recognizers: {
      hosted: {
        type: 'openai-compatible',
        baseUrl: server.baseUrl,
        model: 'm',
        limits: { concurrency: 1 },
        keyVariable: 'EARWITNESS_TEST_KEY',
      },
    },
  });
  const environment = { EARWITNESS_TEST_KEY: key };
  const doomed = spawn(process.execPath, [script, 'run'], {
    cwd: folder.path,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: 'ignore',
  });
  await underWay;
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  const { stdout } = await runCommand(['run', '--json'], { cwd: folder.path, env: environment });
  const report = JSON.parse(stdout) as { tally: { answered: number; possiblyPaid: number } };
  assert.deepEqual([report.tally.answered, report.tally.possiblyPaid], [names.length, 1]);
});

test('a server that heard another language than it was asked for is warned of once, with the count, and regions do not count', async () => {
  await using folder = await temporaryFolder();
  const names = ['a', 'b', 'c', 'd'];
  const german = (_: unknown, response: ServerResponse) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ text: 'alles gut', language: 'german' }));
    return true;
  };
  const { answering } = byClip(names, { a: german, b: german, c: german });
  await using server = await startTranscriptionServer({
    key,
    recognize: async () => ({ text: 'all is well' }),
    ...answering,
  });
  const corpus = { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' }, language: 'en-GB' };
  await project(folder.path, server.baseUrl, names, { corpus });
  const { code, stdout, stderr } = await runCommand(['run', '--json'], {
    cwd: folder.path,
    env: { EARWITNESS_TEST_KEY: key },
  });
  assert.equal(code, 0, stderr);
  const warnings = (JSON.parse(stdout).warnings as string[]).filter((line) => line.includes('another language'));
  assert.deepEqual(warnings, [
    'hosted says of 3 of its 4 answers that it heard another language than that of the utterance (de in place of en-GB): it may take no notice of the language that it is asked for.',
  ]);
});
