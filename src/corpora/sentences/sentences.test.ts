import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import type { SpeechSource } from '../contract.ts';
import { type SentencesOptions, sentencesOptions } from './options.ts';
import { sentences } from './sentences.ts';

/** A synthesizer that says a text as one sample for each character. */
const beeper: SpeechSource = {
  voices: [
    { name: 'low', language: 'en-US', attributes: { sex: 'M' } },
    { name: 'high', language: 'en-GB', attributes: { sex: 'F', accent: 'british' } },
    { name: 'tief', language: 'de', attributes: {} },
  ],
  identity: () => ({ engine: 'beeper', version: 1 }),
  speak: async (text, voice) => ({
    samples: new Float32Array(text.length),
    sampleRate: voice === 'low' ? 8000 : 16_000,
  }),
};

testCorpus({
  kind: sentences,
  files: { 'texts.txt': 'turn left\nturn right\n' },
  options: { file: 'texts.txt', synthesizer: 'beep', language: 'en' },
  published: false,
  services: { speech: async () => beeper },
});

async function read(options: Partial<SentencesOptions>, files: Readonly<Record<string, string>> = {}) {
  await using folder = await temporaryFolder(files);
  const services = testServices(folder.path, { speech: async () => beeper });
  const corpus = await sentences.open({ synthesizer: 'beep', language: 'en', ...options }, services);
  return { corpus, utterances: await utterancesOf(corpus), warnings: services.warnings };
}

test('each text is spoken by each voice of the language', async () => {
  const { corpus, utterances } = await read({ texts: ['  Turn   left. '] });
  const digest = createHash('sha256').update('Turn left.').digest('hex').slice(0, 16);
  assert.deepEqual(utterances, [
    {
      id: `${digest}-low`,
      sound: { text: 'Turn left.', synthesizer: 'beep', voice: 'low' },
      reference: 'Turn left.',
      language: 'en',
      speaker: 'beep:low',
      attributes: { sex: 'M' },
      tags: [],
    },
    {
      id: `${digest}-high`,
      sound: { text: 'Turn left.', synthesizer: 'beep', voice: 'high' },
      reference: 'Turn left.',
      language: 'en',
      speaker: 'beep:high',
      attributes: { sex: 'F', accent: 'british' },
      tags: [],
    },
  ]);
  assert.deepEqual(await corpus.soundIdentity(utterances[0]!), {
    text: 'Turn left.',
    synthesizer: { engine: 'beeper', version: 1 },
    voice: 'low',
  });
  assert.deepEqual(await corpus.clip(utterances[0]!), { samples: new Float32Array(10), sampleRate: 8000 });
});

test('empty and doubled texts are left out and counted once', async () => {
  await using folder = await temporaryFolder({ 'texts.txt': 'one\r\n\r\ntwo\none \n   \ntwo\none\n' });
  const services = testServices(folder.path, { speech: async () => beeper });
  const options = { synthesizer: 'beep', voices: ['low'], file: 'texts.txt', language: 'en' };
  const corpus = await sentences.open(options, services);
  for (let pass = 0; pass < 2; pass++) {
    assert.deepEqual(
      (await utterancesOf(corpus)).map(({ reference }) => reference),
      ['one', 'two'],
    );
  }
  assert.deepEqual(services.warnings, [
    'texts.txt: left out 2 empty texts',
    'texts.txt: left out 3 texts that came before',
  ]);
});

test('a folder of texts and JSONL with attributes are read in the order of their names', async () => {
  const files = {
    't/b.jsonl': '{"text": "three", "topic": "sums", "sex": "?"}\n',
    't/a.txt': 'one\ntwo\n',
    't/x.pdf': 'no',
  };
  const { utterances } = await read({ folder: 't', voices: ['high', 'high'] }, files);
  assert.deepEqual(
    utterances.map(({ reference }) => reference),
    ['one', 'two', 'three'],
  );
  assert.deepEqual(utterances[2]!.attributes, { topic: 'sums', sex: 'F', accent: 'british' });
});

