// What every synthesizer must do, whatever it speaks with.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sampleHash } from '../audio/clip-measurement.ts';
import { levelDbfs } from '../audio/levels.ts';
import { canonicalJson, sha256 } from '../base/hash.ts';
import type { Synthesizer, SynthesizerKind, SynthesizerServices, Voice } from './contract.ts';
import { writeTinyVoices } from './sherpa-onnx/testing/tiny-voices.ts';
import { startSpeechServer } from './testing/speech-server.ts';

const baseFolder = mkdtempSync(join(tmpdir(), 'earwitness-synthesizers-'));
after(() => rmSync(baseFolder, { recursive: true, force: true }));
const services: SynthesizerServices = {
  baseFolder,
  fileHash: async (path) => sha256(await readFile(path)),
  environment: (name) => (name === 'SPEECH_KEY' ? 'sk-0123456789abcdef' : undefined),
};
const server = await startSpeechServer({ key: 'sk-0123456789abcdef' });
after(() => server[Symbol.asyncDispose]());

/** A program that speaks in tones: one for each character. */
const speaker = join(baseFolder, 'speaker.mjs');
writeFileSync(
  speaker,
  `let text = '';
for await (const part of process.stdin) text += part;
const samples = Int16Array.from({ length: 800 * text.length }, (_, n) => 8000 * Math.sin(n * text.charCodeAt(n / 800) / 200));
const header = Buffer.from('RIFF....WAVEfmt .\\0\\0\\0\\x01\\0\\x01\\0........\\x02\\0\\x10\\0data....', 'latin1');
header.writeUInt32LE(36 + samples.byteLength, 4);
header.writeUInt32LE(16, 16);
header.writeUInt32LE(16000, 24);
header.writeUInt32LE(32000, 28);
header.writeUInt32LE(samples.byteLength, 40);
process.stdout.write(Buffer.concat([header, Buffer.from(samples.buffer)]));
`,
);

writeFileSync(
  join(baseFolder, 'voice.py'),
  `import earwitness, math
def say(text, voice, language):
    return [0.25 * math.sin(n * (ord(text[n // 800]) + 60) / 2000) for n in range(800 * len(text))]
earwitness.speak(say, rate=16000, voices=["a"])
`,
);

writeTinyVoices(join(baseFolder, 'tiny-voices'));

/** What must be given to members that do not work without options. */
const neededOptions: Readonly<Record<string, unknown>> = {
  command: { command: [process.execPath, speaker] },
  program: { program: [fileURLToPath(new URL('../../examples/programs/speaker.mjs', import.meta.url))] },
  python: { script: 'voice.py' },
  'sherpa-onnx': {
    ...{ kind: 'vits', folder: 'tiny-voices', model: 'characters.onnx', tokens: 'characters.txt' },
    ...{ noiseScale: 0, noiseScaleW: 0 },
  },
  hosted: { service: 'openai', baseUrl: `${server.origin}/v1`, keyVariable: 'SPEECH_KEY' },
};

/** Harmless as speech, and harmful where somebody forgot that it is only that. */
const hostileTexts = [
  '$(touch harm) `touch harm`; touch harm | touch harm & touch harm > harm',
  `"; touch harm; ' \\" harm`,
  '") (system "touch harm") (quit) (format t "harm',
  '-w harm --output=harm -o harm',
  '--help',
  '/etc/passwd',
  '%s%n%x {text} {output} [[harm <speak><audio src="harm"/></speak>',
  'one\nline two\r\n\tline three',
  'harm\u202e\ufeff\u200b',
  'x'.repeat(40),
];
/** Each is a sentence, not a sound. */
const unspeakableTexts = ['', '   \n', '...', 'harm\0harm', 'harm\u0007', 'harm \ud800', 'harm '.repeat(10_000)];

const kinds = await Promise.all(
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['shared', 'testing'].includes(entry.name))
    .map(async ({ name }) => {
      const module: Record<string, SynthesizerKind> = await import(`./${name}/${name}.ts`);
      return { name, kind: module[name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())]! };
    }),
);
assert.ok(kinds.length >= 4);

