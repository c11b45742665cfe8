import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { runCommand, runProcess, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { estimateAt, type Row, rowsOf } from '../../model/finding-rows.ts';

async function project(normalizer: string | undefined, beside: object = {}) {
  const folder = await temporaryFolder();
  for (const name of ['a', 'b']) {
    await writeFile(folder.file(`${name}.wav`), sineWav(300, 8000, 0.2));
    await writeFile(folder.file(`${name}.txt`), 'one two');
  }
  const config = {
    corpus: { type: 'folder', folder: '.', language: 'en' },
    recognizers: { wrong: { type: 'scripted', default: 'un deux' } },
    studies: [{ type: 'robustness', conditions: [], resamples: 100, normalizer }],
    report: { sound: false },
    ...beside,
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config, null, 2));
  return folder;
}

const blind = `export default { name: 'blind', version: 1, about: 'Hears no difference.', words: () => ['x'] };`;
const exact = `export default { name: 'blind', version: 1, about: 'Whole texts.', words: (text) => text ? [text] : [] };`;

function robustness(json: string) {
  const { tally, findings } = JSON.parse(json);
  const found = findings.find((finding: { study: { name: string } }) => finding.study.name === 'robustness');
  const [{ words, substitutions, deletions, insertions }] = rowsOf(found, 'robustness-conditions') as [Row];
  return { tally, normalizer: found.settings.normalizer, edits: { words, substitutions, deletions, insertions } };
}

test('A config names a normalizer of the user’s own, whose file is part of the finding and of the run', async () => {
  await using folder = await project('./mine.mjs');
  const file = folder.file('mine.mjs');
  const hash = async () =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  await writeFile(file, blind);
  const here = (...args: string[]) => runCommand(args, { cwd: folder.path });

  const first = await here('run', '--json');
  assert.equal(first.code, 0, first.stderr);
  const found = robustness(first.stdout);
  assert.deepEqual(found.normalizer, { name: 'blind', version: 1, module: await hash() });
  assert.deepEqual(found.edits, { words: 2, substitutions: 0, deletions: 0, insertions: 0 });

  const same = await here('resume', '--json');
  assert.equal(same.code, 0, same.stderr);
  const compared = await here('compare', 'last:wrong', 'last:wrong', '-n', './mine.mjs', '--json');
  assert.deepEqual(JSON.parse(compared.stdout).findings[0].settings.normalizer, found.normalizer, compared.stderr);

  await writeFile(file, exact);
  // What this process has loaded stays what it was.
  const run = (...args: string[]) => runProcess(args, { cwd: folder.path });
  const differs = await run('resume', '--store', '.earwitness/store.sqlite');
  assert.equal(differs.code, exitCodes['run-differs'], differs.stdout);
  assert.match(
    differs.stderr,
    /was begun with another version of the normalizer \.\/mine\.mjs; start a new run with --new/,
  );
  const again = await run('run', '--json');
  assert.equal(again.code, 0, again.stderr);
  const changed = robustness(again.stdout);
  assert.equal(changed.tally.reused, changed.tally.trials);
  assert.deepEqual(changed.normalizer, { name: 'blind', version: 1, module: await hash() });
  assert.deepEqual(changed.edits, { words: 2, substitutions: 2, deletions: 0, insertions: 0 });
});

test('A config that names no normalizer there is, is told where and which was meant', async () => {
  for (const [written, said] of [
    ['engish', /config\.json:\d+:\d+: studies\[0\]\.normalizer: .*did you mean "english"\?/],
    ['./none.ts', /studies\[0\]\.normalizer: \.\/none\.ts: expected a module with a normalizer, but it cannot be read/],
  ] as const) {
    await using folder = await project(written);
    const { code, stdout, stderr } = await runCommand(['run'], { cwd: folder.path });
    assert.equal(code, exitCodes['bad-config']);
    assert.equal(stdout, '');
    assert.match(stderr, said);
  }
});

