import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { golden } from '../../base/testing/golden.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const goldens = golden('scoring/');

interface Counted {
  readonly correct: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}

const csdi = ({ correct, substitutions, deletions, insertions }: Counted) =>
  [correct, substitutions, deletions, insertions].join('/');

test('score pools counts over pairs, and has no rate of an empty reference', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pairs.tsv');
  await writeFile(file, 'id\treference\thypothesis\tsex\na\tthe cat\ta cat\tf\nb\t\tx\tm\nc\thello world\thello\tf\n');
  const { code, stdout, stderr } = await runCommand(['score', file, '--by', 'sex', '--json']);
  assert.equal(code, 0, stderr);
  const { utterances, corpus, groups, normalizer, alignment } = JSON.parse(stdout);
  assert.deepEqual(normalizer, { name: 'plain-english', version: 6 });
  assert.equal(alignment, 'least');
  assert.deepEqual(utterances[0], {
    id: 'a',
    attributes: { sex: 'f' },
    words: 2,
    correct: 1,
    substitutions: 1,
    deletions: 0,
    insertions: 0,
    wer: 0.5,
    // "the cat" to "a cat": two deleted, one substituted of seven characters.
    cer: 3 / 7,
    mer: 0.5,
    wil: 0.75,
    wip: 0.25,
    wordAccuracy: 0.5,
    characters: { characters: 7, correct: 4, substitutions: 1, deletions: 2, insertions: 0 },
    alignedWords: [
      { reference: 'the', hypothesis: 'a' },
      { reference: 'cat', hypothesis: 'cat' },
    ],
  });
  assert.deepEqual([utterances[1].wer, utterances[1].mer, utterances[1].reason], [null, 1, 'the reference is empty']);
  // By hand: one substituted, one inserted, one deleted of four reference words.
  assert.equal(csdi(corpus), '2/1/1/1');
  assert.deepEqual([corpus.utterances, corpus.words, corpus.wer], [3, 4, 0.75]);
  assert.deepEqual([corpus.macro.wer, corpus.macro.utterances, corpus.macro.leftOut], [0.5, 2, 1]);
  assert.deepEqual([corpus.sentenceErrors, corpus.sentenceErrorRate], [3, 1]);
  assert.deepEqual([corpus.interval.low, corpus.interval.over], [null, 'utterances']);
  assert.deepEqual(corpus.interval.reason, { code: 'few-units', need: 10, have: [2], unit: 'utterance' });
  assert.deepEqual(
    groups.map((group: { value: string; words: number; wer: number | null }) => [group.value, group.words, group.wer]),
    [
      ['f', 4, 0.5],
      ['m', 0, null],
    ],
  );
});

test('score shows what was aligned with what, harmless and within 80 columns', async () => {
  const hypothesis = `a cat\u001b[2J sat ${'and 日本語 '.repeat(30)}`;
  const { stdout } = await runCommand([
    'score',
    '--reference',
    'the cat sat',
    '--hypothesis',
    hypothesis,
    '-n',
    'none',
  ]);
  assert.match(stdout, /^REF the +cat/m);
  assert.match(stdout, /^all +3 /m);
  assert.ok(!stdout.includes('\u001b'));
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line);
});

test('score takes an interval over speakers, and tables of people fit the terminal', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pairs.jsonl');
  const rows = Array.from({ length: 60 }, (_, index) => ({
    id: `u${index}`,
    reference: 'one two three four five',
    hypothesis:
      index % 4 === 0 ? 'one too three five' : index % 7 === 0 ? 'one two four five' : 'one two three four five',
    speaker: `speaker ${index % 20}`,
    accent: index % 3 === 0 ? `a very long name of an accent \u202e${'x'.repeat(90)}` : 'us',
  }));
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { stdout, stderr, code } = await runCommand(['score', file, '--by', 'accent']);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line);
  assert.match(stdout, /^all +300 +\d+ +\d+ +\d+ +\d+ +[\d.]+ % +[\d.]+ to [\d.]+$/m);
  assert.match(stdout, /over 20 speakers/);
  assert.match(stdout, /two → too \(15\)/);
  assert.ok(!stdout.includes('\u202e'));
  const json = JSON.parse((await runCommand(['score', file, '--by', 'speaker', '--json'])).stdout);
  assert.deepEqual([json.corpus.interval.over, json.corpus.interval.clusters], ['speakers', 20]);
  assert.ok(json.corpus.interval.low < json.corpus.wer && json.corpus.wer < json.corpus.interval.high);
  assert.equal(json.groups.length, 20);
  assert.deepEqual([json.groups[2].value, json.groups[2].interval.over], ['speaker 2', 'utterances']);
});

