import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const texts = [
  ['the train leaves at seven', 'the train leave at seven', 'a train leaves seven'],
  ['put the letters down', 'put the letters down', 'put the letter town'],
  ['nobody expected snow', 'nobody expected snow', 'no body expected snow'],
  ['she sells sea shells', 'she sells sea shells', 'sea cells sea shells'],
] as const;
const rows = Array.from({ length: 96 }, (_, place) => {
  const [ref, a, b] = texts[place % 4]!;
  return { id: `u${place}`, speaker: `s${Math.floor(place / 4)}`, sex: place % 8 < 4 ? 'f' : 'm', ref, a, b };
});
type Row = (typeof rows)[number];
const lines = (line: (row: Row) => string) => rows.map((row) => `${line(row)}\n`).join('');
const json = (object: (row: Row) => object) => lines((row) => JSON.stringify(object(row)));

async function folderOf(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(folder.file(name)), { recursive: true });
    await writeFile(folder.file(name), content);
  }
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr, code } = await runCommand(args, { cwd: folder.path });
    return { stdout, stderr: stderr.replace(/\s+/g, ' '), code };
  };
  return Object.assign(folder, { run });
}

const files = {
  'a.jsonl': json(({ id, speaker, sex, ref, a }) => ({ audio: `/x/${id}.wav`, speaker, sex, text: ref, pred_text: a })),
  'b.jsonl': json(({ id, ref, b }) => ({ audio: `/y/${id}.flac`, text: ref, pred_text: b })),
  'ref.txt': lines(({ ref }) => ref),
  'a.txt': lines(({ a }) => a),
  'b.txt': lines(({ b }) => b),
};

test('two outputs in files are compared without config, store or audio, with the numbers and the verdict of a run', async () => {
  await using folder = await folderOf({
    ...files,
    'table.csv': `,id,speaker,sex,ref,a,b\n${lines(({ id, speaker, sex, ref, a, b }) => `0,${id},${speaker},${sex},${ref},${a},${b}`)}`,
    'earwitness.config.yaml': [
      'corpus: { type: manifest, file: table.csv, language: en, attributes: [sex] }',
      'recognizers:',
      '  a: { type: recorded, file: table.csv, columns: { text: a } }',
      '  b: { type: recorded, file: table.csv, columns: { text: b } }',
      'studies: [{ type: robustness, conditions: [] }]',
    ].join('\n'),
  });
  const { stdout, code } = await folder.run('compare', 'a.jsonl', 'b.jsonl');
  assert.equal(code, 0);
  // Of 384 words a has 24 wrong, and b 192.
  assert.match(
    stdout,
    /^Compared: a \(pred_text\) and b \(pred_text\), by id without folders and endings;\s+references in text of a\.jsonl\.\n/,
  );
  // One difference has one sign, and is said of one of the two.
  assert.match(stdout, /^a leads b by 43\.8 points of WER\.$/m);
  assert.doesNotMatch(stdout, /−43\.8|a makes the fewest errors|above/);
  assert.match(stdout, /^clean +6\.3\*? +50\.0 +\+43\.8/m);
  // Where it breaks, of the one with fewer errors: on clean audio alone by words.
  assert.match(stdout, /^Words most often wrong with a: leaves \(24 of 24\)\.$/m);
  assert.match(stdout, /\n\nUtterances and tables: earwitness compare a\.jsonl b\.jsonl --out FOLDER\n$/);
  assert.match(stdout, /96 utterances, 24 speakers, 384 words/);
  assert.match(stdout, /By sex/);
  // The change shows words and an utterance, and each rate stands once.
  assert.doesNotMatch(stdout, /Highest WER|Words most often misrecognized|^a +6\.3\*/m);

  const tables = async (...args: readonly string[]) => {
    const { findings } = JSON.parse((await folder.run(...args, '--json')).stdout);
    const found = findings.find(({ study }: { study: { name: string } }) => study.name === 'robustness');
    return found.sections
      .flatMap((section: { tables?: object[] }) => section.tables ?? [])
      .filter(({ id }: { id: string }) => /conditions|comparisons|gaps/.test(id));
  };
  assert.deepEqual(await tables('compare', 'table.csv'), await tables('run'));
});

