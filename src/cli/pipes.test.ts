// What happens to a run when its reader, its disk or its terminal leaves, and when it is told to stop while it computes. Real
// processes, pipes and signals; /dev/full is Linux's disk that is always full.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../base/errors.ts';
import { sineWav, temporaryFolder } from './testing/run-command.ts';

const script = fileURLToPath(new URL('../../bin/earwitness.js', import.meta.url));
const full = !existsSync('/dev/full') && 'no /dev/full here';

async function project(folder: { file(name: string): string }, changes: object = {}, utterances = 1): Promise<void> {
  for (let index = 0; index < utterances; index++) {
    await writeFile(folder.file(`${index}.wav`), sineWav(200 + index));
    await writeFile(folder.file(`${index}.txt`), 'one two three four');
  }
  const config = {
    corpus: { type: 'folder', folder: '.', language: 'en' },
    recognizers: { one: { type: 'scripted', default: 'one too three {hash}', delaySeconds: 0.3 } },
    studies: [{ type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100 }],
    ...changes,
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
}

type Output = 'pipe' | 'ignore' | number;

function start(cwd: string, args: readonly string[], [stdout, stderr]: readonly [Output, Output]) {
  const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['ignore', stdout, stderr] });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr: said }));
  const until = async (words: RegExp) => {
    while (!words.test(said)) {
      const over = await Promise.race([once(child.stderr!, 'data').then(() => false), ended.then(() => true)]);
      assert.ok(!over || words.test(said), said);
    }
  };
  return { child, ended, until };
}

const reports = (folder: { file(name: string): string }) =>
  readdirSync(folder.file('earwitness-report')).filter((run) =>
    existsSync(folder.file(`earwitness-report/${run}/report.html`)),
  );

test('a reader that leaves costs a run its output, not its end and not its exit code', async () => {
  await using folder = await temporaryFolder();
  await project(folder);
  const { child, ended } = start(folder.path, ['run'], ['pipe', 'pipe']);
  child.stdout!.destroy();
  child.stderr!.destroy();
  assert.equal((await ended).code, 0);
  assert.equal(reports(folder).length, 1);
  const failing = { one: { type: 'scripted', failures: [{ kind: 'refused' }] } };
  await project(folder, { recognizers: failing });
  const failed = start(folder.path, ['run'], ['pipe', 'pipe']);
  failed.child.stdout!.destroy();
  failed.child.stderr!.destroy();
  assert.equal((await failed.ended).code, exitCodes['nothing-answered']);
});

test('a full disk behind stdout or stderr does not end a run; what else was to be printed is a sentence and code 4', {
  skip: full,
}, async () => {
  await using folder = await temporaryFolder();
  await project(folder);
  const disk = openSync('/dev/full', 'w');
  const one = await start(folder.path, ['run'], [disk, 'pipe']).ended;
  assert.equal(one.code, 0, one.stderr);
  assert.match(one.stderr, /could not be written \(the disk is full\); the report stands in its files\n$/);
  assert.equal((await start(folder.path, ['run', '--new'], ['ignore', disk]).ended).code, 0);
  assert.equal(reports(folder).length, 2);
  const list = await start(folder.path, ['list', 'recognizers'], [disk, 'pipe']).ended;
  assert.equal(list.code, exitCodes['bad-input']);
  assert.match(list.stderr, /^earwitness: what was to be printed could not be written/);
  assert.doesNotMatch(one.stderr + list.stderr, /\n\s+at /);
});

test('a closed terminal does not end a run that has none', async () => {
  await using folder = await temporaryFolder();
  await project(folder);
  const { child, ended, until } = start(folder.path, ['run'], ['ignore', 'pipe']);
  await until(/robustness:/);
  child.kill('SIGHUP');
  const { code, signal, stderr } = await ended;
  assert.deepEqual([code, signal], [0, null], stderr);
});