test('score finds who spoke under any usual name of the column, in any letter case', async () => {
  await using folder = await temporaryFolder();
  for (const column of ['Speaker', 'SPEAKER_ID', 'Speaker ID', 'client_id', 'Sprecher', 'participant_id']) {
    const file = folder.file('pairs.csv');
    const rows = Array.from(
      { length: 60 },
      (_, index) => `one two,${index % 3 === 0 ? 'one too' : 'one two'},s${(index % 20) % 13}`,
    );
    await writeFile(file, `Reference,Hypothesis,${column}\r\n${rows.join('\r\n')}\r\n`);
    const { corpus, groups } = JSON.parse((await runCommand(['score', file, '--by', column, '--json'])).stdout);
    assert.deepEqual([corpus.interval.over, corpus.interval.clusters], ['speakers', 13], column);
    assert.deepEqual([groups.length, groups[2].interval.over], [13, 'utterances'], column);
  }
});

test('score takes speakers from the column that --speaker-column names, of one table or of two, and says which it was', async () => {
  await using folder = await temporaryFolder();
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...{ id: `u${index}`, reference: 'one two', hypothesis: index % 3 === 0 ? 'one too' : 'one two' },
    ...{ Nummer: `s${(index % 20) % 13}`, speaker: 'all in one' },
  }));
  const write = async (name: string, columns: readonly (keyof (typeof rows)[number])[]) => {
    const lines = rows.map((row) => columns.map((column) => row[column]).join(','));
    await writeFile(folder.file(name), `${columns.join(',')}\n${lines.join('\n')}\n`);
    return folder.file(name);
  };
  const both = await write('both.csv', ['reference', 'hypothesis', 'Nummer', 'speaker']);
  const references = await write('said.csv', ['id', 'reference', 'Nummer']);
  const hypotheses = await write('heard.csv', ['id', 'hypothesis']);
  for (const files of [[both], [references, hypotheses]]) {
    const asked = ['score', ...files, '--speaker-column', 'Nummer', '--by', 'Nummer', '--json'];
    const { corpus, groups, compared } = JSON.parse((await runCommand(asked)).stdout);
    assert.deepEqual([corpus.interval.over, corpus.interval.clusters], ['speakers', 13]);
    assert.deepEqual([groups.length, groups[2].interval.over], [13, 'utterances']);
    assert.match(compared, /; speakers in Nummer$/);
  }
  const refusal = async (...args: string[]) => (await runCommand(['score', ...args])).stderr;
  assert.match(
    await refusal(both, '--speaker-column', 'Numer'),
    /"Numer" \(from --speaker-column\).* did you mean "Nummer"/,
  );
  assert.match(
    await refusal('a', 'b', '--speaker-column', 'x'),
    /with --speaker-column, but got two texts; leave it out/,
  );
});

