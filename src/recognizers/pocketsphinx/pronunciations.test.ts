// A recognizer writes only words that it has: what it writes of one sound with and without them is an argument on paper.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashJson } from '../../base/hash.ts';
import { plainServices } from '../testing/tones.ts';
import { pocketsphinx } from './pocketsphinx.ts';

const data = '/usr/share/pocketsphinx/test/data';
const hasModel = existsSync('/usr/share/pocketsphinx/model/en-us/en-us.lm.bin') && existsSync(`${data}/goforward.raw`);
const readiness = await pocketsphinx.readiness(plainServices(tmpdir()));
const skip = readiness.ready && hasModel ? false : 'PocketSphinx, its model or its test data are not installed';

test('a word that dictionary and language model lack is heard once its pronunciation is added', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'earwitness-'));
  t.after(() => rm(folder, { recursive: true }));
  const services = plainServices(folder);
  const lines = (await readFile(`${data}/turtle.dic`, 'utf8')).split('\n');
  await writeFile(join(folder, 'small.dict'), lines.filter((line) => !/^forward\b/i.test(line)).join('\n'));
  const raw = await readFile(`${data}/goforward.raw`);
  const samples = Float32Array.from({ length: raw.length >> 1 }, (_, index) => raw.readInt16LE(2 * index) / 32768);
  const hear = async (more: object) => {
    const options = pocketsphinx.options.parse({
      ...{ languageModel: `${data}/turtle.lm.bin`, dictionary: 'small.dict', ...more },
    });
    const { identity } = await pocketsphinx.describe(options, services);
    const recognizer = await pocketsphinx.open(options, services);
    try {
      const request = { clip: { samples, sampleRate: 16_000 }, utteranceId: 'a', conditionName: 'clean' };
      const asked = { ...request, repeat: 0, language: 'en' };
      const { text } = await recognizer.recognize(asked, AbortSignal.timeout(60_000));
      // Another clip before changes nothing, also where words were added.
      assert.equal((await recognizer.recognize(asked, AbortSignal.timeout(60_000))).text, text);
      return { text, identity: hashJson(identity), vocabulary: await pocketsphinx.vocabulary!(options, services) };
    } finally {
      await recognizer.close();
    }
  };
  const add = async (words: string) => {
    await writeFile(join(folder, 'add.dict'), words);
    return hear({ pronunciations: 'add.dict' });
  };

  const without = await hear({});
  assert.doesNotMatch(without.text, /ward/);
  const onward = await add('onward F AO R W ER D\n');
  assert.equal(onward.text, 'go onward ten meters');
  assert.ok(onward.vocabulary.has('onward') && !without.vocabulary.has('onward'));
  assert.notEqual(onward.identity, without.identity);

  // A word that the dictionary has gets one more pronunciation, after those that it has.
  const meant = await add('\uFEFF## of a British speaker\r\nbackward F AO R W ER D\r\n');
  assert.equal(meant.text, 'go backward ten meters');

  await assert.rejects(
    add('onward F AO R Q\n'),
    /expected phones that the acoustic model has, but got "onward F AO R Q"/,
  );
  await assert.rejects(add('## of nobody\nonward\n'), /but line 2 of add\.dict is "onward"/);
  await assert.rejects(add('\n'), /there are none; leave the option out/);
  const withGrammar = { grammar: `${data}/goforward.gram`, languageModel: undefined, pronunciations: 'add.dict' };
  await assert.rejects(hear(withGrammar), /expected pronunciations beside a language model/);
});