test('files of lines, folders and a row for each system are compared as two files are', async () => {
  const perClip = (name: string, text: (row: Row) => string, ending: string) =>
    Object.fromEntries(rows.map((row) => [`${name}/${row.id}.${ending}`, text(row)]));
  const whisper = (text: string) => JSON.stringify({ text: ` ${text}`, segments: [{ start: 0, end: 1, text }] });
  await using folder = await folderOf({
    ...files,
    ...perClip('refs', ({ ref }) => ref, 'txt'),
    ...perClip('whisper-a', ({ a }) => whisper(a), 'json'),
    ...perClip('whisper-b', ({ b }) => whisper(b), 'json'),
    'long.csv': `id,system,reference,hypothesis\n${(['a', 'b'] as const).map((name) => lines((row) => `${row.id},${name},${row.ref},${row[name]}`)).join('')}`,
  });
  for (const [args, compared] of [
    [['ref.txt', 'a.txt', 'b.txt'], 'ref.txt with a and b, line by line'],
    [['refs', 'whisper-a/', 'whisper-b/'], 'refs with whisper-a and whisper-b, by id'],
    [['long.csv'], 'long.csv, row by row: reference in reference, hypothesis in hypothesis; outputs by system'],
    [['--reference', 'ref.txt', 'a.txt', 'b.txt'], 'ref.txt with a and b, line by line'],
  ] as const) {
    const { stdout, stderr } = await folder.run('compare', ...args);
    assert.equal(stdout.split(/\nLanguage |\n\n/)[0]!.replaceAll('\n', ' '), `Compared: ${compared}.`, stderr);
    assert.match(stdout, /^\S*a +6\.3\*|^clean +6\.3\*? /m);
  }
});

test('what is not clear is asked for in one sentence, and nothing is compared', async () => {
  await using folder = await folderOf({
    ...files,
    'x.jsonl': json(({ id, a }) => ({ id, text: a })),
    'y.jsonl': json(({ id, b }) => ({ id, text: b })),
    'both.csv': `id,sentence,transcript,whisper\n${lines(({ id, ref, a, b }) => `${id},${ref},${a},${b}`)}`,
    'two.csv': `id,reference,transcript,whisper\n${lines(({ id, ref, a, b }) => `${id},${ref},${a},${b}`)}`,
    'few.jsonl': json(({ id, a }) => ({ id: `/x/${id}`, pred: a }))
      .split('\n')
      .slice(0, 3)
      .join('\n'),
  });
  for (const [args, message] of [
    [['x.jsonl', 'y.jsonl'], /neither x\.jsonl nor y\.jsonl has both; name the references first/],
    [
      ['both.csv'],
      /there are "sentence" \("the train leaves at seven"\), "transcript" \("the train leave at seven"\); name the right one with --reference-column/,
    ],
    [['two.csv'], /what "transcript" is, since beside "reference" that may be a reference or an output/],
    [['ref.txt', 'a.txt'], /one is scored by: earwitness score ref\.txt a\.txt/],
    [['a.txt', 'b.txt'], /name the references first/],
    [[], /expected a store with finished runs, but there is none; .* earwitness compare a\.jsonl b\.jsonl/],
    [['a.jsonl'], /expected columns of two recognizers at least, but "pred_text" is the only one in a\.jsonl/],
    [
      ['a.jsonl', 'few.jsonl'],
      /few\.jsonl: expected the ids of a\.jsonl .*, but only 3 of 96 are there.*belong together/,
    ],
    [['a.jsonl', 'gone.jsonl'], /"gone\.jsonl" looks like a path and there is no such file/],
  ] as const) {
    const { stdout, stderr, code } = await folder.run('compare', ...args);
    assert.match(stderr, message);
    assert.equal(stdout, '');
    assert.notEqual(code, 0);
  }
});

test('a folder alone is compared by the tables in it that have both, or by what is called a reference', async () => {
  await using tables = await folderOf({ 'a.jsonl': files['a.jsonl'], 'b.jsonl': files['b.jsonl'] });
  const named = await tables.run('compare', 'a.jsonl', 'b.jsonl', '--json');
  const { stdout, code } = await tables.run('compare', '.', '--json');
  assert.equal(code, 0);
  assert.equal(stdout.length > 1000, true);
  assert.deepEqual(JSON.parse(stdout).findings, JSON.parse(named.stdout).findings);
  await using texts = await folderOf({
    'x/ref.txt': files['ref.txt'],
    'x/a.txt': files['a.txt'],
    'x/b.txt': files['b.txt'],
  });
  assert.match((await texts.run('compare', 'x')).stdout, /^Compared: x\/ref\.txt with a and b/);
  await using empty = await folderOf({ 'notes.md': 'nothing' });
  assert.match((await empty.run('compare', '.')).stderr, /got \. alone; name the references first/);
});