test('score says where pairs are wrong, and writes nothing to stdout', async () => {
  await using folder = await temporaryFolder();
  const wrong: readonly (readonly [string, string | Buffer, RegExp, ...string[]])[] = [
    [
      'column.csv',
      'id,refrence,hypothesis\na,b,c\n',
      /column\.csv:1:1: .*"reference".*is it "refrence"\? --reference-column names it/,
    ],
    ['by.tsv', 'reference\thypothesis\taccent\nb\tc\tus\n', /"acent" \(--by\).*did you mean "accent"/, '--by', 'acent'],
    ['long.tsv', Buffer.alloc(50_000_000, 'x'), /long\.tsv:1: expected a text file with lines of at most 1 MiB/],
    ['brace.tsv', 'id\treference\thypothesis\na\tb { c\td\n', /brace\.tsv:2:5: expected a "}"/, '--alternatives'],
  ];
  for (const [name, content, said, ...more] of wrong) {
    await writeFile(folder.file(name), content);
    const { code, stdout, stderr } = await runCommand(['score', name, '--json', ...more], { cwd: folder.path });
    assert.equal(code, exitCodes['bad-input'], stderr);
    assert.equal(stdout, '');
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
});

test('score takes words that are hard to hold: lone surrogates, names of Object, one letter in two forms', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('odd.jsonl');
  const words = '\ud800 __proto__ constructor e\u0301 é \u202e👩‍💻';
  await writeFile(
    file,
    `${JSON.stringify({ reference: words, hypothesis: words, speaker: '__proto__' })}\n${JSON.stringify({ reference: '', hypothesis: '', speaker: 'constructor' })}\n`,
  );
  const { stdout, stderr } = await runCommand(['score', file, '-n', 'none', '--by', 'speaker', '--json']);
  const { utterances, groups } = JSON.parse(stdout || stderr);
  assert.deepEqual([utterances[0].words, utterances[0].wer, utterances[0].alignedWords[0].reference], [6, 0, '\ud800']);
  assert.equal(utterances[1].reason, 'reference and hypothesis are empty');
  assert.deepEqual(groups.map((group: { value: string }) => group.value).sort(), ['__proto__', 'constructor']);
});

test('score tells of vowels that are marks and do not count, and of no other marks', async () => {
  await using folder = await temporaryFolder();
  const [reference, hypothesis] = [folder.file('ref.txt'), folder.file('hyp.txt')];
  await writeFile(reference, 'नमस्ते दुनिया\ncafe\u0301 naïve ❤️\n');
  await writeFile(hypothesis, 'नमस्ते दुनिय\ncafe\u0301 naïve ❤️\n');
  const told = /1 of 2 references write vowels as marks/;
  const asked = async (...more: string[]) => {
    const { stdout, stderr } = await runCommand(['score', reference, hypothesis, ...more]);
    return { told: told.test(`${stdout}${stderr}`.replace(/\s+/g, ' ')), stdout };
  };
  const basic = await asked('--only', 'wer', '--normalizer', 'basic');
  // The missing vowel sign is no error: that is what the sentence is about.
  assert.deepEqual([basic.told, basic.stdout.trim()], [true, '0']);
  const shown = await asked('--normalizer', 'basic');
  assert.ok(shown.told);
  assert.match(shown.stdout, /\(नमस्ते becomes नमस त\); --normalizer\s+plain\s+keeps them/);
  const kept = await asked('--only', 'wer');
  assert.deepEqual([kept.told, kept.stdout.trim()], [false, '0.25']);
  const none = await asked('--only', 'wer', '--normalizer', 'none');
  assert.deepEqual([none.told, none.stdout.trim()], [false, '0.2']);
  // A variation selector is a mark, and a chillu is a letter.
  await writeFile(reference, 'Zusammen\ufe0earbeit\nഅവന്\u200d\n');
  await writeFile(hypothesis, 'Zusammenarbeit\nഅവൻ\n');
  for (const name of ['plain', 'basic']) {
    const unseen = await asked('--normalizer', name);
    assert.doesNotMatch(unseen.stdout, /vowels as marks/, name);
  }
});

test('What nobody sees, and a byte order mark between joined files, is no part of a word', async () => {
  await using folder = await temporaryFolder();
  const [reference, hypothesis] = [folder.file('ref.txt'), folder.file('hyp.txt')];
  await writeFile(reference, 'bonjour\n\ufeffmonde co\u00adop 1\u202f250\n');
  await writeFile(hypothesis, 'bonjour\nmonde coop 1250\n');
  const scored = await runCommand(['score', reference, hypothesis, '--only', 'wer']);
  assert.equal(scored.stdout.trim(), '0', scored.stderr);
});

