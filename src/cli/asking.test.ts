import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { exitCodes } from '../base/errors.ts';
import { commandLine, shellQuoted } from '../base/printable.ts';
import { loadConfig } from '../session/config/load-config.ts';
import { runCommand, sineWav, temporaryFolder } from './testing/run-command.ts';

/** A folder with these files. */
async function folderOf(files: Readonly<Record<string, string | Buffer>>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(folder.file(name)), { recursive: true });
    await writeFile(folder.file(name), content);
  }
  return folder;
}

/** The command in a terminal of its own, where somebody types these lines, each when the next question is asked. */
async function atTerminal(cwd: string, args: readonly string[], ...typed: readonly string[]) {
  const node = [process.execPath, fileURLToPath(new URL('../../bin/earwitness.js', import.meta.url)), ...args];
  const child = spawn('script', ['-qec', commandLine(node), '/dev/null'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1' },
  });
  let said = '';
  let asked = 0;
  child.stdout.on('data', (piece: Buffer) => {
    said += piece;
    const questions = said.split(/explains\]: |Number \(1 to \d\): /).length - 1;
    for (; asked < questions; asked++) child.stdin.write(`${typed[asked] ?? '\u0003'}\n`);
  });
  const [code] = await once(child, 'close');
  return { code, said: stripVTControlCharacters(said).replace(/\s+/g, ' ') };
}

const noTerminal = spawnSync('script', ['--version']).status === 0 ? false : 'there is no script(1) to make a terminal';

/** As Praat writes it in its short form. */
function textGrid(tiers: Readonly<Record<string, string>>): string {
  const parts = Object.entries(tiers).map(([name, text]) => `"IntervalTier"\n"${name}"\n0\n1\n1\n0\n1\n"${text}"\n`);
  return `File type = "ooTextFile"\nObject class = "TextGrid"\n0\n1\n<exists>\n${parts.length}\n${parts.join('')}`;
}

test('at a terminal init asks what nothing in the files says, and takes the answer', { skip: noTerminal }, async () => {
  const said = ['the train leaves at seven', 'put the letters down', 'nobody expected snow', 'she sells sea shells'];
  const heard = ['the train leaves at seven', 'put letters down', 'nobody expected know', 'she sells she shells'];
  const rows = (row: (n: number) => string) => said.map((_, n) => `${row(n)}\n`).join('');
  const sounds = (at: string) => Object.fromEntries(said.map((_, n) => [`${at}/${n}.wav`, sineWav()]));
  const texts = (at: string, all: readonly string[]) =>
    Object.fromEntries(all.map((text, n) => [`${at}/${n}.txt`, text]));
  await using folder = await folderOf({
    'columns/t.csv': `id,sentence,transcript\n${rows((n) => `${n},${said[n]},${heard[n]}`)}`,
    ...sounds('gone'),
    'gone/t.csv': `file,text\n${rows((n) => `${n === 0 ? '0' : `x${n}`}.wav,${said[n]}`)}`,
    ...sounds('empty'),
    'empty/t.csv': `file,text\n${rows((n) => `${n}.wav,${n === 0 ? said[n] : ''}`)}`,
    ...sounds('folders/audio'),
    ...texts('folders/first', said),
    ...texts('folders/second', heard),
    ...texts('folders/whisper', heard),
    ...sounds('tiers'),
    ...Object.fromEntries(said.map((text, n) => [`tiers/${n}.TextGrid`, textGrid({ words: text, phones: 'dh ax' })])),
    ...sounds('digits'),
    'digits/t.csv': `file,text\n${rows((n) => `${n}.wav,4 3 ${n}`)}`,
  });
  const written = async (name: string) => {
    const { config } = await loadConfig(folder.file(`${name}/earwitness.config.yaml`));
    return config.corpora[0]!.options as {
      columns?: { reference: string };
      texts?: string;
      language?: string;
      tier?: string;
    };
  };
  const init = async (name: string, more: readonly string[], ...typed: readonly string[]) => {
    // Nobody to ask: one sentence that names the option.
    const refused = await runCommand(['init', '--yes', ...more], { cwd: folder.file(name) });
    assert.equal(refused.code, exitCodes['bad-input']);
    const asked = await atTerminal(folder.file(name), ['init', ...more], ...typed);
    return { ...asked, refused: refused.stderr };
  };
  const scripted = ['-r', 'scripted'];

  const columns = await init('columns', [], '7', '1');
  assert.match(
    columns.refused,
    /there are "sentence" \(".*"\), "transcript" \(".*"\); name the right one with --reference-column$/m,
  );
  assert.match(
    columns.said,
    /t\.csv: which column holds the reference\? 1 "sentence": put the letters down 2 "transcript": put letters down/,
  );
  assert.match(columns.said, /Next time: earwitness init --reference-column sentence /);
  assert.equal((await written('columns')).columns?.reference, 'sentence');

  const gone = await init('gone', scripted, '1');
  assert.match(
    gone.refused,
    /that of 3 of 4 is not here; copy it here, or take the 1 that are here alone with --partial$/m,
  );
  assert.equal(gone.code, exitCodes.interrupted, gone.said);
  await assert.rejects(written('gone'));
  assert.equal((await init('gone', scripted, '2')).code, 0);

  const empty = await init('empty', scripted, '2');
  assert.match(empty.refused, /expected references for most recordings, but 3 of 4 have none .* with --partial$/m);
  assert.match(empty.said, /Found here: 4 recordings, .*, 1 with references/);

  const tiers = await init('tiers', scripted, '1');
  assert.match(tiers.refused, /0\.TextGrid: expected one tier of words, but there are "words", "phones"; .*--tier/);
  assert.match(tiers.said, /which tier holds the words\? 1 words: the train leaves at seven 2 phones: dh ax/);
  assert.equal((await written('tiers')).tier, 'words');

  const folders = await init('folders', scripted, '2');
  assert.match(folders.refused, /there are "first", "second"; name the right one with --reference-column$/m);
  assert.equal((await written('folders')).texts, 'second');
  assert.match(
    folders.said,
    /Transcripts of recognizers are here too, in first and whisper: earwitness compare second first whisper/,
  );

  const digits = await init('digits', scripted, 'German');
  assert.match(
    digits.refused,
    /expected references that tell their language, but these do not; name it with --language/,
  );
  assert.equal((await written('digits')).language, 'de');
});

