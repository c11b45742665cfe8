import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../../base/errors.ts';
import { noServer, testServer } from '../../store/testing/postgres-server.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));

/** Twelve speakers, two clips each, and a config that asks two scripted recognizers about them. */
async function project(folder: string, changes: Record<string, unknown> = {}): Promise<void> {
  await mkdir(join(folder, 'clips'));
  const rows = ['id\tpath\tsentence\tspeaker\tsex'];
  for (let index = 0; index < 24; index++) {
    await writeFile(join(folder, 'clips', `${index}.wav`), sineWav(200 + 10 * index, 8000, 0.3));
    rows.push(`u${index}\tclips/${index}.wav\tone two three four\ts${index % 12}\t${index % 2 ? 'F' : 'M'}`);
  }
  await writeFile(join(folder, 'clips.tsv'), `${rows.join('\n')}\n`);
  await writeFile(join(folder, 'earwitness.config.json'), JSON.stringify(config(changes)));
}

function config(changes: Record<string, unknown>) {
  const hears = { type: 'scripted', needsAudio: true };
  return {
    name: 'test',
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: {
      good: { ...hears, default: 'one two three four' },
      bad: { ...hears, default: 'one too three {hash}' },
    },
    studies: [{ type: 'robustness', conditions: ['aequevox/noise:1', 'aequevox/noise:5'], resamples: 200 }],
    report: { sound: false },
    ...changes,
  };
}

interface Report {
  readonly tally: {
    readonly answered: number;
    readonly failed: number;
    readonly reused: number;
    readonly failures: Record<string, number>;
  };
  readonly findings: readonly {
    readonly study: { readonly name: string };
    readonly answer: readonly { readonly text: string }[];
  }[];
  readonly timing: Record<string, unknown>;
}

/** Everything but what may differ from run to run. */
function withoutTiming(json: string): unknown {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== 'timing')
        .map(([key, inner]) => [key, strip(inner)]),
    );
  };
  return strip(JSON.parse(json));
}

test('the main job runs, reports in every form, and tells the better recognizer', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path);
  const { code, stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as Report;
  assert.equal(report.tally.answered, 24 * 3 * 2);
  assert.match(report.findings[0]!.answer[0]!.text, /good/);
  const html = /report: (.*report\.html)/.exec(stderr)?.[1];
  assert.ok(html && existsSync(html));
  for (const name of ['report.json', 'report.md', 'tables']) assert.ok(existsSync(join(html, '..', name)), name);
  assert.equal(
    JSON.stringify(JSON.parse(await readFile(join(html, '../report.json'), 'utf8'))),
    JSON.stringify(JSON.parse(stdout)),
  );

  const again = await runCommand(['run', '--json'], { cwd: folder.path });
  assert.equal((JSON.parse(again.stdout) as Report).tally.reused, 24 * 3 * 2);

  const compared = await runCommand(['compare', 'last:good', 'last:bad', '--json'], { cwd: folder.path });
  assert.equal(compared.code, 0, compared.stderr);
  assert.match((JSON.parse(compared.stdout) as Report).findings[0]!.answer[0]!.text, /worse|bad/);
  const same = await runCommand(['compare', 'last', 'last'], { cwd: folder.path });
  assert.equal(same.code, 2);
  assert.match(same.stderr, /expected two runs, but both are \S+; .*: earwitness compare last:good last:bad/);

  const shown = await runCommand(['report'], { cwd: folder.path });
  const full = await runCommand(['report', '--full'], { cwd: folder.path });
  assert.ok(full.stdout.length > 3 * shown.stdout.length, 'the rest is a word away');
  const page = (JSON.parse(again.stdout) as { timing: { run: string } }).timing.run;
  assert.match(shown.stdout, new RegExp(`^Report: .*${page}/report\\.html$`, 'm'));
  const pair = await runCommand(['compare', 'last:good', 'last:bad'], { cwd: folder.path });
  assert.match(
    pair.stdout,
    /\n\nLook: earwitness view\nUtterances and tables: earwitness compare last:good last:bad --out FOLDER\n$/,
  );
  const reported = await runCommand(['report', '--json'], { cwd: folder.path });
  assert.deepEqual(
    (withoutTiming(reported.stdout) as Report).findings,
    (withoutTiming(again.stdout) as Report).findings,
  );
});