test('score says where a sentence without blanks is taken for one word', async () => {
  const told = await runCommand(['score', '今天天气很好', '今天天气真好', '--only', 'wer', '-n', 'plain']);
  assert.equal(told.stdout.trim(), '1');
  assert.match(
    told.stderr.replaceAll(/\s+/g, ' '),
    /all of it wrong \(今天天气很好\); --normalizer chinese counts characters/,
  );
  const counted = await runCommand([
    'score',
    '今天天气很好',
    '今天天气真好',
    '--only',
    'wer',
    '--normalizer',
    'chinese',
  ]);
  assert.deepEqual([counted.stdout.trim().slice(0, 5), counted.stderr], ['0.166', '']);
  const characters = await runCommand([
    'score',
    '今天iPhone很好',
    '今天iPhone真好',
    '--only',
    'cer',
    '--normalizer',
    'chinese',
  ]);
  // Four characters and six letters.
  assert.equal(Number(characters.stdout), 1 / 10);
});

test('ids that differ only in how they are written are the same where that is clear, and German names of columns are known', async () => {
  await using folder = await temporaryFolder();
  const table = (name: string, ids: readonly string[]) =>
    [`Id;${name}`, ...ids.map((id) => `${id};so ist es`)].join('\n');
  const written = async (said: readonly string[], heard: readonly string[]) => {
    await writeFile(folder.file('r.csv'), table('Referenz', said));
    await writeFile(folder.file('h.csv'), table('Hypothese', heard));
    const { stdout, stderr } = await runCommand(['score', 'r.csv', 'h.csv'], { cwd: folder.path });
    return (stdout + stderr).replace(/\s+/g, ' ');
  };
  const columns = String.raw`\(reference in Referenz, hypothesis in Hypothese\)`;
  const both = (how: string) =>
    new RegExp(`^Compared: r\\.csv with h\\.csv, by id${how} ${columns}\\. .* all 6 6 0 0 0`);
  assert.match(await written(['a', 'b1'], ['a', 'b1.wav']), both(' without endings'));
  assert.match(await written(['x/a', 'x/b1'], ['C:\\y\\a.wav', 'C:\\y\\b1.wav']), both(' without folders and endings'));
  const folded = both(' without folders, endings and letter case');
  assert.match(await written(['a', 'b1'], ['a', 'B1.wav']), folded);
  assert.match(await written(['a', 'm\u00fc'], ['a', 'mu\u0308']), folded);
  // Two ids that only their letter case tells apart stay two.
  assert.match(await written(['a', 'A'], ['a']), /by id \(.*Missing hypotheses, scored as deletions: 1 \(A\)/);
  assert.match(await written(['a', 'b'], ['a', 'c']), /Missing hypotheses, scored as deletions: 1 \(b\)/);
});

test('marks for what is not known are noticed where they stand as texts, and still count as words', async () => {
  await using folder = await temporaryFolder();
  const rows = ['id,reference,hypothesis', 'a,one two,one two', 'b,one two,NA', 'c,one two,N/A'];
  await writeFile(folder.file('p.csv'), rows.join('\n'));
  const { stdout, stderr } = await runCommand(['score', 'p.csv', '--only', 'wer'], { cwd: folder.path });
  // Two texts of two words each have one word substituted and one deleted: 4 of 6.
  assert.equal(Number(stdout), 4 / 6);
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /note: 2 hypotheses are a mark like NA, which counts as a word: if there is no text, leave it empty/,
  );
});

