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