test('workers, order and executors change no byte outside timing', async () => {
  const variants: readonly (readonly [readonly string[], Record<string, unknown>])[] = [
    [['--workers', '1', '--executor', 'here'], {}],
    [['--workers', '2', '--executor', 'processes'], {}],
    [['--executor', 'auto'], { concurrency: 5 }],
  ];
  const found: unknown[] = [];
  for (const [flags, limits] of variants) {
    await using folder = await temporaryFolder();
    await project(folder.path);
    const written = config({}) as { recognizers: Record<string, object> };
    for (const recognizer of Object.values(written.recognizers)) Object.assign(recognizer, { limits });
    await writeFile(folder.file('earwitness.config.json'), JSON.stringify(written));
    const { code, stdout, stderr } = await runCommand(['run', '--json', ...flags], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    found.push(withoutTiming(stdout));
  }
  assert.equal(JSON.stringify(found[1]), JSON.stringify(found[0]));
  assert.equal(JSON.stringify(found[2]), JSON.stringify(found[0]));
});

test('calls that two workers elsewhere make change no byte outside timing, of two kinds of store', {
  skip: noServer,
}, async () => {
  const found: unknown[] = [];
  for (const queued of [false, true]) {
    await using folder = await temporaryFolder();
    const cwd = folder.path;
    await project(cwd, queued ? { store: testServer().newDatabase(), executor: 'queue', clips: '.' } : {});
    // Before there is a store.
    const planned = await runCommand(['run', '--dry-run'], { cwd });
    assert.match(planned.stdout, /To be asked: 144 recognitions/, planned.stderr);
    const workers = (queued ? ['first', 'second'] : []).map(() =>
      spawn(process.execPath, [script, 'worker'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] }),
    );
    const told = Promise.all(workers.map(({ stderr }) => text(stderr)));
    const { code, stdout, stderr } = await runCommand(['run', '--json'], { cwd });
    assert.equal(code, 0, stderr);
    found.push(withoutTiming(stdout));
    for (const worker of workers) worker.kill('SIGTERM');
    const answered = (await told).map((said) =>
      Number(/ready for calls of good, bad\n[\s\S]*?(\d+) calls? answered, 0 failed/.exec(said)?.[1]),
    );
    if (queued)
      assert.equal(
        answered.reduce((sum, count) => sum + count, 0),
        144,
        String(answered),
      );
  }
  assert.equal(JSON.stringify(found[1]), JSON.stringify(found[0]));
});

test('a place for the audio of workers is said to be of no use where there are none', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path, { clips: '.' });
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  assert.equal(stderr.split('clips: nothing is put there').length, 2, stderr);
});

test('Ctrl-C ends the run cleanly, and the same command goes on', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path);
  const slow = config({}) as { recognizers: Record<string, object> };
  for (const recognizer of Object.values(slow.recognizers)) Object.assign(recognizer, { delaySeconds: 0.05 });
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(slow));
  const child = spawn(process.execPath, [script, 'run'], { cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  let interrupted = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (!interrupted && /robustness: \d+ of 144/.test(said)) {
      interrupted = true;
      child.kill('SIGINT');
    }
  });
  const [code] = await once(child, 'exit');
  assert.equal(code, 130, said);
  assert.match(said, /everything recognized so far is kept/);
  const { stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path });
  assert.match(stderr, /continuing/);
  assert.equal((JSON.parse(stdout) as Report).tally.answered, 144);
});