test('score goes by the language of each pair, by the one that is told, or by what the texts tell', async () => {
  await using folder = await temporaryFolder();
  const rows = [
    'language,reference,hypothesis',
    'zh,我们今天开会讨论,我们今天 开会吧讨论',
    'hi,नमस्ते दुनिया,नमस्ती दुनिया',
  ];
  await writeFile(folder.file('p.csv'), rows.join('\n'));
  await writeFile(folder.file('q.csv'), rows.map((row) => row.split(',').slice(1).join(',')).join('\n'));
  const asked = (...args: string[]) =>
    runCommand(['score', ...args, '-n', 'by-language', '--only', 'wer'], { cwd: folder.path });
  // One of eight characters is inserted, and one word of two is wrong.
  assert.equal((await asked('p.csv')).stdout.trim(), '0.2');
  // Common Voice calls the column locale, and others write names.
  const named = rows.map((row) => row.replace(/^language/, 'locale').replace(/^zh/, 'Chinese'));
  await writeFile(folder.file('n.csv'), named.join('\n'));
  assert.equal((await asked('n.csv')).stdout.trim(), '0.2');
  // As Hindi, the first sentence is one word, and then two others.
  assert.equal((await asked('q.csv', '--language', 'hi')).stdout.trim(), '1');
  // Of texts that say none it is one language for all: what most of the letters tell.
  const guessed = await asked('q.csv');
  assert.deepEqual([guessed.stdout.trim(), guessed.code], ['0.2', 0]);
  assert.match(
    guessed.stderr.replaceAll(/\s+/g, ' '),
    /note: language zh \(guessed from the references; --language says another\); normalizer chinese $/,
  );
  assert.match((await asked('q.csv', '--language', 'Hindi!')).stderr, /--language: expected a language like en/);
  const lines = (...args: string[]) => runCommand(['normalize', '-n', 'by-language', ...args], { input: 'İYİ\n' });
  assert.equal((await lines('--language', 'tr')).stdout, 'iyi\n');
  assert.match((await lines()).stderr, /expected --language TAG with --normalizer by-language/);
});

test('score puts trn files together by id, and tells of ids that only one of them has', async () => {
  await using folder = await temporaryFolder();
  await writeFile(
    folder.file('r.trn'),
    '\ufeffhi { there / their } (ann-1)\r\nfine (uh) thanks (bob-2)\r\nsilence (bob-3)\r\n',
  );
  await writeFile(folder.file('h.trn'), ';; x\nfine thanks (BOB-2)\nwhat (eve-9)\nhi their (ANN-1)\n');
  const args = ['score', '--reference', 'r.trn', '--hypothesis', 'h.trn', '-n', 'none'];
  const { stdout, stderr } = await runCommand([...args, '--json'], { cwd: folder.path });
  const { utterances, corpus, unmatched } = JSON.parse(stdout);
  assert.deepEqual(
    utterances.map((one: Counted & { id: string; missing?: true }) => [one.id, csdi(one), one.missing ?? false]),
    [
      ['ann-1', '2/0/0/0', false],
      ['bob-2', '2/0/0/0', false],
      ['bob-3', '0/0/1/0', true],
    ],
  );
  assert.equal(corpus.interval.clusters, 2);
  assert.deepEqual(unmatched.missingHypotheses, { count: 1, first: ['bob-3'] });
  assert.deepEqual(unmatched.missingReferences, { count: 1, first: ['eve-9'] });
  assert.match(stderr, /scored as deletions: 1 \(bob-3\)\nno reference, not scored: 1 \(eve-9\)/);

  await writeFile(folder.file('other.trn'), 'hi (x-1)\n');
  await writeFile(folder.file('twice.trn'), 'hi (ann-1)\nhi (ANN-1)\n');
  for (const [hypothesis, code, said] of [
    ['other.trn', 'bad-input', /"ann-1"\), but none of them is there \(it has "x-1"\)/],
    ['twice.trn', 'bad-input', /twice\.trn:2:1: expected different ids/],
    ['a text', 'bad-usage', /expected two files or two texts, but r\.trn is a file, and there is no file "a text"/],
  ] as const) {
    const failed = await runCommand([...args.slice(0, 4), hypothesis], { cwd: folder.path });
    assert.equal(failed.code, exitCodes[code], failed.stderr);
    assert.match(failed.stderr, said);
  }
});