test('Equal spellings of a config count in every study, by name and by list, and stand in what the finding says', async () => {
  const spellings = ['oe', './mine.csv'];
  const studies = [
    { type: 'robustness', conditions: [], resamples: 100 },
    { type: 'disparity', resamples: 100 },
    { type: 'fault-words' },
  ];
  const recognizers = { wrong: { type: 'scripted', default: 'un  deuxieme cœur' } };
  const corpus = { type: 'folder', folder: '.', language: 'fr' };
  await using folder = await project(undefined, { spellings, studies, recognizers, corpus });
  for (const name of ['a', 'b']) await writeFile(folder.file(`${name}.txt`), '1 deuxième coeur');
  await writeFile(folder.file('mine.csv'), 'written,counted\n1,un\ndeuxieme,deuxième\n');
  const here = (...args: string[]) => runCommand(args, { cwd: folder.path });
  const ran = await here('run', '--json');
  assert.equal(ran.code, 0, ran.stderr);
  const { findings } = JSON.parse(ran.stdout);
  const normalizers = findings.map(
    (finding: { settings: { normalizer: { name: string } } }) => finding.settings.normalizer,
  );
  for (const normalizer of normalizers.slice(0, 3)) assert.equal(normalizer.name, 'plain+oe+mine.csv');
  assert.deepEqual(robustness(ran.stdout).edits, { words: 6, substitutions: 0, deletions: 0, insertions: 0 });
  // What counts again is not given files that a store alone names; with them it counts alike, and so it does where the config names them.
  const compared = await here('compare', 'last:wrong', 'last:wrong', '--json', '--store', '.earwitness/store.sqlite');
  assert.match(
    compared.stderr,
    /no file that a store names is read; if it is yours, name it: --normalizer by-language\+oe\+\.\/mine\.csv/,
  );
  for (const more of [['-n', 'by-language+oe+./mine.csv'], []]) {
    const named = await here('compare', 'last:wrong', 'last:wrong', ...more, '--json');
    const [finding] = JSON.parse(named.stdout).findings;
    assert.deepEqual(
      [finding.settings.normalizer, estimateAt(rowsOf(finding, 'comparison-conditions')[0]!, 'before').value],
      [robustness(ran.stdout).normalizer, 0],
      named.stderr,
    );
  }
  await writeFile(folder.file('mine.csv'), '1,un\n');
  const differs = await here('resume', '--store', '.earwitness/store.sqlite');
  assert.equal(differs.code, exitCodes['run-differs'], differs.stderr);
});

test('A list of a config that says nothing, and a matter of taste that there is not, are told with their place', async () => {
  for (const [spelling, said] of [
    ['./mine.csv', /mine\.csv:2: expected two spellings of a word, parted by a comma .*but here is “alone”/],
    ['sharps', /expected equal spellings by name \(sharp-s, .*did you mean "sharp-s"\?/],
    ['./none.csv', /none\.csv/],
  ] as const) {
    await using folder = await project(undefined, { spellings: [spelling] });
    await writeFile(folder.file('mine.csv'), 'a,b\nalone\n');
    const { code, stderr } = await runCommand(['run'], { cwd: folder.path });
    assert.ok([exitCodes['bad-config'], exitCodes['bad-input']].includes(code as 1), stderr);
    assert.match(stderr, said);
  }
});

test('A normalizer of the user’s own counts again wherever the config names it, also beside ladders of its own', async () => {
  const rungs = [{ label: 'half', steps: [{ perturbation: 'gain', parameters: { factor: 0.5 } }] }];
  await using folder = await project('./mine.mjs', {
    ladders: { office: { families: { fan: { rungs } } } },
    studies: [{ type: 'robustness', conditions: ['office/fan'], resamples: 100, normalizer: './mine.mjs' }],
    gate: { limits: [{ wer: 0.99 }, { wer: 0.99, condition: 'office/fan:1' }] },
  });
  await writeFile(folder.file('mine.mjs'), blind);
  const here = (...args: string[]) => runCommand(args, { cwd: folder.path });
  assert.equal((await here('run')).code, 0);
  // Two clips are too few speakers for a verdict.
  const codes = { gate: exitCodes['gate-inconclusive'], plan: 0, baseline: 0, history: 0, compare: 0 };
  const commands = {
    gate: ['gate'],
    plan: ['plan', '--releases', '2'],
    baseline: ['baseline', 'main.tsv'],
    history: ['history'],
    compare: ['compare', 'last:wrong', 'last:wrong'],
  };
  for (const [name, args] of Object.entries(commands)) {
    const done = await here(...args);
    assert.equal(done.code, codes[name as keyof typeof codes], `${name}: ${done.stderr}`);
  }
  assert.match(await readFile(folder.file('main.tsv'), 'utf8'), /^# normalizer: .*"blind"/m);
  // What counts otherwise now did not count the run.
  await writeFile(folder.file('mine.mjs'), exact);
  const changed = await runProcess(commands.history, { cwd: folder.path });
  assert.equal(changed.code, exitCodes['bad-usage'], changed.stdout);
  assert.match(changed.stderr, /if it is yours, name it: --normalizer/);
});

test('The description of the corpus counts words as the rates beside it do, whether the config names it or not', async () => {
  for (const described of [[], [{ type: 'corpus' }]]) {
    const studies = [{ type: 'robustness', conditions: [], resamples: 100, normalizer: './mine.mjs' }, ...described];
    await using folder = await project(undefined, { studies, spellings: ['oe'] });
    await writeFile(folder.file('mine.mjs'), blind);
    const { stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path });
    const { findings } = JSON.parse(stdout || stderr);
    const [rates, corpus] = findings;
    assert.equal(corpus.study.name, 'corpus');
    assert.deepEqual(corpus.settings.normalizer, rates.settings.normalizer);
    // The normalizer of the user's own makes one word of each of two references of two words.
    assert.equal(corpus.sections[0].tables[0].rows[0].words, 2);
    assert.match(corpus.sections[0].tables[0].note, /normalizer blind/);
  }
});