test('two runs on one store at once: the second is refused with exit code 7, reading goes on', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path);
  const stuck = config({}) as { recognizers: Record<string, object> };
  Object.assign(stuck.recognizers.good!, { delaySeconds: 60 });
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(stuck));
  const child = spawn(process.execPath, [script, 'run'], { cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] });
  await once(child.stderr, 'data');
  const second = await runCommand(['run'], { cwd: folder.path });
  assert.equal(second.code, 7);
  assert.match(second.stderr, /another earwitness is writing/);
  const read = await runCommand(['report'], { cwd: folder.path });
  assert.equal(read.code, 2);
  assert.match(read.stderr, /not finished/);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('recognizers that crash, hang, say garbage or megabytes cost their trials and nothing else', async () => {
  await using folder = await temporaryFolder();
  const failures = ['exit', 'abort', 'hang', 'garbage', 'huge', 'throw'].map((how, index) => ({
    match: { utterance: `u${index}`, condition: 'clean' },
    how,
  }));
  const limits = { timeLimitSeconds: 1, attempts: 1 };
  const hears = { type: 'scripted', needsAudio: true, default: 'one two three four', isolate: 'process' };
  await project(folder.path, {
    recognizers: { wild: { ...hears, failures, limits }, tame: hears },
    studies: [{ type: 'robustness', conditions: [], resamples: 200 }],
  });
  const { code, stdout, stderr } = await runCommand(['run', '--json', '--max-failed', '0.25'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const { tally } = JSON.parse(stdout) as Report;
  assert.equal(tally.answered, 48 - 6);
  assert.deepEqual(tally.failures, { crash: 2, error: 1, garbage: 2, timeout: 1 });
});

test('audio files that are missing, empty, cut off, silent, stereo or no sound are told apart, and the rest goes on', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path, { studies: [{ type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 200 }] });
  const clip = (index: number) => folder.file(`clips/${index}.wav`);
  const { rm } = await import('node:fs/promises');
  await rm(clip(0));
  await writeFile(clip(1), '');
  await writeFile(clip(2), sineWav().subarray(0, 300));
  await writeFile(clip(3), 'this is no sound at all, whatever its name says, and long enough to be looked at');
  const silent = sineWav(0, 8000, 0.3);
  await writeFile(clip(4), silent);
  const { code, stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as Report;
  // Four clips that cannot be read, in two conditions for two recognizers. Silence has no level to add noise to: no failure of anybody.
  assert.equal(report.tally.failures.sound, 4 * 2 * 2);
  assert.match(stdout, /digital silence/);
  assert.match(stdout, /no such file|missing|does not exist|cannot be read/);
  assert.match(stdout, /empty/);
});

test('a budget ends the run with exit code 8 and keeps what was answered', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path, { budget: { calls: 10 } });
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path });
  assert.equal(code, 8);
  assert.match(stderr, /10 calls/);
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config({ budget: { calls: 200 } })));
  const { stdout } = await runCommand(['run', '--json'], { cwd: folder.path });
  assert.equal((JSON.parse(stdout) as Report).tally.answered, 144);
});

test('what a preview used counts into the budget of the run that uses its answers, and the preview says what is missing', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  // Ten utterances in three conditions by two recognizers are 60 calls, all of them 144.
  await project(folder.path, { budget: { calls: 100 } });
  const preview = await runCommand(['run', '--preview'], { cwd });
  assert.equal(preview.code, 0, preview.stderr);
  assert.match(
    preview.stdout,
    /^The budget is not enough: 100 calls \(60 used, 84 needed: 44 missing\)\. Raise it\s+before the run\.$/m,
  );
  const stopped = await runCommand(['run'], { cwd });
  assert.equal(stopped.code, 8);
  assert.match(stopped.stderr, /the preview counts into the budget of this run \(60 calls\)/);
  assert.match(stopped.stderr, /the budget of 100 calls would be exceeded \(100 used, 60 of it by the preview\)/);
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config({ budget: { calls: 144 } })));
  const whole = await runCommand(['run', '--json'], { cwd });
  assert.equal(whole.code, 0, whole.stderr);
  // A later run begins at 0: the preview belonged to the one before.
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config({ budget: { calls: 1 } })));
  assert.doesNotMatch((await runCommand(['run', '--new'], { cwd })).stderr, /preview/);
});