for (const { name, kind } of kinds) {
  const readiness = await kind.readiness(services);
  const skip = !readiness.ready && `${readiness.found}; ${readiness.install}`;

  const withOpened = async (use: (synthesizer: Synthesizer, voice: Voice) => Promise<void>) => {
    const synthesizer = await kind.open(kind.options.parse(neededOptions[name] ?? {}), services);
    try {
      const voices = await synthesizer.voices();
      await use(synthesizer, voices.find(({ language }) => language.startsWith('en')) ?? voices[0]!);
    } finally {
      await synthesizer.close();
    }
  };

  test(`${name}: says what it is, and takes no unknown options`, () => {
    assert.equal(kind.name, name);
    assert.match(kind.about, /^\S.{10,150}$/);
    assert.equal(kind.options.safeParse({ ...(neededOptions[name] ?? {}), nonsense: 1 }).success, false);
  });

  test(`${name}: has voices with different names, and an identity without paths`, { skip }, () =>
    withOpened(async (synthesizer) => {
      const voices = await synthesizer.voices();
      assert.ok(voices.length > 0);
      assert.equal(new Set(voices.map((voice) => voice.name)).size, voices.length);
      for (const { language } of voices) assert.equal(Intl.getCanonicalLocales(language).length, 1);
      const identity = canonicalJson(synthesizer.identity);
      assert.ok(!identity.includes(baseFolder) && !identity.includes('/node_modules/'), identity);
      const again = await kind.open(kind.options.parse(neededOptions[name] ?? {}), services);
      assert.deepEqual(again.identity, synthesizer.identity);
      await again.close();
    }),
  );

  test(`${name}: speaks: the same text in the same way, another text otherwise`, { skip }, () =>
    withOpened(async (synthesizer, voice) => {
      const clip = await synthesizer.speak('Please call Stella.', voice.name);
      assert.ok(clip.sampleRate >= 8000);
      const seconds = clip.samples.length / clip.sampleRate;
      assert.ok(seconds > 0.5 && seconds < 5, `${seconds} s`);
      const level = levelDbfs(clip.samples)!;
      assert.ok(level > -40 && level < -3, `${level} dB`);
      const [again, other] = await Promise.all([
        synthesizer.speak('Please call Stella.', voice.name),
        synthesizer.speak('Ask her to bring these things.', voice.name),
      ]);
      assert.equal(sampleHash(again), sampleHash(clip));
      assert.notEqual(sampleHash(other), sampleHash(clip));
    }),
  );

  test(`${name}: hostile texts are spoken or refused in a sentence, and do no harm`, { skip }, () =>
    withOpened(async (synthesizer, voice) => {
      const before = [readdirSync(baseFolder), readdirSync('.')];
      for (const text of hostileTexts) {
        try {
          assert.ok((await synthesizer.speak(text, voice.name)).samples.length > 0);
        } catch (thrown) {
          assert.equal((thrown as { code?: string }).code, 'bad-input', `${JSON.stringify(text)}: ${thrown}`);
        }
      }
      assert.deepEqual([readdirSync(baseFolder), readdirSync('.')], before);
    }),
  );

  test(`${name}: texts with nothing to say, or too much, are refused in a sentence`, { skip }, () =>
    withOpened(async (synthesizer, voice) => {
      for (const text of unspeakableTexts) {
        await assert.rejects(
          () => synthesizer.speak(text, voice.name),
          (thrown: Error & { code?: string }) => {
            assert.equal(thrown.code, 'bad-input', `${JSON.stringify(text.slice(0, 20))}: ${thrown}`);
            assert.match(thrown.message, / cannot speak ".*expected .*, but .*; /);
            assert.ok(thrown.message.length < 300 && !/\p{Cc}/u.test(thrown.message));
            return true;
          },
        );
      }
    }),
  );

  test(`${name}: a voice that it does not have is refused with the nearest name`, { skip }, () =>
    withOpened(async (synthesizer, voice) => {
      await assert.rejects(() => synthesizer.speak('hello', `${voice.name}x`), {
        code: 'bad-config',
        message: /did you mean "/,
      });
    }),
  );

  test(`${name}: stops when it is told to`, { skip }, () =>
    withOpened(async (synthesizer, voice) => {
      const stopped = AbortSignal.abort(new Error('stopped'));
      await assert.rejects(() => synthesizer.speak('hello', voice.name, stopped), { message: 'stopped' });
    }),
  );
}
