import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { testPredictor } from '../conformance.ts';
import type { PredictorServices, TextVectors, TriedText } from '../contract.ts';
import { sentenceEmbedding } from './sentence-embedding.ts';

const dimensions = 8;

/** Vectors in a narrow cone, as models give them, whose first number tells whether the text speaks of fish. */
function fishEmbedder() {
  const asked: string[] = [];
  const embedder: TextVectors = {
    identity: { engine: 'fish' },
    async embedTexts(texts, signal) {
      signal?.throwIfAborted();
      asked.push(...texts);
      return texts.map((text) => {
        if (text.trim() === '') return { vector: null };
        const random = createRandom(text);
        const vector = Float32Array.from({ length: dimensions }, () => 0.02 * random.normal());
        vector[0]! += text.includes('fish') ? 0.1 : 0;
        vector[1]! += 1;
        return { vector };
      });
    },
  };
  return { embedder, asked };
}

const servicesWith = (embedder: TextVectors): PredictorServices => ({
  baseFolder: '/nowhere',
  environment: () => undefined,
  fileHash: async () => assert.fail('no file is read'),
  embedder: async (name) => (name === 'fish' ? embedder : assert.fail(name)),
});

testPredictor({
  kind: sentenceEmbedding,
  options: { embedder: 'fish', textFeatures: true },
  services: servicesWith(fishEmbedder().embedder),
});

test('Alone it needs no more than the vectors, learns what they tell, and is passed on their identity.', async () => {
  const { embedder, asked } = fishEmbedder();
  const predictor = await sentenceEmbedding.open(
    sentenceEmbedding.options.parse({ embedder: 'fish' }),
    servicesWith(embedder),
  );
  assert.deepEqual(predictor.identity.embedder, { engine: 'fish' });
  const random = createRandom('texts');
  const texts = Array.from(
    { length: 300 },
    (_, index) => `text ${index} of ${random.integer(2) === 0 ? 'fish' : 'fowl'}`,
  );
  const tried = texts.slice(0, 100).map((text): TriedText => {
    const determinable = !text.includes('fish');
    return { text, determinable, failed: determinable ? false : null };
  });
  const pool = texts.slice(100);
  const { determinable } = await predictor.predict(tried, pool, 1);
  const place = [...pool.keys()].sort((a, b) => determinable[b]! - determinable[a]!);
  const best = place.slice(0, 50).filter((text) => pool[text]!.includes('fowl')).length;
  assert.ok(best >= 45, `${best} of 50`);
  assert.equal(asked.length, 300);
  await predictor.predict([...tried, { text: pool[0]!, determinable: true, failed: true }], pool.slice(1), 2);
  assert.equal(asked.length, 300, 'a text was embedded twice');
});

test('Predictions that are asked for side by side do not take each other’s vectors.', async () => {
  const { embedder } = fishEmbedder();
  const slow: TextVectors = {
    ...embedder,
    embedTexts: async (texts, signal) => {
      // The one with more texts is still waiting when the other is done.
      for (let turn = 0; turn < texts.length; turn++) await null;
      return embedder.embedTexts(texts, signal);
    },
  };
  const options = sentenceEmbedding.options.parse({ embedder: 'fish' });
  const pool = (name: string, count: number) => Array.from({ length: count }, (_, place) => `${name} ${place} fish`);
  const tried = pool('tried', 20).map((text, place): TriedText => {
    return { text, determinable: place % 2 === 0, failed: place % 2 === 0 ? false : null };
  });
  const [first, second] = [pool('first', 60), pool('second', 5)];
  const alone = async (texts: readonly string[]) =>
    (await sentenceEmbedding.open(options, servicesWith(embedder))).predict(tried, texts, 1);
  const shared = await sentenceEmbedding.open(options, servicesWith(slow));
  await shared.predict(tried, first.slice(0, 10), 1);
  const together = await Promise.all([shared.predict(tried, first, 1), shared.predict(tried.slice(0, 10), second, 1)]);
  assert.deepEqual(together[0], await alone(first));
});

test('A dictionary that nothing would read is refused.', async () => {
  await assert.rejects(
    sentenceEmbedding.open(
      sentenceEmbedding.options.parse({ embedder: 'fish', dictionary: 'words.dict' }),
      servicesWith(fishEmbedder().embedder),
    ),
    /textFeatures: true beside dictionary/,
  );
});
