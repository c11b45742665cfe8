import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testRecognizer } from '../conformance.ts';
import { RecognitionError } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { command } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-command-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
// Where the member puts its WAV files, so that what it leaves behind can be seen.
process.env.TMPDIR = folder;
const secret = 'sesame-4711';
const services = plainServices(folder, { ...process.env, EAR_TEST_KEY: secret });
const neverAborted = new AbortController().signal;
const clip = { samples: new Float32Array(32_000).map((_, index) => Math.sin(index / 9) / 3), sampleRate: 16_000 };
const request = (samples = clip.samples) => ({
  clip: { samples, sampleRate: 16_000 },
  utteranceId: 'a',
  conditionName: 'clean',
  repeat: 0,
  language: 'en',
});

// A "recognizer" that tells length, rate and a checksum of the samples; given a second word, it first does that.
const script = join(folder, 'tell.mjs');
writeFileSync(
  script,
  `import { readFileSync } from 'node:fs';
   const [path, deed] = process.argv.slice(2);
   const wav = readFileSync(path === '-' ? 0 : path);
   let sum = 0;
   for (let at = 44; at < wav.length; at += 2) sum = (sum * 31 + wav.readInt16LE(at)) | 0;
   const used = () => process.cpuUsage().user + process.cpuUsage().system;
   if (deed === 'busy') while (used() < 5e5) for (let n = 0; n < 1e6; n++);
   if (deed === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
   console.log(wav.toString('latin1', 0, 4), wav.readUInt32LE(24), (wav.length - 44) / 2, sum);`,
);
const tell = [process.execPath, script];

async function heard(options: object, asked = request()) {
  const recognizer = await command.open(command.options.parse(options), services);
  try {
    const { timing: _, ...transcript } = await recognizer.recognize(asked, neverAborted);
    return transcript;
  } finally {
    await recognizer.close();
  }
}

test('what the program took of the processor is told, and not how long it took', {
  skip: process.platform !== 'linux' && 'only Linux tells of other processes',
}, async () => {
  const took = async (deed: string) => {
    const recognizer = await command.open(command.options.parse({ program: [...tell, '{wav}', deed] }), services);
    const begun = performance.now();
    const { timing } = await recognizer.recognize(request(), neverAborted);
    await recognizer.close();
    return { processor: timing!.processorSeconds!, elapsed: (performance.now() - begun) / 1000 };
  };
  const slow = await took('slow');
  assert.ok(slow.elapsed > 0.3 && slow.processor > 0.01 && slow.processor < 0.3, JSON.stringify(slow));
  // Half a second of the processor, by the program's own clock.
  const busy = await took('busy');
  assert.ok(busy.processor > 0.48 && busy.processor < 0.9, JSON.stringify(busy));
});

const shell = (line: string, options: object = {}, asked = request()) =>
  heard({ program: ['/bin/sh', '-c', line], ...options }, asked);

async function fails(promise: Promise<unknown>, kind: string, message: RegExp): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof RecognitionError, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    assert.ok(error.message.length < 700);
    return true;
  });
}

testRecognizer({
  kind: command,
  options: { program: [...tell, '{wav}', 'slow'], environment: ['EAR_TEST_KEY'], version: '1' },
  services,
  requests: [request(), request(clip.samples.slice(1000))],
  secrets: [secret],
  skip: false,
});

test('the WAV file comes by path or on standard input, at the rate asked for', async () => {
  const byPath = await heard({ program: [...tell, '{wav}'], sampleRate: 8000 });
  assert.match(byPath.text, /^RIFF 8000 16000 -?\d+$/);
  assert.deepEqual(await heard({ program: [...tell, '-'], sampleRate: 8000 }), byPath);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('earwitness-command-')),
    [],
  );
});

test('JSON is read at a path, with words', async () => {
  const json = { results: [{ transcript: 'hi you', words: [{ word: 'hi', start: 0, end: 0.5, confidence: 1 }] }] };
  const line = `cat > /dev/null; echo '${JSON.stringify(json)}'`;
  const options = { output: 'json', textPath: 'results.0.transcript', wordsPath: 'results.0.words' };
  assert.deepEqual(await shell(line, options), {
    text: 'hi you',
    words: [{ text: 'hi', startSeconds: 0, endSeconds: 0.5, confidence: 1 }],
  });
  await fails(shell(line, { output: 'json', textPath: 'results.__proto__.x' }), 'garbage', /no text at/);
  await fails(shell('echo no', { output: 'json' }), 'garbage', /no JSON: no$/);
});

