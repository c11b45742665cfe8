// Expected values are counted on paper: which texts break is decided by the script.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { exitCodes } from '../../base/errors.ts';
import type { EarwitnessConfig } from '../../session/config/written-config.ts';
import { run } from '../../session/run/run.ts';
import { runCommand, runProcess, sineWav, temporaryFolder } from '../testing/run-command.ts';

const texts = [
  'the tax is due',
  'no tax on wine',
  'we agree to this',
  'the vote is closed',
  'a tax too far',
  'thank you all',
  'they may be late',
  'good morning',
];
const idOf = (text: string) => `${createHash('sha256').update(text).digest('hex').slice(0, 16)}-slt`;

/** Answers by the ids that the corpus gives its texts. */
const answering = (write: (text: string) => string) => ({
  type: 'scripted',
  answers: Object.fromEntries(texts.map((text) => [idOf(text), write(text)])),
});
const right = answering((text) => text);
const breaking = answering((text) => text.replace('tax', 'tacks').replace('may be', 'maybe'));
/** What `breaking` gets wrong, but for one text; and another text is wrong now. */
const mended = answering((text) => (text === texts[4] ? 'attacks too far' : text.replace('agree', 'disagree')));

/** Runs the study in this process: only what is tested here has a process of its own. */
async function project(folder: string, recognizers: object, studies: readonly object[], more: object = {}) {
  const config = {
    corpus: { type: 'sentences', texts, synthesizer: 'flite', voices: ['slt'], language: 'en' },
    synthesizers: { flite: { type: 'flite' } },
    ...{ recognizers, studies, ...more },
  };
  const { report } = await run(config as unknown as EarwitnessConfig, {
    baseFolder: folder,
    mode: 'new',
    executor: 'here',
  });
  return String(report.timing.run);
}
const differential = { type: 'differential', predictor: null, batch: texts.length };

const table = (csv: string): Record<string, string>[] => parse(csv, { columns: true });
const toCsv = (rows: readonly Record<string, string>[]) =>
  [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))]
    .map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`)
    .join('');

test('failed cases go to people and come back as false positive rate; exported, they are asked again of a new version', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await project(cwd, { right, breaking }, [differential]);

  const sampled = await runCommand(['cases', 'sample', '-o', 'check.csv', '--json'], { cwd });
  assert.equal(sampled.code, 0, sampled.stderr);
  const told = JSON.parse(sampled.stdout);
  assert.deepEqual([told.population, told.cases, told.sounds, told.soundFolder], [4, 4, 4, 'check-sounds']);
  const rows = table(await readFile(folder.file('check.csv'), 'utf8'));
  assert.deepEqual(rows.map(({ text, transcript, cell_failed }) => `${text}: ${transcript} (${cell_failed})`).sort(), [
    'a tax too far: a tacks too far (4)',
    'no tax on wine: no tacks on wine (4)',
    'the tax is due: the tacks is due (4)',
    'they may be late: they maybe late (4)',
  ]);
  for (const { sound } of rows) {
    const wav = await readFile(folder.file(sound!));
    assert.equal(wav.toString('latin1', 0, 4), 'RIFF');
    assert.ok(wav.length > 10_000);
  }
  assert.match(await readFile(folder.file('check-README.txt'), 'utf8'), /sound_says_text: does the sound say/);
  const again = await runCommand(['cases', 'sample', '-o', 'check.csv'], { cwd });
  assert.equal(again.code, exitCodes['bad-input'], 'the file is there');

  const filled = rows.map((row) => ({
    ...row,
    sound_says_text: row.text === texts[1] ? '' : 'yes',
    sound_says_transcript: row.text === texts[0] ? 'Yes' : 'no',
  }));
  await writeFile(folder.file('anna.csv'), toCsv(filled));
  await writeFile(folder.file('ben.csv'), toCsv(filled).replaceAll('","', '";"'));
  const judged = await runCommand(['cases', 'verdicts', 'anna.csv', 'ben.csv', '--json'], { cwd });
  assert.equal(judged.code, 0, judged.stderr);
  const [{ settings, sections, warnings }] = JSON.parse(judged.stdout).findings;
  assert.equal(settings.people, 2);
  const kinds = sections.find(({ id }: { id: string }) => id === 'kinds').tables[0].rows;
  assert.deepEqual(
    kinds.map(({ kind, cases }: { kind: string; cases: number }) => [kind, cases]),
    [
      ['true failure', 1],
      ['normalization', 1],
      ['says the transcript', 0],
      ['says neither', 0],
      ['ambiguous', 1],
    ],
  );
  assert.match(warnings[0], /1 of 4 cases have no complete verdict: 0 are empty, in 1 /);

  const exported = await runCommand(['cases', 'export', '-o', 'failed', '--json'], { cwd });
  assert.equal(exported.code, 0, exported.stderr);
  assert.deepEqual(JSON.parse(exported.stdout).sounds, 4);
  assert.deepEqual((await readdir(folder.file('failed'))).sort(), [
    'ATTRIBUTION',
    'README.md',
    'cases.jsonl',
    'manifest.jsonl',
    'sounds',
  ]);
  const [line] = (await readFile(folder.file('failed/manifest.jsonl'), 'utf8'))
    .split('\n')
    .map((text) => JSON.parse(text || '{}'));
  assert.deepEqual([line.failed_by, line.right_by, line.voice], ['breaking', 'right', 'flite:slt']);

  // A new version by itself, over the exported corpus as it is.
  const corpus = { type: 'manifest', file: 'failed/manifest.jsonl' };
  await project(cwd, { breaking: mended }, [{ type: 'robustness', conditions: ['clean'] }], { corpus });
});

test('a run without failures, one of another kind and one that is not there are said in one sentence', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await project(cwd, { right, other: right }, [differential]);
  for (const args of [
    ['sample', '-o', 'check.csv'],
    ['export', '-o', 'failed'],
  ]) {
    const { code, stdout } = await runCommand(['cases', ...args], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /^nothing was written: run \S+ has no failed cases\n$/);
  }
  assert.deepEqual(await readdir(cwd).then((names) => names.filter((name) => /check|failed/.test(name))), []);
  const missing = await runCommand(['cases', 'export', 'nothing', '-o', 'x'], { cwd });
  assert.equal(missing.code, exitCodes['bad-usage']);
  await project(cwd, { right }, [{ type: 'robustness', conditions: ['clean'] }]);
  const other = await runCommand(['cases', 'sample', '-o', 'check.csv'], { cwd });
  assert.equal(other.code, exitCodes['bad-usage']);
  assert.match(other.stderr, /expected a run with the study differential, but \S+ has robustness, corpus/);
});

test("what a run's config would run is asked for: modules only as they were and from the folder given, programs only when told", async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const loaded = folder.file('loaded');
  const module = `import { appendFileSync } from 'node:fs';
