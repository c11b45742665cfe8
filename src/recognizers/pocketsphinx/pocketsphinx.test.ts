import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { testRecognizer } from '../conformance.ts';
import type { Recognition, Recognizer } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { pocketsphinx } from './pocketsphinx.ts';
import { dictionaryWords, fillerWords, grammarWords, wordsOf } from './pronunciations.ts';

const run = promisify(execFile);
const data = '/usr/share/pocketsphinx/test/data';
const services = plainServices(tmpdir());
const readiness = await pocketsphinx.readiness(services);
const hasModel = existsSync('/usr/share/pocketsphinx/model/en-us/en-us.lm.bin');
const hasData = existsSync(`${data}/goforward.raw`);
const hasProgram = existsSync('/usr/bin/pocketsphinx_continuous');
const skip =
  !readiness.ready || !hasModel
    ? `${readiness.found}; ${readiness.install ?? ''}`
    : hasData
      ? false
      : "Debian's package pocketsphinx-testdata is not installed";
const skipBeside = skip || (hasProgram ? false : "Debian's package pocketsphinx is not installed");
const neverAborted = new AbortController().signal;

function rawClip(path: string, sampleRate = 16_000): Clip {
  const bytes = readFileSync(path);
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(2 * index) / 32768;
  return { samples, sampleRate };
}

function wavClip(path: string): Clip {
  const clip = rawClip(path);
  return { ...clip, samples: clip.samples.slice(22) };
}

async function opened<T>(options: object, use: (recognizer: Recognizer) => Promise<T>): Promise<T> {
  const recognizer = await pocketsphinx.open(pocketsphinx.options.parse(options), services);
  try {
    return await use(recognizer);
  } finally {
    await recognizer.close();
  }
}

const request = (clip: Clip) => ({ clip, utteranceId: 'a', conditionName: 'clean', repeat: 0, language: 'en' });
const hear = (recognizer: Recognizer, clip: Clip) => recognizer.recognize(request(clip), neverAborted);

/** Debian's acoustic model with a small language model and dictionary: the whole decoder, in a tenth of the time. */
const small = { languageModel: `${data}/turtle.lm.bin`, dictionary: `${data}/turtle.dic` };

const twoSounds =
  skip === false
    ? ([request(rawClip(`${data}/something.raw`)), request(rawClip(`${data}/goforward.raw`))] as const)
    : ([
        request({ samples: new Float32Array(16_000), sampleRate: 16_000 }),
        request({ samples: new Float32Array(8000), sampleRate: 16_000 }),
      ] as const);
for (const options of [small, { ...small, mode: 'streaming' }]) {
  testRecognizer({ kind: pocketsphinx, options, services, requests: twoSounds, skip });
}

