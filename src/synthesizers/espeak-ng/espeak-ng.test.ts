import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { espeakNg } from './espeak-ng.ts';

const services = { baseFolder: '.', environment: () => undefined, fileHash: async () => '' };
const readiness = await espeakNg.readiness(services);
const skip = !readiness.ready && readiness.found;
const open = (options: object) => espeakNg.open(espeakNg.options.parse(options), services);

test('the speed is the one asked for: twice the words per minute take about half the time', { skip }, async () => {
  const text = 'She had your dark suit in greasy wash water all year, and nobody knew why.';
  const seconds = async (wordsPerMinute: number) => {
    const synthesizer = await open({ wordsPerMinute });
    const { samples, sampleRate } = await synthesizer.speak(text, 'en-us');
    return samples.length / sampleRate;
  };
  const ratio = (await seconds(120)) / (await seconds(240));
  assert.ok(ratio > 1.6 && ratio < 2.4, `${ratio}`);
});

test('square brackets are spoken as text, not read as phonemes', { skip }, async () => {
  const synthesizer = await open({});
  const length = async (text: string) => (await synthesizer.speak(text, 'en-us')).samples.length;
  assert.equal(await length('[[h@l@U]]'), await length('[ [h@l@U]]'));
  const asPhonemes = spawnSync('espeak-ng', ['-v', 'en-us', '--stdin', '--stdout'], { input: '[[h@l@U]]\n' });
  assert.notEqual(asPhonemes.stdout.length, 2 * (await length('[[h@l@U]]')) + 44);
});

test('settings belong to the identity', { skip }, async () => {
  const usual = (await open({})).identity;
  assert.match(String(usual.version), /^\d+\.\d+/);
  assert.deepEqual((await open({ pitch: 70 })).identity, { ...usual, pitch: 70 });
});

test('a text that a voice reads as English is told once, with a voice that may know its characters', {
  skip,
}, async () => {
  const warnings: string[] = [];
  const options = espeakNg.options.parse({});
  const synthesizer = await espeakNg.open(options, { ...services, warn: (message) => warnings.push(message) });
  const names = (await synthesizer.voices()).map(({ name }) => name);
  // What the program itself says it speaks: `(en)` is where it goes over to English.
  const goesOver = (text: string, voice: string) =>
    String(spawnSync('espeak-ng', ['-v', voice, '-q', '-x', text]).stdout).includes('(en)');
  for (const [text, voice] of [
    ['你好世界', 'cmn'],
    ['今日は', 'ja'],
    ['こんにちは', 'ja'],
    ['привет', 'ru'],
    ['hello', 'de'],
  ] as const) {
    if (!names.includes(voice)) continue;
    warnings.length = 0;
    const before = goesOver(text, voice);
    await synthesizer.speak(text, voice);
    await synthesizer.speak(text, voice);
    assert.equal(warnings.length, before && voice !== 'de' ? 1 : 0, `${voice} ${text}: ${warnings}`);
    if (voice === 'cmn' && before)
      assert.match(warnings[0]!, /voice cmn reads "你好世界" as English.* try the voice cmn-/);
  }
});
