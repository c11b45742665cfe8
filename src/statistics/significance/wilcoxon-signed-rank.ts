import { normalUpperTail } from '../distributions/normal.ts';
import type { Alternative } from './binomial-test.ts';
import { rankMagnitudes } from './rank-magnitudes.ts';

export interface WilcoxonOptions {
  /**
   * What becomes of differences of 0. `pratt` (default): ranked with the others, their ranks then dropped (J. Pratt, J.
   * American Statistical Association 54, 1959). `drop`: left out first (Wilcoxon's own). `split`: their ranks shared by both signs.
   */
  readonly zeros?: 'pratt' | 'drop' | 'split';
  /** `greater`: the differences are above 0. */
  readonly alternative?: Alternative;
  /** `auto` (default): exact up to 50 differences, else normal. */
  readonly method?: 'auto' | 'exact' | 'normal';
  /** Half a rank towards the middle in the normal approximation; false by default. */
  readonly continuityCorrection?: boolean;
}

export interface WilcoxonResult {
  /** Sum of the ranks of positive differences. */
  readonly positiveRanks: number;
  readonly negativeRanks: number;
  /** Of the normal approximation, else null. */
  readonly z: number | null;
  /** Null with a reason where every difference is 0. */
  readonly pValue: number | null;
  readonly reason?: string;
  /** Which form was used. */
  readonly method: 'exact' | 'normal';
}

/**
 * Wilcoxon's signed-rank test on paired differences (Biometrics Bulletin 1, 1945).
 *
 * The exact form counts, over all assignments of signs to the ranks as they are, how many give as extreme a sum: right
 * with ties and zeros too, where tables for 1 to n are not. Two-sided p is twice the smaller side, at most 1. The normal
 * form corrects its variance for ties, and for zeros as E. Cureton, J. American Statistical Association 62 (1967).
 *
 * @param differences finite; differences that should tie must be equal to the last digit (round them first)
 * @example wilcoxonSignedRank([-.825, 2.875, 2.575, 4.625]).pValue // .25
 */
export function wilcoxonSignedRank(differences: ArrayLike<number>, options: WilcoxonOptions = {}): WilcoxonResult {
  const { zeros = 'pratt', alternative = 'two-sided', method = 'auto', continuityCorrection = false } = options;
  const values = Array.from(differences).filter((difference) => zeros !== 'drop' || difference !== 0);
  const { ranks, tieSizes, zeroCount } = rankMagnitudes(values);
  let positiveRanks = 0;
  let negativeRanks = 0;
  let zeroRanks = 0;
  values.forEach((value, index) => {
    if (value > 0) positiveRanks += ranks[index]!;
    else if (value < 0) negativeRanks += ranks[index]!;
    else zeroRanks += ranks[index]!;
  });
  const exact = method === 'exact' || (method === 'auto' && values.length <= 50);
  const used = exact ? 'exact' : 'normal';
  if (zeroCount === values.length) {
    return { positiveRanks, negativeRanks, z: null, pValue: null, reason: 'every difference is 0', method: used };
  }
  if (zeros === 'split') {
    positiveRanks += zeroRanks / 2;
    negativeRanks += zeroRanks / 2;
  }

  if (exact) {
    const shared = zeros === 'split' ? zeroRanks / 2 : 0;
    const signed = ranks.filter((_, index) => values[index] !== 0);
    const { below, above } = signAssignments(signed, positiveRanks - shared);
    const pValue =
      alternative === 'greater' ? above : alternative === 'less' ? below : Math.min(1, 2 * Math.min(below, above));
    return { positiveRanks, negativeRanks, z: null, pValue, method: used };
  }

  const count = values.length;
  const dropped = zeros === 'pratt' ? zeroCount : 0;
  const mean = (count * (count + 1) - dropped * (dropped + 1)) / 4;
  const sumOfSquares = (n: number) => n * (n + 1) * (2 * n + 1);
  let variance = (sumOfSquares(count) - sumOfSquares(dropped)) / 24;
  for (const size of tieSizes) variance -= (size ** 3 - size) / 48;
  // Zeros are one more tie, unless their ranks are gone.
  if (zeros === 'split') variance -= (zeroCount ** 3 - zeroCount) / 48;
  const distance = positiveRanks - mean;
  const towards = alternative === 'greater' ? 1 : alternative === 'less' ? -1 : Math.sign(distance);
  const z = (distance - (continuityCorrection ? towards / 2 : 0)) / Math.sqrt(variance);
  const pValue =
    alternative === 'greater'
      ? normalUpperTail(z)
      : alternative === 'less'
        ? normalUpperTail(-z)
        : Math.min(1, 2 * normalUpperTail(Math.abs(z)));
  return { positiveRanks, negativeRanks, z, pValue, method: used };
}

/** The share of sign assignments whose positive ranks sum to at most, and to at least, the observed. */
function signAssignments(ranks: readonly number[], observed: number): { below: number; above: number } {
  // Tied ranks are halves: twice the ranks are whole numbers.
  const doubled = ranks.map((rank) => Math.round(2 * rank));
  const total = doubled.reduce((sum, rank) => sum + rank, 0);
  const shares = new Float64Array(total + 1);
  shares[0] = 1;
  let reached = 0;
  for (const rank of doubled) {
    reached += rank;
    for (let sum = reached; sum >= 0; sum--) {
      shares[sum] = (shares[sum]! + (sum >= rank ? shares[sum - rank]! : 0)) / 2;
    }
  }
  const place = Math.round(2 * observed);
  let below = 0;
  let above = 0;
  for (let sum = 0; sum <= total; sum++) {
    if (sum <= place) below += shares[sum]!;
    if (sum >= place) above += shares[sum]!;
  }
  return { below, above };
}
