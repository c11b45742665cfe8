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
  const { data, warnings } = JSON.parse(judged.stdout).findings[0];
  assert.deepEqual([data.cases, data.judged, data.half, data.people], [4, 3, 1, ['anna', 'ben']]);
  assert.deepEqual([data.kinds.ambiguous, data.kinds.normalization, data.kinds['true failure']], [1, 1, 1]);
  assert.match(warnings[0], /1 of 4 cases have no complete verdict/);

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
  const compared = await runCommand(['cases', 'compare', 'failed', 'last', '--json'], { cwd });
  assert.equal(compared.code, 0, compared.stderr);
  const [finding] = JSON.parse(compared.stdout).findings;
  const [{ fixed, stillFailing, newFailures, tests }] = finding.data;
  assert.deepEqual([tests, fixed.length, stillFailing.length, newFailures.length], [4, 3, 1, 0]);
  assert.match(finding.warnings.join(), /chosen for having failed/);
});

test('two runs are compared over all their texts, with new failures and a test by text', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const old = await project(cwd, { right, breaking }, [differential]);
  await project(cwd, { right, breaking: mended }, [differential]);
  const { code, stdout, stderr } = await runCommand(
    ['cases', 'compare', `${old}:breaking`, 'last:breaking', '--json'],
    { cwd },
  );
  assert.equal(code, 0, stderr);
  const [{ fixed, stillFailing, newFailures, stillRight, change }] = JSON.parse(stdout).findings[0].data;
  assert.deepEqual([fixed.length, stillFailing.length, newFailures.length, stillRight], [3, 1, 1, 3]);
  assert.equal(newFailures[0].after.transcript, 'we disagree to this');
  // Three texts better and one worse: (1 + 4) / 16 of the arrangements of signs on each side lie as far out.
  assert.equal(change.pValue, 0.625);
  assert.equal(change.verdict, 'cannot tell');
  await writeFile(folder.file('words.txt'), 'Tax\nwine\n');
  const listed = await runCommand(['cases', 'compare', old, 'last', '--words', 'words.txt', '--json'], { cwd });
  assert.equal(listed.code, 0, listed.stderr);
  const { words } = JSON.parse(listed.stdout).findings[0].data.find(
    ({ recognizer }: { recognizer: string }) => recognizer === 'breaking',
  );
  const told = words.words.map((word: Record<string, unknown>) => [word.words, word.said, word.before, word.after]);
  assert.deepEqual(told, [
    ['tax', 3, 0, 2],
    ['wine', 1, 1, 1],
  ]);
  const plain = await runCommand(['cases', 'compare', old, 'last'], { cwd });
  assert.match(plain.stdout, /breaking: of 4 failed tests, 3 fixed and 1 still failing/);
  assert.match(plain.stdout, /we disagree to this/);
  const hidden = await runCommand(['cases', 'compare', old, 'last', '--no-transcripts'], { cwd });
  assert.doesNotMatch(hidden.stdout, /disagree/);
});

test('words that broke are listed by weight, texts are held out, and pronunciations come from a dictionary', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await project(cwd, { right, breaking }, [differential]);
  const all = await runCommand(['cases', 'words', '-o', 'words.txt', '--form', 'prompt'], { cwd });
  assert.equal(all.code, 0, all.stderr);
  assert.equal(await readFile(folder.file('words.txt'), 'utf8'), 'tax\n');
  await writeFile(folder.file('more.dict'), ';;; a dictionary\ntax T AE K S\nwine W AY N\n');
  const args = ['cases', 'words', '-o', 'some.txt', '--held-out', 'held.txt', '--share', '.5', '--json'];
  const looked = [...args, '--recognizer', 'breaking', '--dictionary', 'more.dict', '--pronunciations', 'add.dict'];
  const { stdout, stderr, code } = await runCommand(looked, { cwd });
  assert.equal(code, 0, stderr);
  const { words, heldOut, pronunciations } = JSON.parse(stdout);
  const held = (await readFile(folder.file('held.txt'), 'utf8')).split('\n').filter(Boolean);
  assert.equal(held.length, heldOut);
  assert.ok(held.length > 0 && held.length < texts.length);
  const used = texts.filter((text) => /\btax\b/.test(text) && !held.includes(text));
  assert.deepEqual(
    words.map((word: { words: string; failures: number }) => [word.words, word.failures]),
    used.length === 0 ? [] : [['tax', used.length]],
  );
  assert.equal(pronunciations.found, Math.min(1, used.length));
  assert.equal(await readFile(folder.file('add.dict'), 'utf8'), used.length > 0 ? 'tax T AE K S\n' : '');
  const unknown = await runCommand([...args.with(3, 'x.txt').with(5, 'y.txt'), '--recognizer', 'braking'], { cwd });
  assert.equal(unknown.code, exitCodes['bad-usage']);
  assert.match(unknown.stderr, /did you mean breaking\?/);
});

