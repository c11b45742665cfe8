import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { RunReport } from '../../model/run.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

/** Twelve speakers, two sentences each, recorded answers of which one release gets every third word wrong. */
async function releases(folder: { readonly path: string; file(name: string): string }) {
  const ids = Array.from({ length: 24 }, (_, place) => `u${place}`);
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  const rows = (cells: (id: string, place: number) => readonly string[]) =>
    ids.map((id, place) => cells(id, place).join('\t')).join('\n');
  await writeFile(
    folder.file('list.tsv'),
    `id\treference\tspeaker\n${rows((id, place) => [id, words.join(' '), `s${place % 12}`])}\n`,
  );
  const answers = (wrong: (place: number, word: number) => boolean) =>
    `utterance\ttranscript\n${rows((id, place) => [id, words.map((word, at) => (wrong(place, at) ? 'x' : word)).join(' ')])}\n`;
  await writeFile(
    folder.file('good.tsv'),
    answers((place, word) => (place + word) % 12 === 0),
  );
  await writeFile(
    folder.file('bad.tsv'),
    answers((place, word) => (place + word) % 3 === 0),
  );
  const config = {
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: { asr: { type: 'recorded', file: 'release.tsv' } },
    studies: [{ type: 'robustness', conditions: [], resamples: 200 }],
    report: { sound: false },
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  return async (release: string, ...also: string[]) => {
    await copyFile(folder.file(`${release}.tsv`), folder.file('release.tsv'));
    const { code, stderr } = await runCommand(['run', ...also], { cwd: folder.path });
    assert.equal(code, 0, stderr);
  };
}

test('a bundle, another store and a run of this store are compared alike, and nothing is left behind', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const run = await releases(folder);
  await run('good');
  await runCommand(['bundle', '--out', 'old.jsonl.gz'], { cwd });
  await runCommand(['store', 'backup', 'old#1:a.sqlite'], { cwd });
  await run('bad');
  const json = async (...sides: string[]) => {
    const { code, stdout, stderr } = await runCommand(['compare', ...sides, '--resamples', '200', '--json'], { cwd });
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as RunReport).findings;
  };
  const old = JSON.parse((await runCommand(['store', 'list', '--json'], { cwd })).stdout).at(-1).id as string;
  const here = await json(old, 'last');
  assert.equal(here[0]!.answer[0]!.verdict, 'worse');
  for (const side of ['old.jsonl.gz', 'old.jsonl.gz:asr', 'old#1:a.sqlite', `old#1:a.sqlite#${old}:asr`]) {
    assert.deepEqual(await json(side, 'last'), here, side);
  }
  // The file's hash is what changed, and stands on the first screen behind the verdict.
  assert.match(
    here[0]!.answer.find(({ text, headline }) => headline && text.startsWith('Changed'))!.text,
    /^Changed between the runs: the contents of release\.tsv \([0-9a-f]{12} → [0-9a-f]{12}\)\.$/,
  );
  // Both runs are called alike, and told apart by time; one of another name by that.
  assert.equal(here[0]!.title, 'asr, before and after');
  const config = JSON.parse(await readFile(folder.file('earwitness.config.json'), 'utf8'));
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify({ ...config, name: 'friday' }));
  await run('good');
  assert.match((await json(old, 'last'))[0]!.title, /^asr in friday compared with asr in [^\d]/);
  const left = (await readdir(tmpdir())).filter((name) => name.includes(`sides-p${process.pid}s`));
  assert.deepEqual(left, []);
});