const said = ['the train leaves at seven', 'put the letters down', 'nobody expected snow'];
const heard = ['the train leave at seven', 'put letters down', 'nobody expected know'];
const other = ['a train leaves at seven', 'put the letters down', 'nobody suspected snow'];
const tableOf = (head: string, ...columns: readonly (readonly string[])[]) =>
  `${head}\n${said.map((_, n) => `u${n},${columns.map((texts) => texts[n]).join(',')}\n`).join('')}`;

test('score and compare ask at a terminal as init does, and say what answers it the next time', {
  skip: noTerminal,
}, async () => {
  await using folder = await folderOf({
    'two.csv': tableOf('id,text,transcript', said, heard),
    'outputs.csv': tableOf('id,whisper,vosk', said, heard),
    'vague.csv': tableOf('id,transcript,text,label', said, heard, other),
    'strange.csv': tableOf('id,doctor,patient', said, ['my foot hurts', 'since a week', 'no I did not']),
    'models.csv': tableOf('id,reference,whisper,vosk', said, heard, other),
    'talk.TextGrid': textGrid({ words: said[0]!, phones: 'dh ax' }),
    'heard.txt': `${heard[0]}\n`,
    'audio/0.wav': sineWav(),
    'audio/1.wav': sineWav(),
    'audio/2.wav': sineWav(),
    'audio/list.csv': `file,text,transcript\n${said.map((text, n) => `${n}.wav,${text},${heard[n]}\n`).join('')}`,
  });
  // Of 12 words leaves and snow are others, and one "the" is missing.
  for (const { args, answers, asks, next, prints } of [
    {
      args: ['score', 'two.csv'],
      answers: ['3', 'text', '1'],
      asks: /two\.csv:1:1: which column holds the reference\? 1 "text": the train leaves at seven 2 "transcript": the train leave at seven Number/,
      next: '--reference-column text',
      prints: /reference in text, hypothesis in transcript\. .* 25\.0 %/,
    },
    {
      args: ['score', 'outputs.csv'],
      answers: ['1'],
      asks: /which column holds the reference\? 1 "whisper": .* 2 "vosk": .* 3 "id": u0 4 none of them: stop here Number/,
      next: '--reference-column whisper',
      prints: /reference in whisper, hypothesis in vosk\. .* 25\.0 %/,
    },
    {
      args: ['score', 'models.csv', '--only', 'wer'],
      answers: ['2'],
      asks: /which column holds the hypothesis\? 1 "whisper": .* 2 "vosk": /,
      next: '--hypothesis-column vosk',
      prints: /0\.1666/,
    },
    {
      args: ['compare', 'vague.csv'],
      answers: ['1'],
      asks: /which column holds the reference\? 1 "transcript": .* 2 "text": .* 3 "label": /,
      next: '--reference-column transcript',
      prints: /reference in transcript, outputs in text and label/,
    },
    {
      args: ['score', 'strange.csv'],
      answers: ['4'],
      asks: /which column holds the reference\? 1 "id": u0 2 "doctor": the train leaves at seven 3 "patient": my foot hurts 4 none of them: stop here/,
      next: null,
      prints: /stopped at a question; nothing was written/,
    },
    {
      args: ['score', 'talk.TextGrid', 'heard.txt'],
      answers: ['1'],
      asks: /which tier holds the words\? 1 words: the train leaves at seven 2 phones: dh ax/,
      next: '--tier words',
      prints: / 20\.0 %/,
    },
    {
      args: ['run', 'audio', '--recognizer', 'scripted', '--dry-run'],
      answers: ['1'],
      asks: /which column holds the reference\? 1 "text": .* 2 "transcript": /,
      next: '--reference-column text',
      prints: /references in "text"/,
    },
  ] as const) {
    const refused = await runCommand(args, { cwd: folder.path });
    assert.equal(refused.code, exitCodes['bad-input'], args.join(' '));
    assert.match(refused.stderr, /^earwitness: .*\n$/);
    const asked = await atTerminal(folder.path, args, ...answers);
    assert.match(asked.said, asks);
    assert.equal(asked.code, next === null ? exitCodes.interrupted : 0, asked.said);
    if (next !== null) assert.ok(asked.said.includes(`Next time: earwitness ${args.join(' ')} ${next} `), asked.said);
    assert.match(asked.said, prints);
    if (next === null || args[0] === 'run') continue;
    const answered = await runCommand([...args, ...next.split(' ')], { cwd: folder.path });
    assert.equal(answered.code, 0, answered.stderr);
  }
});