test('JSON is no text: it is a failure that says how JSON is read', async () => {
  const flat = '{"text": "kids are talking", "segments": []}';
  const named =
    /expected the words alone, but the program printed JSON.*`output: json` and `textPath: text` in .*-r "\.\/PROGRAM:output=json,textPath=text"/;
  await fails(shell(`echo '${flat}'`), 'garbage', named);
  assert.equal((await shell(`echo '${flat}'`, { output: 'json', textPath: 'text' })).text, 'kids are talking');
  const deep = JSON.stringify({ model: 'm', results: [{ transcript: 'hi' }] }, null, 2);
  await fails(
    shell(`echo 'Loading {model}'; echo '${deep}'`),
    'garbage',
    /`textPath: results\.0\.transcript`.*standard error$/,
  );
  await fails(shell(`echo '{"words": ["a"]}'`), 'garbage', /`textPath: WHERE\.THE\.TEXT\.STANDS`/);
  await fails(shell(`echo '[{"text": "a"}]'`), 'garbage', /`textPath: 0\.text`/);
  await fails(
    shell(`printf '{"text": "kids"}\\n{"text": "are"}\\n'`),
    'garbage',
    /textPath=text" on the command line$/,
  );
  // Braces alone make no JSON, and what people say is none.
  for (const text of ['{laughs}', '{laughs} kids', 'so {uh} {yes}', 'he said "text": "x"', '[1, 2]', '42'])
    assert.equal((await shell(`printf '%s' '${text}'`)).text, text);
});

test('what goes wrong has a kind, and its words are short and harmless', async () => {
  await fails(
    heard({ program: ['no-such-program-here'] }),
    'refused',
    /no-such-program-here could not be started: there is none/,
  );
  await fails(shell("printf '\\033[2Jlast words' >&2; exit 3"), 'error', /exit status 3: ⟨U\+001B⟩\[2Jlast words$/);
  await fails(shell('yes error | head -c 100000 >&2; exit 1'), 'error', /exit status 1: …/);
  await fails(shell("printf '\\377\\376'"), 'garbage', /no UTF-8 text: byte 1 \(0xff\)/);
  await fails(shell("printf 'two\\ncaf\\351'"), 'garbage', /byte 8, in line 2, \(0xe9\)/);
  await fails(shell("printf 'a\\000b'"), 'garbage', /"text" has the character U\+0000/);
  const deep = `echo '{"text":"a","of":${'['.repeat(65)}${']'.repeat(65)}}'`;
  await fails(shell(deep, { output: 'json' }), 'garbage', /"of" has more than 64 lists and objects in each other/);
  await fails(shell('yes', { maxOutputBytes: 1000 }), 'garbage', /more than 1000 bytes/);
  await fails(shell('kill -SEGV $$'), 'crash', /SIGSEGV/);
});

test('the whole group of processes is killed when time is up', async () => {
  const mark = join(folder, 'pid');
  const started = performance.now();
  await fails(shell(`sleep 60 & echo $! > ${mark}; wait`, { timeLimitSeconds: 0.3 }), 'timeout', /no answer in 0.3 s/);
  assert.ok(performance.now() - started < 5000);
  const pid = Number(await readFile(mark, 'utf8'));
  // A killed process may linger as a zombie where nothing reaps it; it must not be sleeping any more.
  const state = /^State:\s+(\S)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State: X'))?.[1];
  assert.ok(state === 'Z' || state === 'X', `process ${pid} is in state ${state}`);
});

test('a program may take ten times as long as a long sound', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  for (const [seconds, limit] of [
    [1, 60],
    [9, 90],
  ] as const) {
    let over = false;
    const asked = shell('sleep 60', {}, request(new Float32Array(16_000 * seconds))).finally(() => {
      over = true;
    });
    const failed = fails(asked, 'timeout', new RegExp(`no answer in ${limit} s`));
    while (!over) {
      context.mock.timers.tick(1000);
      await setImmediate();
    }
    await failed;
  }
});

test('a program whose child keeps its output open is answered all the same', async () => {
  const started = performance.now();
  assert.equal((await shell('sleep 60 & echo done')).text, 'done');
  assert.ok(performance.now() - started < 5000);
});

test('only named variables are seen', async () => {
  const line = 'echo "$EAR_TEST_KEY"';
  assert.equal((await shell(line)).text, '');
  assert.equal((await shell(line, { environment: ['EAR_TEST_KEY'] })).text, secret);
});

test('without a version the answers are not kept; a changed script is another recognizer', async () => {
  const described = (options: object) => command.describe(command.options.parse(options), services);
  assert.equal((await described({ program: tell })).pinned, false);
  const pinned = await described({ program: tell, version: '1' });
  assert.equal(pinned.pinned, true);
  const copy = join(folder, 'copy.mjs');
  writeFileSync(copy, await readFile(script));
  const fresh = plainServices(folder);
  const copied = await command.describe(command.options.parse({ program: [tell[0], copy], version: '1' }), fresh);
  assert.deepEqual(copied.identity, pinned.identity);
  writeFileSync(copy, '// other');
  const changed = await command.describe(
    command.options.parse({ program: [tell[0], copy], version: '1' }),
    plainServices(folder),
  );
  assert.notDeepEqual(changed.identity, pinned.identity);
});

test('a program that stays is told from one that heard nothing, and how to name it', async () => {
  const examples = new URL('../../../examples/programs/', import.meta.url);
  for (const name of ['recognizer.sh', 'recognizer.mjs']) {
    const path = fileURLToPath(new URL(name, examples));
    const program = name.endsWith('.sh') ? ['/bin/sh', path] : [process.execPath, path];
    await fails(
      heard({ program: [...program, '{wav}'] }),
      'refused',
      /speaks the protocol of programs that stay; write `type: program` in the config, or -r "program:\S+ \S+recognizer\.\w+" on/,
    );
  }
  assert.deepEqual(await shell('cat > /dev/null'), { text: '' });
});