test('a run without failures, one of another kind and one that is not there are said in one sentence', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await project(cwd, { right, other: right }, [differential]);
  for (const args of [
    ['sample', '-o', 'check.csv'],
    ['export', '-o', 'failed'],
    ['words', '-o', 'words.txt'],
  ]) {
    const { code, stdout } = await runCommand(['cases', ...args], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /^nothing was written: run \S+ has no failed cases\n$/);
  }
  assert.deepEqual(await readdir(cwd).then((names) => names.filter((name) => /check|failed|words/.test(name))), []);
  const same = await runCommand(['cases', 'words', '-o', 'words.txt', '--held-out', './words.txt'], { cwd });
  assert.equal(same.code, exitCodes['bad-usage']);
  assert.match(same.stderr, /expected different files, but \.\/words\.txt is given twice/);
  const missing = await runCommand(['cases', 'export', 'nothing', '-o', 'x'], { cwd });
  assert.equal(missing.code, exitCodes['bad-usage']);
  await project(cwd, { right }, [{ type: 'robustness', conditions: ['clean'] }]);
  const other = await runCommand(['cases', 'sample', '-o', 'check.csv'], { cwd });
  assert.equal(other.code, exitCodes['bad-usage']);
  assert.match(other.stderr, /expected a run with the study differential, but \S+ has robustness, corpus/);
});

/** Every text that is left when words are left out of this one. */
function partsOf(text: string): string[] {
  const words = text.split(' ');
  return Array.from({ length: 2 ** words.length - 1 }, (_, kept) =>
    words.filter((_word, place) => ((kept + 1) >> place) & 1).join(' '),
  );
}

test('a failed text is cut down in a run, by the same voice, and can be heard in its report', async () => {
  await using folder = await temporaryFolder();
  const made = (text: string) =>
    `made-${createHash('sha256')
      .update(JSON.stringify([text, 'flite', 'slt']))
      .digest('hex')
      .slice(0, 16)}`;
  const hearing = (write: (text: string) => string) => ({
    ...answering(write),
    needsAudio: true,
    answers: {
      ...answering(write).answers,
      ...Object.fromEntries(texts.flatMap(partsOf).map((text) => [made(text), write(text)])),
    },
  });
  const config = {
    corpus: { type: 'sentences', texts, synthesizer: 'flite', voices: ['slt'], language: 'en' },
    synthesizers: { flite: { type: 'flite' } },
    recognizers: { right: hearing((text) => text), breaking: hearing((text) => text.replace('tax', 'tacks')) },
    studies: [{ ...differential, examples: 0, shrinking: { causes: 5 } }],
  };
  const options = { baseFolder: folder.path, executor: 'here', sound: true } as const;
  const { report, excerpts } = await run(config as unknown as EarwitnessConfig, options);
  const finding = report.findings[0]!;
  const { causes, cases } = finding.data as unknown as {
    causes: { words: string; failures: number; shortest: Record<string, unknown> }[];
    cases: { sound: { utteranceId: string } }[];
  };
  assert.deepEqual(
    causes.map(({ words, failures, shortest }) => [
      words,
      failures,
      shortest.text,
      shortest.transcript,
      shortest.minimal,
    ]),
    [['tax', 3, 'tax', 'tacks', true]],
  );
  const utteranceId = made('tax');
  assert.equal(causes[0]!.shortest.utteranceId, utteranceId);
  assert.ok(cases.every(({ sound }) => !sound.utteranceId.startsWith('made-')));
  const sound = excerpts.get(JSON.stringify([utteranceId, 'clean', 0, 0]));
  assert.equal(sound?.note, undefined);
  assert.ok(sound!.clean!.length > 5000);
  const [listed] = JSON.parse((await runCommand(['store', 'list', '--json'], { cwd: folder.path })).stdout);
  assert.equal(listed.utterances, texts.length);
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
