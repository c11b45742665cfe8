import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { exitCodes } from '../../base/errors.ts';
import { loadConfig } from '../../session/config/load-config.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

/** A folder with these files. */
async function folderOf(files: Readonly<Record<string, string | Buffer>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(folder.file(name)), { recursive: true });
    await writeFile(folder.file(name), content);
  }
  return folder;
}

const parrot = { 'hear.sh': '#!/bin/sh\necho so say all of us\n' };

for (const format of ['yaml', 'ts'] as const) {
  test(`init --yes writes a commented config in ${format} that is accepted as it stands`, async () => {
    await using folder = await folderOf({
      'recordings/a.wav': sineWav(),
      'recordings/a.txt': 'and it was all of the time',
    });
    const { code, stdout, stderr } = await runCommand(['init', '--yes', '--format', format, '--json'], {
      cwd: folder.path,
    });
    assert.equal(code, 0, stderr);
    const answer = JSON.parse(stdout);
    assert.deepEqual(answer.corpus.corpus, { type: 'folder', options: { folder: 'recordings', language: 'en' } });
    assert.deepEqual(
      [answer.corpus.clips, answer.corpus.texts, answer.corpus.speakers, answer.corpus.languageFrom],
      [1, 1, 0, 'its words'],
    );
    const { config } = await loadConfig(folder.file(`earwitness.config.${format}`));
    assert.equal(config.corpora[0]?.options.folder, 'recordings');
    assert.deepEqual(Object.keys(config.recognizers), answer.recognizers);
    assert.equal(config.studies[0]?.type, 'robustness');
    const text = await readFile(folder.file(`earwitness.config.${format}`), 'utf8');
    assert.match(text, format === 'yaml' ? /^\s+# extensions/m : /^\s+\/\/ speaker/m);
  });
}

test('a config tells editors of its schema only where npm has put it beside', async () => {
  const schema = 'node_modules/earwitness/schema/earwitness.schema.json';
  const recording = { 'recordings/a.wav': sineWav(), 'recordings/a.txt': 'and it was all of the time' };
  for (const [files, begins] of [
    [{ ...recording, [schema]: '{}' }, `# yaml-language-server: $schema=./${schema}\n`],
    [recording, '# Config of earwitness.'],
  ] as const) {
    await using folder = await folderOf(files);
    const { code, stderr } = await runCommand(['init', '--yes'], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    assert.ok((await readFile(folder.file('earwitness.config.yaml'), 'utf8')).startsWith(begins));
  }
});

test('init takes the folder that is named, and its config says where it is from here', async () => {
  await using folder = await folderOf({ 'data/calls/a.wav': sineWav(), 'data/calls/notes.md': 'none' });
  const { code, stderr } = await runCommand(['init', 'data', '--yes'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Found in data: 1 recording, 1 s, none with references, speakers unknown\.$/m);
  // A first look at ten would be all there is.
  assert.match(stderr, /^Wrote earwitness\.config\.yaml\. Next: earwitness run$/m);
  assert.match(stderr, /Without references, the study metamorphic measures how transcripts change/);
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  assert.deepEqual(config.corpora[0]?.options, { folder: 'data/calls', language: 'en' });
  assert.equal(config.studies[0]?.type, 'metamorphic');
  const unknown = await runCommand(['init', '--yes', '-l', 'zz top'], { cwd: folder.file('data') });
  assert.equal(unknown.code, exitCodes['bad-input']);
  assert.match(unknown.stderr, /--language: expected a language like en or en-GB \(BCP 47\), or its English name, but/);
  for (const [n, [language, tag]] of Object.entries({ german: 'de', zh_CN: 'zh-CN' }).entries()) {
    const cwd = folder.file(`data/${n}`);
    await mkdir(cwd);
    assert.match(
      (await runCommand(['init', '..', '--yes', '-l', language], { cwd })).stderr,
      /Language: \S+ \(as given\)/,
    );
    const written = await loadConfig(`${cwd}/earwitness.config.yaml`);
    assert.equal(written.config.corpora[0]?.options.language, tag);
  }
  const absent = await runCommand(['init', 'elsewhere', '--yes'], { cwd: folder.file('data') });
  assert.equal(absent.code, exitCodes['bad-input']);
  assert.match(absent.stderr, /elsewhere: expected a folder of recordings or a manifest, but there is none/);
});

test('the script of the references tells their language, and what else it may be is said', async () => {
  const list = (...texts: string[]) => ['file,text', ...texts.map((text, n) => `${n}.wav,${text}`)].join('\n');
  await using folder = await folderOf({
    'zh/list.csv': list('我们 今天 开会', 'excel 报告'),
    'zh/0.wav': sineWav(),
    'zh/1.wav': sineWav(),
    'hi/list.csv': list('नमस्ते दुनिया'),
    'hi/0.wav': sineWav(),
  });
  const said = async (name: string) => {
    const { stderr, stdout } = await runCommand(['init', '--yes', '--json'], { cwd: folder.file(name) });
    return { text: stderr.replace(/\s+/g, ' '), corpus: JSON.parse(stdout).corpus };
  };
  const chinese = await said('zh');
  assert.match(
    chinese.text,
    /Language: zh \(guessed from the script; change it with --language\)\. The references mix scripts: of their letters, 61\.5 % Han and 38\.5 % Latin\./,
  );
  assert.equal(chinese.corpus.corpus.options.language, 'zh');
  const hindi = await said('hi');
  assert.match(
    hindi.text,
    /Language: hi \(guessed from the script, which is that of Marathi and Nepali too; change it with --language\)\./,
  );
  assert.doesNotMatch(hindi.text, /mix scripts/);
});

test('in a flat folder the speakers that names tell are missed once, with the pattern that finds them', async () => {
  const names = ['anna_1', 'anna_2', 'ben_1', 'ben_2'];
  await using folder = await folderOf(
    Object.fromEntries(
      names.flatMap((name, n) => [
        [`${name}.wav`, sineWav(300 + n)],
        [`${name}.txt`, 'so say all of them'],
      ]),
    ),
  );
  await writeFile(folder.file('hear.sh'), parrot['hear.sh'], { mode: 0o755 });
  const { stderr } = await runCommand(['init', '--yes', '-r', './hear.sh'], { cwd: folder.path });
  const said = stderr.replace(/\s+/g, ' ');
  assert.match(
    said,
    /speakers unknown\. If file names contain the speaker, as anna in anna_1\.wav, set pattern: '\S+' \(it finds 2 speakers\) in the config, under corpus\./,
  );
  assert.equal(said.match(/speakers unknown/g)?.length, 1, stderr);
  const before = await runCommand(['run', '--no-sound', '--json'], { cwd: folder.path });
  const warnings: string[] = JSON.parse(before.stdout).findings.flatMap(
    (finding: { readonly warnings: readonly string[] }) => finding.warnings,
  );
  assert.match(warnings.filter((text) => /speakers? (are|is) (un)?known/.test(text)).join('\n'), /^.* by pattern .*$/);

  // The pattern as it was printed, put where it was said.
  const config = await readFile(folder.file('earwitness.config.yaml'), 'utf8');
  const [pattern] = /pattern: '\S+'/.exec(said)!;
  await writeFile(
    folder.file('earwitness.config.yaml'),
    config.replace(/^ {2}folder: \.$/m, (line) => `${line}\n  ${pattern}`),
  );
  const after = await runCommand(['run', '--no-sound', '--json'], { cwd: folder.path });
  assert.match(after.stdout, /"4 utterances of 2 speakers, /);
});

test('a list that cannot be read is told with its place, and the sounds are taken without it only where somebody says so', async () => {
  const rows = Array.from({ length: 9 }, (_, n) => `${n}.wav,so say all\n`).join('');
  const sounds = Array.from({ length: 9 }, (_, n) => [`${n}.wav`, sineWav()] as const);
  await using folder = await folderOf({
    ...Object.fromEntries(sounds),
    'list.csv': `file,text\n${rows}x.wav,so, say\n`,
  });
  const refused = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.equal(refused.code, exitCodes['bad-input']);
  assert.match(
    refused.stderr,
    /^earwitness: list\.csv:11:\d+: expected 2 fields .*, or take what is read without the manifest list\.csv with --partial$/m,
  );
  const { code, stderr } = await runCommand(['init', '--yes', '--partial'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const said = stderr.replace(/\s+/g, ' ');
  assert.match(said, /Found here: 9 recordings, 9 s, none with references/);
  assert.match(
    said,
    /Not read as the manifest list\.csv: list\.csv:11:\d+: expected 2 fields as in the first line, but found 3;/,
  );
});

test('of recordings in several formats one of each name is used, and those in one format only are kept', async () => {
  const names = ['slt-a.wav', 'slt-b.wav', 'rms-a.mp3', 'rms-b.flac'];
  const files = (more: readonly string[]) => ({
    ...Object.fromEntries([...names, ...more].map((name) => [`rec/${name}`, sineWav()])),
    ...Object.fromEntries(names.map((name) => [`rec/${name.replace(/\w+$/, 'txt')}`, 'so say all'])),
  });
  const said = async (...more: string[]) => {
    await using folder = await folderOf(files(more));
    const { code, stderr, stdout } = await runCommand(['init', 'rec', '--yes', '--json'], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    const { corpus } = JSON.parse(stdout);
    assert.deepEqual([corpus.clips, corpus.texts], [4, 4]);
    return [corpus.corpus.options.extensions, corpus.notes.join(' ')];
  };
  const three = '3 others exist in one format only and are used as they are.';
  assert.deepEqual(await said('slt-a.mp3'), [
    ['wav', 'flac', 'mp3'],
    `slt-a exists as wav and mp3: the wav is used. ${three}`,
  ]);
  assert.deepEqual(await said('slt-a.mp3', 'rms-a.ogg', 'rms-a.flac', 'slt-b.ogg'), [
    ['wav', 'flac', 'mp3', 'ogg'],
    'rms-a, slt-a and slt-b exist in several formats: of each the first of wav, flac, mp3, ogg is used. 1 other exists in one format only and is used as it is.',
  ]);
  assert.deepEqual(await said(), [undefined, '']);
});

test('segments of one file are found by their times, in the unit that fits the file', async () => {
  const half = 'the first half of it\n';
  const table = (head: string, ...rows: readonly string[]) => [`file,${head},text`, ...rows].join('\n');
  await using folder = await folderOf({
    'named/m.wav': sineWav(),
    'named/seg.csv': table('start_time,end_time', `m.wav,0,0.4,${half}m.wav,0.4,0.9,and the other`),
    'thousandths/m.wav': sineWav(),
    'thousandths/seg.csv': table('begin,end', `m.wav,0,400,${half}m.wav,400,900,and the other`),
    'samples/m.wav': sineWav(),
    'samples/seg.csv': table('start,end', `m.wav,0,3200,${half}m.wav,3200,7200,and the other`),
    'ticks/m.wav': sineWav(),
    'ticks/seg.csv': table('start,end', `m.wav,0,4000000,${half}m.wav,4000000,9000000,and the other`),
    'rest/m.wav': sineWav(),
    'rest/seg.csv': table('start', `m.wav,0,${half}m.wav,0.4,and the other`),
    'late/m.wav': sineWav(),
    'late/seg.csv': table(
      'id,start,end',
      'm.wav,a,noon,one,the first',
      ...Array.from({ length: 2000 }, (_, n) => `x${n}.wav,${n},noon,one,of another day`),
      'm.wav,b,one,two,and the other',
    ),
    'cut/m.wav': sineWav(),
    'cut/seg.csv': table('start_time,end_time', `m.wav,61.5,62.5,${half}`),
    'ids/m.wav': sineWav(),
    'ids/seg.csv': 'id,file,text\na,m.wav,the first\nb,m.wav,the other\n',
  });
  const said = async (name: string) => {
    const { code, stderr } = await runCommand(['init', '--yes', '--partial', '-r', 'scripted'], {
      cwd: folder.file(name),
    });
    assert.equal(code, 0, stderr);
    const { columns = {}, timeUnit } = (await loadConfig(folder.file(`${name}/earwitness.config.yaml`))).config
      .corpora[0]!.options as { columns?: Record<string, unknown>; timeUnit?: string };
    return { text: stderr.replace(/\s+/g, ' '), start: columns.start, end: columns.end, timeUnit };
  };
  const { text, ...named } = await said('named');
  assert.match(text, /2 recordings, 1 s, all with references.* times in "start_time" and "end_time"\./);
  assert.deepEqual(named, { start: 'start_time', end: 'end_time', timeUnit: undefined });
  const thousandths = await said('thousandths');
  assert.match(thousandths.text, /times in "begin" and "end" \(milliseconds, as the lengths of the files show\)\./);
  assert.deepEqual([thousandths.start, thousandths.timeUnit], ['begin', 'milliseconds']);
  const samples = await said('samples');
  assert.match(samples.text, /2 recordings, 1 s, all with references.*\(samples, as the lengths of the files show\)\./);
  assert.equal(samples.timeUnit, 'samples');
  // A list that would be read wrongly is refused, and no column of it is left out in the name of its owner.
  for (const [name, why] of [
    ['ticks', /segments end after their file does, also if they are milliseconds or samples; write them in seconds/],
    ['late', /expected times from the beginning of each file, as several rows name one/],
    ['rest', /names the same file, but only its start is known; set columns: \{ start: …, end: … \}/],
  ] as const) {
    const { text, ...config } = await said(name);
    assert.match(text, new RegExp(`Not read as the manifest seg\\.csv: .*${why.source}`));
    assert.deepEqual(config, { start: undefined, end: undefined, timeUnit: undefined });
  }
  const cut = await said('cut');
  assert.match(cut.text, /1 recording, 1 s.* "start_time" and "end_time" are not read as times: most end after/);
  assert.equal(cut.start, undefined);
  assert.match(
    (await said('ids')).text,
    /1 row names a file that an earlier row names too, .* for segments add columns start and end, else/,
  );
});

test('files that may hold the words of recordings without any are named with their reasons, and nothing is written in their place', async () => {
  await using folder = await folderOf({
    'a.wav': sineWav(),
    'list.csv': 'path,text\nold/x.wav,hello there\n',
    'b.srt': '1\n00:00:00,000 --> 00:00:01,000\nhello\n',
    'README.txt': 'about the recordings',
  });
  await writeFile(folder.file('hear.sh'), parrot['hear.sh'], { mode: 0o755 });
  const told = async (...more: readonly string[]) => {
    const { code, stderr } = await runCommand(['init', '--yes', '-r', './hear.sh', ...more], { cwd: folder.path });
    return { code, said: stderr.replace(/\s+/g, ' ') };
  };
  const refused = await told();
  assert.equal(refused.code, exitCodes['bad-input']);
  assert.match(
    refused.said,
    /none of these files gives them: b\.srt: subtitles, .* list\.csv: no audio file here is called "old\/x\.wav": correct the paths, or copy the audio here What is read: manifests .* with --partial $/,
  );
  await assert.rejects(readFile(folder.file('earwitness.config.yaml')));
  assert.match((await told('--partial')).said, /none with references.* list\.csv: no audio .* Next: earwitness run $/);
  await rm(folder.file('earwitness.config.yaml'));
  // What a recognizer wrote is no reference.
  const said = 'hello there you are';
  await writeFile(folder.file('a.json'), JSON.stringify({ text: said, segments: [{ start: 0, end: 1, text: said }] }));
  await writeFile(folder.file('weights.json'), '{"layers":[1,2]}');
  const machine = await told();
  assert.match(machine.said, / a\.json: JSON of Whisper, which a recognizer wrote: no reference /);
  assert.match(machine.said, / weights\.json: a table without a column of words /);
  await writeFile(folder.file('a.txt'), 'hello there you all');
  const used = await told();
  assert.match(
    used.said,
    /all with references.* Not used: b\.srt: .* Wrote earwitness\.config\.yaml\. Next: earwitness run $/,
  );
  assert.equal(used.code, 0);
});

test('recordings that a manifest does not name are counted and named, and so is a table without words', async () => {
  await using folder = await folderOf({
    'm.tsv': 'path\tsentence\na.wav\tthe train leaves at seven\nb.wav\tall of us were there\n',
    'clips/a.wav': sineWav(),
    'clips/b.wav': sineWav(),
    'clips/c.wav': sineWav(),
    'clips/broken.wav': 'no audio',
    'old.csv': 'a,b\n1,2\n',
  });
  for (const at of ['.', 'm.tsv']) {
    const { code, stderr } = await runCommand(['init', at, '--yes'], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    const said = stderr.replace(/\s+/g, ' ');
    assert.match(said, /2 recordings, 2 s, all with references/);
    assert.match(said, / Not used: old\.csv: a table without a column of words /);
    assert.match(said, / 2 recordings that m\.tsv does not name: clips\/broken\.wav and clips\/c\.wav /);
    await rm(folder.file('earwitness.config.yaml'));
  }
});

test('of several texts beside recordings those are named that did not give the words', async () => {
  const srt = '1\n00:00:00,000 --> 00:00:01,000\nhello there you are\n';
  await using folder = await folderOf({
    'a.wav': sineWav(),
    'a.txt': 'hello there you are',
    'a.srt': srt,
    'b.wav': sineWav(),
    'b.txt': 'and where have you been',
    'b.srt': srt,
    'b.json': JSON.stringify({ text: 'and where' }),
  });
  const said = async () => (await runCommand(['init', '--yes'], { cwd: folder.path })).stderr.replace(/\s+/g, ' ');
  assert.match(await said(), / Not used: 2 \.srt and 1 \.json beside recordings: their words are read from \.txt /);
  await rm(folder.file('earwitness.config.yaml'));
  await rm(folder.file('b.json'));
  assert.match(await said(), / Not used: 2 \.srt beside recordings: their words are read from \.txt /);
});

test('a table that is only called as one of Common Voice does not keep the manifest of the audio there from being read', async () => {
  await using folder = await folderOf({
    'm.tsv': 'path\tsentence\na.wav\tthe train leaves at seven\n',
    'clips/a.wav': sineWav(),
    'other.tsv': 'path\tsentence\nx.wav\tnot here\n',
  });
  const { code, stderr } = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const said = stderr.replace(/\s+/g, ' ');
  assert.match(said, /Read as the manifest m\.tsv: .* Not used: other\.tsv: no audio file here is called "x\.wav"/);
});

test('sounds that cannot be read are counted and stop nothing, unless there is no other', async () => {
  await using folder = await folderOf({ 'a.wav': 'no audio', 'b.wav': sineWav(), 'only/c.wav': '' });
  const { code, stderr } = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  assert.match(stderr.replace(/\s+/g, ' '), /2 of 3 files cannot be read, such as .*a\.wav: expected an audio file/);
  const only = await runCommand(['init', '--yes'], { cwd: folder.file('only') });
  assert.equal(only.code, exitCodes['bad-input']);
  assert.match(only.stderr, /c\.wav: expected an audio file, but it is empty/);
});

test('without recordings init has example texts spoken only where that is asked for', async () => {
  await using folder = await temporaryFolder();
  const refused = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.equal(refused.code, exitCodes['bad-input']);
  assert.match(refused.stderr, /No recordings found here .* earwitness init --example/s);
  const { stdout, stderr } = await runCommand(['init', '--yes', '--json', '--example'], { cwd: folder.path });
  const texts = JSON.parse(stdout);
  assert.equal(texts.corpus.kind, 'texts');
  assert.match(stderr, /^flite speaks example texts: edit them in the config\.$/m);
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  assert.ok(config.synthesizers[texts.corpus.synthesizer]);
});

test('what lies in a folder without audio is never replaced: each file is named with its reason, and nothing is written', async () => {
  const said = ['the train leaves at seven', 'put the letters down', 'nobody expected snow', 'she sells sea shells'];
  const heard = ['the train leave at seven', 'put letters down', 'nobody expected know', 'she sells she shells'];
  const table = (head: string, texts: readonly (readonly string[])[]) =>
    [head, ...said.map((_, row) => texts.map((column) => column[row]).join(','))].join('\n');
  await using folder = await folderOf({
    'two/ref.txt': said.join('\n'),
    'two/whisper.txt': heard.join('\n'),
    'seen/x.json': JSON.stringify({ text: 'a b', segments: [{ start: 0, end: 1, text: 'a b' }] }),
    'seen/bad.csv': 'id,text\na,"never closed\n',
    'seen/gone.csv': 'path,sentence\nx.wav,the words of it\ny.wav,other words again\n',
    'seen/x.rttm': 'SPEAKER x 1 0 1 <NA> <NA> a <NA> <NA>\n',
    'unclear/t.csv': table('id,sentence,transcript', [['1', '2', '3', '4'], said, heard]),
    'few/list.csv': `path,gold,hyp\na.wav,${said[0]},${heard[0]}\nb.wav,${said[1]},${heard[1]}\nc.wav,${said[2]},${heard[2]}\n`,
    'few/a.wav': sineWav(),
  });
  const init = async (...args: readonly string[]) => {
    const { code, stderr } = await runCommand(['init', ...args, '--yes', '-r', 'scripted'], { cwd: folder.path });
    return { code, said: stderr.replace(/\s+/g, ' ') };
  };
  for (const [path, sentence] of [
    ['two', /earwitness score two\/ref\.txt two\/whisper\.txt /],
    ['seen', /Not used: seen\/bad\.csv:2:3: expected the quote that opens this field to be closed/],
    ['seen', /gone\.csv: no audio file here is called "x\.wav": correct the paths, or copy the audio here/],
    ['seen', /x\.json: JSON of Whisper, without its audio; with references: earwitness score REFERENCES seen\/x\.json/],
    ['seen', /seen\/x\.rttm: expected a transcript, but RTTM says who speaks when/],
    ['unclear', /there are "sentence" \(".*"\), "transcript" \(".*"\); name the right one with --reference-column/],
    ['few', /that of 2 of 3 is not here; copy it here, or take the 1 that are here alone with --partial/],
  ] as const) {
    const { code, said } = await init(path);
    assert.match(said, sentence);
    assert.equal(code, exitCodes['bad-input'], said);
  }
  assert.deepEqual(
    (await readdir(folder.path)).filter((name) => name.startsWith('earwitness')),
    [],
  );
  const partial = await init('few', '--partial');
  assert.equal(partial.code, 0, partial.said);
  assert.match(partial.said, /audio in "path", references in "gold"\. .*It also has what was recognized, in "hyp"/);
});

test("without recordings a folder's own texts are spoken, and what is about the folder is not", async () => {
  await using folder = await folderOf({
    'prompts.txt': 'the train to the city leaves at seven\nplease put the letters on the table\n',
    'README.txt': 'nobody says this',
    'two/a.txt': 'der Zug in die Stadt fährt um sieben\nbitte leg die Briefe auf den Tisch\n',
    'two/b.txt': 'niemand hat im April so viel Schnee erwartet und die Kinder auch nicht\n',
  });
  const { stderr } = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.match(stderr.replace(/\s+/g, ' '), /Texts: prompts\.txt with 2 lines, one utterance per line, spoken by/);
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  const { file, language } = config.corpora[0]!.options as Record<string, unknown>;
  assert.deepEqual({ file, language }, { file: 'prompts.txt', language: 'en' });
  await rm(folder.file('earwitness.config.yaml'));
  const several = await runCommand(['init', 'two', '--yes', '--json'], { cwd: folder.path });
  assert.deepEqual(JSON.parse(several.stdout).corpus.texts, { folder: 'two' }, several.stderr);
});

test('recognizers are named in short, by names of their own, and refused in one sentence', async () => {
  await using folder = await folderOf({ 'a.wav': sineWav(), 'plain.sh': '', 'models/config.json': '{}', ...parrot });
  const named = (...specs: string[]) =>
    runCommand(['init', '--yes', ...specs.flatMap((spec) => ['--recognizer', spec])], { cwd: folder.path });
  for (const [spec, message] of [
    ['./absent.sh', /"\.\/absent\.sh": expected a program at \.\/absent\.sh, but there is none/],
    ['./plain.sh', /is not executable; type: chmod \+x \.\/plain\.sh/],
    ['whisper', /expected a model behind whisper: such as whisper:openai\/whisper-base/],
    [
      'http://127.0.0.1:9/v1',
      /127\.0\.0\.1:9 does not answer; start it, correct the address, or name the model behind #/,
    ],
    ['plain.sh', /expected the name of a recognizer, but this is a file; name it by its path: \.\/plain\.sh/],
    ['python3 hear.py', /expected a program by its path, such as /],
    ['./models', /expected a program, but this is a folder; if a model of Whisper is in it: whisper:\.\/models/],
    ['pocketsphynx', /unknown recognizer "pocketsphynx"; did you mean "pocketsphinx"\?/],
  ] as const) {
    const { code, stderr } = await named(spec);
    assert.ok(code === exitCodes['bad-usage'] || code === exitCodes['bad-config'], stderr);
    assert.match(stderr, message);
  }
  await chmod(folder.file('hear.sh'), 0o755);
  const { code, stderr } = await named(
    './hear.sh',
    './hear.sh --fast {wav}',
    'mine=./hear.sh',
    'whisper:tiny.en',
    'pocketsphinx:beams=narrow',
    'http://localhost:9/v1#Systran/faster-whisper-small',
  );
  assert.equal(code, 0, stderr);
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  assert.deepEqual(
    Object.entries(config.recognizers).map(([name, { type, options }]) => [
      name,
      type,
      options.program ?? options.model ?? options.beams,
    ]),
    [
      ['hear', 'command', ['./hear.sh', '{wav}']],
      ['hear-2', 'command', ['./hear.sh', '--fast', '{wav}']],
      ['mine', 'command', ['./hear.sh', '{wav}']],
      ['whisper-tiny.en', 'transformers', 'openai/whisper-tiny.en'],
      ['pocketsphinx-narrow', 'pocketsphinx', 'narrow'],
      ['faster-whisper-small', 'openai-compatible', 'Systran/faster-whisper-small'],
    ],
  );
});

test('a script is named by its path alone: a model in Python, a program in JavaScript; a module is none', async () => {
  await using folder = await folderOf({
    'a.wav': sineWav(),
    'my_model.py': 'import earwitness\nearwitness.serve(lambda audio, rate, language: "so say all of us")\n',
    'hear.mjs': '#!/usr/bin/env node\nconsole.log("so say all of us");\n',
    'plain.mjs': 'console.log("so say all of us");\n',
  });
  await chmod(folder.file('hear.mjs'), 0o755);
  const specs = ['./my_model.py', './my_model.py --fast', './hear.mjs'];
  const named = ['init', '--yes', ...specs.flatMap((spec) => ['-r', spec])];
  const { code, stderr } = await runCommand(named, { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  assert.deepEqual(
    Object.values(config.recognizers).map(({ type, options }) => [
      type,
      options.program ?? [options.script, options.arguments],
    ]),
    [
      ['python', ['./my_model.py', []]],
      ['python', ['./my_model.py', ['--fast']]],
      ['command', ['./hear.mjs', '{wav}']],
    ],
  );
  const plain = await runCommand(['recognize', 'a.wav', '-r', './plain.mjs'], { cwd: folder.path });
  assert.equal(plain.code, exitCodes['bad-config']);
  assert.match(
    plain.stderr,
    /export one object; if it is a program that speaks the protocol, write program:\.\/plain\.mjs/,
  );
});

test('init overwrites nothing, and does not ask where nobody can answer', async () => {
  await using folder = await temporaryFolder();
  const asked = await runCommand(['init'], { cwd: folder.path });
  assert.equal(asked.code, exitCodes['bad-usage']);
  assert.match(asked.stderr, /--yes/);
  await writeFile(folder.file('earwitness.config.json'), '{}');
  const there = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.equal(there.code, exitCodes['bad-input']);
  assert.match(there.stderr, /earwitness\.config\.json already exists/);
});

test('doctor says of each member whether it is there, and lists licences with conditions', async () => {
  const { code, stdout } = await runCommand(['doctor', '--json']);
  assert.equal(code, 0);
  const machine = JSON.parse(stdout);
  for (const member of [...machine.recognizers, ...machine.synthesizers, ...machine.decoders, ...machine.quality]) {
    assert.equal(typeof member.ready, 'boolean', member.name);
    assert.ok(member.found.length > 0, member.name);
  }
  const [pesq] = machine.quality.filter(({ name }: { name: string }) => name === 'pesq');
  assert.match(pesq.found, /it needs program \(/);
  assert.ok(machine.cores >= 1);
  assert.match((await runCommand(['doctor'])).stdout, /codec-parser +LGPL-3\.0-or-later/);
});

test('sounds in Parquet files of Hugging Face are told how to get out, and are read then', async () => {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const features = { audio: { _type: 'Audio' }, gender: { _type: 'ClassLabel', names: ['female', 'male'] } };
  const parquet = (names: readonly string[]) =>
    Buffer.from(
      parquetWriteBuffer({
        schema: [
          { name: 'root', num_children: 4 },
          { name: 'audio', repetition_type: 'OPTIONAL', num_children: 2 },
          { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
          { name: 'path', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
          { name: 'speaker_id', type: 'INT64', repetition_type: 'OPTIONAL' },
          { name: 'gender', type: 'INT64', repetition_type: 'OPTIONAL' },
        ],
        columnData: [
          { name: 'audio', data: names.map((name) => ({ bytes: new Uint8Array(sineWav()), path: `${name}.wav` })) },
          { name: 'text', data: names.map((name) => `so say all of ${name}`) },
          { name: 'speaker_id', data: names.map((_, n) => BigInt(n)) },
          { name: 'gender', data: names.map((_, n) => BigInt(n % 2)) },
        ],
        kvMetadata: [{ key: 'huggingface', value: JSON.stringify({ info: { features } }) }],
      }),
    );
  await using folder = await folderOf({
    'my data/test-00000-of-00002.parquet': parquet(['ada', 'ben']),
    'my data/test-00001-of-00002.parquet': parquet(['eva', 'max']),
  });
  const refused = await runCommand(['init', 'my data', '--yes'], { cwd: folder.path });
  assert.equal(refused.code, exitCodes['bad-input']);
  const [, command = ''] =
    /^earwitness: No recordings found in my data .* and here are 2 such files \(test-00000-of-00002\.parquet, …\)\. Unpack with: (node .*); then: earwitness init recordings$/m.exec(
      refused.stderr,
    ) ?? [];
  const unpacked = spawnSync('sh', ['-c', command], { cwd: folder.path, encoding: 'utf8' });
  assert.deepEqual([unpacked.stderr, unpacked.stdout], ['', 'recordings/test: 4 sounds\n']);
  const { code, stderr } = await runCommand(['init', 'recordings', '--yes', '-r', 'scripted'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Found in recordings: 4 recordings, 4 s, all with references, 2 speakers\.$/m);
  assert.match(stderr, /^Groups: gender \(female 2, male 2\)\.$/m);
});

test('files that are not in UTF-8 are told so, not that their paths are wrong', async () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  await using folder = await folderOf({
    'a/für.wav': sineWav(),
    'a/L.csv': latin1('file,text\nfür.wav,schön ist das\n'),
    'a/words.docx': Buffer.from([0x50, 0x4b, 0xff, 0xfe]),
    'b/texts.txt': latin1('schön ist das\n'),
  });
  const { stderr } = await runCommand(['init', 'a', '--yes', '-r', 'scripted'], { cwd: folder.path });
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /none of these files gives them: a\/L\.csv:2:2: expected UTF-8 text, .* reads "für\.wav" as Windows-1252: .* writes it as UTF-8 a\/words\.docx: .* What/,
  );
  for (const [path, place] of [
    ['a/L.csv', /a\/L\.csv:2:2: expected UTF-8 text, but byte 0xfc .* reads "für\.wav" as Windows-1252/],
    ['b', /b\/texts\.txt:1:4: expected UTF-8 text, but byte 0xf6 .* reads "schön" as Windows-1252/],
  ] as const) {
    const refused = await runCommand(['init', path, '--yes', '-r', 'scripted'], { cwd: folder.path });
    assert.equal(refused.code, exitCodes['bad-input']);
    assert.match(refused.stderr, place);
  }
});

test('a recognizer of another language than the recordings is told before it has computed', async () => {
  await using folder = await folderOf({ 'a.wav': sineWav() });
  const said = async (language: string, ...recognizers: string[]) => {
    const named = recognizers.flatMap((spec) => ['-r', spec]);
    const { stderr } = await runCommand(['init', '--yes', '-l', language, ...named], { cwd: folder.path });
    await rm(folder.file('earwitness.config.yaml'));
    return stderr.replace(/\s+/g, ' ');
  };
  const both = ['pocketsphinx', 'whisper:tiny.en', 'whisper:tiny'];
  assert.match(
    await said('de', ...both),
    /pocketsphinx and whisper-tiny\.en know English only, and the language is de: name a recognizer that knows it, such as --recognizer whisper:openai\/whisper-base\./,
  );
  assert.match(await said('fr', 'pocketsphinx'), /pocketsphinx knows English only, and the language is fr:/);
  for (const told of [
    await said('en-GB', ...both),
    await said('de', 'whisper:tiny', 'pocketsphinx:acousticModel=de'),
  ]) {
    assert.doesNotMatch(told, /English only/);
  }
});

test('a list in several languages has them named with their column, also by English names, and a column of something else is told', async () => {
  await using folder = await folderOf({ 'a.wav': sineWav(), 'b.wav': sineWav(300), 'c.wav': sineWav(400) });
  const said = async (name: string, values: readonly string[]) => {
    const texts = ['Wo ist der Bahnhof bitte', 'Das ist nicht der Bahnhof', 'Where is the train station'];
    const rows = values.map((value, index) => `${'abc'[index]}.wav,${texts[index]},${value}\n`);
    await writeFile(folder.file('list.csv'), `file,text,${name}\n${rows.join('')}`);
    const { stderr } = await runCommand(['init', '--yes', '-r', 'pocketsphinx'], { cwd: folder.path });
    const config = await readFile(folder.file('earwitness.config.yaml'), 'utf8');
    await rm(folder.file('earwitness.config.yaml'));
    return { told: stderr.replace(/\s+/g, ' '), config };
  };
  for (const [name, values] of [
    ['language', ['de', 'de', 'en']],
    ['lang', ['German', 'German', 'English']],
  ] as const) {
    const { told, config } = await said(name, values);
    assert.match(told, new RegExp(`Languages: de, en \\(column "${name}"\\)\\.`));
    assert.match(
      told,
      /pocketsphinx knows English only, and some recordings are in de: name a recognizer that knows these,/,
    );
    assert.doesNotMatch(config, /language: null/);
  }
  const other = await said('language', ['clear', 'clear', 'mumbled']);
  assert.match(
    other.told,
    /The column "language" is not read as the language: "clear" is neither a tag like en-GB nor the English name of a language\./,
  );
  assert.match(other.config, /language: null/);
});

test('groups too many to compare pair by pair are compared by the study disparity', async () => {
  const regions = ['north', 'south', 'east', 'west', 'middle'];
  const rows = [0, 1].flatMap((copy) =>
    regions.map((region, n) => `${copy}${n}.wav,${region},${copy ? 'f' : 'm'},so say all`),
  );
  await using folder = await folderOf({
    'list.csv': ['file,region,sex,text', ...rows].join('\n'),
    ...Object.fromEntries(rows.map((row) => [row.slice(0, 6), sineWav()])),
  });
  await writeFile(folder.file('hear.sh'), parrot['hear.sh'], { mode: 0o755 });
  const { stderr } = await runCommand(['init', '--yes', '-r', './hear.sh'], { cwd: folder.path });
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /Compared by sex, and by region in the study disparity, each group with everybody\./,
  );
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  assert.deepEqual(
    config.studies.map(({ type, options }) => [type, options.attributes]),
    [
      ['robustness', undefined],
      ['disparity', ['region']],
    ],
  );
  const { code, stdout } = await runCommand(['run', '--no-sound', '--json'], { cwd: folder.path });
  assert.equal(code, 0);
  const studies = JSON.parse(stdout).findings.map(
    ({ study }: { readonly study: { readonly name: string } }) => study.name,
  );
  assert.ok(studies.includes('robustness') && studies.includes('disparity'), studies.join());
});

test('a Kaldi data folder whose audio lies elsewhere is read, and not said to be passed over', async () => {
  await using folder = await folderOf({ 'audio/1.wav': sineWav(), 'data/text': 'a-1 so say all\n' });
  await writeFile(folder.file('data/wav.scp'), `a-1 ${folder.file('audio/1.wav')}\n`);
  const { stderr } = await runCommand(['init', 'data', '--yes', '-r', 'scripted'], { cwd: folder.path });
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /Read as a Kaldi data folder\. .* Its audio lies outside of the folder, which the config allows \(allowOutside: true\)\./,
  );
  assert.doesNotMatch(stderr, /Not read/);
});

test('a table of references and transcripts without audio becomes a config that runs, and the quick way is named', async () => {
  const texts = [
    'so say all of them',
    'nobody waits for the train',
    'the letters are on the table',
    'it snows in april',
  ];
  const rows = texts.map((text, n) => `${n},s${n},${text},${text},${text.replace('the', 'a')}`);
  await using folder = await folderOf({ 'r.csv': ['id,who,reference,best,open/er', ...rows].join('\n') });
  for (const path of [[], ['r.csv']]) {
    const { code, stderr } = await runCommand(['init', ...path, '--yes'], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    const said = stderr.replace(/\s+/g, ' ');
    assert.match(
      said,
      /No audio, but transcripts of 2 recognizers: 4 utterances, 4 speakers\. Read as the table r\.csv: references in "reference", speakers in "who"\./,
    );
    assert.match(said, /Without a config: earwitness compare r\.csv .* Next: earwitness run ?$/);
    const run = await runCommand(['run', '--json'], { cwd: folder.path });
    assert.equal(run.code, 0, run.stderr);
    const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
    assert.deepEqual(Object.keys(config.recognizers), ['best', 'open-er']);
    await rm(folder.file('earwitness.config.yaml'));
  }
  const scored = await runCommand(['score', 'r.csv', '--hypothesis-column', 'best'], { cwd: folder.path });
  assert.equal(scored.code, 0, scored.stderr);
  const named = await runCommand(['init', '--yes', '-r', 'scripted'], { cwd: folder.path });
  assert.equal(named.code, exitCodes['bad-usage']);
  assert.match(named.stderr, /there are transcripts alone and no audio/);
  const run = await runCommand(['run', '.'], { cwd: folder.path });
  assert.match(
    run.stderr,
    /found transcripts alone; write a config for them: earwitness init \., or compare them without: /,
  );
  await writeFile(folder.file('r.csv'), Buffer.from('id,reference,hyp\n1,schön,schön\n', 'latin1'));
  assert.match((await runCommand(['init', '--yes'], { cwd: folder.path })).stderr, /r\.csv:2:6: expected UTF-8 text/);
});

test('outputs of two models in two files become two recognizers of one config', async () => {
  const rows = (heard: string) => JSON.stringify({ id: 'u1', text: 'the train leaves at seven', pred_text: heard });
  await using folder = await folderOf({
    'a.jsonl': rows('the train leave at seven'),
    'b.jsonl': rows('a train leaves seven'),
    'c.jsonl': JSON.stringify({ key: 'u1', gold: 'the train leaves at seven', hyp: 'the rain' }),
  });
  const { code, stderr } = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /transcripts of 2 recognizers.* Not used: c\.jsonl.* earwitness compare a\.jsonl b\.jsonl /,
  );
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  const files = Object.entries(config.recognizers).map(([name, { options }]) => [
    name,
    (options as { file: string }).file,
  ]);
  assert.deepEqual(files, [
    ['a', 'a.jsonl'],
    ['b', 'b.jsonl'],
  ]);
});

test('outputs whose columns are called otherwise are compared by the command that is named, and packed ones are read', async () => {
  const rows = ['the first sentence', 'another one here', 'and the last of all'];
  const lines = (row: (text: string, place: number) => object) =>
    rows.map((text, n) => JSON.stringify(row(text, n))).join('\n');
  await using folder = await temporaryFolder();
  await writeFile(
    folder.file('a.jsonl'),
    lines((text, n) => ({ id: `u${n}`, reference: text, transcript: `${text} so` })),
  );
  await writeFile(
    folder.file('b.jsonl'),
    lines((text, n) => ({ audio_filepath: `/x/u${n}.wav`, text, pred_text: text })),
  );
  const init = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.equal(init.code, 0, init.stderr);
  assert.match(
    init.stderr.replace(/\s+/g, ' '),
    /Not used: b\.jsonl in the config, .* Without a config: earwitness compare a\.jsonl b\.jsonl /,
  );
  assert.equal((await runCommand(['compare', 'a.jsonl', 'b.jsonl'], { cwd: folder.path })).code, 0);

  await using packed = await temporaryFolder();
  await writeFile(
    packed.file('r.csv.gz'),
    gzipSync(['id,reference,whisper', ...rows.map((text, n) => `u${n},${text},${text} so`)].join('\n')),
  );
  const found = await runCommand(['init', 'r.csv.gz', '--yes'], { cwd: packed.path });
  assert.equal(found.code, 0, found.stderr);
  assert.match(found.stderr, /3 utterances/);
  // Beside 11 words 3 are inserted.
  const ran = await runCommand(['run', '--json'], { cwd: packed.path });
  assert.match(ran.stdout, /"wordErrorRate": .*"words": 11\}, .*"value": 0\.2727/);
});

test('archives are named where there are no recordings beside them', async () => {
  await using folder = await folderOf({ 'dev-clean.tar.gz': '', 'earwitness-1.0.0.tgz': '', 'words.jsonl.gz': '' });
  const { stderr } = await runCommand(['init', '--yes', '-r', 'scripted'], { cwd: folder.path });
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /Archives are not read, and here is 1 archive \(dev-clean\.tar\.gz\): unpack those that hold recordings\./,
  );
});

test('a file of texts, or a table with the name of a text, is told for what it is', async () => {
  const table = 'id\treference\twhisper\nu1\tso it goes on\tso it goes\nu2\twe all know\twe all no\n';
  await using folder = await folderOf({ 'results.txt': 'so it goes\nwe all know\n', 'table.txt': table });
  for (const [name, told] of [
    ['results.txt', /but found texts without audio; with references: earwitness score REFERENCES results\.txt$/m],
    [
      'table.txt',
      /its name is none of a table: call it \.csv or \.tsv\. Without a config: earwitness score table\.txt$/m,
    ],
  ] as const) {
    const { code, stderr } = await runCommand(['init', name, '--yes'], { cwd: folder.path });
    assert.equal(code, exitCodes['bad-input']);
    assert.match(stderr, told);
  }
});

test('init takes the language that score takes of the same texts, and says that it is assumed', async () => {
  await using folder = await folderOf({
    '0.wav': sineWav(),
    '1.wav': sineWav(),
    ...parrot,
    'list.csv': 'file,text\n0.wav,one two three\n1.wav,one two three\n',
    'pairs.csv': 'id,reference,asr\n0,one two three,one two three\n1,one two three,one two\n',
  });
  await chmod(folder.file('hear.sh'), 0o755);
  const score = await runCommand(['score', 'pairs.csv'], { cwd: folder.path });
  assert.match(score.stdout.replace(/\s+/g, ' '), /Language en \(assumed; --language says another\)/);
  const init = await runCommand(['init', 'list.csv', '--yes', '--recognizer', 'a=./hear.sh'], { cwd: folder.path });
  assert.equal(init.code, 0, init.stderr);
  assert.match((init.stderr + init.stdout).replace(/\s+/g, ' '), /en \(assumed; change it with --language TAG\)/);
});
