import type { Reason } from '../../model/reason.ts';
import { studentUpperTail } from '../distributions.ts';
import { tieSlack } from './tie-slack.ts';

/** How alike two orders are. */
export interface RankCorrelation {
  /** From -1 (turned round) to 1 (the same order); null where one of them has no order. */
  readonly value: number | null;
  /** Two-sided; null where there is no value, or where so few values cannot tell. */
  readonly pValue: number | null;
  readonly test: string;
  readonly reason?: Reason;
}

/** Up to so many values all orders are gone through: 40,320. */
const maxExact = 8;

/**
 * Spearman's rank correlation: equal values share the mean of their ranks. Its p value is exact over all orders for up to 8 values,
 * given the ties, and by Student's t beyond. Null for fewer than 3 values, of which two always agree or disagree wholly. scipy's `spearmanr` has the same value, and the same p value beyond 8.
 *
 * @param second one for each of `first`
 * @throws RangeError for lists of unequal lengths or values that are not finite
 * @example rankCorrelation([0.9, 1.4, 1], [312, 844, 413]).value // 1
 */
export function rankCorrelation(first: readonly number[], second: readonly number[]): RankCorrelation {
  const n = first.length;
  if (second.length !== n) throw new RangeError(`expected lists of one length, but got ${n} and ${second.length}`);
  if (![...first, ...second].every(Number.isFinite)) throw new RangeError('expected finite numbers');
  const test =
    n <= maxExact ? 'exact test of Spearman’s rank correlation' : 'Student’s t of Spearman’s rank correlation';
  if (n < 3)
    return {
      value: null,
      pValue: null,
      test,
      reason: { code: 'few-values', need: 3, have: n },
    };
  const ranks = rankValues(first).ranks;
  const others = rankValues(second).ranks;
  const mean = (n + 1) / 2;
  const spread = (of: Float64Array) => of.reduce((sum, rank) => sum + (rank - mean) ** 2, 0);
  const scale = Math.sqrt(spread(ranks) * spread(others));
  if (scale === 0) return { value: null, pValue: null, test, reason: { code: 'all-values-same' } };
  const of = (order: ArrayLike<number>) =>
    ranks.reduce((sum, rank, place) => sum + (rank - mean) * (order[place]! - mean), 0) / scale;
  const value = of(others);
  if (n > maxExact) {
    const t = Math.abs(value) * Math.sqrt((n - 2) / Math.max(1 - value ** 2, tieSlack(0)));
    return { value, pValue: Math.min(1, 2 * studentUpperTail(t, n - 2)), test };
  }
  const threshold = Math.abs(value) - tieSlack(value);
  let [orders, asFar] = [0, 0];
  for (const order of ordersOf([...others])) {
    orders++;
    if (Math.abs(of(order)) >= threshold) asFar++;
  }
  return { value, pValue: asFar / orders, test };
}

/** Every order of the values, equal ones as often as they come (B. Heap, "Permutations by interchanges", 1963). */
function* ordersOf(values: number[], count = values.length): Generator<readonly number[]> {
  if (count === 1) {
    yield values;
    return;
  }
  for (let place = 0; place < count; place++) {
    yield* ordersOf(values, count - 1);
    const other = count % 2 === 0 ? place : 0;
    [values[other], values[count - 1]] = [values[count - 1]!, values[other]!];
  }
}

/** Ranks of values among each other. */
interface Ranks {
  /** From 1, in the order of the values; equal values share the mean of their ranks. */
  readonly ranks: Float64Array;
  /** How many values share each rank, from the lowest. */
  readonly tieSizes: readonly number[];
}

/** Ranks values, the smallest first. Equal means equal to the last digit. */
export function rankValues(values: ArrayLike<number>): Ranks {
  const order = Uint32Array.from(values, (_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  const tieSizes: number[] = [];
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let place = start; place < end; place++) ranks[order[place]!] = (start + 1 + end) / 2;
    tieSizes.push(end - start);
    start = end;
  }
  return { ranks, tieSizes };
}
