import type { Normalizer } from '../normalizers/normalizer.ts';
import { splitWords, whiteSpace } from '../normalizers/split-words.ts';
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

/** How chrF is computed: by default characters up to order 6, no words, recall twice as important as precision. */
export interface ChrfOptions {
  /** Longest n-gram of characters; 6 by default. */
  readonly characterOrder?: number;
  /** Longest n-gram of words; 0 by default, 2 is chrF++. */
  readonly wordOrder?: number;
  /** How many times as important recall is; 2 by default. */
  readonly beta?: number;
}

/** A text with one or more references, as they were written. */
export interface ChrfPair {
  readonly references: readonly string[];
  readonly hypothesis: string;
}

/** From 0 to 1 (sacreBLEU prints it times 100); null with `reason`. */
export interface ChrfScore {
  readonly value: number | null;
  readonly reason?: string;
}

/** N-grams of one order in the hypothesis, in the reference, and in both. */
type OrderCounts = readonly [hypothesis: number, reference: number, matches: number];

/**
 * chrF: F-measure over n-grams of characters, white space left out (M. Popović, "chrF: character n-gram F-score for
 * automatic MT evaluation", WMT 2015), and with `wordOrder` 2 chrF++ (the same, WMT 2017). Precision and recall are averaged
 * over the orders of which both sides have n-grams, as sacreBLEU 2.6.0 has it; agrees with it to 1e-9. Counts are added up
 * over the pairs; of several references the one with the best score counts. Characters are code points.
 *
 * 0 where the hypotheses are empty; null where the references are (sacreBLEU gives 0).
 *
 * @throws RangeError for a pair without a reference and for orders or beta out of range
 * @example chrf([{ references: ['the cat'], hypothesis: 'the cats' }]).value // .88…
 */
export function chrf(pairs: Iterable<ChrfPair>, options: ChrfOptions = {}): ChrfScore {
  const { characterOrder = 6, wordOrder = 0, beta = 2 } = options;
  if (![characterOrder, wordOrder].every((order) => Number.isInteger(order) && order >= 0)) {
    throw new RangeError(`expected orders of 0 or more for chrF, but got ${characterOrder} and ${wordOrder}`);
  }
  if (characterOrder + wordOrder === 0 || !(beta > 0 && Number.isFinite(beta))) {
    throw new RangeError(`expected an order and a beta greater than 0 for chrF, but got beta ${beta}`);
  }
  let sum: OrderCounts[] = new Array<OrderCounts>(characterOrder + wordOrder).fill([0, 0, 0]);
  for (const { references, hypothesis } of pairs) {
    if (references.length === 0) throw new RangeError('expected at least one reference for chrF, but got none');
    const grams = gramsOf(hypothesis, characterOrder, wordOrder);
    const candidates = references.map((reference) => compare(grams, gramsOf(reference, characterOrder, wordOrder)));
    let best = candidates[0]!;
    for (const counts of candidates) if (fMeasure(counts, beta) > fMeasure(best, beta)) best = counts;
    sum = sum.map((one, index) => [0, 1, 2].map((part) => one[part]! + best[index]![part]!) as unknown as OrderCounts);
  }
  if (sum.every(([, reference]) => reference === 0)) return { value: null, reason: 'the reference is empty' };
  return { value: fMeasure(sum, beta) };
}

function gramsOf(text: string, characterOrder: number, wordOrder: number): Map<string, number>[] {
  const characters = [...text.replace(whiteSpace, '')];
  const words = wordOrder > 0 ? splitWords(text).flatMap(withoutPunctuation) : [];
  return [...tallies(characters, characterOrder, ''), ...tallies(words, wordOrder, ' ')];
}

/** One sign at the end of a word, else one at its beginning, stands apart, as in Popović's chrF. */
function withoutPunctuation(word: string): string[] {
  const characters = [...word];
  if (characters.length === 1) return [word];
  if (isPunctuation(characters.at(-1)!)) return [word.slice(0, -1), word.slice(-1)];
  return isPunctuation(characters[0]!) ? [word.slice(0, 1), word.slice(1)] : [word];
}

function isPunctuation(character: string): boolean {
  return /^[!-/:-@[-`{-~]$/.test(character);
}

function tallies(tokens: readonly string[], mostOrder: number, between: string): Map<string, number>[] {
  return Array.from({ length: mostOrder }, (_, index) => {
    const counts = new Map<string, number>();
    for (let start = 0; start + index < tokens.length; start++) {
      const gram = tokens.slice(start, start + index + 1).join(between);
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
    return counts;
  });
}

function compare(
  hypothesis: readonly Map<string, number>[],
  reference: readonly Map<string, number>[],
): readonly OrderCounts[] {
  return hypothesis.map((grams, index) => {
    const others = reference[index]!;
    let matches = 0;
    for (const [gram, count] of grams) matches += Math.min(count, others.get(gram) ?? 0);
    // What the hypothesis has of an order that the reference lacks is not held against it.
    return [others.size === 0 ? 0 : sum(grams), sum(others), matches];
  });
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}

function fMeasure(counts: readonly OrderCounts[], beta: number): number {
  let precision = 0;
  let recall = 0;
  let orders = 0;
  for (const [hypothesis, reference, matches] of counts) {
    if (hypothesis === 0 || reference === 0) continue;
    precision += matches / hypothesis;
    recall += matches / reference;
    orders++;
  }
  if (precision + recall === 0) return 0;
  const weight = beta ** 2;
  return ((1 + weight) * (precision / orders) * (recall / orders)) / (weight * (precision / orders) + recall / orders);
}
