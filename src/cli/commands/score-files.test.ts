import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ErrorCode, exitCodes } from '../../base/errors.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

async function folderOf(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(folder.file(name), content);
  const score = (args: readonly string[], input?: string) =>
    runCommand(['score', ...args], { cwd: folder.path, ...(input === undefined ? {} : { input }) });
  return {
    path: folder.path,
    score,
    async json(args: readonly string[], input?: string) {
      const { code, stdout, stderr } = await score([...args, '--json'], input);
      assert.equal(code, 0, stderr);
      return { ...JSON.parse(stdout), stderr };
    },
    async refused(code: ErrorCode, args: readonly string[], message: RegExp) {
      const result = await score(args);
      assert.equal(result.code, exitCodes[code], result.stdout + result.stderr);
      assert.equal(result.stdout, '', args.join(' '));
      assert.match(result.stderr, message);
      assert.equal(result.stderr.trim().split('\n').length, 1, result.stderr);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('score takes two files line by line, by arguments, by options and from stdin', async () => {
  const hypotheses = 'the cat\nuh\nhello word';
  await using folder = await folderOf({ 'my ref.txt': 'The cat sat\r\n\r\nhello world\r\n', hyp: `${hypotheses}\n` });
  // By hand: one deleted and one substituted of five words; the filler is none.
  for (const [args, input] of [
    [['my ref.txt', 'hyp']],
    [['--reference', 'my ref.txt', '--hypothesis', 'hyp']],
    [['my ref.txt', '-'], hypotheses],
  ] as const) {
    const { corpus, utterances, compared } = await folder.json(args, input);
    assert.equal(compared, `my ref.txt with ${input === undefined ? 'hyp' : 'stdin'}, line by line`);
    assert.deepEqual([corpus.words, corpus.wer, corpus.macro.leftOut], [5, 0.4, 1]);
    assert.deepEqual([utterances[1].wer, utterances[1].reason], [null, 'reference and hypothesis are empty']);
  }
  const { stdout } = await folder.score(['my ref.txt', 'hyp']);
  assert.match(stdout, /^Empty references: 1\. They have no rate/m);
  assert.match(
    stdout,
    /^Compared: my ref\.txt with hyp, line by line\. Language en \(assumed; --language\nsays another\)\. WER 40\.0 %; 60\.0 % without a language \(--normalizer plain\)\.$/m,
  );
});

test('what comes on stdin is read beside a folder, and by compare, as a file would be', async () => {
  const references = 'id,sentence\na,the cat sat\nb,hello world\n';
  await using folder = await folderOf({});
  for (const name of ['x', 'y']) {
    await mkdir(`${folder.path}/${name}`);
    await writeFile(`${folder.path}/${name}/a.txt`, 'the cat sat\n');
    await writeFile(`${folder.path}/${name}/b.txt`, name === 'x' ? 'hello world\n' : 'hello word\n');
  }
  assert.equal((await folder.json(['-', 'y'], references)).corpus.wer, 0.2);
  assert.equal((await folder.json(['x', '-'], references)).corpus.wer, 0);
  const wide =
    'id,sentence,Whisper Large (OpenAI),Google STT\na,the cat sat,the cat sat,the cat sat\nb,hello world,hello world,hello word\n';
  for (const [args, input] of [
    [['-', 'x', 'y'], references],
    [['-'], wide],
  ] as const) {
    const { stdout, stderr } = await runCommand(['compare', ...args], { cwd: folder.path, input });
    assert.match(stdout, /^clean +0\.0 +20\.0 /m, stderr);
  }
});

test('the names of the columns once more, between rows, are no utterance', async () => {
  const table = 'id,reference,hypothesis\na,the cat sat,the cat sat\n';
  await using folder = await folderOf({ 'twice.csv': table + table.replace('\na,', '\nb,') });
  const { corpus } = await folder.json(['twice.csv']);
  assert.deepEqual([corpus.words, corpus.wer], [6, 0]);
});

test('score takes texts only where nothing looks like a file', async () => {
  await using folder = await folderOf({ 'ref.txt': 'a\n', hello: 'a b\n' });
  await mkdir(`${folder.path}/texts`);
  assert.match((await folder.score(['and or', 'and more'])).stdout, /^REF and or/m);
  // A file that is called so is one, whatever its name.
  assert.equal((await folder.json(['ref.txt', 'hello'])).corpus.wer, 1);
  const refusals: readonly [ErrorCode, readonly string[], RegExp][] = [
    ['bad-input', ['ref.txt', 'hyp.txt'], /"hyp\.txt" looks like a path and there is no such file/],
    ['bad-input', ['no ref.txt', 'no hyp.txt'], /"no ref\.txt" looks like a path/],
    ['bad-input', ['and/or', 'and more'], /"and\/or" looks like a path .*, or add a blank at its end/],
    [
      'bad-input',
      ['texts', 'hello'],
      /texts: expected a folder with a transcript for each recording .*, but found none/,
    ],
    ['bad-usage', ['ref.txt', 'a text'], /ref\.txt is a file, and there is no file "a text"/],
    ['bad-usage', ['ref.txt'], /but got ref\.txt alone; give what was recognized as a second argument/],
    ['bad-usage', ['ref.txt', 'hello', '--hypothesis', 'hello'], /either arguments or --reference and --hypothesis/],
    ['bad-usage', ['-', '-'], /expected stdin \(-\) for the reference or the hypothesis/],
    ['bad-usage', ['--reference', 'a b'], /expected a reference and a hypothesis/],
    ['bad-usage', ['a b', 'a b', '--ids'], /expected two files of lines with --ids, but got two texts/],
  ];
  for (const refusal of refusals) await folder.refused(...refusal);
  assert.equal((await folder.json(['and/or ', 'and more'])).corpus.words, 2);
});

test('score refuses files of two lengths with both counts, and says what may mend it', async () => {
  await using folder = await folderOf({
    three: 'a\nb\n\n',
    two: 'a\nb\n',
    four: 'a\nb\nc\nd\n',
    empty: '',
    'ref.ids': 'utt-1 hello\nutt-2 world\nutt-3 again\n',
    'hyp.ids': 'utt-1 hello\nutt-2 word\n',
    'rows.csv': 'text\na\n',
    'old mac': 'a\rb\r',
  });
  const refusals: readonly [readonly string[], RegExp][] = [
    [
      ['three', 'two'],
      /as many lines in two as in three, .* it has 2 and three has 3; without blank lines both have 2/,
    ],
    [['two', 'four'], /it has 4 and two has 2; leave a line blank where nothing was recognized/],
    [['empty', 'two'], /it has 2 and empty has 0/],
    [['empty', 'empty'], /empty: expected at least one line, but the file has none/],
    [['old mac', 'two'], /old mac:1:2: expected lines that end with a line feed/],
    [['two', 'rows.csv'], /as many rows in rows\.csv as in two, .* it has 1 and two has 2/],
  ];
  for (const [args, message] of refusals) await folder.refused('bad-input', [...args, '--json'], message);
});

test('score puts lines together by the ids that they begin with, where both files have them or it is told to', async () => {
  await using folder = await folderOf({
    ref: 'utt-1 hello there\nutt-2 good day\nutt-3\n',
    hyp: 'utt-2 good die\nutt-1 hello there\n',
    same: 'utt-1 hello there\nutt-2 good die\nutt-3\n',
    'two words.tsv': 'utt-1\thello there\nutt-2\tgood die\nutt-3\t\n',
  });
  for (const hypothesis of ['hyp', 'two words.tsv']) {
    const { corpus, unmatched, compared } = await folder.json(['ref', hypothesis, '--ids']);
    assert.equal(compared, `ref with ${hypothesis}, by id`);
    assert.deepEqual([corpus.words, corpus.wer], [4, 0.25]);
    assert.deepEqual(unmatched.missingHypotheses.first, hypothesis === 'hyp' ? ['utt-3'] : []);
  }
  for (const hypothesis of ['hyp', 'same']) {
    const { corpus, compared } = await folder.json(['ref', hypothesis, '-n', 'none']);
    assert.deepEqual([compared, corpus.words, corpus.wer], [`ref with ${hypothesis}, by id`, 4, 0.25]);
  }
  assert.equal((await folder.json(['same', 'same', '--ids'])).stderr, '');
  await folder.refused(
    'bad-input',
    ['ref', 'ref', '--by', 'speaker'],
    /expected utterances to have a value of "speaker"/,
  );
});

test('score reads tables as they are found: columns by their usual names, semicolons, JSON lists, ids in any order', async () => {
  await using folder = await folderOf({
    'nemo.json': '{"audio_filepath": "1.wav", "text": "a b", "pred_text": "a c"}\n',
    'ref.csv': 'path;sentence;accent\n2.wav;good day;us\n1.wav;hello, you;uk\n',
    'hyp.jsonl': '{"file": "1.wav", "text": "hello you"}\n{"file": "2.wav", "text": "good die"}\n',
    'list.json': '[\n{"prediction": "hello you"},\n{"prediction": "good die"}\n]\n',
    'two.csv': 'text,sentence,hypothesis\na,b,c\n',
    'none.csv': '\nsaid,heard,text\na b,a c,a b\n',
    'heard.tsv': 'asr_v2\na c\n',
    'said.txt': 'a b\n',
    'bare.csv': '2.wav|good die\n1.wav|hello you\n',
  });
  const bare = await folder.json(['ref.csv', 'bare.csv']);
  assert.deepEqual(
    [bare.compared, bare.corpus.wer],
    ['ref.csv with bare.csv, by id (reference in sentence, hypothesis in text)', 0.25],
  );
  const nemo = await folder.json(['nemo.json']);
  assert.equal(nemo.compared, 'nemo.json, row by row: reference in text, hypothesis in pred_text');
  assert.deepEqual([nemo.corpus.wer, nemo.utterances[0].attributes], [0.5, { audio_filepath: '1.wav' }]);
  const byId = await folder.json(['ref.csv', 'hyp.jsonl', '--by', 'accent']);
  assert.deepEqual(
    [byId.compared, byId.corpus.wer],
    ['ref.csv with hyp.jsonl, by id (reference in sentence, hypothesis in text)', 0.25],
  );
  assert.deepEqual(
    byId.groups.map(({ value, wer }: { value: string; wer: number }) => [value, wer]),
    [
      ['uk', 0],
      ['us', 0.5],
    ],
  );
  assert.equal((await folder.json(['ref.csv', 'list.json'])).corpus.wer, 1);
  for (const [input, wer] of [
    ['reference\thypothesis\na b\ta c\n', 0.5],
    ['{"reference": "a b", "hypothesis": "a"}\n', 0.5],
    ['reference,hypothesis\n"a, b",a b\n', 0],
  ] as const) {
    assert.equal((await folder.json(['-'], input)).corpus.wer, wer);
  }
  await folder.refused(
    'bad-input',
    ['two.csv'],
    /two\.csv:1:1: .*one column that may hold the reference, but there are "text" \("a"\), "sentence" \("b"\); name the right one with --reference-column/,
  );
  assert.equal((await folder.json(['two.csv', '--reference-column', 'text'])).corpus.wer, 1);
  // The header stands in the second line: the first is blank.
  assert.equal(
    (await folder.json(['none.csv'])).compared,
    'none.csv, row by row: reference in text, hypothesis in heard',
  );
  const named = await folder.json(['none.csv', '--reference-column', 'said', '--hypothesis-column', 'heard']);
  assert.deepEqual(
    [named.compared, named.corpus.wer],
    ['none.csv, row by row: reference in said, hypothesis in heard', 0.5],
  );
  assert.equal((await folder.json(['none.csv', '--hypothesis-column', 'heard'])).corpus.wer, 0.5);
  const sides = ['--reference', 'said.txt', '--hypothesis', 'heard.tsv', '--hypothesis-column', 'asr_v2'];
  assert.equal((await folder.json(sides)).corpus.wer, 0.5);
  for (const [code, args, message] of [
    [
      'bad-input',
      ['none.csv', '--hypothesis-column', 'text'],
      /none\.csv:2:1: expected .* in a column each, but both are "text"; name the reference with --reference-column/,
    ],
    [
      'bad-input',
      ['none.csv', '--hypothesis-column', 'Heard'],
      /none\.csv:2:1: expected a column "Heard" \(from --hypothesis-column\), but there is none; did you mean "heard"\?/,
    ],
    ['bad-input', ['heard.tsv', 'heard.tsv'], /heard\.tsv:1:1: expected a column "reference", but/],
    [
      'bad-usage',
      [...sides, '--reference-column', 'x'],
      /expected a table .* of references with --reference-column, but got said\.txt; leave it out/,
    ],
    ['bad-usage', ['a b', 'a', '--hypothesis-column', 'x'], /with --hypothesis-column, but got two texts/],
  ] as const)
    await folder.refused(code, args, message);
});

test('score of a table with the rows of several recognizers is refused but by recognizer: one rate of all is nobody’s', async () => {
  const rows = [
    'u1,a,the cat sat,the cat sat',
    'u1,b,the cat sat,a bat',
    'u2,a,on the mat,on the mat',
    'u2,b,on the mat,off',
  ];
  await using folder = await folderOf({ 'long.csv': `file,model,reference,hypothesis\n${rows.join('\n')}\n` });
  const said =
    /expected the output of one recognizer, but "model" names several.*compare them: earwitness compare long\.csv, or count each: --by model/;
  await folder.refused('bad-usage', ['long.csv'], said);
  await folder.refused('bad-usage', ['long.csv', '--by', 'file'], said);
  const { stdout } = await folder.score(['long.csv', '--by', 'model']);
  assert.match(stdout, /^a +6 .* 0\.0 %/m);
});

test('score --only prints one number and nothing else, and fails where there is none', async () => {
  await using folder = await folderOf({});
  for (const [rate, value] of Object.entries({ wer: 1 / 3, cer: 5 / 11, mer: 0.25, wil: 0.25, wip: 0.75 })) {
    assert.equal((await folder.score(['the cat sat', 'the cat sat down', '--only', rate])).stdout, `${value}\n`);
  }
  await folder.refused(
    'bad-input',
    ['', 'a', '--only', 'wer'],
    /expected texts that have a WER, but the reference is empty/,
  );
  await folder.refused('bad-usage', ['a b', 'a', '--only', 'wer', '--json'], /expected --only without --json/);
});

test('whatever is wrong with its files, score leaves none of them open', {
  skip: !existsSync('/proc/self/fd') && 'open files are not listed under /proc',
}, async () => {
  await using folder = await folderOf({
    'columns.tsv': 'id\tid\na\tone\n',
    'reference.tsv': 'id\treference\na\tone\nb\ttwo\n',
    'twice.tsv': 'id\treference\na\tone\na\ttwo\n',
    'hypothesis.tsv': 'id\thypothesis\na\tone\nb\ttwo\n',
    'nothing.tsv': 'id\tnothing\na\tone\n',
  });
  for (const wrong of [['columns.tsv'], ['twice.tsv', 'hypothesis.tsv'], ['reference.tsv', 'nothing.tsv']]) {
    assert.equal((await folder.score(wrong)).code, exitCodes['bad-input'], wrong.join());
    const links = readdirSync('/proc/self/fd').map((number) => {
      try {
        return readlinkSync(`/proc/self/fd/${number}`);
      } catch {
        return 'closed meanwhile';
      }
    });
    assert.deepEqual(
      links.filter((link) => link.startsWith(folder.path)),
      [],
      wrong.join(),
    );
  }
});

test('Rows about the channels of one recording are paired side by side, where both tables say the channel.', async () => {
  await using folder = await folderOf({
    'said.csv': 'audio_filepath,channel,text\ncall.wav,0,one two\ncall.wav,1,three\n',
    'heard.csv': 'audio_filepath,channel,text\ncall.wav,1,three\ncall.wav,0,one two\n',
    'mono.csv': 'audio_filepath,channel,text\na.wav,1,one two\nb.wav,1,three\n',
    'plain.csv': 'audio_filepath,text\nb.wav,three\na.wav,one two\n',
    'both.csv': 'id,channel,reference,hypothesis\ncall,A,one,one\ncall,B,two,two\n',
  });
  for (const args of [['said.csv', 'heard.csv'], ['mono.csv', 'plain.csv'], ['both.csv']]) {
    const { stdout, stderr } = await folder.score([...args, '--only', 'wer']);
    assert.equal(stdout, '0\n', stderr);
  }
});

const cases = join(import.meta.dirname, '../../../../shared/cases');

test('Texts of the shared cases that differ in writing alone have no errors by default, and with the normalizer that is named', {
  skip: !existsSync(cases) && 'needs ../shared/cases',
}, async () => {
  const folders = readdirSync(cases).filter((name) => existsSync(join(cases, name, 'pairs.csv')));
  const expected = folders.filter((name) => /^Expected: 0/m.test(readFileSync(join(cases, name, 'README.md'), 'utf8')));
  assert.ok(expected.length >= 6, expected.join());
  for (const name of expected)
    for (const more of [[], ['--normalizer', 'by-language']]) {
      const args = ['score', join(cases, name, 'pairs.csv'), '--only', 'wer', ...more];
      assert.equal((await runCommand(args)).stdout, '0\n', `${name} ${more}`);
    }
});

test('a list with bars whose first line is a row loses no row and no quote, and its columns are named by number', async () => {
  const row = (id: string, raw: string, read = raw) => `${id}|${raw}|${read}`;
  // Two columns are alike in the first row, commas divide it into three, and a text begins with a quote that nothing closes.
  const list = [row('LJ1-1', 'So, he said, yes'), row('LJ1-2', '"We are 4', '"We are four'), row('LJ1-3', 'And no')];
  await using folder = await folderOf({
    'metadata.csv': list.join('\n'),
    'h.csv': 'id,hyp\nLJ1-1,so he said yes\nLJ1-2,we are four\nLJ1-3,and so\n',
  });
  await folder.refused(
    'bad-input',
    ['metadata.csv', 'h.csv'],
    /there are "column 2" \(.*We are 4"\), "column 3" \(.*We are four"\); name the right one with --reference-column/,
  );
  const { corpus } = await folder.json(['metadata.csv', 'h.csv', '--reference-column', 'column 3']);
  // Of 4 + 3 + 2 words one is wrong.
  assert.deepEqual([corpus.words, corpus.wer], [9, 1 / 9]);
});

test('an option names a column by its number too, and a table without names of columns loses no row, in a file or on stdin', async () => {
  const rows = [
    ['the cat sat on the mat', 'the cat sat on a mat'],
    ['how are you', 'how are you'],
  ];
  const own = rows.map((row) => row.join('\t')).join('\n');
  const withIds = rows.map((row, place) => [`utt${place}`, ...row].join('\t')).join('\n');
  await using folder = await folderOf({
    'own.tsv': own,
    'ids.tsv': withIds,
    'head.csv': `id,what,machine\n${rows.map((row, place) => [place, ...row].join()).join('\n')}`,
    'years.csv': 'id,2,3\nu1,a b,a c\n',
  });
  for (const [args, input, taken] of [
    [
      ['ids.tsv', '--reference-column', '2'],
      undefined,
      'ids.tsv, row by row: reference in column 2, hypothesis in column 3',
    ],
    [['-', '--reference-column', '2'], withIds, 'stdin, row by row: reference in column 2, hypothesis in column 3'],
    [
      ['own.tsv', '--reference-column', '1'],
      undefined,
      'own.tsv, row by row: reference in column 1, hypothesis in column 2',
    ],
    [['-', '--reference-column', '1'], own, 'stdin, row by row: reference in column 1, hypothesis in column 2'],
    [
      ['head.csv', '--reference-column', '2'],
      undefined,
      'head.csv, row by row: reference in what, hypothesis in machine',
    ],
  ] as const) {
    const { corpus, compared } = await folder.json(args, input);
    // Of 6 + 3 words one is wrong.
    assert.deepEqual([corpus.words, corpus.wer, compared], [9, 1 / 9, taken], args.join(' '));
  }
  // What is called so is meant before what stands there.
  assert.match(
    (await folder.json(['years.csv', '--reference-column', '2'])).compared,
    /reference in 2, hypothesis in 3/,
  );
  await folder.refused(
    'bad-input',
    ['head.csv', '--reference-column', '4'],
    /expected a column "4" \(from --reference-column\)/,
  );
});

test('no form of a file is read in silence where its bytes are not UTF-8', async () => {
  const text = 'sch\u00f6n war es';
  const rows = JSON.stringify([{ reference: text, hypothesis: text }]);
  await using folder = await folderOf({ 'ref.txt': `${text}\n` });
  const forms = {
    'list.json': rows,
    'rows.jsonl': rows.slice(1, -1),
    'engine.json': JSON.stringify({ text, segments: [{ start: 0, end: 1, text }] }),
    'h.srt': `1\n00:00:00,000 --> 00:00:02,000\n${text}\n`,
    'h.txt': text,
    'texts.json': JSON.stringify({ u1: text, u2: text }),
  };
  await mkdir(`${folder.path}/folder`);
  await writeFile(`${folder.path}/folder/a.json`, Buffer.from(JSON.stringify({ text }), 'latin1'));
  for (const [name, content] of Object.entries(forms))
    await writeFile(`${folder.path}/${name}`, Buffer.from(content, 'latin1'));
  for (const name of [...Object.keys(forms), 'folder']) {
    const args = /^(?:list|rows)/.test(name) ? [name] : [name === 'folder' ? name : 'ref.txt', name];
    await folder.refused('bad-input', args, /expected UTF-8 text.*reads "schön" as Windows-1252/);
  }
});

test('what has no id is known by its line in the file of the references', async () => {
  await using folder = await folderOf({
    'table.csv': 'reference,hypothesis\n"a\nb",a b\nc d,c e\n',
    'ref.csv': 'reference\none two\n\nthree four\n',
    'hyp.csv': 'hypothesis\none two\nthree for\n',
  });
  assert.match((await folder.score(['table.csv'])).stdout, /^line 4: 1 error, WER 50\.0 %$/m);
  assert.match((await folder.score(['ref.csv', 'hyp.csv'])).stdout, /^line 4: 1 error, WER 50\.0 %$/m);
});

const three = (id: (n: number) => string, text: string) =>
  [1, 2, 3].map((n) => `${id(n)} ${text} ${'on '.repeat(n)}`).join('\n');

test('names that differ by the side they say or by leading zeros are joined where all stay apart, and never counted as words', async () => {
  await using folder = await folderOf({
    'zeros.txt': three((n) => `000${n}`, 'so it goes'),
    'plain.txt': three(String, 'so it went'),
    'said.txt': three((n) => `utt${n}_ref`, 'so it goes'),
    'heard.txt': three((n) => `utt${n}_hyp`, 'so it went'),
    'other.txt': three((n) => `take-${n + 4}`, 'so it went'),
    'years.txt': '1950 was good\n1962 began with snow\n1984 is a book\n',
    'other-years.txt': '1950 was good\n1962 began with snow\n1985 is a book\n',
    'counts.txt': '10 apples\n20 pears\n35 plums\n',
    'other-counts.txt': '10 apples\n20 pears\n34 plums\n',
    'ref.csv': 'id,text\nutt1_ref,so it goes\nutt2_ref,and on\n',
    'hyp.csv': 'id,hyp\nutt2_hyp,and on\nutt1_hyp,so it went\n',
    'twice.csv': 'id,hyp\nutt1_hyp,and on\nutt1_asr,so it went\n',
  });
  // Of 9 + 6 words the third of each of three is wrong.
  for (const [ref, hyp, told] of [
    ['zeros.txt', 'plain.txt', 'leading zeros'],
    ['said.txt', 'heard.txt', 'what says the side (_ref, _hyp)'],
  ] as const) {
    const { corpus, compared } = await folder.json([ref, hyp]);
    assert.deepEqual([corpus.words, corpus.wer], [15, 3 / 15]);
    assert.match(compared, new RegExp(told.replace(/[()]/g, '.')));
  }
  // Numbers of which one was misheard are words.
  for (const [ref, hyp, words] of [
    ['years.txt', 'other-years.txt', 11],
    ['counts.txt', 'other-counts.txt', 6],
  ] as const) {
    const { corpus, compared } = await folder.json([ref, hyp, '--normalizer', 'none']);
    assert.deepEqual([corpus.words, corpus.wer], [words, 1 / words]);
    assert.match(compared, /line by line/);
  }
  // Of five words one.
  assert.equal((await folder.json(['ref.csv', 'hyp.csv'])).corpus.wer, 1 / 5);
  await folder.refused('bad-input', ['ref.csv', 'twice.csv'], /expected the ids of ref\.csv/);
  await folder.refused(
    'bad-input',
    ['said.txt', 'other.txt'],
    /"utt1_ref"\) in other\.txt too, but none of them is there \(it has "take-5"\)/,
  );
});

test('all utterances on one line beside a line for each are refused with what to do, and compared as one text where both are', async () => {
  await using folder = await folderOf({
    'r.txt': 'so it goes\nand on\n',
    'h.txt': 'so it went and on\n',
    'one.txt': 'so it goes and on\n',
  });
  await folder.refused(
    'bad-input',
    ['r.txt', 'h.txt'],
    /it has 1 and r\.txt has 2; write each utterance on a line of its own, or put all of both on one line/,
  );
  assert.equal((await folder.json(['one.txt', 'h.txt'])).corpus.wer, 1 / 5);
});

test('where a folder is given alone, the tables and texts in it that were tried are named', async () => {
  const both = 'reference,hypothesis\nthe cat sat,the cat sat down\n';
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ 'x/a.csv': both, 'x/b.csv': both }, /name a table in it: earwitness score x\/a\.csv; 2 in it hold both sides$/m],
    [{ 'x/ref.trn': 'a (u1)\n', 'x/hyp.trn': 'b (u1)\n' }, /earwitness score x\/ref\.trn x\/hyp\.trn$/m],
    [{ 'x/data.arrow': 'ARROW1', 'x/state.json': '{}' }, /save the table in x\/data\.arrow as \.csv or \.parquet$/m],
    [{ 'x/u1.txt': 'a', 'x/u2.txt': 'b' }, /give what was recognized as a second argument$/m],
  ];
  for (const [files, advice] of cases) {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('x'));
    for (const [name, content] of Object.entries(files)) await writeFile(folder.file(name), content);
    const { code, stderr } = await runCommand(['score', 'x'], { cwd: folder.path });
    assert.equal(code, 2);
    assert.match(stderr, advice);
  }
  // Alone in its folder a table is meant.
  await using folder = await temporaryFolder();
  await mkdir(folder.file('x'));
  await writeFile(folder.file('x/a.csv'), both);
  const { stdout } = await runCommand(['score', 'x'], { cwd: folder.path });
  assert.match(stdout, /^Compared: x\/a\.csv, row by row: reference in reference, hypothesis in hypothesis\./);
});