test('a preview of everything says that nothing is left to run', async () => {
  await using folder = await temporaryFolder();
  const previewOf = async (utterances: number) => {
    const rows = Array.from({ length: utterances }, (_, index) => `u${index}\tone two`);
    await writeFile(folder.file('texts.tsv'), `id\ttext\n${rows.join('\n')}\n`);
    const recognizers = { good: { type: 'scripted', default: 'one two' } };
    const studies = [{ type: 'robustness', conditions: [], resamples: 100 }];
    const corpus = { type: 'manifest', file: 'texts.tsv', language: 'en' };
    await writeFile(folder.file('earwitness.config.json'), JSON.stringify({ corpus, recognizers, studies }));
    const { code, stdout, stderr } = await runCommand(['run', '--preview', '--new'], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    return stdout;
  };
  assert.match(await previewOf(1), /^This was the only utterance: nothing is left to run\.$/m);
  const all = await previewOf(10);
  assert.match(all, /^These were all 10 utterances: nothing is left to run\.$/m);
  assert.doesNotMatch(all, /The rest needs|Next: earwitness run/);
});

test('of a run that its budget stopped, report shows no findings but writes the answers that were paid for', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await project(folder.path, { budget: { calls: 10 } });
  const { stderr } = await runCommand(['run'], { cwd });
  assert.match(stderr, /What was answered so far\s+is written as a table by: earwitness report last --out FOLDER\s*$/);
  const without = await runCommand(['report', 'last'], { cwd });
  assert.equal(without.code, 2);
  assert.match(without.stderr, /not finished.*10 of the 144 trials.*--out FOLDER/s);
  const written = await runCommand(['report', 'last', '--out', 'part'], { cwd });
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stderr, /is not finished:\s+\S+trials\.csv\s+has\s+10\s+of\s+the\s+144\s+trials/);
  const rows = (await readFile(folder.file('part/trials.csv'), 'utf8')).trim().split('\r\n');
  assert.equal(rows.length, 11);
  assert.match(rows[0]!, /^utterance,.*recognizer.*reference,transcript$/);
  assert.deepEqual(await readdir(folder.file('part')), ['trials.csv']);
  // The newest run of the store may be of another config: what is named is the one that was given.
  await rename(folder.file('earwitness.config.json'), folder.file('with budget.json'));
  const named = await runCommand(['run', '--new', '--config', 'with budget.json'], { cwd });
  const told = /by:\s+(earwitness report last --out FOLDER\s+--config\s+'with budget.json')\s*$/.exec(
    named.stderr,
  )?.[1];
  assert.ok(told, named.stderr);
  const [id] = /^\S+/.exec((await runCommand(['store', 'list'], { cwd })).stdout) ?? [];
  const resumed = await runCommand(['resume', id!, '-c', 'with budget.json'], { cwd });
  assert.match(
    resumed.stderr.replace(/\s+/g, ' '),
    new RegExp(`by: earwitness report ${id} --out FOLDER --config 'with budget.json' $`),
  );
});

test('a damaged store and a newer one are refused with exit code 6', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path, { store: 'damaged.sqlite' });
  await writeFile(folder.file('damaged.sqlite'), 'no database '.repeat(100));
  const { code, stderr } = await runCommand(['run'], { cwd: folder.path });
  assert.equal(code, 6);
  assert.match(stderr, /damaged/);
});

test('a finished run can be resumed from its store alone, exported, merged, and a speaker forgotten', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path);
  const cwd = folder.path;
  await runCommand(['run', '--no-sound'], { cwd });
  await (await import('node:fs/promises')).rm(folder.file('earwitness.config.json'));
  const resumed = await runCommand(['resume', '--json'], { cwd });
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.equal((JSON.parse(resumed.stdout) as Report).tally.answered, 144);
  assert.equal((await runCommand(['store', 'export', 'copy.sqlite', '--run', 'last'], { cwd })).code, 0);
  const merged = await runCommand(['store', 'merge', 'copy.sqlite', '--store', 'other.sqlite', '--json'], { cwd });
  assert.deepEqual(JSON.parse(merged.stdout), { runs: 1, observations: 144 });
  const forgotten = await runCommand(['forget', '--speaker', 's3', '--yes'], { cwd });
  assert.match(forgotten.stdout, /2 utterances, 12 transcripts, 2 clips/);
  const unknown = await runCommand(['forget', '--speaker', 's33', '--yes'], { cwd });
  assert.equal(unknown.code, 2);
});

