import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sampleHash } from '../../audio/clip-measurement.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { canonicalJson, sha256 } from '../../base/hash.ts';
import type { Synthesizer } from '../contract.ts';
import { plainly, unknownIn } from './model-files.ts';
import { sherpaOnnx } from './sherpa-onnx.ts';
import { kokoro, matcha, sampleRate, tokenSamples, vits, writeTinyVoices } from './testing/tiny-voices.ts';

const folder = writeTinyVoices(mkdtempSync(join(tmpdir(), 'earwitness-voices-')));
after(() => rmSync(folder, { recursive: true }));
const services = {
  baseFolder: folder,
  fileHash: async (path: string) => sha256(await readFile(path)),
  environment: () => undefined,
};
const readiness = await sherpaOnnx.readiness(services);
const skip = readiness.ready ? false : readiness.found;
const [espeakData] = [...globSync('/usr/lib/*/espeak-ng-data'), ...globSync('/usr/share/espeak-ng-data')];
const skipEspeak = skip || (espeakData === undefined ? 'espeak-ng is not installed' : false);

const exact = { noiseScale: 0, noiseScaleW: 0 };
const lexical = { kind: 'vits', model: 'vits.onnx', ...exact };
const piper = { kind: 'vits', model: 'piper.onnx', tokens: 'phonemes.txt', dataDir: espeakData, ...exact };
const styled = { kind: 'kokoro', model: 'kokoro.onnx', tokens: 'phonemes.txt', dataDir: espeakData };

async function opened<T>(options: object, use: (synthesizer: Synthesizer) => Promise<T>): Promise<T> {
  const synthesizer = await sherpaOnnx.open(sherpaOnnx.options.parse(options), services);
  try {
    return await use(synthesizer);
  } finally {
    await synthesizer.close();
  }
}
const speak = (options: object, text: string, voice: string) =>
  opened(options, (synthesizer) => synthesizer.speak(text, voice));

/** Zero crossings upwards in a second: the pitch of a tone. */
function pitch(samples: Float32Array): number {
  const rises = samples.filter((sample, at) => at > 0 && sample > 0 && samples[at - 1]! <= 0).length;
  return (rises * sampleRate) / samples.length;
}

// The models are made here: 50 ms of a tone for each token, at 200 Hz and 20 Hz more for each number, by 1.5 and 2 higher for the others.
test('VITS speaks the tokens of its lexicon: as long as they are, and higher for other speakers', {
  skip,
}, async () => {
  await opened(lexical, async (synthesizer) => {
    const [first, third] = [await synthesizer.speak('hey', '0'), await synthesizer.speak('hey', '2')];
    assert.equal(first.sampleRate, sampleRate);
    assert.deepEqual([first.samples.length, third.samples.length], [3 * tokenSamples, 3 * tokenSamples]);
    // h, e and y are 8, 5 and 25 in tokens.txt: 360, 300 and 700 Hz.
    assert.ok(Math.abs(pitch(first.samples) - 453) < 15, `${pitch(first.samples)}`);
    assert.ok(Math.abs(pitch(third.samples) - 907) < 15, `${pitch(third.samples)}`);
  });
});

test('what is drawn has no seed: the same text comes with other samples, alike at a noise scale of 0 alone', {
  skip,
}, async () => {
  const hashes = async (options: object) =>
    opened(options, async (synthesizer) => [
      sampleHash(await synthesizer.speak('hey', '0')),
      sampleHash(await synthesizer.speak('hey', '0')),
    ]);
  const drawn = [
    ...(await hashes({ ...lexical, noiseScale: 0.5 })),
    ...(await hashes({ ...lexical, noiseScale: 0.5 })),
  ];
  assert.equal(new Set(drawn).size, 4, 'in one process and in two');
  assert.equal(new Set([...(await hashes(lexical)), ...(await hashes(lexical))]).size, 1);
});

test("Piper's voices speak phonemes of eSpeak NG, and have the names and the language beside the model", {
  skip: skipEspeak,
}, async () => {
  const spoken = await speak(piper, 'Hello there, 42.', 'amy');
  assert.ok(spoken.samples.length > 10 * tokenSamples);
  await opened(piper, async (synthesizer) => {
    assert.deepEqual(
      (await synthesizer.voices()).map(({ name, language }) => [name, language]),
      [
        ['amy', 'en-GB'],
        ['bea', 'en-GB'],
        ['cal', 'en-GB'],
      ],
    );
  });
});