test('files without ids and speakers are told of by their lines, and by what can name speakers in files', async () => {
  await using folder = await folderOf({
    'ref.txt': 'one two\nthree four\n',
    'a.txt': 'one two\nthree for\n',
    'b.txt': 'one too\nthree four\n',
  });
  const { findings } = JSON.parse((await folder.run('compare', 'ref.txt', 'a.txt', 'b.txt', '--json')).stdout);
  const told = JSON.stringify(findings);
  assert.match(told, /A table can name them/);
  assert.match(told, /"line 2"/);
  assert.doesNotMatch(told, /corpus can|corpus has/);
});

test('one column is never output and reference: of names that leave it open somebody is asked, by a name or a sentence', async () => {
  const columns = (name: string, heard: 'a' | 'b') =>
    `id,${name},text\n${lines((row) => `${row.id},${row.ref},${row[heard]}`)}`;
  for (const [name, isKnown] of [
    ['Vorlage', true],
    ['spoken', true],
    ['lyrics', false],
    ['sentence', false],
    ['quux', false],
  ] as const) {
    await using folder = await folderOf({ 'ma.csv': columns(name, 'a'), 'mb.csv': columns(name, 'b') });
    const asked = await folder.run('compare', 'ma.csv', 'mb.csv');
    if (!isKnown) {
      assert.equal(asked.code, 4);
      const text = '"text" \\("the train leave at seven"\\)';
      const other = `"${name}" \\("the train leaves at seven"\\)`;
      const both = `${text}, ${other}|${other}, ${text}`;
      assert.match(
        asked.stderr,
        new RegExp(
          `^earwitness: ma\\.csv:1:1: [^;]* but there are (?:${both}); name the right one with --reference-column $`,
        ),
      );
    }
    for (const options of [
      ...(isKnown ? [[]] : []),
      ['--reference-column', name],
      ['--hypothesis-column', 'text'],
      ['--reference-column', name, '--hypothesis-column', 'text'],
    ]) {
      const { stdout, stderr } = await folder.run('compare', 'ma.csv', 'mb.csv', ...options);
      assert.match(
        stdout,
        new RegExp(`^Compared: ma \\(text\\) and mb \\(text\\), by id; references in ${name} of ma\\.csv`),
        stderr,
      );
      // Of 384 words a has 24 wrong, and b 192.
      assert.match(stdout, /WER %.*\n.* 6\.3\*? +50\.0 /);
    }
    const own = await folder.run(
      'compare',
      'ma.csv',
      'mb.csv',
      '--reference-column',
      'text',
      '--hypothesis-column',
      'text',
    );
    assert.match(own.stderr, /ma\.csv: expected the references and the output in a column each, but both are "text"/);
    assert.equal(own.code, 4);
  }
});

test('outputs whose files are called alike have the names of their folders', async () => {
  await using folder = await folderOf({
    'runs/exp1/predictions.csv': `id,ref,pred\n${lines(({ id, ref, a }) => `${id},${ref},${a}`)}`,
    'runs/exp2/predictions.csv': `id,ref,pred\n${lines(({ id, ref, b }) => `${id},${ref},${b}`)}`,
  });
  const places = ['runs/exp1/predictions.csv', 'runs/exp2/predictions.csv'];
  assert.match((await folder.run('compare', ...places)).stdout, /^Compared: exp1 \(pred\) and exp2 \(pred\), by id;/);
  // Programs learn what was taken for what as data.
  const { recognizers } = JSON.parse((await folder.run('compare', ...places, '--json')).stdout);
  assert.deepEqual(
    recognizers.map(({ name, identity }: { name: string; identity: object }) => ({ name, ...identity })),
    ['exp1', 'exp2'].map((name) => ({ name, recorded: name, how: 'by id', reference: 'ref', hypothesis: 'pred' })),
  );
  const one = await folder.run('score', places[0]!, '--json');
  assert.deepEqual(JSON.parse(one.stdout).roles, { how: 'row by row', reference: 'ref', hypothesis: 'pred' });
  assert.match((await folder.run('score', places[0]!, '--only', 'wer')).stderr, /reference in ref, hypothesis in pred/);
  // A folder that holds one table alone stands for it.
  assert.match((await folder.run('compare', 'runs/exp1', 'runs/exp2/')).stdout, /^Compared: exp1 \(pred\) and exp2/);
});

