import {
  type BleuOptions,
  type BleuSmoothing,
  bleuWeights,
  nltkPrecisions,
  ordersToCount,
  type SmoothedPrecisions,
} from './bleu-options.ts';
import { type BleuCounts, countBleuNgrams } from './ngram-counts.ts';

/** A BLEU score with what it was made of. */
export interface BleuScore {
  /** From 0 to 1 (sacreBLEU prints it times 100); a little more is possible with `nltk-5` and `nltk-7`. Null with `reason`. */
  readonly value: number | null;
  readonly reason?: string;
  /** Of each order, after smoothing; all 0 where no word matches. */
  readonly precisions: readonly number[];
  /** From 0 to 1: less than 1 where the hypothesis is shorter than the reference. */
  readonly brevityPenalty: number;
  readonly counts: BleuCounts;
}

/**
 * BLEU of one sentence (K. Papineni et al., "BLEU: a method for automatic evaluation of machine translation", ACL 2002):
 * the geometric mean of the shares of n-grams that are also in a reference, times a penalty for brevity. The variants
 * agree with sacreBLEU 2.6.0 and NLTK 3.10.4 to 1e-9.
 *
 * 0 for an empty hypothesis or where no word matches, whatever the smoothing; null where every reference is empty (those
 * programs give 0), and where the smoothing is not defined.
 *
 * @throws RangeError without a reference, with weights that are negative, not finite or all 0, and with options that do
 * not go together
 * @example sentenceBleu([['the', 'cat', 'sat']], ['the', 'cat', 'sat', 'down'], { weights: bleuWeights['bleu-1'] }).value // .75
 */
export function sentenceBleu(
  references: readonly (readonly string[])[],
  hypothesis: readonly string[],
  options: BleuOptions = {},
): BleuScore {
  return bleuOf(countBleuNgrams(references, hypothesis, ordersToCount(options)), options);
}

/**
 * The score that follows from counts, for those who add them up themselves: one pass over the corpus, then any score.
 *
 * @throws RangeError as `sentenceBleu`, and where the counts do not reach the orders needed (5 for `nltk-5` and `nltk-7`)
 */
export function bleuOf(counts: BleuCounts, options: BleuOptions = {}): BleuScore {
  const orders = ordersToCount(options);
  const { weights = bleuWeights['bleu-4'], smoothing = 'none', effectiveOrder = false } = options;
  if (counts.matches.length < orders) {
    throw new RangeError(`expected n-grams counted up to order ${orders}, but got ${counts.matches.length}`);
  }
  const { referenceLength, hypothesisLength } = counts;
  const brevityPenalty = penalty(hypothesisLength, referenceLength);
  const nothing = weights.map(() => 0);
  if (referenceLength === 0) {
    return { value: null, reason: 'the reference is empty', precisions: nothing, brevityPenalty, counts };
  }
  if (counts.matches[0] === 0) return { value: 0, precisions: nothing, brevityPenalty, counts };

  const value = options.smoothingValue ?? (smoothing === 'add-k' ? 1 : 0.1);
  const byNltk = smoothing.startsWith('nltk');
  const smoothed: SmoothedPrecisions = byNltk
    ? nltkPrecisions(counts, weights.length, smoothing, value)
    : { precisions: sacrePrecisions(counts, weights.length, smoothing, value) };
  if ('reason' in smoothed) {
    return { value: null, reason: smoothed.reason, precisions: nothing, brevityPenalty, counts };
  }
  const { precisions } = smoothed;
  const reached = effectiveOrder && smoothing !== 'add-k' ? counts.totals.filter((total) => total > 0).length : orders;
  const lookedAt = Math.min(weights.length, reached);
  let logarithm = 0;
  for (let index = 0; index < lookedAt; index++) {
    const weight = effectiveOrder ? 1 / lookedAt : weights[index]!;
    const precision = precisions[index]!;
    if (weight === 0) continue;
    if (precision > 0) logarithm += weight * Math.log(precision);
    // NLTK leaves a precision out that is still 0 after smoothing.
    else if (!byNltk) return { value: 0, precisions, brevityPenalty, counts };
  }
  return { value: brevityPenalty * Math.exp(logarithm), precisions, brevityPenalty, counts };
}

function penalty(hypothesisLength: number, referenceLength: number): number {
  if (hypothesisLength >= referenceLength) return 1;
  return hypothesisLength === 0 ? 0 : Math.exp(1 - referenceLength / hypothesisLength);
}

function sacrePrecisions(counts: BleuCounts, orders: number, smoothing: BleuSmoothing, value: number): number[] {
  let part = 1;
  return Array.from({ length: orders }, (_, index) => {
    const added = smoothing === 'add-k' && index > 0 ? value : 0;
    const matches = counts.matches[index]! + added;
    const total = counts.totals[index]! + added;
    if (total === 0) return 0;
    if (matches > 0) return matches / total;
    if (smoothing === 'floor') return value / total;
    if (smoothing !== 'exp') return 0;
    part /= 2;
    return part / total;
  });
}
