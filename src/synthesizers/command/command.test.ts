import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { encodeWav } from '../../audio/encode-wav.ts';
import { sha256 } from '../../base/hash.ts';
import { command } from './command.ts';

const baseFolder = mkdtempSync(join(tmpdir(), 'earwitness-command-'));
after(() => rmSync(baseFolder, { recursive: true, force: true }));
const services = {
  baseFolder,
  environment: () => undefined,
  fileHash: async (path: string) => sha256(await readFile(path)),
};
const tone = {
  samples: Float32Array.from({ length: 800 }, (_, n) => 0.25 * Math.sign(Math.sin(n / 9))),
  sampleRate: 8000,
};
writeFileSync(join(baseFolder, 'tone.wav'), encodeWav(tone, { format: 's16' }));

function script(name: string, body: string): string {
  const path = join(baseFolder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return `./${name}`;
}
const open = (options: object) => command.open(command.options.parse(options), services);

test('reads the text from its input and writes to its output', async () => {
  const program = script('pipe.sh', 'read line; test "$line" = "hello there" && cat tone.wav');
  const clip = await (await open({ command: [program] })).speak('hello there', 'default');
  assert.deepEqual(clip.samples, tone.samples);
  assert.equal(clip.sampleRate, 8000);
});

test('or gets text, voice and the place of the output as arguments, and leaves no file', async () => {
  const program = script('arguments.sh', 'test "$1" = "--say= - {voice} é" && test "$2" = anna && cp tone.wav "$3"');
  const synthesizer = await open({
    command: [program, '--say= {text}', '{voice}', '{output}'],
    voices: [{ name: 'anna', language: 'de', attributes: { sex: 'female' } }],
  });
  const mine = () => readdirSync(tmpdir()).filter((name) => name.startsWith('earwitness-speech-'));
  const before = mine();
  assert.deepEqual((await synthesizer.speak('- {voice} é', 'anna')).samples, tone.samples);
  assert.deepEqual(
    mine().filter((name) => !before.includes(name)),
    [],
  );
});

test('only named variables are seen', async (context) => {
  process.env.EAR_TEST_KEY = 'sesame';
  context.after(() => delete process.env.EAR_TEST_KEY);
  const program = script('key.sh', 'test "$EAR_TEST_KEY" = "$1" && cat tone.wav');
  const unnamed = await open({ command: [program] });
  assert.equal((await unnamed.speak('hello', 'default')).samples.length, 800);
  const named = await open({ command: [program, 'sesame'], environment: ['EAR_TEST_KEY'] });
  assert.equal((await named.speak('hello', 'default')).samples.length, 800);
});

test('a text never looks like an option', async () => {
  const program = script('option.sh', 'test "$1" = " --delete all" && cat tone.wav');
  assert.equal(
    (await (await open({ command: [program, '{text}'] })).speak('--delete all', 'default')).samples.length,
    800,
  );
});

test('what goes wrong is one sentence', async () => {
  const cases: [string, object, RegExp][] = [
    ['exit 3', {}, /ended with exit code 3; try/],
    ['echo first >&2; echo "no such voice" >&2; exit 1', {}, /exit code 1 and said "no such voice"/],
    ['kill -SEGV $$', {}, /was ended by SIGSEGV/],
    ['sleep 60 & sleep 60', { timeoutSeconds: 0.2 }, /took longer than 0.2 s/],
    ['exit 0', {}, /expected a WAV file with the spoken text, but it gave nothing/],
    ['echo hello', {}, /but it gave 6 bytes of something else/],
    ['head -c 200 tone.wav', {}, /cut off/],
    ['head -c 20 tone.wav', {}, /bad\.sh/],
    ['cat /dev/zero', {}, /wrote more than 268435456 bytes/],
  ];
  for (const [body, options, expected] of cases) {
    const synthesizer = await open({ command: [script('bad.sh', body)], ...options });
    await assert.rejects(() => synthesizer.speak('hello', 'default'), { code: 'bad-input', message: expected }, body);
  }
  const silent = await open({ command: [script('bad.sh', 'exit 0'), '{output}'] });
  await assert.rejects(() => silent.speak('hello', 'default'), { code: 'bad-input', message: /wrote none/ });
  await assert.rejects(() => open({ command: ['./absent'] }), { code: 'missing-program', message: /no such file/ });
  await assert.rejects(() => open({ command: ['no-such-program'] }), {
    code: 'missing-program',
    message: /not on PATH/,
  });
});

test('can be stopped while it speaks', async () => {
  const synthesizer = await open({ command: [script('slow.sh', 'sleep 60')] });
  const stop = new AbortController();
  const speaking = synthesizer.speak('hello', 'default', stop.signal);
  stop.abort(new Error('stopped'));
  await assert.rejects(() => speaking, { message: 'stopped' });
});

const noProc = process.platform !== 'linux' && 'there is no /proc to look into';

test('what a stopped program has started ends with it', { skip: noProc }, async () => {
  const program = script('parent.sh', 'sleep 60 & echo $! > child; wait');
  const synthesizer = await open({ command: [program], timeoutSeconds: 0.5 });
  await assert.rejects(() => synthesizer.speak('hello', 'default'), /took longer/);
  const child = (await readFile(join(baseFolder, 'child'), 'utf8')).trim();
  // Absent, or a zombie where nobody collects it.
  const state = existsSync(`/proc/${child}/stat`) ? await readFile(`/proc/${child}/stat`, 'utf8') : '(sleep) Z';
  assert.match(state, /\) [ZX]/);
});

test('the identity follows the content of the program and of the files it is given, not their folders', async () => {
  const identity = async (folder: string, model: string) => {
    const other = join(baseFolder, folder);
    mkdirSync(other);
    writeFileSync(join(other, 'speak.sh'), '#!/bin/sh\n');
    chmodSync(join(other, 'speak.sh'), 0o755);
    writeFileSync(join(other, 'model.bin'), model);
    const options = command.options.parse({ command: ['./speak.sh', 'model.bin', '--fast'] });
    return (await command.open(options, { ...services, baseFolder: other })).identity;
  };
  const first = await identity('one', 'a');
  assert.deepEqual(await identity('two', 'a'), first);
  assert.notDeepEqual(await identity('three', 'b'), first);
  assert.equal((first.arguments as unknown[])[1], '--fast');
});