test("Kokoro's voices say by their names who they are, and differ by their styles", { skip: skipEspeak }, async () => {
  await opened(styled, async (synthesizer) => {
    assert.deepEqual(await synthesizer.voices(), [
      { name: 'af_alloy', language: 'en-US', attributes: { sex: 'female', accent: 'American' } },
      { name: 'bm_george', language: 'en-GB', attributes: { sex: 'male', accent: 'British' } },
      { name: 'xx_odd', language: 'en-US', attributes: {} },
    ]);
    const first = await synthesizer.speak('please', 'af_alloy');
    const again = await synthesizer.speak('please', 'af_alloy');
    assert.equal(sampleHash(again), sampleHash(first));
    const odd = await synthesizer.speak('please', 'xx_odd');
    assert.ok(Math.abs(pitch(odd.samples) / pitch(first.samples) - 2) < 0.05);
    // Each in its own English: the vowel of "bath" is another one.
    const [american, british] = [
      await synthesizer.speak('bath', 'af_alloy'),
      await synthesizer.speak('bath', 'bm_george'),
    ];
    assert.ok(Math.abs(pitch(british.samples) / pitch(american.samples) - 1.5) > 0.02);
  });
  await assert.rejects(speak({ ...styled, voices: [{ name: 'a', language: 'tlh' }] }, 'please', 'a'), {
    code: 'bad-config',
    message: /^voices: expected a language that eSpeak NG has in dataDir, but it has none for "a", which speaks tlh; /,
  });
});

test('a multilingual Kokoro speaks without a lexicon', { skip: skipEspeak }, async () => {
  writeFileSync(join(folder, 'kokoro-2.onnx'), kokoro({ version: '2' }));
  const { samples } = await speak({ ...styled, model: 'kokoro-2.onnx' }, 'please', 'af_alloy');
  assert.ok(samples.length > tokenSamples);
});

test('a multilingual Kokoro speaks Chinese by the lexicon of its folder, and refuses it without one', {
  skip: skipEspeak,
}, async () => {
  const whole = join(folder, 'kokoro-zh');
  mkdirSync(whole, { recursive: true });
  writeFileSync(join(whole, 'model.onnx'), kokoro({ version: '2', speaker_names: 'af_alloy,zf_xiaoxiao,xx_odd' }));
  for (const name of ['voices.bin', 'phonemes.txt']) cpSync(join(folder, name), join(whole, name));
  const multilingual = { ...styled, folder: 'kokoro-zh', model: 'model.onnx' };
  const tokensOf = async (text: string) =>
    (await speak(multilingual, text, 'zf_xiaoxiao')).samples.length / tokenSamples;
  // "hello" would be spoken, and the rest left out.
  for (const text of ['你好', '你好 hello'])
    await assert.rejects(tokensOf(text), {
      code: 'bad-input',
      message: /expected words of its lexicon, but it has "你", which would be left out; /,
    });
  // The second character by a token that the model does not have.
  writeFileSync(join(whole, 'lexicon-zh.txt'), '你 n i\n好 Q a o\n');
  await assert.rejects(tokensOf('你好'), { message: /but it has "好"/ });
  writeFileSync(join(whole, 'lexicon-zh.txt'), '你 n i\n好 h a o\n');
  assert.equal((await tokensOf('你好')) - (await tokensOf('你')), 3);
});

test('a voice of eSpeak NG without its dictionary is refused, not spoken as nothing', {
  skip: skipEspeak,
}, async () => {
  const partly = join(folder, 'espeak-partly');
  cpSync(espeakData!, partly, { recursive: true });
  rmSync(join(partly, 'en_dict'));
  for (const options of [piper, styled]) {
    await assert.rejects(
      opened({ ...options, dataDir: 'espeak-partly' }, async () => {}),
      {
        code: 'bad-config',
        message: /^dataDir: expected en_dict in the data of eSpeak NG, without which it speaks nothing of en-US, but/i,
      },
    );
  }
  const spanish = { ...styled, dataDir: 'espeak-partly', voices: [{ name: 'e', language: 'es' }] };
  await opened(spanish, async () => {});
});

test('every voice that eSpeak NG has finds its dictionary', { skip: skipEspeak }, async () => {
  const files = globSync(join(espeakData!, 'lang/**'), { withFileTypes: true }).filter((entry) => entry.isFile());
  const tags = files.map(({ name }) => name).filter((name) => /^[a-z]{2,3}(-[a-z]{2})?$/i.test(name));
  assert.ok(tags.length > 100, `${tags.length}`);
  const voices = tags.map((tag) => ({ name: tag, language: tag }));
  await opened({ ...styled, voices }, async (synthesizer) => {
    assert.equal((await synthesizer.voices()).length, tags.length);
  });
});

test('Matcha speaks through its vocoder', { skip: skipEspeak }, async () => {
  const options = {
    kind: 'matcha',
    model: 'matcha.onnx',
    vocoder: 'vocoder.onnx',
    tokens: 'phonemes.txt',
    dataDir: espeakData,
    noiseScale: 0,
  };
  const { samples } = await speak(options, 'please', '0');
  assert.ok(samples.length >= 4 * tokenSamples);
});