test('one voice a text is the same whatever other texts there are, and another seed chooses anew', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `sentence ${index}`);
  const speakersOf = async (some: string[], oneVoice: number) => {
    const { utterances } = await read({ texts: some, language: 'en', oneVoice });
    assert.equal(utterances.length, some.length);
    return new Map(utterances.map(({ reference, speaker }) => [reference, speaker]));
  };
  const all = await speakersOf(texts, 1);
  assert.equal(new Set(all.values()).size, 2);
  for (const [text, speaker] of await speakersOf(texts.slice(20), 1)) assert.equal(speaker, all.get(text));
  assert.notDeepEqual(await speakersOf(texts, 2), all);
});

test('long texts are cut at a blank, and what is spoken is the reference', async () => {
  const { utterances } = await read({
    texts: ['one two three', 'unbreakable', 'fine 𝄞𝄞𝄞'],
    voices: ['low'],
    maxCharacters: 8,
  });
  assert.deepEqual(
    utterances.map(({ reference, sound }) => [reference, sound && 'text' in sound && sound.text]),
    [
      ['one two', 'one two'],
      ['unbreaka', 'unbreaka'],
      ['fine 𝄞𝄞𝄞', 'fine 𝄞𝄞𝄞'],
    ],
  );
});

test('texts are spelled out before they are spoken, and those that become the same are spoken once', async () => {
  await using folder = await temporaryFolder({ 't.txt': 'Mr. Smith!\nmister smith\n...\nNo. 5\n' });
  const services = testServices(folder.path, {
    speech: async () => beeper,
    normalizer: async (name) => normalizerNamed(name),
  });
  const options = { synthesizer: 'beep', voices: ['low'], file: 't.txt', normalizer: 'crossasr', language: 'en' };
  const corpus = await sentences.open(options, services);
  const utterances = await utterancesOf(corpus);
  assert.deepEqual(
    utterances.map(({ sound, reference }) => [sound && 'text' in sound && sound.text, reference]),
    [
      ['mister smith', 'mister smith'],
      ['number five', 'number five'],
    ],
  );
  assert.equal(services.warnings.length, 2);
});

test('a line of thousands of words is left out and told, and the others are spoken', async () => {
  const { utterances, warnings } = await read(
    { file: 't.txt' },
    { 't.txt': `one two\n${'word '.repeat(2000)}\nthree\n` },
  );
  assert.deepEqual([...new Set(utterances.map(({ reference }) => reference))], ['one two', 'three']);
  assert.deepEqual(warnings, [
    't.txt: left out 1 text of more than 5000 characters, the first at t.txt:2:1; split such into sentences',
  ]);
});

test('a grammar gives the texts that it can say', async () => {
  const { utterances } = await read(
    { grammar: 'g.jsgf' },
    { 'g.jsgf': 'public <order> = turn (left | right) | go [straight] on;' },
  );
  assert.deepEqual(
    [...new Set(utterances.map(({ reference }) => reference))],
    ['turn left', 'turn right', 'go straight on', 'go on'],
  );
});

const refused: readonly [
  what: string,
  options: Partial<SentencesOptions>,
  files: Record<string, string>,
  message: RegExp,
][] = [
  ['an unknown voice', { texts: ['a'], voices: ['lwo'] }, {}, /no voice "lwo"; did you mean "low"\?/],
  ['a language that nobody speaks', { texts: ['a'], language: 'fr' }, {}, /voice of fr.*it speaks de, en/],
  ['a language that is only the beginning of another', { texts: ['a'], language: 'e' }, {}, /expected a language/],
  ['texts that are all empty', { texts: [' '] }, {}, /^texts: .*all are empty/],
  ['a file that does not exist', { file: 'no.txt' }, {}, /^no\.txt: .*there is none/],
  ['a folder without texts', { folder: 't' }, { 't/x.pdf': '' }, /^t: .*found none/],
  ['a control character', { file: 't.txt' }, { 't.txt': 'fine\nbell\u0007\n' }, /^t\.txt:2:1: .*U\+0007/],
  [
    'nothing but a text as long as a book',
    { file: 't.txt' },
    { 't.txt': 'a '.repeat(4000) },
    /^t\.txt: .*all are empty or left out/,
  ],
  ['JSON without a text', { file: 't.jsonl' }, { 't.jsonl': '{"txt": "a"}\n' }, /^t\.jsonl:1:1: .*"text".*txt/],
];
for (const [what, options, files, message] of refused) {
  test(`${what} is refused with a clear sentence`, () => assertRefused(read(options, files), message));
}

