import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { silence } from './silence.ts';

testCorpus({ kind: silence, files: {}, options: { clips: 5 }, published: false });

const opened = (options: object) => silence.open(silence.options.parse(options), testServices('.'));

test('Lengths grow by equal ratios from the shortest to the longest, and nothing is heard in them.', async () => {
  const corpus = await opened({ clips: 4, minSeconds: 1, maxSeconds: 8, sampleRate: 8000 });
  const lengths: number[] = [];
  for (const utterance of await utterancesOf(corpus)) {
    const { samples, sampleRate } = await corpus.clip(utterance);
    assert.equal(sampleRate, 8000);
    assert.ok(samples.every((sample) => sample === 0));
    assert.equal(utterance.reference, undefined);
    lengths.push(samples.length / sampleRate);
  }
  assert.deepEqual(lengths, [1, 2, 4, 8]);
});

test('Clips of one length are told apart, so that noise put into them differs.', async () => {
  const corpus = await opened({ clips: 3, minSeconds: 2, maxSeconds: 2 });
  const identities = await Promise.all((await utterancesOf(corpus)).map(corpus.soundIdentity));
  assert.equal(new Set(identities.map((identity) => JSON.stringify(identity))).size, 3);
});

test('A shortest length above the longest, and an utterance of another corpus, are refused in a sentence.', async () => {
  const wrong = silence.options.safeParse({ minSeconds: 3, maxSeconds: 2 });
  assert.match(wrong.error!.issues[0]!.message, /minSeconds to be at most maxSeconds/);
  const stranger = { id: 'x', sound: { file: 'x.wav' }, language: 'en', attributes: {}, tags: [] };
  await assert.rejects((await opened({})).clip(stranger), {
    code: 'bad-input',
    message: /^x: expected an utterance of silence/,
  });
});