test('voices are speakers by number with what is declared of them', { skip }, async () => {
  const declared = [
    { name: 'p225', speaker: 2, attributes: { sex: 'female', accent: 'English' } },
    { name: 'p226', speaker: 0, language: 'en-GB' },
  ];
  await opened({ ...lexical, voices: declared }, async (synthesizer) => {
    assert.deepEqual(await synthesizer.voices(), [
      { name: 'p225', language: 'en', attributes: { sex: 'female', accent: 'English' } },
      { name: 'p226', language: 'en-GB', attributes: {} },
    ]);
    const named = sampleHash(await synthesizer.speak('hey', 'p225'));
    assert.equal(named, sampleHash(await speak(lexical, 'hey', '2')));
  });
});

test('the identity holds the files and what changes the sound, and no paths', { skip }, async () => {
  const identity = (options: object) => opened(options, async ({ identity: own }) => canonicalJson(own));
  const usual = await identity(lexical);
  assert.ok(!usual.includes(folder));
  assert.equal(await identity({ ...lexical, threads: 2, timeoutSeconds: 10 }), usual);
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  for (const name of ['vits.onnx', 'tokens.txt', 'lexicon.txt']) cpSync(join(folder, name), join(copy, name));
  const { model: _, ...unnamed } = lexical;
  assert.equal(await identity({ ...unnamed, folder: 'copy' }), usual, 'the only model of a folder');
  writeFileSync(join(copy, 'lexicon.txt'), 'hey h e\n');
  const others = [
    { ...lexical, folder: 'copy' },
    { ...lexical, noiseScale: 0.1 },
    { ...lexical, voices: [{ name: '0', speaker: 1 }] },
  ];
  const all = [usual, ...(await Promise.all(others.map(identity)))];
  assert.equal(new Set(all).size, all.length);
});

test('what the model would leave out is refused with the word', { skip }, async () => {
  await assert.rejects(speak(lexical, 'please call Zoë', '0'), {
    code: 'bad-input',
    message:
      /^sherpa-onnx cannot speak "please call Zoë": expected words of its lexicon, but it has "zoë", which would be left out; /,
  });
  // A token that the model does not have, and a word that is spelled by none.
  writeFileSync(join(folder, 'odd-lexicon.txt'), 'please p l ö\ncall\nhey h e y\n');
  for (const word of ['please', 'call']) {
    await assert.rejects(speak({ ...lexical, lexicon: 'odd-lexicon.txt' }, `hey ${word}`, '0'), {
      message: new RegExp(`but it has "${word}", which would be left out`),
    });
  }
  const known = new Set(["don't", 'go', '你', '好']);
  assert.equal(unknownIn(plainly('Don’t go, 你好!', { by: 'lexicon', known }), { by: 'lexicon', known }), null);
  assert.equal(unknownIn('你们', { by: 'lexicon', known }), '们');
  assert.equal(unknownIn('go4', { by: 'characters', known: new Set('go') }), '4');
});