test('the first signal ends statistics long before their end, and the next run goes on', async () => {
  await using folder = await temporaryFolder();
  // A study that computes for half a minute without a pause.
  const slow = `import { z } from 'zod';
  export default {
    name: 'slow', version: 1, about: 'slow', options: z.strictObject({}),
    async *run() {
      for (const end = Date.now() + 30_000; Date.now() < end; );
      return { study: { name: 'slow', version: 1 }, title: '', settings: {}, answer: [], sections: [], warnings: [] };
    },
  };`;
  await writeFile(folder.file('slow.mjs'), slow);
  const robustness = { type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100 };
  const quick = { one: { type: 'scripted', default: 'one {hash}' } };
  await project(folder, { recognizers: quick, studies: [robustness, { type: './slow.mjs' }] }, 4);
  for (const signals of [['SIGTERM'], ['SIGINT', 'SIGINT']] as const) {
    const { child, ended, until } = start(folder.path, ['run'], ['ignore', 'pipe']);
    await until(/8 of 8/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const told = performance.now();
    for (const signal of signals) child.kill(signal);
    const { code, stderr } = await ended;
    assert.equal(code, exitCodes.interrupted, stderr);
    assert.ok(performance.now() - told < 10_000, `it took ${performance.now() - told} ms`);
  }
  await stopLater(folder.path);
});

test('how far statistics are is shown; the second Ctrl-C ends them at once, and everything recognized is kept', async () => {
  await using folder = await temporaryFolder();
  const one = { type: 'scripted', default: 'one {hash} three four' };
  const recognizers = Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => [`r${index}`, { ...one, seed: index }]),
  );
  const robustness = { type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100_000 };
  await project(folder, { recognizers, studies: [robustness] }, 24);
  const { child, ended, until } = start(folder.path, ['run'], ['ignore', 'pipe']);
  await until(/768 of 768[\s\S]*robustness: comparing recognizers, \d+ %\n/);
  child.kill('SIGINT');
  await until(/stopping: no calls are in flight/);
  const told = performance.now();
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  assert.equal(code, exitCodes.interrupted, stderr);
  assert.ok(performance.now() - told < 5000, `it took ${performance.now() - told} ms`);
  assert.match(stderr, /everything recognized so far is kept/);
  const again = start(folder.path, ['run'], ['ignore', 'pipe']);
  await again.until(/continuing[\s\S]*robustness: 768 of 768/);
  assert.doesNotMatch(await stopped(again), /robustness: [1-6]?\d?\d of 768/);
});

async function stopped({ child, ended }: ReturnType<typeof start>): Promise<string> {
  child.kill('SIGTERM');
  return (await ended).stderr;
}

/** Everything was kept: nobody is asked again. */
async function stopLater(cwd: string): Promise<void> {
  const { child, ended, until } = start(cwd, ['run'], ['ignore', 'pipe']);
  await until(/continuing/);
  (child as ChildProcess).kill('SIGTERM');
  await ended;
}

test('texts and tables come from pipes and from the output of commands, which are read once', {
  skip: !existsSync('/dev/fd') && 'no /dev/fd here',
}, async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.txt'), 'one two three\nfour five six\n');
  await writeFile(folder.file('t.csv'), 'id,reference,hypothesis\na,one two,one two\nb,three four,three five\n');
  await writeFile(
    folder.file('t.jsonl'),
    '{"id":"a","text":"one two","pred_text":"one too"}\n{"id":"b","text":"so","pred_text":"so"}\n',
  );
  const rate = async (asked: string) => {
    const command = asked.replace('score', `"${process.execPath}" "${script}" score`);
    const child = spawn('bash', ['-c', `${command} --only wer -n none`], {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    for await (const text of child.stdout.setEncoding('utf8')) printed += text;
    return Number(printed);
  };
  assert.equal(await rate('score <(cat a.txt) <(cat a.txt)'), 0);
  assert.equal(await rate('score a.txt <(sed s/five/fife/ a.txt)'), 1 / 6);
  assert.equal(await rate('cat t.csv | score /dev/stdin'), 1 / 4);
  assert.equal(await rate('score <(gzip -c t.csv)'), 1 / 4);
  assert.equal(await rate('score <(cat t.jsonl)'), 1 / 3);
});
