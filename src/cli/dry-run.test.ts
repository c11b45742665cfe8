import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeTinyCtc } from '../recognizers/transformers/testing/tiny-ctc.ts';
import { dryRunText } from './dry-run.ts';
import { runCommand, sineWav, temporaryFolder } from './testing/run-command.ts';

/** Four clips of two speakers, and a condition whose sounds are made against a recognizer in three passes. */
async function project(folder: string): Promise<void> {
  await mkdir(join(folder, 'clips'));
  const rows = ['id\tpath\tsentence\tspeaker'];
  for (let index = 0; index < 4; index++) {
    await writeFile(join(folder, 'clips', `${index}.wav`), sineWav(200 + 10 * index, 8000, 0.3));
    rows.push(`u${index}\tclips/${index}.wav\ta b\ts${index % 2}`);
  }
  await writeFile(join(folder, 'clips.tsv'), `${rows.join('\n')}\n`);
  writeTinyCtc(join(folder, 'tiny'));
  const pgd = { perturbation: 'pgd', parameters: { source: 'good', snrDb: 20, steps: 2 } };
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: { good: { type: 'transformers', model: 'tiny', threads: 1 } },
    studies: [{ type: 'robustness', conditions: [{ name: 'attacked', steps: [pgd] }], resamples: 200 }],
    report: { sound: false },
  };
  await writeFile(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

test('a dry run asks and writes nothing, and says what is to be asked, what is to be made and what is there already', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path);
  const dry = async () => {
    const { code, stdout, stderr } = await runCommand(['run', '--dry-run', '--json'], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    const { studies, sounds } = JSON.parse(stdout);
    const [{ recognitions }] = studies;
    return { recognitions, sounds };
  };
  const before = await dry();
  assert.deepEqual(before.recognitions, [{ recognizer: 'good', questions: 8, open: 8 }]);
  const measured = ({ measured: { elapsedSeconds }, ...counts }: { measured: { elapsedSeconds: number } }) => {
    assert.ok(elapsedSeconds > 0);
    return counts;
  };
  const made = { perturbation: 'pgd', source: 'good', sounds: 4, begun: 0 };
  assert.deepEqual(before.sounds.map(measured), [{ ...made, kept: 0, passes: 12 }]);
  assert.ok(!existsSync(join(folder.path, '.earwitness')));

  const { code, stderr } = await runCommand(['run', '--limit', '3'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const files = () =>
    readdirSync(folder.path, { recursive: true }).filter((name) => !`${name}`.includes('store.sqlite-'));
  const there = files();
  const after = await dry();
  assert.deepEqual(after.recognitions, [{ recognizer: 'good', questions: 8, open: 2 }]);
  assert.deepEqual(after.sounds.map(measured), [{ ...made, kept: 3, passes: 3 }]);
  assert.deepEqual(files(), there);
  const shown = await runCommand(['run', '--dry-run'], { cwd: folder.path, terminal: true });
  assert.match(shown.stderr, /planned 8 of 8 questions/);
});

test('what a pass takes here makes an honest time, and nothing is invented where none was measured', () => {
  const recognitions = [{ recognizer: 'whisper', questions: 1300, open: 1000 }];
  const studies = [{ study: 'adversarial', about: '4 attacks', recognitions }];
  const sounds = { perturbation: 'pgd', source: 'whisper', sounds: 160, kept: 100, begun: 1, passes: 1260 };
  const measured = { elapsedSeconds: 1.5, processorSeconds: 7.2, clipSeconds: 3.04, bytes: 2.1e9 };
  const fits = [
    { perturbation: 'universal', source: 'whisper', clips: 8, maxPasses: 240, state: 'begun' as const, measured },
  ];
  const used = { calls: 300, audioSeconds: 900, money: { EUR: 0.3 } };
  const open = { calls: 1000, audioMinutes: 50, money: [{ amount: 1.004, currency: 'EUR' }], used };
  const found = { studies, sounds: [{ ...sounds, measured }], fits, open };
  const text = dryRunText(found, { money: { amount: 1, currency: 'EUR' } }, 100);
  assert.match(
    text,
    /universal against whisper: fitted on 8 clips, begun\n {2}at most 240 passes through whisper\n {2}1\.50 s a pass .*: about 6 min;/,
  );
  assert.match(text, /whisper: 1,300 recognitions, 300 answered already/);
  assert.match(text, /pgd against whisper: 160 sounds, 100 made already, 1 begun/);
  assert.match(text, /60 sounds to make, at most 1,260 passes through whisper/);
  // 1,260 passes of a second and a half.
  assert.match(text, /1\.50 s a pass \(processor 7\.20 s\), on a clip of 3\.0 s: about 32 min; memory about 2\.1 GB/);
  assert.match(
    dryRunText(
      { ...found, sounds: [{ ...sounds, measured: null, reason: 'it asks no recognizer' }], fits: [] },
      {},
      100,
    ),
    /time and memory: unknown \(it asks no recognizer\)/,
  );
  assert.match(text, /^To be asked: 1,000 recognitions of about 50 minutes of audio, about EUR 1\.00\.$/m);
  assert.match(
    text,
    /^The budget is not enough: 1 EUR \(0\.30 used, 1\.01 needed: 0\.31 missing\)\. Raise it before the run\.$/m,
  );
  assert.match(
    dryRunText(found, { calls: 1300, audioMinutes: 65 }, 200),
    /^The budget is enough: 1,300 calls \(300 used, 1,000 needed\); 65 audio minutes \(15\.0 used, 50\.0 needed\)\.$/m,
  );
  const unknown = { ...found, open: { ...open, audioMinutes: null, money: null } };
  assert.match(dryRunText(unknown, { audioMinutes: 65 }, 100), /Whether the budget is enough cannot be told/);
  assert.match(
    dryRunText(unknown, { audioMinutes: 10 }, 100),
    /not enough: 10 audio minutes \(15\.0 used, more needed: 5\.0 missing\)/,
  );
});

test('a dry run prices what is open by the lengths of the audio, each recognition once, and says whether the budget is enough', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path);
  const file = join(folder.path, 'earwitness.config.json');
  const config = JSON.parse(await readFile(file, 'utf8'));
  config.recognizers.good = { type: 'scripted', needsAudio: true, default: 'a b' };
  config.recognizers.good.pricePerMinute = { amount: 10, currency: 'EUR' };
  // Four clips of 0.3 s: 0.2 EUR. Two studies ask the same.
  config.studies = [
    { type: 'robustness', conditions: [], resamples: 200 },
    { type: 'robustness', name: 'again', conditions: [], resamples: 200 },
  ];
  config.budget = { money: { amount: 0.1, currency: 'EUR' } };
  await writeFile(file, JSON.stringify(config));
  const short = await runCommand(['run', '--dry-run'], { cwd: folder.path });
  assert.match(short.stdout, /^To be asked: 4 recognitions of about 1 s of audio, about EUR 0\.20\.$/m, short.stderr);
  assert.match(
    short.stdout,
    /^The budget is not enough: 0\.1000 EUR \(0\.0000 used, 0\.2000 needed: 0\.1000\s+missing\)/m,
  );
  const stopped = await runCommand(['run'], { cwd: folder.path });
  assert.equal(stopped.code, 8, stopped.stderr);
  const rest = await runCommand(['run', '--dry-run', '--json'], { cwd: folder.path });
  const { open } = JSON.parse(rest.stdout);
  assert.deepEqual([open.calls, open.used.calls, open.used.money], [2, 2, { EUR: 0.1 }]);
});