test('files that are absent or of another kind get one sentence before anything is loaded', { skip }, async () => {
  const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  write('no.onnx', 'no model');
  write('bare.onnx', vits({ n_speakers: '' }).subarray(0, 400));
  write('matcha-type.onnx', matcha.acoustic);
  write('short.bin', new Uint8Array(8));
  write('no-tokens.txt', 'just a text\n');
  write('no-blank.txt', 'a 0\nb 1\n');
  for (const sample_rate of ['0', 'fast', '1000000']) write(`rate-${sample_rate}.onnx`, vits({ sample_rate }));
  write('crowd.onnx', vits({ n_speakers: '2000000000' }));
  mkdirSync(join(folder, 'empty'), { recursive: true });
  const refusals: readonly [object, RegExp][] = [
    [{ ...lexical, model: 'absent.onnx' }, /^model: expected a file at absent\.onnx, but there is none/],
    [{ ...lexical, folder: 'nowhere' }, /^folder: expected a folder at nowhere, but there is none/],
    [{ kind: 'vits', folder: 'empty' }, /^model: expected one ONNX file in the folder, but there is none/],
    [
      { kind: 'vits' },
      /^model: expected one ONNX file in the folder, but there are .*characters\.onnx, .*; name the file/,
    ],
    [{ ...lexical, model: 'no.onnx' }, /^model: expected an ONNX file, but no\.onnx is none/],
    [{ ...lexical, model: 'bare.onnx' }, /^model: expected an ONNX file, but bare\.onnx is none or is cut off/],
    ...['0', 'fast', '1000000'].map((rate): [object, RegExp] => [
      { ...lexical, model: `rate-${rate}.onnx` },
      new RegExp(`^model: expected a whole number from 1000 to 384000 as sample_rate .*, but it is ${rate}; `),
    ]),
    [
      { ...lexical, model: 'crowd.onnx' },
      /^model: expected a whole number from 0 to 100000 as n_speakers .*, but it is 2000000000; /,
    ],
    [{ ...styled, model: 'vits.onnx' }, /^model: expected a graph for kokoro, but vits\.onnx has no entry has_espeak/],
    [
      { ...lexical, model: 'matcha-type.onnx' },
      /^model: expected a model of kind vits, but .* says that it is matcha-tts/,
    ],
    [{ ...lexical, tokens: 'no-tokens.txt' }, /^tokens: expected a token and its number .*, but line 1/],
    [{ ...lexical, tokens: 'no-blank.txt' }, /^tokens: expected the token " " in no-blank\.txt/],
    [{ ...lexical, lexicon: 'absent.txt' }, /^lexicon: expected a file at absent\.txt/],
    [
      { ...piper, dataDir: undefined },
      /^dataDir: expected the folder espeak-ng-data, since this model speaks phonemes/,
    ],
    [{ ...piper, dataDir: 'empty' }, /^dataDir: expected the data of eSpeak NG, but the folder has no phontab/],
    [
      { ...styled, dataDir: espeakData ?? '.', styles: 'short.bin' },
      /^(styles: expected 1200 bytes for 3 voices|dataDir)/,
    ],
    [{ ...lexical, voices: [{ name: 'a', speaker: 3 }] }, /^voices: expected speakers from 0 to 2, .* "a" is 3/],
    [{ ...lexical, voices: [{ name: 'a' }, { name: 'a', speaker: 1 }] }, /^voices: expected different names, but "a"/],
  ];
  for (const [options, message] of refusals) {
    await assert.rejects(sherpaOnnx.open(sherpaOnnx.options.parse(options), services), (error: unknown) => {
      assert.ok(
        error instanceof EarwitnessError && error.code === 'bad-config',
        `${JSON.stringify(options)}: ${error}`,
      );
      assert.match(error.message, message);
      assert.ok(!error.message.includes('\n'));
      return true;
    });
  }
  assert.ok(!existsSync(join(folder, 'core')));
});

test('a model from which the library ends its process gets one sentence, and stops every text', { skip }, async () => {
  const empty = { ...lexical, model: 'odd.onnx' };
  writeFileSync(join(folder, 'odd.onnx'), vits({ language: 'English', add_blank: '-1' }));
  await opened(empty, async (synthesizer) => {
    for (const text of ['hey', 'hello'])
      await assert.rejects(synthesizer.speak(text, '0'), (error: unknown) => {
        assert.ok(error instanceof EarwitnessError && error.code === 'bad-config', String(error));
        assert.match(
          error.message,
          /^model: expected a model of kind vits that the library loads, but it refused \(.*add_blank.*\); /,
        );
        assert.ok(!error.message.includes('\n'));
        return true;
      });
  });
});

test('a text from which the library ends its process costs that text alone', { skip }, async () => {
  // The model has no token of this number: onnxruntime throws where nothing catches.
  writeFileSync(join(folder, 'odd-tokens.txt'), `${await readFile(join(folder, 'tokens.txt'), 'utf8')}ö 999\n`);
  writeFileSync(join(folder, 'odd-lexicon.txt'), 'hey h e y\nöd ö\n');
  const odd = { ...lexical, tokens: 'odd-tokens.txt', lexicon: 'odd-lexicon.txt' };
  await opened(odd, async (synthesizer) => {
    await assert.rejects(synthesizer.speak('öd', '0'), (error: unknown) => {
      assert.ok(error instanceof EarwitnessError && error.code === 'bad-input', String(error));
      assert.match(
        error.message,
        /^sherpa-onnx (was ended by SIG|ended with exit status).*; its last words: .*indices element out of data bounds/,
      );
      assert.ok(!error.message.includes('\n'));
      return true;
    });
    assert.equal((await synthesizer.speak('hey', '0')).samples.length, 3 * tokenSamples);
  });
});

test('this process goes on while a long text is spoken, and stops it when told', { skip }, async () => {
  await opened(lexical, async (synthesizer) => {
    await synthesizer.speak('hey', '0');
    const stop = new AbortController();
    const speaking = synthesizer.speak('please call stella '.repeat(50), '0', stop.signal);
    setImmediate(() => stop.abort(new Error('stopped')));
    await assert.rejects(speaking, { message: 'stopped' });
    assert.equal((await synthesizer.speak('hey', '0')).samples.length, 3 * tokenSamples);
  });
});
