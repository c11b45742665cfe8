// A published model: all-MiniLM-L6-v2 in int8, whose vectors depend on whatever shares their batch.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../../base/hash.ts';
import { testEmbedder } from '../conformance.ts';
import { sentenceTransformer } from './sentence-transformer.ts';

const baseFolder = fileURLToPath(new URL('../../../../shared/data/models', import.meta.url));
const services = {
  baseFolder,
  environment: () => undefined,
  fileHash: async (path: string) => sha256(await readFile(path)),
};
const { ready, found } = await sentenceTransformer.readiness(services);
const skip = !existsSync(baseFolder) ? 'shared/data/models is not beside the repository' : ready ? false : found;
/** Few tokens, so that texts of all lengths are quick. */
const options = { model: 'minilm', languages: ['en'], maxTokens: 64 };

testEmbedder({
  kind: sentenceTransformer,
  options,
  services,
  texts: ['turn it up', 'make it louder, please', 'the cat sat on the mat and looked out of the window for hours'],
  skip,
});

/**
 * Cosines and numbers of tokens by Python's onnxruntime 1.31.1 and tokenizers 0.23.3, each text alone. On the processor on
 * which they were made they come out to 1e-5. Sums in int8 differ between kinds of processors; .03 is how far this model's cosines
 * are from those in 32 bits.
 */
const references: readonly (readonly [text: string, other: string, cosine: number, tokens: number])[] = [
  ['turn it up', 'make it louder', 0.36366, 5],
  ['turn it up', 'turn it down', 0.80486, 5],
  ['the cat sat on the mat', 'a feline rested on the rug', 0.56262, 8],
  ['the cat sat on the mat', 'stock prices fell sharply on monday', 0.06045, 8],
  ['please call Stella', 'please call stella.', 0.97637, 5],
  ["don't ask me to carry an oily rag like that", 'do not ask me to carry an oily rag like that', 0.96521, 15],
  ['naïve café résumé', 'naive cafe resume', 1, 5],
  ['three thousand five hundred dollars', '$3,500', 0.70596, 7],
  ['word '.repeat(600), 'word '.repeat(62), 1, 602],
];

test('Cosines and tokens are those of the model in Python.', { skip }, async () => {
  const embedder = await sentenceTransformer.open(sentenceTransformer.options.parse(options), services);
  for (const [text, other, cosine, tokens] of references) {
    const [one, two] = await embedder.embedTexts([text, other]);
    const product = one!.vector!.reduce((sum, value, index) => sum + value * two!.vector![index]!, 0);
    assert.ok(Math.abs(product - cosine) < 0.03, `${text.slice(0, 40)}: ${product}, expected ${cosine}`);
    assert.equal(one!.tokens, tokens, text.slice(0, 40));
  }
  await embedder.close();
});

test('Threads change nothing.', { skip }, async () => {
  const vectors = await Promise.all(
    [1, 2].map(async (threads) => {
      const embedder = await sentenceTransformer.open(
        sentenceTransformer.options.parse({ ...options, threads }),
        services,
      );
      const embedded = await embedder.embed(references.slice(0, 4).map(([text]) => text));
      await embedder.close();
      return embedded;
    }),
  );
  assert.deepEqual(vectors[0], vectors[1]);
});