test('where outputs are missing, what all have is compared, which is said before the verdict', async () => {
  await using folder = await temporaryFolder();
  const texts = Array.from(
    { length: 24 },
    (_, place) => `so it was said in part ${'abcdefghijklmnopqrstuvwxyz'[place]} of the talk`,
  );
  const rows = (of: readonly string[], side: string) =>
    [`id,${side}`, ...of.map((text, place) => `u${place},${text}`)].join('\n');
  await writeFile(folder.file('ref.csv'), rows(texts, 'reference'));
  await writeFile(
    folder.file('a.csv'),
    rows(
      texts.map((text, place) => (place % 4 === 0 ? text.replace('said', 'sad') : text)),
      'hypothesis',
    ),
  );
  await writeFile(
    folder.file('few.csv'),
    rows(
      texts.map((text, place) => (place % 3 === 0 ? text.replace('part', 'port') : text)).slice(0, 20),
      'hypothesis',
    ),
  );
  await writeFile(folder.file('same.csv'), rows(texts.slice(0, 20), 'hypothesis'));
  await writeFile(folder.file('all.csv'), rows(texts, 'hypothesis'));
  const run = (...args: readonly string[]) => runCommand(['compare', 'ref.csv', ...args], { cwd: folder.path });
  const { stdout } = await run('a.csv', 'few.csv');
  const before = stdout.slice(0, stdout.indexOf('WER %')).replace(/\s+/g, ' ');
  assert.match(
    before,
    /Compared over the 20 of 24 utterances that both have: few has no output for 4 \(u20, u21, u22 and 1 more\), which score counts as deletions\./,
  );
  // Of 20 texts of 10 words 5 and 7 have a wrong one.
  assert.match(stdout, /^clean +2\.5 +3\.5 /m);
  assert.ok(stdout.split('\n').length <= 42, stdout);
  // Each number and each utterance once.
  for (const once of ['few:', 'REF so it was', 'normalizer', 'Language'])
    assert.equal(stdout.split(once).length, 2, once);
  const same = (await run('all.csv', 'same.csv')).stdout;
  assert.match(same, /all 20 transcripts are the same/);
  assert.doesNotMatch(same, /recordings differ/);
  const three = (await run('all.csv', 'a.csv', 'few.csv')).stdout.replace(/\s+/g, ' ');
  assert.match(three, /over the 20 of 24 utterances that all have: few has/);
});

test('names that one output says and the other leaves out are not taken out of the references of one alone', async () => {
  const texts = ['the train leaves', 'put it down', 'nobody came', 'she sells shells'];
  const named = (mark: string) =>
    texts.map((text, place) => `${['Mark', 'Luke'][place % 2]}${mark} ${text}`).join('\n');
  await using folder = await folderOf({ 'r.txt': named(':'), 'a.txt': named(''), 'b.txt': texts.join('\n') });
  for (const outputs of [
    ['a.txt', 'b.txt'],
    ['b.txt', 'a.txt'],
  ]) {
    const { stderr, code } = await runCommand(['compare', 'r.txt', ...outputs], { cwd: folder.path });
    assert.notEqual(code, 0);
    assert.match(stderr.replace(/\s+/g, ' '), /expected the same references for all outputs, .* take the names out/);
  }
});

test('options that no comparison of files can have are refused in one sentence.', async () => {
  await using folder = await folderOf(files);
  for (const [option, sentence] of [
    [['--resamples', '1'], /^earwitness: resamples: expected a number of at least 100, but got 1 /],
    [['--margin', '0'], /^earwitness: expected a margin above 0 and below 1 \(0\.01 for one point\), but got 0; /],
  ] as const) {
    const { stderr, code } = await folder.run('compare', 'a.jsonl', 'b.jsonl', ...option);
    assert.deepEqual([code, sentence.test(`${stderr} `)], [2, true], stderr);
  }
});