test('nobody is asked where the answer is there, the input is gone, or the question would not be seen', {
  skip: noTerminal,
}, async () => {
  await using folder = await folderOf({
    'two.csv': tableOf('id,text,transcript', said, heard),
    ...Object.fromEntries(said.map((_, n) => [`audio/${n}.wav`, sineWav()])),
    'audio/a.csv': `file,text,transcript\n${said.map((text, n) => `${n}.wav,${text},${heard[n]}\n`).join('')}`,
    'audio/b.csv': `file,text,transcript\n${heard.map((text, n) => `${n}.wav,${text},${other[n]}\n`).join('')}`,
  });
  const sentence = /earwitness: .* expected one \w+ that may hold the reference, but there are "/;
  const list = ['init', 'audio', '-r', 'scripted', '--reference-column', 'a.csv'];
  const yes = ['init', 'audio', '-r', 'scripted', '--yes'];
  for (const args of [list, yes]) {
    const { code, said: told } = await atTerminal(folder.path, args);
    assert.equal(code, exitCodes['bad-input'], told);
    assert.match(told, sentence);
  }
  const shell = async (line: string) => {
    const child = spawn('script', ['-qec', `bash -c ${shellQuoted(line)}`, '/dev/null'], { cwd: folder.path });
    let printed = '';
    child.stdout.on('data', (piece: Buffer) => {
      printed += piece;
      if (/Number \(/.test(printed)) child.stdin.write('\u0003');
    });
    const [code] = await once(child, 'close');
    return { code, printed };
  };
  const command = commandLine([process.execPath, fileURLToPath(new URL('../../bin/earwitness.js', import.meta.url))]);
  for (const line of [
    `${command} score <(cat two.csv)`,
    `${command} score two.csv 2>told; code=$?; cat told; exit $code`,
  ]) {
    const { code, printed } = await shell(line);
    assert.equal(code, exitCodes['bad-input'], printed);
    assert.match(printed, sentence);
  }
});