test('score cuts a ctm to the segments of an stm, with the counts of sclite -D', async () => {
  await using folder = await temporaryFolder();
  await writeFile(
    folder.file('r.stm'),
    `;; LABEL "F" "Female" "Female speakers"
call1 A ann 0.00 2.00 <O,F> good morning { how are / how're } you
call1 A bob 2.00 4.50 <O,M> fine (uh) thank you
call1 A ann 4.50 6.00 <O,F> ignore_time_segment_in_scoring
call1 A bob 6.00 9.00 <O,M> we meet at noon
call1 B cid 0.50 3.00 <O,M> nobody wrote this down
`,
  );
  const words = `0.10 GOOD|0.55 MOURNING|1.00 HOW'RE|1.90 YOU|2.10 FINE|2.70 THANKS|3.20 YOU|4.40 SO|4.90 HIDDEN|6.10 WE|
* <ALT_BEGIN>|6.50 MEAT|* <ALT>|6.50 MEET|* <ALT_END>|7.00 AT|7.40 NOON|9.40 LATE`;
  const ctm = words.split(/\|\n?/).map((entry) => {
    const [begin, word] = entry.split(' ');
    return `CALL1 A ${begin} ${begin === '*' ? '*' : '0.20'} ${word}\n`;
  });
  await writeFile(folder.file('h.ctm'), ctm.join(''));
  const args = ['score', '--reference', 'r.stm', '--hypothesis', 'h.ctm', '--alignment', 'sclite', '-n', 'none'];
  const { stdout } = await runCommand([...args, '--case', 'fold-ascii', '--by', 'label', '--json'], {
    cwd: folder.path,
  });
  const { utterances, groups, unmatched } = JSON.parse(stdout);
  // sclite 2.10 of SCTK 2.4.10: -r r.stm stm -h h.ctm ctm -D -o pra stdout.
  assert.deepEqual(utterances.map(csdi), ['2/1/1/0', '3/1/0/1', '4/0/0/1', '0/0/4/0']);
  assert.deepEqual(
    groups.map((group: Counted & { value: string }) => [group.value, csdi(group)]),
    [
      ['F', '2/1/1/0'],
      ['M', '7/1/4/2'],
      ['O', '9/2/5/2'],
    ],
  );
  assert.deepEqual([unmatched.ignoredSegments, unmatched.ignoredWords], [1, 2]);
  assert.equal(unmatched.missingHypotheses.count, 1);
});

test('score rewrites both sides by a global mapping file', async () => {
  await using folder = await temporaryFolder();
  await writeFile(
    folder.file('some.glm'),
    `;;
* name "some"
* case_sensitive = 'F'
* copy_no_hit = 'T'
TAXPAYERS => TAX PAYERS / [ ] __ [ ]
IT'S => {IT IS / IT HAS} / [ ] __ [ ]
`,
  );
  const texts = ['--reference', "it's taxpayers", '--hypothesis', 'it has tax payers'];
  const args = ['score', ...texts, '-n', 'none', '--case', 'fold-ascii', '--json'];
  const plain = JSON.parse((await runCommand(args)).stdout);
  const mapped = JSON.parse((await runCommand([...args, '--glm', 'some.glm'], { cwd: folder.path })).stdout);
  assert.deepEqual([plain.corpus.wer, mapped.corpus.wer], [2, 0]);
  assert.equal(mapped.glm.rules, 2);
});

test("score has sclite's counts and paths of every golden pair, and of cased ones with and without -s", async () => {
  await using folder = await temporaryFolder();
  const rows = (name: string) =>
    readFileSync(new URL(name, goldens), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
  const score = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(
      ['score', '-n', 'none', '--alignment', 'sclite', '--json', ...args],
      {
        cwd: folder.path,
      },
    );
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).utterances as (Counted & { alignedWords: { reference: string; hypothesis: string }[] })[];
  };

  const pairs = rows('pairs.tsv');
  for (const [file, column] of [
    ['r.trn', 1],
    ['h.trn', 2],
  ] as const) {
    await writeFile(folder.file(file), pairs.map((pair, index) => `${pair[column]} (s-${index})\n`).join(''));
  }
  const scored = await score('--reference', 'r.trn', '--hypothesis', 'h.trn');
  assert.equal(scored.length, 2017);
  for (const [index, utterance] of scored.entries()) {
    const letters = utterance.alignedWords.map(({ reference, hypothesis }) =>
      reference === null ? 'I' : hypothesis === null ? 'D' : reference === hypothesis ? 'C' : 'S',
    );
    assert.deepEqual([csdi(utterance), letters.join('')], pairs[index]!.slice(3, 5), `pair ${index}`);
  }

  const cased = rows('cased.tsv');
  await writeFile(folder.file('cased.tsv'), `reference\thypothesis\n${cased.map(([a, b]) => `${a}\t${b}\n`).join('')}`);
  assert.deepEqual(
    (await score('cased.tsv')).map(csdi),
    cased.map((pair) => pair[2]),
  );
  assert.deepEqual(
    (await score('cased.tsv', '--case', 'fold-ascii')).map(csdi),
    cased.map((pair) => pair[3]),
  );
});

