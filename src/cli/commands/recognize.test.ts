import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
const ctmOf = (name: string) => `${name} 1 0.100 0.300 hello 0.5000\n${name} 1 0.400 0.500 world.\n`;

test('words with times of a folder are written file by file, and a file that cannot be heard stops no other', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['one.wav', 'two.wav']) await writeFile(folder.file(name), sineWav());
  await writeFile(folder.file('torn.wav'), 'RIFF');
  const files = ['one.wav', 'torn.wav', 'two.wav'];
  const recognize = (...more: string[]) =>
    runCommand(['recognize', ...files, '-r', withTimes, '--ctm', ...more], { cwd: folder.path });

  const { code, stdout, stderr } = await recognize('-o', 'out', '--json');
  assert.equal(code, exitCodes['bad-input'], stderr);
  assert.match(stderr, /torn\.wav/);
  assert.match(stderr, /1 of 3 files have no transcript/);
  assert.deepEqual((await readdir(folder.file('out'))).sort(), ['one.ctm', 'two.ctm']);
  assert.equal(await readFile(folder.file('out/two.ctm'), 'utf8'), ctmOf('two'));
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
  assert.match(again.stderr, /one\.ctm already exists; .*--force/);
});

test('CTM of several sounds stands in one stream, and is refused without times of words', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['one.wav', 'two.wav']) await writeFile(folder.file(name), sineWav());
  const recognize = (...args: string[]) => runCommand(['recognize', ...args], { cwd: folder.path });
  assert.equal((await recognize('one.wav', 'two.wav', '-r', withTimes, '--ctm')).stdout, ctmOf('one') + ctmOf('two'));
  const bare = await recognize('one.wav', '-r', spec({ text: 'hello' }), '--ctm');
  assert.equal(bare.code, exitCodes['bad-input']);
  assert.match(bare.stderr, /one\.wav: expected words with times for --ctm, but this recognizer gave text only/);
  assert.equal(bare.stdout, '');
  const both = await recognize('one.wav', '-r', withTimes, '--json', '--ctm');
  assert.equal(both.code, exitCodes['bad-usage']);
});

test('of a folder the sounds in it are heard, at any depth; one without any is told', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('recordings/deep'), { recursive: true });
  await mkdir(folder.file('empty'));
  for (const name of ['recordings/b.wav', 'recordings/deep/ö a.wav', 'c.wav'])
    await writeFile(folder.file(name), sineWav());
  await writeFile(folder.file('recordings/b.txt'), 'hello');
  await mkdir(folder.file('recordings/.earwitness/spoken'), { recursive: true });
  await writeFile(folder.file('recordings/.earwitness/spoken/0.wav'), sineWav());
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
  assert.match(none.stderr, /empty: expected audio files .* but the folder has none$/m);
  await writeFile(folder.file('empty/train.parquet'), 'PAR1');
  const packed = await recognize('empty');
  assert.match(packed.stderr, /the folder has none\. Hugging Face packs .* here is 1 such file \(train\.parquet\)\./);
  const list = await recognize('list.csv');
  assert.equal(list.code, exitCodes['bad-input']);
  assert.match(list.stderr, /list\.csv: expected audio files, .* but this is a list; a run reads lists of recordings/);
});

test('sounds in which no words were recognized are named on stderr, and where that is all of them the command fails', async () => {
  await using folder = await temporaryFolder();
  const names = Array.from({ length: 8 }, (_, index) => `${index}.wav`);
  for (const name of names) await writeFile(folder.file(name), sineWav());
  await writeFile(folder.file('long.wav'), sineWav(400, 8000, 3));
  await writeFile(folder.file('torn.wav'), 'RIFF');
  // Says a word of what is longer than two seconds, and of the rest a full stop.
  const program = ['sh', '-c', 'if [ $(wc -c) -gt 32044 ]; then echo hello; else echo .; fi'];
  const recognize = (...args: string[]) =>
    runCommand(['recognize', ...args, '-r', `command:${JSON.stringify({ program, version: '1' })}`], {
      cwd: folder.path,
    });
  const some = await recognize('long.wav', ...names);
  assert.equal(some.code, 0, some.stderr);
  assert.equal(some.stderr, 'no words were recognized in 8 of 9 files: 0.wav, 1.wav, 2.wav, 3.wav, 4.wav and 3 more\n');
  const none = await recognize('0.wav', '1.wav', '--json');
  assert.equal(none.code, exitCodes['nothing-answered']);
  assert.match(
    none.stderr,
    /^earwitness: no words were recognized in any of the 2 files: 0\.wav, 1\.wav; check that there is speech in them, and that a program prints its transcript to stdout$/m,
  );
  assert.equal(JSON.parse(none.stdout).answers.length, 2);
  assert.match(
    (await recognize('0.wav')).stderr,
    /no words were recognized in 0\.wav; check that there is speech in it, and/,
  );
  const torn = await recognize('0.wav', 'torn.wav');
  assert.equal(torn.code, exitCodes['bad-input']);
  assert.match(torn.stderr, /no words were recognized in 1 of 2 files: 0\.wav\n[\s\S]*1 of 2 files have no transcript/);
});

test('a service that is too busy is asked again when it says, and said so; not where that would be past the time limit', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('one.wav'), sineWav());
  let after = 1;
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (++calls % 2 === 0) return response.end('{"text": "hello there"}');
      response.writeHead(429, { 'Retry-After': String(after) }).end('{"error": {"message": "slow down"}}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const recognizer = `openai-compatible:{"model": "m", "baseUrl": "http://127.0.0.1:${port}/v1"}`;
  const recognize = (...more: string[]) =>
    runCommand(['recognize', 'one.wav', '-r', recognizer, ...more], { cwd: folder.path });
  try {
    const busy = await recognize();
    assert.deepEqual([busy.code, busy.stdout], [0, 'hello there\n'], busy.stderr);
    assert.equal(busy.stderr, 'one.wav: not reached: the server answered 429: slow down; asking again in 1 s\n');
    assert.equal(calls, 2);
    after = 600;
    const closed = await recognize();
    assert.equal(closed.code, exitCodes['bad-input']);
    assert.match(
      closed.stderr,
      /^one\.wav: not reached: the server answered 429: slow down; to ask again in 10 min would be past the --time-limit of 300 s\n/,
    );
    assert.equal(calls, 3);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
