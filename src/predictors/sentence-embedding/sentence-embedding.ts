import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { PredictorKind } from '../contract.ts';
import { inOrderOfText } from '../shared/in-order-of-text.ts';
import { openTextFeatures, textFeatureOptions } from '../shared/open-text-features.ts';
import { predictStages, stagesVersion } from '../shared/two-stages.ts';
import { createVectorFeatures } from './vector-features.ts';

const options = z.strictObject({
  embedder: z.string().min(1).describe('Name of one of the embedders of the config'),
  textFeatures: z
    .boolean()
    .default(false)
    .describe('Learn from the features of text-features as well: length, rare words, stretches of words and letters'),
  ...textFeatureOptions,
});

/**
 * A frozen sentence-embedding model with two logistic regressions on its vectors, one for each stage of CrossASR. Each text of
 * the pool is embedded once; that takes longer than all that is learned from it (some ten milliseconds a text for a small model).
 */
export const sentenceEmbedding: PredictorKind<z.output<typeof options>> = {
  name: 'sentence-embedding',
  about: 'Vectors of a frozen sentence-embedding model with logistic regression, alone or beside text features',
  options,

  async open({ embedder: name, textFeatures, ...files }, services) {
    const named = textFeatures ? undefined : Object.entries(files).find(([, file]) => file !== undefined);
    if (named !== undefined) {
      throw new EarwitnessError(
        'bad-config',
        `sentence-embedding: expected textFeatures: true beside ${named[0]}, which nothing else reads, but got none; add it or leave ${named[0]} out`,
      );
    }
    const embedder = await services.embedder(name);
    const text = textFeatures ? await openTextFeatures(files, services) : null;
    const vectorBlock = createVectorFeatures(embedder);
    return {
      identity: {
        method: 'sentence-embedding',
        embedder: embedder.identity,
        textFeatures: text?.identity ?? null,
        stages: stagesVersion,
      },
      async predict(tried, pool, _seed, signal) {
        signal?.throwIfAborted();
        const known = inOrderOfText(tried);
        const texts = known.map(({ text }) => text);
        const vectors = await vectorBlock(texts, pool, signal);
        const { determinable, failing } = text?.featuresOf(known, pool) ?? { determinable: [], failing: [] };
        return predictStages(known, pool.length, {
          determinable: [...determinable, vectors],
          failing: [...failing, vectors],
        });
      },
      // The embedder belongs to whoever gave it.
      async close() {},
    };
  },

  async readiness() {
    return { ready: true, found: 'built in; the embedder it names must be ready' };
  },
};