test('score cuts two ctm files where neither has a word, unless told otherwise, and says so', async () => {
  await using folder = await temporaryFolder();
  const lines = (words: string) => words.split(' ').map((word) => `call A ${word.replaceAll('_', ' ')}\n`);
  await writeFile(folder.file('r.ctm'), lines('0_0.4_one 0.5_0.3_two 2_0.3_three 3_1_four 9_1_six').join(''));
  await writeFile(folder.file('h.ctm'), lines('2.2_0.9_and 0.1_0.3_one 6_0.2_five 3.5_0.4_four').join(''));
  const args = ['score', '--reference', 'r.ctm', '--hypothesis', 'h.ctm'];
  const score = async (...more: string[]) => {
    const { stdout, stderr } = await runCommand([...args, ...more, '--json'], { cwd: folder.path });
    assert.equal(stderr, '');
    const { silenceSeconds, utterances, corpus } = JSON.parse(stdout);
    return { silenceSeconds, ids: utterances.map(({ id }: { id: string }) => id), counts: csdi(corpus) };
  };
  assert.deepEqual(await score(), {
    silenceSeconds: 0.5,
    ids: ['call-A-0-0.8', 'call-A-2-4', 'call-A-6-6.2', 'call-A-9-10'],
    counts: '2/1/2/1',
  });
  assert.deepEqual((await score('--silence', '1.3')).ids, ['call-A-0-4', 'call-A-6-6.2', 'call-A-9-10']);
  // "five" is then taken for "six".
  assert.deepEqual(await score('--silence', 'none'), { silenceSeconds: undefined, ids: ['call-A'], counts: '2/2/1/0' });
  const { stdout } = await runCommand(args, { cwd: folder.path });
  assert.match(stdout, /^Channels were cut where neither file has a word for 0\.5 s\.$/m);
  for (const wrong of [
    ['--silence', '0'],
    ['--silence', 'x'],
  ]) {
    const { code, stderr } = await runCommand([...args, ...wrong], { cwd: folder.path });
    assert.equal(code, exitCodes['bad-usage']);
    assert.match(stderr, /expected seconds above 0, or none/);
  }
  const pair = await runCommand(['score', '--reference', 'a', '--hypothesis', 'a', '--silence', '1']);
  assert.match(pair.stderr, /expected two \.ctm files with --silence/);
});

