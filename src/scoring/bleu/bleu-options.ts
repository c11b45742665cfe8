import { type BleuSmoothing, bleuSmoothings } from './smoothing.ts';

/** How BLEU is computed. By default BLEU-4 without smoothing: an order without a match makes it 0. */
export interface BleuOptions {
  /**
   * Weight of each order of n-grams: `[1]` is BLEU-1, `[.25, .25, .25, .25]` BLEU-4, the default. Taken as they are, also
   * where they do not add up to 1; orders of weight 0 are not looked at. See `bleuWeights` for those with a name.
   */
  readonly weights?: readonly number[];
  /** What is done where an order has no match; `none` by default. */
  readonly smoothing?: BleuSmoothing;
  /**
   * What stands for no match: `floor` and `nltk-1` (.1 by default), or what is added: `add-k` (1 by default). The others
   * have none.
   */
  readonly smoothingValue?: number;
  /**
   * Looks only at the orders of which the hypothesis has n-grams, all with the same weight: sacreBLEU's `effective_order`,
   * for single sentences. Not with weights that differ, nor with NLTK's smoothings, which have their own way.
   */
  readonly effectiveOrder?: boolean;
}

/**
 * Weights by name. Those of `sr-mt` are slips of that paper's program, kept so that its numbers can be had: thirds written
 * as .33, and BLEU-2 with weight on the single words alone, which is the square root of their precision and can exceed
 * BLEU-1.
 */
export const bleuWeights = {
  'bleu-1': [1],
  'bleu-2': [1 / 2, 1 / 2],
  'bleu-3': [1 / 3, 1 / 3, 1 / 3],
  'bleu-4': [1 / 4, 1 / 4, 1 / 4, 1 / 4],
  'sr-mt/bleu-2': [0.5, 0, 0, 0],
  'sr-mt/bleu-3': [0.33, 0.33, 0.33],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/**
 * Checks the options; gives the longest n-gram to be counted.
 *
 * @throws RangeError for weights that are negative, not finite or all 0, and for options that do not go together
 */
export function ordersToCount({
  weights = bleuWeights['bleu-4'],
  smoothing = 'none',
  smoothingValue,
  effectiveOrder = false,
}: BleuOptions): number {
  if (!weights.every((weight) => weight >= 0 && Number.isFinite(weight)) || !weights.some((weight) => weight > 0)) {
    throw new RangeError(
      `expected weights of 0 or more for BLEU, one of them greater, but got [${weights.join(', ')}]`,
    );
  }
  if (!Object.hasOwn(bleuSmoothings, smoothing)) {
    throw new RangeError(
      `expected a smoothing of BLEU (${Object.keys(bleuSmoothings).join(', ')}), but got ${JSON.stringify(smoothing)}`,
    );
  }
  if (smoothingValue !== undefined && !(smoothingValue >= 0 && Number.isFinite(smoothingValue))) {
    throw new RangeError(`expected a smoothing value of 0 or more, but got ${smoothingValue}`);
  }
  if (smoothingValue !== undefined && !['floor', 'add-k', 'nltk-1'].includes(smoothing)) {
    throw new RangeError(`expected no smoothing value, because ${smoothing} has none; leave it out`);
  }
  if (effectiveOrder && (smoothing.startsWith('nltk') || weights.some((weight) => weight !== weights[0]))) {
    throw new RangeError('expected equal weights and none of NLTK’s smoothings with effectiveOrder');
  }
  return smoothing === 'nltk-5' || smoothing === 'nltk-7' ? Math.max(5, weights.length) : weights.length;
}
