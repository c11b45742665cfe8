import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { flag, nonEmpty } from '../../base/option-kinds.ts';
import type { PredictorKind, TextVectors } from '../contract.ts';
import { inOrderOfText } from '../shared/collection.ts';
import type { FeatureBlock } from '../shared/hashed-features.ts';
import { openTextFeatures, textFeatureOptions } from '../shared/open-text-features.ts';
import { predictStages, stagesVersion } from '../shared/two-stages.ts';

/** Texts asked for at once, so that a signal is heard between. */
const textsAtOnce = 64;

const options = z.strictObject({
  embedder: nonEmpty().describe('Name of one of the embedders of the config'),
  textFeatures: flag(false).describe(
    'Learn from the features of text-features as well: length, rare words, stretches of words and letters',
  ),
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
      throw badConfig(
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

/**
 * Vectors of texts as features, each number less its mean over all texts and the whole in units of the mean squared length
 * that is left: models give vectors in a narrow cone. A text that the model can read nothing in stands at the mean. Vectors are
 * kept until other texts are asked about.
 */
function createVectorFeatures(
  embedder: TextVectors,
): (tried: readonly string[], pool: readonly string[], signal?: AbortSignal) => Promise<FeatureBlock> {
  let known = new Map<string, Float32Array | null>();

  async function vectorsOf(texts: readonly string[], signal?: AbortSignal) {
    const different = [...new Set(texts)].sort();
    // Its own while it waits: searches ask side by side, each about other texts.
    const own = new Map(known);
    const missing = different.filter((text) => !own.has(text));
    for (let start = 0; start < missing.length; start += textsAtOnce) {
      const asked = missing.slice(start, start + textsAtOnce);
      const embedded = await embedder.embedTexts(asked, signal);
      asked.forEach((text, place) => {
        own.set(text, embedded[place]!.vector);
      });
    }
    known = new Map(different.map((text) => [text, own.get(text)!]));
    return known;
  }

  return async (tried, pool, signal) => {
    const vectors = await vectorsOf([...tried, ...pool], signal);
    const present = [...vectors.values()].filter((vector) => vector !== null);
    const columns = present[0]?.length ?? 0;
    const mean = new Float64Array(columns);
    for (const vector of present) for (let column = 0; column < columns; column++) mean[column]! += vector[column]!;
    for (let column = 0; column < columns; column++) mean[column]! /= present.length;
    let squares = 0;
    for (const vector of present) {
      for (let column = 0; column < columns; column++) squares += (vector[column]! - mean[column]!) ** 2;
    }
    const scale = squares > 0 ? Math.sqrt(present.length / squares) : 0;
    const indexes = Uint32Array.from({ length: columns }, (_, column) => column);
    return {
      columns,
      penalty: 'many',
      row(text) {
        const vector = vectors.get(tried[text]!);
        if (!vector) return { indexes: [], values: [] };
        return { indexes, values: mean.map((value, column) => scale * (vector[column]! - value)) };
      },
      addScores(coefficients, into) {
        let constant = 0;
        for (let column = 0; column < columns; column++) constant -= coefficients[column]! * mean[column]!;
        pool.forEach((text, place) => {
          const vector = vectors.get(text);
          if (!vector) return;
          let sum = constant;
          for (let column = 0; column < columns; column++) sum += coefficients[column]! * vector[column]!;
          into[place]! += scale * sum;
        });
      },
    };
  };
}