test('without arguments the two newest finished runs of the config are compared, or the recognizers of its only one', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const run = await releases(folder);
  const alone = await runCommand(['compare'], { cwd });
  assert.notEqual(alone.code, 0);
  await run('good');
  const one = await runCommand(['compare'], { cwd });
  assert.match(
    one.stderr,
    /expected two finished runs of earwitness\.config\.json, or one of two recognizers, but there is/,
  );
  await run('bad');
  const runs = JSON.parse((await runCommand(['store', 'list', '--json'], { cwd })).stdout) as { id: string }[];
  const both = await runCommand(['compare', '--resamples', '200'], { cwd });
  assert.equal(both.code, 0, both.stderr);
  const ids = runs.map(({ id }) => id);
  assert.match(both.stderr, /^Compared are the two newest finished runs of earwitness\.config\.json\.$/m);
  assert.match(both.stderr, new RegExp(`^Before: ${ids[1]} .*\nAfter:  ${ids[0]} `, 'm'));
  assert.match(both.stdout, /^asr makes more errors than before: \+\d+\.\d points of WER\.$/m);
  assert.match(both.stdout, /^clean +\d+\.\d +\d+\.\d +\+\d+\.\d +\+\d+\.\d to \+\d+\.\d .*✗ worse$/m);
  assert.match(both.stdout, /^ {2}before .*\n {2}after /m);
  for (const id of ids) assert.ok(!both.stdout.includes(id));
  // Another name is another series.
  const config = JSON.parse(await readFile(folder.file('earwitness.config.json'), 'utf8'));
  const recognizers = { other: { type: 'recorded', file: 'good.tsv' }, ...config.recognizers };
  await writeFile(folder.file('two.json'), JSON.stringify({ ...config, name: 'two', recognizers }));
  await run('bad', '-c', 'two.json');
  const within = await runCommand(['compare', '-c', 'two.json', '--resamples', '200'], { cwd });
  assert.match(within.stderr, /^Compared are the two recognizers of the newest run of two\.json\.$/m);
  assert.match(within.stdout, /^other leads asr by \d+\.\d points of WER\.$/m);
});

test('Where the run before was counted by another normalizer, that is said before any number, and both are counted by that of the second.', async () => {
  await using folder = await temporaryFolder();
  const run = await releases(folder);
  const written = JSON.parse(await readFile(folder.file('earwitness.config.json'), 'utf8'));
  const studies = written.studies.map((study: object) => ({ ...study, normalizer: 'english' }));
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify({ ...written, studies }));
  await run('good');
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(written));
  await run('bad');
  const { stdout } = await runCommand(['compare', '--resamples', '200'], { cwd: folder.path });
  assert.match(
    stdout.replaceAll(/\s+/g, ' '),
    /Changed between the runs: normalizer \(english 2 → by-language \d+, which counts both here\)/,
  );
  assert.match(stdout, /\(normalizer plain-english\)/);
  const same = await runCommand(['compare', '--resamples', '200', '-n', 'english'], { cwd: folder.path });
  assert.ok(!same.stdout.includes('counts both'));
});

test('a reference, a setting and a condition that changed beneath their names are said on the first screen, before any table', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const run = await releases(folder);
  await run('good');
  const list = await readFile(folder.file('list.tsv'), 'utf8');
  await writeFile(folder.file('list.tsv'), list.replace('one two', 'one too'));
  const config = JSON.parse(await readFile(folder.file('earwitness.config.json'), 'utf8'));
  config.studies[0].normalizer = 'basic';
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  await run('good');
  const runs = JSON.parse((await runCommand(['store', 'list', '--json'], { cwd })).stdout) as { id: string }[];
  const { stdout } = await runCommand(['compare', runs[1]!.id, 'last', '--json'], { cwd });
  // The verdict names whom it is about, and what differs besides stands behind it.
  const { answer } = (JSON.parse(stdout) as RunReport).findings[0]!;
  assert.match(answer[0]!.text, /^asr\b/);
  const first = answer.find(({ text, headline }) => headline && text.startsWith('Changed'));
  assert.match(first!.text, /reference of 1 utterance \(u0\) \(one two three four five six → one too three/);
  assert.match(first!.text, / studies\[0\]\.options\.normalizer \(null → basic\)/);
});