import { z } from 'zod';
appendFileSync(${JSON.stringify(loaded)}, 'x');
export default {
  name: 'tones', about: 'tones', options: z.strictObject({}),
  open: async () => ({
    identity: { engine: 'tones' }, voices: async () => [{ name: 'slt', language: 'en' }], close: async () => {},
    speak: async (text) => ({ samples: new Float32Array(1600).fill(text.length / 100), sampleRate: 16000 }),
  }),
};`;
  await mkdir(folder.file('node_modules'));
  await symlink(join(process.cwd(), 'node_modules', 'zod'), folder.file('node_modules/zod'));
  await writeFile(folder.file('tones.mjs'), module);
  await project(cwd, { right, breaking }, [differential], { synthesizers: { flite: { type: './tones.mjs' } } });
  await rm(loaded);
  const exporting = (...more: string[]) =>
    runProcess(['cases', 'export', '-o', 'out', '--store', '.earwitness/store.sqlite', ...more], { cwd });
  const without = await exporting();
  assert.equal(without.code, exitCodes['missing-program']);
  assert.match(without.stderr, /it uses the module \.\/tones\.mjs, which is code of the author/);
  await writeFile(folder.file('tones.mjs'), `${module}\n`);
  const changed = await exporting('--modules', '.');
  assert.match(changed.stderr, /but the file in the folder given with --modules differs/);
  assert.ok(!existsSync(loaded), 'nothing was loaded');
  await writeFile(folder.file('tones.mjs'), module);
  const trusted = await exporting('--modules', '.');
  assert.equal(trusted.code, 0, trusted.stderr);
  assert.equal(await readFile(loaded, 'utf8'), 'x');

  const program = ['sh', '-c', `echo x >> ${loaded}; cat tone.wav`];
  await writeFile(folder.file('tone.wav'), sineWav(440, 16_000, 0.1));
  const spoken = { flite: { type: 'command', command: program, voices: [{ name: 'slt', language: 'en' }] } };
  await project(cwd, { right, breaking }, [differential], { synthesizers: spoken, store: 'other.sqlite' });
  await rm(loaded);
  const refused = await runCommand(['cases', 'sample', '-o', 'a.csv', '--store', 'other.sqlite'], { cwd });
  assert.equal(refused.code, exitCodes['bad-usage']);
  assert.match(refused.stderr, /a program that its config names; inspect it, and allow it with --programs/);
  assert.ok(!existsSync(loaded), 'no program ran');
  const allowed = await runCommand(['cases', 'sample', '-o', 'a.csv', '--store', 'other.sqlite', '--programs'], {
    cwd,
  });
  assert.equal(allowed.code, 0, allowed.stderr);
  assert.ok(existsSync(loaded));
});