test('a report that could not be written is written by the next run, and nobody is asked again', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await writeFile(folder.file('a.wav'), sineWav());
  await writeFile(folder.file('a.txt'), 'one two');
  const config = {
    corpus: { type: 'folder', folder: '.', language: 'en' },
    // Whoever can change behind its name is asked anew by every new run.
    recognizers: { one: { type: 'scripted', default: 'one two', pinned: false } },
    studies: [{ type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100 }],
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  await writeFile(folder.file('earwitness-report'), 'in the way');
  const without = await runCommand(['run'], { cwd });
  assert.equal(without.code, exitCodes['bad-input'], without.stderr);
  await rm(folder.file('earwitness-report'));
  const mended = await runCommand(['run', '--json'], { cwd });
  assert.equal(mended.code, 0, mended.stderr);
  const { timing } = JSON.parse(mended.stdout);
  const runs = JSON.parse((await runCommand(['store', 'list', '--json'], { cwd })).stdout);
  assert.deepEqual(
    runs.map(({ id }: { id: string }) => id),
    [timing.run],
  );
  assert.ok(existsSync(folder.file(`earwitness-report/${timing.run}/report.html`)));
  const third = JSON.parse((await runCommand(['run', '--json'], { cwd })).stdout);
  assert.notEqual(third.timing.run, timing.run, 'once it is written, another run is another');
});

test('three thousand recognizers, and one more than can be compared, are refused before anything is asked', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path);
  for (const count of [3000, 129]) {
    const names = Array.from({ length: count }, (_, index) => `r${index}`);
    const recognizers = Object.fromEntries(names.map((name) => [name, { type: 'scripted', default: 'one' }]));
    await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config({ recognizers })));
    const { code, stderr } = await runCommand(['run'], { cwd: folder.path });
    assert.equal(code, exitCodes['bad-config']);
    assert.match(
      stderr,
      new RegExp(`recognizers: expected at most 128, all pairs of which are compared, but there are ${count}; `),
    );
  }
});

test('report --out writes the audio of examples again, without it where it is not wanted, and says where it cannot be made', async () => {
  await using folder = await temporaryFolder();
  const corpus = { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' }, language: 'en' };
  await project(folder.path, { corpus, report: {} });
  const cwd = folder.path;
  const { code, stderr } = await runCommand(['run'], { cwd });
  assert.equal(code, 0, stderr);
  const players = async (out: string, ...more: string[]) => {
    const made = await runCommand(['report', '--out', out, ...more], { cwd });
    assert.equal(made.code, 0, made.stderr);
    const page = await readFile(join(cwd, out, 'report.html'), 'utf8');
    return { page, sounds: [...page.matchAll(/src="data:audio\/wav;base64,[^"]{100,}"/g)].map(([source]) => source) };
  };
  const [run] = await readdir(join(cwd, 'earwitness-report'));
  const first = await readFile(join(cwd, 'earwitness-report', run!, 'report.html'), 'utf8');
  const { page, sounds } = await players('again');
  assert.ok(sounds.length > 0);
  for (const sound of sounds) assert.ok(first.includes(sound), 'the very samples that the run put in');
  assert.match(page, /<div class="diff" lang="en">/);
  assert.equal((await players('quiet', '--no-sound')).sounds.length, 0);
  await rm(join(cwd, 'clips'), { recursive: true });
  const without = await players('without');
  assert.equal(without.sounds.length, 0);
  assert.match(without.page, /The audio cannot be made again: /);
});
