import type { TextVectors } from '../contract.ts';
import type { FeatureBlock } from '../shared/feature-block.ts';

/** Texts asked for at once, so that a signal is heard between. */
const textsAtOnce = 64;

/**
 * Vectors of texts as features, each number less its mean over all texts and the whole in units of the mean squared length
 * that is left: models give vectors in a narrow cone. A text that the model can read nothing in stands at the mean. Vectors are
 * kept until other texts are asked about.
 */
export function createVectorFeatures(
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