/** What `pocketsphinx_continuous` prints: texts, and lines of word, first second, last second, confidence. */
async function besideProgram(clip: Clip, parameters: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'earwitness-test-'));
  try {
    const wav = join(folder, 'clip.wav');
    await writeFile(wav, encodeWav(clip, { format: 's16' }));
    const args = ['-infile', wav, '-time', 'yes', '-logfn', '/dev/null', ...parameters];
    const { stdout } = await run('pocketsphinx_continuous', args);
    const lines = stdout.split('\n').filter(Boolean);
    const word = /^(\S+) (-?\d+\.\d+) (-?\d+\.\d+) (\d+\.\d+)$/;
    const texts = lines.filter((line) => !word.test(line));
    const words = lines.flatMap((line) => {
      const [, text, start, end, confidence] = word.exec(line) ?? [];
      const filler = text === undefined || /^[<[(]/.test(text);
      return filler ? [] : [[text.replace(/\(\d+\)$/, ''), Number(start), Number(end), Number(confidence)] as const];
    });
    return { text: texts.join(' '), words };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('pocketsphinx writes words, times and confidences as its own program does', { skip: skipBeside }, async () => {
  const sentence = wavClip(`${data}/librivox/sense_and_sensibility_01_austen_64kb-0880.wav`);
  const command = rawClip(`${data}/goforward.raw`);
  // The same twice with a pause, so that the second starts with the mean that the first has taught.
  const paused = new Float32Array(2 * command.samples.length + 24_000);
  paused.set(command.samples);
  paused.set(command.samples, command.samples.length + 24_000);
  const faintly = paused.map((sample, index) => sample + (index % 7) / 32768);
  const smallModel = ['-lm', small.languageModel, '-dict', small.dictionary];
  await agree({}, [], [sentence]);
  await agree(small, smallModel, [command, rawClip(`${data}/something.raw`), { samples: faintly, sampleRate: 16_000 }]);
});

async function agree(options: object, parameters: readonly string[], clips: readonly Clip[]): Promise<void> {
  await opened(options, async (recognizer) => {
    for (const clip of clips) {
      const own = await hear(recognizer, clip);
      const beside = await besideProgram(clip, parameters);
      assert.ok(beside.text.length > 5);
      assert.equal(own.text, beside.text);
      assert.equal(own.words!.length, beside.words.length);
      for (const [index, [text, start, end, confidence]] of beside.words.entries()) {
        const word = own.words![index]!;
        assert.equal(word.text, text);
        assert.equal(word.startSeconds!.toFixed(3), start.toFixed(3));
        // The program tells where the last frame starts; here a word ends where that frame ends.
        assert.equal((word.endSeconds! - 0.01).toFixed(3), end.toFixed(3));
        assert.ok(Math.abs((word.confidence ?? 1) - Math.min(1, confidence)) < 2e-6);
      }
    }
  });
}

test('pocketsphinx hears with a grammar, and an 8 kHz model at its rate', { skip: skipBeside }, async () => {
  const grammar = `${data}/goforward.gram`;
  const clip = rawClip(`${data}/goforward.raw`);
  assert.equal((await opened({ grammar }, (recognizer) => hear(recognizer, clip))).text, 'go forward ten meters');
  const vocabulary = await pocketsphinx.vocabulary!(pocketsphinx.options.parse({ grammar }), services);
  assert.deepEqual([...vocabulary].sort().slice(0, 5), ['backward', 'eight', 'five', 'forward', 'four']);
  assert.equal(vocabulary.size, 15);

  const files = [
    `${data}/tidigits/hmm`,
    `${data}/tidigits/lm/tidigits.dic`,
    `${data}/tidigits/lm/tidigits.fsg`,
  ] as const;
  const [acousticModel, dictionary, network] = files;
  const parameters = { '-fsg': network, '-dither': false };
  const smallModel = [
    '-hmm',
    acousticModel,
    '-dict',
    dictionary,
    '-fsg',
    network,
    '-dither',
    'no',
    '-samprate',
    '8000',
  ];
  const digits = resample(rawClip(`${data}/tidigits/dhd.2934z.raw`), 8000);
  await agree({ acousticModel, dictionary, parameters, sampleRate: 8000 }, smallModel, [digits]);
});

test('pocketsphinx gives the same for the same clip when its model dithers', { skip }, async () => {
  const options = {
    acousticModel: `${data}/tidigits/hmm`,
    dictionary: `${data}/tidigits/lm/tidigits.dic`,
    languageModel: `${data}/tidigits/lm/tidigits.lm.bin`,
    sampleRate: 8000,
  };
  const digits = rawClip(`${data}/tidigits/dhd.2934z.raw`);
  const fresh = await opened(options, (recognizer) => hear(recognizer, digits));
  await opened(options, async (recognizer) => {
    await hear(recognizer, { ...digits, samples: digits.samples.slice(4000) });
    assert.deepEqual(await hear(recognizer, digits), fresh);
  });
});

test('pocketsphinx answers nothing to ten minutes of silence', { skip }, async () => {
  const silence = { samples: new Float32Array(600 * 16_000), sampleRate: 16_000 };
  assert.deepEqual(await opened(small, (recognizer) => hear(recognizer, silence)), { text: '' });
});

test('pocketsphinx leaves the event loop free while it decodes', { skip }, async () => {
  const clip = rawClip(`${data}/numbers.raw`);
  await opened(small, async (recognizer) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const started = performance.now();
    await hear(recognizer, clip);
    clearInterval(timer);
    assert.ok(ticks > (performance.now() - started) / 5 / 20, `${ticks} ticks`);
  });
});

// The library closes the file that all decoders write messages to when it is given another: the process died of it.
test('decoders open in one process while others hear', { skip }, async () => {
  const clip = rawClip(`${data}/goforward.raw`);
  const texts = await Promise.all(
    Array.from({ length: 8 }, () => opened(small, async (recognizer) => (await hear(recognizer, clip)).text)),
  );
  assert.deepEqual(texts, Array(8).fill('go forward ten meters'));
});

test('pocketsphinx hears a stream word for word as the whole clip, in real time too', { skip }, async () => {
  const clip = rawClip(`${data}/goforward.raw`);
  const [batch, fast, live] = (await Promise.all(
    [{}, { mode: 'streaming' }, { mode: 'streaming', pace: 'real-time' }].map((mode) =>
      opened({ ...small, ...mode }, (recognizer) => hear(recognizer, clip)),
    ),
  )) as [Recognition, Recognition, Recognition];
  const seconds = clip.samples.length / clip.sampleRate;
  assert.equal(batch.timing, undefined);
  for (const { text, words } of [fast, live]) assert.deepEqual({ text, words }, batch);
  assert.deepEqual(live.details, fast.details);
  assert.equal(fast.timing!.stream!.waitedSeconds, 0);
  // The first word begins at .46 s: nothing can be told of it before it is spoken.
  assert.ok(
    live.timing!.stream!.firstPartialSeconds! > 0.46 && live.timing!.stream!.firstPartialSeconds! < seconds + 1,
  );
  assert.ok(live.timing!.stream!.waitedSeconds > 0 && live.timing!.stream!.waitedSeconds <= seconds);
  assert.ok(live.timing!.stream!.finalLatencySeconds >= 0 && live.timing!.stream!.finalLatencySeconds < 2);
});

test('both modes of pocketsphinx, paces and chunk lengths are other settings, and batch is what it always was', {
  skip,
}, async () => {
  const identity = async (options: object) =>
    JSON.stringify((await pocketsphinx.describe(pocketsphinx.options.parse(options), services)).identity);
  const streams = [{}, { pace: 'real-time' }, { chunkSeconds: 0.5 }];
  const all = await Promise.all([{}, ...streams.map((stream) => ({ mode: 'streaming', ...stream }))].map(identity));
  assert.equal(new Set(all).size, 4);
  assert.equal(await identity({ chunkSeconds: 0.5 }), all[0]);
  assert.doesNotMatch(all[0]!, /streaming/);
});

test('the narrow beams, and a width beside them, are other settings', { skip }, async () => {
  const options = [{ beams: 'default' }, { beams: 'narrow' }, { beams: 'narrow', parameters: { '-beam': 1e-40 } }];
  const identities = await Promise.all(
    options.map(async (beams) => (await pocketsphinx.describe(pocketsphinx.options.parse(beams), services)).identity),
  );
  assert.equal(new Set(identities.map((identity) => JSON.stringify(identity))).size, 3);
});

const refusals: readonly [object, RegExp][] = [
  [{ parameters: { '-beem': 1e-10 } }, /no parameter "-beem"; did you mean -beam\?/],
  [{ parameters: { '-rawlogdir': '/tmp' } }, /-rawlogdir cannot be set here: it writes files/],
  [{ languageModel: 'no-such.lm' }, /^languageModel: expected a file at no-such.lm, but there is none/],
  [{ acousticModel: tmpdir() }, /^acousticModel: expected a folder with mdef/],
  [{ grammar: `${data}/goforward.gram`, languageModel: '/etc/passwd' }, /expected one of grammar and languageModel/],
  [{ dictionary: `${data}/goforward.raw` }, /^dictionary: expected lines with a word and its phones/],
  [{ sampleRate: 8000 }, /PocketSphinx refused .*higher than samprate/],
];

test('pocketsphinx says in one sentence what is wrong with its options', { skip }, async () => {
  for (const [options, message] of refusals) {
    await assert.rejects(
      opened(options, async () => {}),
      (error: unknown) => {
        assert.ok(error instanceof EarwitnessError, String(error));
        assert.match(error.message, message);
        return true;
      },
    );
  }
});

test('words of a path: fillers left out, variants folded, ends after the last frame', () => {
  const segment = (word: string, firstFrame: number, lastFrame: number, logPosterior = -5, posterior = 0.5) => ({
    word,
    firstFrame,
    lastFrame,
    logPosterior,
    posterior,
  });
  const fillers = fillerWords('<s> SIL\n[NOISE] +NSN+\n');
  const path = [
    segment('<s>', 0, 9),
    segment('read(2)', 10, 19),
    segment('[NOISE]', 20, 29),
    segment('me', 30, 30, 0, 1.1),
  ];
  assert.deepEqual(wordsOf(path, fillers, 100), [
    { text: 'read', startSeconds: 0.1, endSeconds: 0.2, confidence: 0.5 },
    { text: 'me', startSeconds: 0.3, endSeconds: 0.31, confidence: 1 },
  ]);
  assert.deepEqual(wordsOf([segment('a', 0, 9, 0, 1)], fillers, 100), [
    { text: 'a', startSeconds: 0, endSeconds: 0.1 },
  ]);
});

test('the words of dictionaries and grammars', () => {
  assert.deepEqual(
    dictionaryWords("read R IY D\nread(2) R EH D\nO'Neil OW N IY L\n\n## no\n"),
    new Set(['read', "o'neil"]),
  );
  const grammar = `#JSGF V1.0 utf-8 en;
    grammar a.b; // comment = no
    public <order> = [please] (/2.5/ open | /1/ close) <thing>+ {tag \\} here};
    /* no | words */
    <thing> = "New York" | door;`;
  assert.deepEqual(grammarWords(grammar), new Set(['please', 'open', 'close', 'new', 'york', 'door']));
});

const hub = fileURLToPath(new URL('../../../../shared/data/models/pocketsphinx-hub4wsj_sc_8k', import.meta.url));
const digits = `${data}/tidigits`;
/** Another is Debian's model of digits. */
const semiContinuous = existsSync(hub)
  ? { ...small, acousticModel: hub }
  : {
      acousticModel: `${digits}/hmm`,
      languageModel: `${digits}/lm/tidigits.lm.bin`,
      dictionary: `${digits}/lm/tidigits.dic`,
    };

test('a semi-continuous model starts afresh for every clip, too', { skip: skipBeside }, async () => {
  const clips = [
    rawClip(`${data}/something.raw`),
    rawClip(existsSync(hub) ? `${data}/goforward.raw` : `${digits}/dhd.2934z.raw`),
  ];
  const fresh = await opened(semiContinuous, (recognizer) => hear(recognizer, clips[1]!));
  const { acousticModel, languageModel, dictionary } = semiContinuous;
  const beside = await besideProgram(clips[1]!, ['-hmm', acousticModel, '-lm', languageModel, '-dict', dictionary]);
  assert.ok(beside.text.split(' ').length > 3);
  assert.equal(fresh.text, beside.text);
  await opened(semiContinuous, async (recognizer) => {
    await hear(recognizer, clips[0]!);
    assert.deepEqual(await hear(recognizer, clips[1]!), fresh);
  });
});
