import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

/** A program that hears two words with times in everything, whatever it is. */
const words = [
  { word: 'hello', start: 0.1, end: 0.4, confidence: 0.5 },
  { word: 'world.', start: 0.4, end: 0.9 },
];
const printing = (value: object) => `console.log(${JSON.stringify(JSON.stringify(value))})`;
const spec = (value: object, more: object = {}) =>
  `command:${JSON.stringify({ program: ['node', '-e', printing(value)], output: 'json', version: '1', ...more })}`;
const withTimes = spec({ text: 'hello world.', words }, { wordsPath: 'words' });
const srt = '1\n00:00:00,100 --> 00:00:00,933\nhello world.\n';

test('subtitles of a folder are written file by file, and a file that cannot be heard stops no other', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['one.wav', 'two.wav']) await writeFile(folder.file(name), sineWav());
  await writeFile(folder.file('torn.wav'), 'RIFF');
  const files = ['one.wav', 'torn.wav', 'two.wav'];
  const recognize = (...more: string[]) =>
    runCommand(['recognize', ...files, '-r', withTimes, '--srt', ...more], { cwd: folder.path });

  const { code, stdout, stderr } = await recognize('-o', 'out', '--json');
  assert.equal(code, exitCodes['bad-input'], stderr);
  assert.match(stderr, /torn\.wav/);
  assert.match(stderr, /1 of 3 files have no transcript/);
  assert.deepEqual((await readdir(folder.file('out'))).sort(), ['one.srt', 'two.srt']);
  assert.equal(await readFile(folder.file('out/two.srt'), 'utf8'), srt);
  const { answers } = JSON.parse(stdout);
  assert.deepEqual(
    answers.map((answer: object) => Object.keys(answer)),
    [
      ['file', 'soundSeconds', 'transcript', 'timing'],
      ['file', 'soundSeconds', 'failure', 'timing'],
      ['file', 'soundSeconds', 'transcript', 'timing'],
    ],
  );

  const again = await recognize('-o', 'out');
  assert.equal(again.code, exitCodes['bad-input']);
  assert.match(again.stderr, /one\.srt is there already; .*--force/);
  const together = await recognize();
  assert.equal(together.code, exitCodes['bad-usage']);
  assert.match(together.stderr, /a folder in --output/);
});

test('one sound prints its subtitles, and CTM of several stands in one stream', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['one.wav', 'two.wav']) await writeFile(folder.file(name), sineWav());
  const recognize = (...args: string[]) => runCommand(['recognize', ...args], { cwd: folder.path });
  assert.equal((await recognize('one.wav', '-r', withTimes, '--srt')).stdout, srt);
  assert.equal(
    (await recognize('one.wav', 'two.wav', '-r', withTimes, '--ctm')).stdout,
    ['one', 'two'].map((name) => `${name} 1 0.100 0.300 hello 0.5000\n${name} 1 0.400 0.500 world.\n`).join(''),
  );
  const bare = await recognize('one.wav', '-r', spec({ text: 'hello' }), '--vtt');
  assert.equal(bare.code, exitCodes['bad-input']);
  assert.match(
    bare.stderr,
    /one\.wav: expected words with their times for --vtt, but this recognizer gave a text alone/,
  );
  assert.equal(bare.stdout, '');
  const both = await recognize('one.wav', '-r', withTimes, '--srt', '--ctm');
  assert.equal(both.code, exitCodes['bad-usage']);
});

test('of a folder the sounds in it are heard, at any depth; one without any is told', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('recordings/deep'), { recursive: true });
  await mkdir(folder.file('empty'));
  for (const name of ['recordings/b.wav', 'recordings/deep/ö a.wav', 'c.wav'])
    await writeFile(folder.file(name), sineWav());
  await writeFile(folder.file('recordings/b.txt'), 'hello');
  const recognize = (...places: string[]) =>
    runCommand(['recognize', ...places, '-r', withTimes], { cwd: folder.path });
  const { stdout, stderr } = await recognize('recordings', 'c.wav');
  assert.deepEqual(
    stdout.split('\n').map((line) => line.split('\t')[0]),
    ['recordings/b.wav', 'recordings/deep/ö a.wav', 'c.wav', ''],
    stderr,
  );
  const none = await recognize('empty');
  assert.equal(none.code, exitCodes['bad-input']);
  assert.match(none.stderr, /empty: expected sound files .* but the folder has none/);
});
