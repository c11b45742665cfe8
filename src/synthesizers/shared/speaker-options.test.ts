import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { canonicalJson, sha256 } from '../../base/hash.ts';
import { program } from '../program/program.ts';
import { python } from '../python/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-speakers-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const services = {
  baseFolder: folder,
  fileHash: async (path: string) => sha256(readFileSync(path)),
  environment: (name: string) => process.env[name],
};
const example = fileURLToPath(new URL('../../../examples/programs/speaker.mjs', import.meta.url));

let scripts = 0;
/** A synthesizer in JavaScript that does as it is told with each line. */
function speaker(body: string, hello: object = {}): string {
  const path = join(folder, `speaker-${++scripts}.mjs`);
  const introduced = {
    say: 'hello',
    protocol: 1,
    name: 'mine',
    version: '1',
    sampleRate: 8000,
    voices: [{ name: 'a', language: 'en' }],
    ...hello,
  };
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const audio = (...samples) => Buffer.from(Float32Array.from(samples).buffer).toString('base64');
for await (const raw of createInterface({ input: process.stdin })) {
  const line = JSON.parse(raw);
  if (line.say === 'hello') say(${JSON.stringify(introduced)});
  else if (line.say === 'open') say({ say: 'opened' });
  else if (line.say === 'close') process.exit(0);
  else if (line.say === 'speak') { ${body} }
}`,
  );
  return path;
}
const open = (path: string, more: object = {}) =>
  program.open(program.options.parse({ program: [process.execPath, path], ...more }), services);

test('the example speaks, in two voices of declared sex, from two processes at once', async () => {
  const synthesizer = await open(example, { workers: 2 });
  const voices = await synthesizer.voices();
  assert.deepEqual(
    voices.map(({ name, attributes }) => [name, attributes.sex]),
    [
      ['low', 'male'],
      ['high', 'female'],
    ],
  );
  const clips = await Promise.all(['low', 'high', 'low'].map((voice) => synthesizer.speak('four', voice)));
  assert.deepEqual(
    clips.map(({ samples, sampleRate }) => [samples.length, sampleRate]),
    Array(3).fill([3200, 16_000]),
  );
  assert.deepEqual(clips[0]!.samples, clips[2]!.samples);
  assert.notDeepEqual(clips[0]!.samples, clips[1]!.samples);
  await synthesizer.close();
});

test('a voice is that of a clip: the process is given its path, and the clip belongs to the identity', async () => {
  const path = speaker(
    'say({ say: "speech", id: line.id, audio: audio(line.reference.endsWith("two.wav") ? 0.2 : 0.1) })',
    { clones: true },
  );
  writeFileSync(join(folder, 'one.wav'), 'one');
  writeFileSync(join(folder, 'two.wav'), 'two');
  const table = join(folder, 'voices.tsv');
  writeFileSync(
    table,
    'name\tlanguage\treference\tsex\taccent\np225\ten\tone.wav\tfemale\tEnglish\np226\ten\ttwo.wav\tmale\tScottish\n',
  );
  const synthesizer = await open(path, { voiceTable: 'voices.tsv' });
  assert.deepEqual(await synthesizer.voices(), [
    { name: 'p225', language: 'en', attributes: { sex: 'female', accent: 'English' } },
    { name: 'p226', language: 'en', attributes: { sex: 'male', accent: 'Scottish' } },
  ]);
  assert.deepEqual([...(await synthesizer.speak('hello', 'p225')).samples], [Math.fround(0.1)]);
  assert.deepEqual([...(await synthesizer.speak('hello', 'p226')).samples], [Math.fround(0.2)]);
  await synthesizer.close();
  assert.ok(!canonicalJson(synthesizer.identity).includes(folder));

  writeFileSync(join(folder, 'two.wav'), 'another');
  const changed = await open(path, { voiceTable: 'voices.tsv' });
  assert.notDeepEqual(changed.identity, synthesizer.identity);
  await changed.close();
});

test('voices that cannot be are refused in a sentence', async () => {
  const plain = speaker('');
  const clip = { name: 'a', language: 'en', reference: 'one.wav' };
  await assert.rejects(open(plain, { voices: [clip] }), /mine does not say that it clones; leave reference out/);
  const clones = speaker('', { clones: true, voices: [] });
  await assert.rejects(open(clones), /expected voices, but mine names none/);
  await assert.rejects(
    open(clones, { voices: [{ ...clip, reference: 'nowhere.wav' }] }),
    /there is no file nowhere\.wav/,
  );
  await assert.rejects(open(clones, { voices: [clip, clip] }), /"a" stands twice/);
  await assert.rejects(open(clones, { voices: [clip], voiceTable: 'voices.tsv' }), /either voices or voiceTable/);
  await assert.rejects(open(clones, { voiceTable: 'nowhere.tsv' }), /there is no such file/);
});

test('a failure is that of its text; a process that dies is started again, and twice at one text the text is to blame', async () => {
  const path = speaker(`
    if (line.text === 'no') say({ say: 'failure', id: line.id, message: 'too short' });
    else if (line.text === 'once' && !existsSync('died')) { writeFileSync('died', ''); process.exit(3); }
    else if (line.text === 'always') { console.error('no memory'); process.exit(4); }
    else say({ say: 'speech', id: line.id, audio: audio(0.5) });`);
  const synthesizer = await open(path);
  await assert.rejects(synthesizer.speak('no', 'a'), { code: 'bad-input', message: /cannot speak this: too short$/ });
  assert.equal((await synthesizer.speak('once', 'a')).samples.length, 1);
  await assert.rejects(synthesizer.speak('always', 'a'), {
    code: 'bad-input',
    message: /ended with exit status 4; its last words: no memory$/,
  });
  assert.equal((await synthesizer.speak('yes', 'a')).samples.length, 1);
  await synthesizer.close();
});

test('what breaks the protocol is one sentence', async () => {
  const bodies: readonly (readonly [string, RegExp])[] = [
    ['console.log("loading…")', /printed "loading…" where only lines of the protocol may stand/],
    ['say({ say: "speech", id: 99, audio: audio(1) })', /answered 99, which it was not asked/],
    ['say({ say: "speech", id: line.id, audio: "" })', /mine gave 0 bytes, where samples of 32 bits are expected/],
    ['say({ say: "speech", id: line.id, audio: audio(NaN) })', /gave samples that are not numbers/],
    ['say({ say: "transcript", id: line.id })', /`say` is none of hello, opened, speech, failure, pong/],
  ];
  for (const [body, sentence] of bodies) {
    const synthesizer = await open(speaker(body));
    await assert.rejects(synthesizer.speak('hello', 'a'), { code: 'bad-input', message: sentence });
    await synthesizer.close();
  }
  await assert.rejects(open(speaker('', { protocol: 2 })), {
    code: 'missing-program',
    message: /version 2 of the protocol/,
  });
  await assert.rejects(program.open(program.options.parse({ program: ['./nowhere'] }), services), {
    code: 'missing-program',
  });
});

test('a process that hangs is given up in time, and one that is no longer wanted at once', async () => {
  const synthesizer = await open(speaker(''), { timeoutSeconds: 0.3 });
  await assert.rejects(synthesizer.speak('hello', 'a'), /did not answer "speak" within 0\.3 s/);
  await assert.rejects(synthesizer.speak('hello', 'a', AbortSignal.timeout(50)), { name: 'TimeoutError' });
  await synthesizer.close();
});

test('a script in Python speaks: what it prints is not heard, its content and packages are its identity', async () => {
  const script = join(folder, 'voice.py');
  const write = (loudness: number) =>
    writeFileSync(
      script,
      `import earwitness
print("loading")
def say(text, voice, language):
    print("saying")
    if text == "no":
        raise ValueError("not this")
    return [${loudness}] * len(text)
earwitness.speak(say, rate=22050, voices=[{"name": "a", "language": "en-GB", "attributes": {"sex": "female"}}])
`,
    );
  write(0.5);
  const openScript = () => python.open(python.options.parse({ script: 'voice.py' }), services);
  const synthesizer = await openScript();
  assert.deepEqual(await synthesizer.voices(), [{ name: 'a', language: 'en-GB', attributes: { sex: 'female' } }]);
  const { samples, sampleRate } = await synthesizer.speak('four', 'a');
  assert.deepEqual([[...samples], sampleRate], [[0.5, 0.5, 0.5, 0.5], 22_050]);
  await assert.rejects(synthesizer.speak('no', 'a'), { code: 'bad-input', message: /ValueError: not this/ });
  await synthesizer.close();
  write(0.25);
  const changed = await openScript();
  assert.notDeepEqual(changed.identity, synthesizer.identity);
  await changed.close();

  await assert.rejects(
    python.open(python.options.parse({ script: 'voice.py', packages: ['no-such-package'] }), services),
    {
      code: 'missing-program',
      message: /no-such-package/,
    },
  );
  writeFileSync(join(folder, 'odd.py'), 'import nowhere\n');
  await assert.rejects(python.open(python.options.parse({ script: 'odd.py' }), services), {
    code: 'missing-program',
    message: /^odd\.py:1: the Python package of nowhere is missing/,
  });
});
