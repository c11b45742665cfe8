import type { Normalizer } from '../normalizers/normalizer.ts';
import { chrf } from './chrf.ts';
import type { Similarity, TextPair } from './semantic-similarity.ts';

/** Measures of how much two texts have in common as written; none of them knows what words mean. */
export type LexicalMeasure = 'token-f1' | 'chrf';

export interface LexicalSimilarity {
  readonly measure: LexicalMeasure;
  /** One for each pair, in their order, from 0 to 1. */
  readonly pairs: readonly Similarity[];
}

/**
 * How much pairs of texts have in common as written, where no model measures their meaning. Named after the measure and
 * never given in place of `semanticSimilarity`.
 *
 * - `token-f1`: harmonic mean of the shares of words that the other text has too, each as often as there (the F1 of
 *   SQuAD: P. Rajpurkar et al., EMNLP 2016); order does not count.
 * - `chrf`: shared stretches of characters (`chrf`), over the normalized words joined by blanks.
 *
 * Null where both texts are empty after normalization; 0 where one is.
 *
 * @param normalizer makes words of both texts
 * @example lexicalSimilarity([{ reference: 'a b', hypothesis: 'b c' }], 'token-f1', normalizerNamed('none')).pairs[0].value // .5
 */
export function lexicalSimilarity(
  pairs: readonly TextPair[],
  measure: LexicalMeasure,
  normalizer: Normalizer,
): LexicalSimilarity {
  return {
    measure,
    pairs: pairs.map(({ reference, hypothesis }) => {
      const referenceWords = normalizer.words(reference);
      const hypothesisWords = normalizer.words(hypothesis);
      if (referenceWords.length === 0 && hypothesisWords.length === 0) {
        return { value: null, reason: 'both texts are empty' };
      }
      if (referenceWords.length === 0 || hypothesisWords.length === 0) return { value: 0 };
      if (measure === 'token-f1') return { value: tokenF1(referenceWords, hypothesisWords) };
      return chrf([{ references: [referenceWords.join(' ')], hypothesis: hypothesisWords.join(' ') }]);
    }),
  };
}

function tokenF1(reference: readonly string[], hypothesis: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of reference) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of hypothesis) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared++;
  }
  return (2 * shared) / (reference.length + hypothesis.length);
}