/** What eSpeak NG calls the voice that reads Mandarin by its pinyin. */
const pinyin: SpeechSource = {
  ...beeper,
  voices: [
    { name: 'cmn-latn-pinyin', language: 'cmn-latn-pinyin', attributes: {} },
    { name: 'en-gb', language: 'en-gb', attributes: {} },
  ],
};

test('the language is that of the texts, whatever the voices speak', async () => {
  const voices = ['cmn-latn-pinyin', 'en-gb'];
  const languages = async (options: Partial<SentencesOptions>, files: Readonly<Record<string, string>> = {}) => {
    await using folder = await temporaryFolder(files);
    const services = testServices(folder.path, { speech: async () => pinyin });
    const corpus = await sentences.open({ synthesizer: 'beep', voices, ...options }, services);
    const utterances = await utterancesOf(corpus);
    return { found: [...new Set(utterances.map(({ language }) => language))], warnings: services.warnings };
  };
  const chinese = { texts: ['我们今天开会。', '你好'] };
  const english = { texts: ['The lights are on in the kitchen, and the door is open.'] };
  assert.deepEqual(await languages(chinese), { found: ['zh'], warnings: [] });
  assert.deepEqual((await languages(english)).found, ['en']);
  const stated = await languages({ ...chinese, language: 'zh-TW', voices: ['cmn-latn-pinyin'] });
  assert.deepEqual(stated.found, ['zh-TW']);
  assert.deepEqual((await languages({ ...english, language: 'de' })).warnings, [
    'voices: the texts are in de, but "cmn-latn-pinyin" speaks cmn-latn-pinyin, "en-gb" speaks en-gb',
  ]);
  const rows = '{"text": "我们", "language": "zh_TW"}\n{"text": "good morning", "language": "English"}\n';
  assert.deepEqual((await languages({ file: 't.jsonl' }, { 't.jsonl': rows })).found, ['zh-TW', 'en']);
  const unknown = await languages({ texts: ['a'] });
  assert.deepEqual(unknown.found, ['und']);
  assert.match(unknown.warnings.join(), /^texts: nothing says what language the texts are in.*set `language`/);
});

test('voices that read Chinese are found by the language, however they are called', async () => {
  const services = testServices('.', { speech: async () => pinyin });
  const corpus = await sentences.open({ synthesizer: 'beep', texts: ['你好'], language: 'zh' }, services);
  const [utterance, ...others] = await utterancesOf(corpus);
  assert.equal(utterance!.speaker, 'beep:cmn-latn-pinyin');
  assert.equal(others.length, 0);
});

test('voices of several languages must be chosen among', async () => {
  const services = testServices('.', { speech: async () => beeper });
  await assertRefused(sentences.open({ synthesizer: 'beep', texts: ['a'] }, services), /speaks 2 languages \(de, en/);
});

test('options need exactly one source of texts', () => {
  assert.equal(sentencesOptions.safeParse({ synthesizer: 'x', texts: ['a'], file: 'b' }).success, false);
  assert.equal(sentencesOptions.safeParse({ synthesizer: 'x' }).success, false);
  assert.equal(sentencesOptions.safeParse({ synthesizer: 'x', texts: ['a'] }).success, true);
});