test('what cannot be a side is told in one sentence', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await (await releases(folder))('good');
  await runCommand(['bundle', '--out', 'old.jsonl.gz'], { cwd });
  await runCommand(['bundle', '--out', 'quiet.jsonl.gz', '--no-transcripts'], { cwd });
  const text = gunzipSync(await readFile(folder.file('old.jsonl.gz'))).toString();
  await writeFile(folder.file('changed.jsonl'), text.replace('"text":"x two', '"text":"one two'));
  await writeFile(folder.file('cut.jsonl'), text.slice(0, text.length / 2));
  await writeFile(folder.file('other.txt'), 'something else\n');
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['quiet.jsonl.gz', 'last'], /quiet\.jsonl\.gz: expected a bundle with transcripts/],
    [['changed.jsonl', 'last'], /changed\.jsonl: its lines are not those that were sealed/],
    [['cut.jsonl', 'last'], /cut\.jsonl: it ends in the middle/],
    [['other.txt', 'last'], /other\.txt: expected an evidence bundle, but this is none/],
    [['none/there.sqlite', 'last'], /none\/there\.sqlite: expected a run, a store or a bundle/],
    [['old.jsonl.gz:nobody', 'last'], /expected a recognizer of run \S+, but got "nobody"; it has asr/],
    [['old.jsonl.gz', 'last'], /expected two runs, but both are/],
    [['last', 'last', '--margin', '0'], /expected a margin above 0 and below 1 \(0\.01 for one point\), but got 0/],
    [['last', 'last', '--margin', 'much'], /expected a share from 0 to 1/],
  ];
  for (const [args, sentence] of cases) {
    const { code, stderr } = await runCommand(['compare', ...args], { cwd });
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr.replace(/\s+/g, ' '), sentence);
    assert.match(stderr, /^earwitness: /);
  }
});

test('a written comparison has the audio of its examples, and of both runs where they recognized different audio', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const run = async (from: string, hertz: number, said: string) => {
    await mkdir(folder.file(from), { recursive: true });
    await writeFile(folder.file(`${from}/a.wav`), sineWav(hertz, 8000, 0.5));
    await writeFile(folder.file(`${from}/a.txt`), 'red lorry');
    const config = {
      corpus: { type: 'folder', folder: from, language: 'en' },
      recognizers: { asr: { type: 'scripted', default: said } },
      studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
    };
    await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
    const made = await runCommand(['run', '--new', '--json'], { cwd });
    assert.equal(made.code, 0, made.stderr);
    return JSON.parse(made.stdout).timing.run as string;
  };
  const one = await run('first', 440, 'red lorry');
  const other = await run('second', 660, 'red lolly');
  const sameSound = await run('second', 660, 'red');
  const page = async (before: string, after: string, ...more: string[]) => {
    const { code, stderr } = await runCommand(['compare', before, after, '--out', 'page', ...more], { cwd });
    assert.equal(code, 0, stderr);
    return readFile(folder.file('page/report.html'), 'utf8');
  };
  const players = (html: string) => html.match(/<audio/g)?.length ?? 0;
  const both = await page(one, other);
  assert.equal(players(both), 2);
  assert.match(both, /The two runs recognized different audio\./);
  const alike = await page(other, sameSound);
  assert.equal(players(alike), 1);
  assert.doesNotMatch(alike, /different sounds/);
  assert.equal(players(await page(one, other, '--no-sound')), 0);
});

test('a run that is not finished is compared, and said to be none', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const run = await releases(folder);
  await run('good');
  const config = JSON.parse(await readFile(folder.file('earwitness.config.json'), 'utf8'));
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify({ ...config, budget: { calls: 6 } }));
  await copyFile(folder.file('bad.tsv'), folder.file('release.tsv'));
  assert.equal((await runCommand(['run'], { cwd })).code, 8);
  const runs = JSON.parse((await runCommand(['store', 'list', '--json'], { cwd })).stdout) as { id: string }[];
  const warnings = async (before: string, after: string) => {
    const { code, stdout, stderr } = await runCommand(['compare', before, after, '--json'], { cwd });
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as RunReport).warnings.filter((warning) => / is not finished: /.test(warning));
  };
  const [late, early] = runs.map(({ id }) => id) as [string, string];
  const told = [
    `Run ${late} is not finished: only what it has answered so far is compared (earwitness resume ${late}).`,
  ];
  assert.deepEqual(await warnings(early, late), told);
});
