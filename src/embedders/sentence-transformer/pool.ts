import type { Pooling } from './options.ts';

/**
 * One vector of length 1 from those of the tokens: their mean, the first of them, or the greatest of each number
 * (N. Reimers and I. Gurevych, "Sentence-BERT", EMNLP 2019, section 3). Nothing is padded, so that every token counts. A
 * vector of zeros stays one, and numbers that are not finite stay so.
 *
 * @param states the numbers of the tokens one after the other
 */
export function pool(states: Float32Array, dimensions: number, pooling: Exclude<Pooling, 'model'>): Float32Array {
  const tokens = states.length / dimensions;
  const sum = Float64Array.from(states.subarray(0, dimensions));
  if (pooling !== 'cls') {
    for (let start = dimensions; start < states.length; start += dimensions) {
      for (let index = 0; index < dimensions; index++) {
        const value = states[start + index]!;
        sum[index] = pooling === 'max' ? Math.max(sum[index]!, value) : sum[index]! + value;
      }
    }
  }
  return unitLength(pooling === 'mean' ? sum.map((value) => value / tokens) : sum);
}

/** The vector in its direction whose length is 1; zeros stay zeros. */
export function unitLength(vector: Float32Array | Float64Array): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index++) squares += vector[index]! ** 2;
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(vector, (value) => value / length);
}