test('score asks a model of sentences where one is named: by pair, by group and in all, with what it could not say', async () => {
  await using folder = await temporaryFolder();
  // A model that knows of a text how many a and b it has, and reads ten characters.
  await writeFile(
    folder.file('letters.mjs'),
    `import { z } from 'zod';
    const count = (text, letter) => text.slice(0, 10).split(letter).length - 1;
    export default {
      name: 'letters', about: 'counts', options: z.strictObject({}),
      open: async () => ({
        identity: { engine: 'letters' }, model: { name: 'letters' }, languages: ['en'], close: async () => {},
        embedTexts: async (texts) => texts.map((text) => ({
          vector: Float32Array.of(count(text, 'a'), count(text, 'b')),
          ...(text.length > 10 ? { note: 'read to character 10' } : {}),
        })),
      }),
    };`,
  );
  const pairs =
    'id\treference\thypothesis\tsex\tlanguage\n1\taab\taab\tf\t\n2\ta\tb\tf\ten-GB\n3\ta\t\tm\t\n4\tab\tab ab ab ab ab\tm\t\n5\ta\ta\tm\tde\n';
  await writeFile(folder.file('pairs.tsv'), pairs);
  const args = ['score', 'pairs.tsv', '--embedder', './letters.mjs', '--by', 'sex'];
  const { stdout, stderr } = await runCommand([...args, '--json'], { cwd: folder.path });
  assert.equal(stderr, '');
  const { embedder, utterances, corpus, groups } = JSON.parse(stdout);
  assert.equal(embedder.model.name, 'letters');
  const of = ({ semanticSimilarity: { value, ...rest } }: { semanticSimilarity: { value: number | null } }) => ({
    value: value === null ? null : Number(value.toFixed(6)),
    ...rest,
  });
  assert.deepEqual(utterances.map(of), [
    { value: 1 },
    { value: 0 },
    { value: null, reason: 'the hypothesis is empty' },
    { value: 0.989949, note: 'the hypothesis: read to character 10' },
    { value: null, reason: 'the model letters declares en, not de' },
  ]);
  const { mean, utterances: count, leftOut, cut, interval } = corpus.semanticSimilarity;
  assert.deepEqual([count, cut, interval.low], [3, 1, null]);
  assert.ok(Math.abs(mean - (1 + 0 + 7 / Math.sqrt(50)) / 3) < 1e-6);
  assert.deepEqual(leftOut, { 'the hypothesis is empty': 1, 'the model letters declares en, not de': 1 });
  assert.deepEqual(
    groups.map(({ semanticSimilarity }: typeof corpus) => [
      Number(semanticSimilarity.mean.toFixed(6)),
      semanticSimilarity.utterances,
    ]),
    [
      [0.5, 2],
      [0.989949, 1],
    ],
  );
  const text = await runCommand([...args, '--language', 'en'], { cwd: folder.path });
  assert.match(text.stdout, /95 % interval +meaning$/m);
  assert.match(text.stdout, /^all .* 0\.747$/m);
  assert.match(text.stdout, /Truncated to the model's input length: 1 pair/);
  const { stderr: wrong } = await runCommand([...args, '--language', 'English please'], { cwd: folder.path });
  assert.match(
    wrong,
    /--language: expected a language like en or en-GB \(BCP 47\), or its English name, but found "English please"/,
  );
});

test('score --only counts no characters but for the CER: between long texts they take far longer than words', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pairs.tsv');
  const said = Array.from({ length: 20_000 }, (_, place) => `w${place % 977}`).join(' ');
  await writeFile(file, `reference\thypothesis\n${said}\t${'the '.repeat(50_000).trim()}\n`);
  const before = process.cpuUsage();
  const { code, stdout, stderr } = await runCommand(['score', file, '--only', 'wer'], { terminal: true });
  const { user, system } = process.cpuUsage(before);
  assert.equal(code, 0, stderr);
  assert.equal(Number(stdout), 50_000 / 20_000);
  // A second, and twenty with the characters.
  assert.ok((user + system) / 1e6 < 8, `${(user + system) / 1e6} s`);
  assert.match(stderr, /scoring: 1 pair/);
});

test('score --only of any rate is that of all of them', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pairs.tsv');
  await writeFile(file, 'reference\thypothesis\nthe cat sat\ta cat sat on\nhello world\thello\n');
  const { corpus } = JSON.parse((await runCommand(['score', file, '--json'])).stdout);
  for (const rate of ['wer', 'cer', 'mer', 'wil', 'wip']) {
    assert.equal(Number((await runCommand(['score', file, '--only', rate])).stdout), corpus[rate], rate);
  }
});

test('The names of locales are languages, on the command line and in a column.', async () => {
  const rows = ['reference,hypothesis,locale', 'ISPARTA,ısparta,tr_TR.UTF-8', 'İzmir,izmir,tr_TR@euro'];
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'pairs.csv'), `${rows.join('\n')}\n`);
  await writeFile(join(folder.path, 'line.txt'), 'ISPARTA\n');
  const args = ['score', 'pairs.csv', '--normalizer', 'by-language', '--only', 'wer'];
  for (const more of [[], ['--language', 'tr_TR.UTF-8']]) {
    const { stdout, stderr } = await runCommand([...args, ...more], { cwd: folder.path });
    assert.equal(stdout, '0\n', stderr);
  }
  const normalize = ['normalize', 'line.txt', '--normalizer', 'by-language', '--language', 'tr_TR.UTF-8'];
  assert.equal((await runCommand(normalize, { cwd: folder.path })).stdout, 'ısparta\n');
});
