import type { BleuCounts } from './ngram-counts.ts';

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

/** What is done where an order of n-grams has no match; see `bleuSmoothings`. */
export type BleuSmoothing =
  | 'none'
  | 'floor'
  | 'add-k'
  | 'exp'
  | 'nltk-0'
  | 'nltk-1'
  | 'nltk-2'
  | 'nltk-3'
  | 'nltk-4'
  | 'nltk-5'
  | 'nltk-6'
  | 'nltk-7';

/**
 * Every smoothing by name, with what it does. The first four are sacreBLEU's (M. Post, "A call for clarity in reporting
 * BLEU scores", WMT 2018), the others those of NLTK's `SmoothingFunction`; both after B. Chen and C. Cherry, "A systematic
 * comparison of smoothing techniques for sentence-level BLEU", WMT 2014. They differ also where a text is shorter than
 * the longest n-gram: sacreBLEU's stop there (score 0, or only the shorter orders with `effectiveOrder`), NLTK's count one
 * n-gram that does not match.
 */
export const bleuSmoothings: Readonly<Record<BleuSmoothing, string>> = {
  none: 'an order without a match makes the score 0',
  floor: 'no match counts as .1 of a match, or as the smoothing value',
  'add-k': '1, or the smoothing value, is added to matches and totals from order 2 on',
  exp: 'the first order without a match counts as 1/2 of a match, the next as 1/4, …; sacreBLEU’s default',
  'nltk-0':
    'an order without a match has precision 2.2e-308: scores of about 1e-78 to 1e-155 instead of 0; NLTK’s default',
  'nltk-1': 'no match counts as .1 of a match, or as the smoothing value',
  'nltk-2': '1 is added to matches and totals from order 2 on',
  'nltk-3': 'the first order without a match counts as 1/2 of a match, the next as 1/4, …',
  'nltk-4': 'as nltk-3, scaled by the logarithm of the length over 5, so that short texts gain less',
  'nltk-5': 'each precision is averaged with its neighbours; scores may exceed 1',
  'nltk-6': 'from order 3 on, drawn towards what orders 1 and 2 foretell; needs a match of order 3',
  'nltk-7': 'nltk-4, then nltk-5',
};

/** Smallest normal double, which NLTK takes for a precision of zero. */
const smallestNormal = 2.2250738585072014e-308;
/** Parameters of methods 4 and 6 in Chen and Cherry's experiments, as NLTK has them. */
const lengthScale = 5;
const priorWeight = 5;

/** Precisions of orders 1, 2, …, or why the smoothing cannot give any. */
export type SmoothedPrecisions = { readonly precisions: readonly number[] } | { readonly reason: string };

/**
 * NLTK's precisions of the first `orders` orders. Methods 5 and 7 look at order 5 for the neighbour of the last one,
 * whichever that is, so the counts must reach it. For a corpus all counts are pooled; NLTK takes order 5, and for method 6
 * the number of n-grams, from the last pair alone.
 */
export function nltkPrecisions(
  counts: BleuCounts,
  orders: number,
  smoothing: BleuSmoothing,
  value: number,
): SmoothedPrecisions {
  const matches = counts.matches.slice(0, orders);
  const totals = counts.totals.map((total, index) => total + counts.tooShort[index]!);
  const plain = matches.map((match, index) => match / totals[index]!);
  switch (smoothing) {
    case 'nltk-1':
      return { precisions: matches.map((match, index) => (match === 0 ? value : match) / totals[index]!) };
    case 'nltk-2':
      return {
        precisions: plain.map((one, index) => (index === 0 ? one : (matches[index]! + 1) / (totals[index]! + 1))),
      };
    case 'nltk-3':
      return { precisions: halved(counts, totals, plain, 1) };
    case 'nltk-4':
      return { precisions: halvedByLength(counts, totals, plain) };
    case 'nltk-5':
      return { precisions: averaged(plain, fifth(counts, totals)) };
    case 'nltk-6':
      return interpolated(counts, plain);
    case 'nltk-7':
      return { precisions: averaged(halvedByLength(counts, totals, plain), fifth(counts, totals)) };
    default:
      return { precisions: plain.map((one) => (one === 0 ? smallestNormal : one)) };
  }
}

/** Matches that are missing count as 1/2, 1/4, … times `scale`. */
function halved(counts: BleuCounts, totals: readonly number[], plain: readonly number[], scale: number): number[] {
  let part = 1;
  return plain.map((one, index) => {
    if (counts.matches[index] !== 0) return one;
    part /= 2;
    return (part * scale) / totals[index]!;
  });
}

function halvedByLength(counts: BleuCounts, totals: readonly number[], plain: readonly number[]): number[] {
  // The logarithm of one word is 0 and that of none undefined: nothing is smoothed then.
  if (counts.hypothesisLength <= 1) return [...plain];
  return halved(counts, totals, plain, Math.log(counts.hypothesisLength) / lengthScale);
}

function fifth(counts: BleuCounts, totals: readonly number[]): number {
  return counts.matches[4]! / totals[4]!;
}

function averaged(precisions: readonly number[], following: number): number[] {
  let before = precisions[0]! + 1;
  return precisions.map((one, index) => {
    before = (before + one + (precisions[index + 1] ?? following)) / 3;
    return before;
  });
}

function interpolated(counts: BleuCounts, plain: readonly number[]): SmoothedPrecisions {
  if (!plain[2]) return { reason: 'nltk-6 needs a match of three words, and there is none' };
  const precisions = plain.slice(0, 2);
  for (let index = 2; index < plain.length; index++) {
    const before = precisions[index - 1]!;
    const prior = precisions[index - 2] === 0 ? 0 : before ** 2 / precisions[index - 2]!;
    precisions.push((counts.matches[index]! + priorWeight * prior) / (counts.totals[index]! + priorWeight));
  }
  return { precisions };
}
