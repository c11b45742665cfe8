import { logGamma, normalCdf } from '../distributions.ts';
import { requireFinite, requireSquares } from '../finite-values.ts';
import { normalPValue } from './permutation-result.ts';
import { rankValues } from './rank-correlation.ts';

export interface MapssweResult {
  readonly segments: number;
  /** Errors of the first system minus errors of the second, mean over segments. Null without segments. */
  readonly meanDifference: number | null;
  /** Of the differences, with n - 1. Null with fewer than two segments. */
  readonly standardDeviation: number | null;
  readonly z: number | null;
  /** Two-sided; null with `reason` where there are fewer than two segments or all differ alike. */
  readonly pValue: number | null;
  readonly reason?: string;
  readonly test: string;
}

/**
 * The matched-pairs sentence-segment word error test: whether two systems make equally many errors, from their errors in
 * the same segments of speech (L. Gillick and S. Cox, "Some statistical issues in the comparison of speech recognition
 * algorithms", ICASSP 1989, section 4; NIST's sc_stats). `comparedSegments` of `earwitness/scoring` cuts the segments.
 *
 * z is the mean difference over its standard error and taken as normal, so it wants many segments: of alike systems p was at
 * most .05 in 8.0 % of 10,000 simulations with 10 segments, 6.0 with 30, 5.8 with 50, 5.4 with 200
 * (bench/calibration/tests.ts). Segments must be independent; the test knows nothing of speakers. Where one system suited
 * some of 20 speakers and the other others, on the whole alike, it called 46 % different (660 segments), and
 * `pairedPermutationTest` by speaker 4.6 %.
 *
 * @throws RangeError for unequal numbers of segments or values that are not finite or beyond 1e150
 * @example mapsswe([2, 0, 1, 3], [1, 1, 0, 1]).z // 1.192
 */
export function mapsswe(firstErrors: ArrayLike<number>, secondErrors: ArrayLike<number>): MapssweResult {
  const test = 'matched-pairs sentence-segment word error test';
  if (firstErrors.length !== secondErrors.length) {
    throw new RangeError(
      `expected errors of the same segments, but got ${firstErrors.length} and ${secondErrors.length}`,
    );
  }
  requireSquares(firstErrors, 'errors');
  requireSquares(secondErrors, 'errors');
  const segments = firstErrors.length;
  const without = (meanDifference: number | null, standardDeviation: number | null, reason: string): MapssweResult => {
    return { segments, meanDifference, standardDeviation, z: null, pValue: null, reason, test };
  };
  if (segments === 0) return without(null, null, 'neither system makes an error');
  let sum = 0;
  for (let segment = 0; segment < segments; segment++) sum += firstErrors[segment]! - secondErrors[segment]!;
  const meanDifference = sum / segments;
  if (segments === 1) return without(meanDifference, null, 'there is only one segment');
  let squares = 0;
  for (let segment = 0; segment < segments; segment++) {
    squares += (firstErrors[segment]! - secondErrors[segment]! - meanDifference) ** 2;
  }
  const standardDeviation = Math.sqrt(squares / (segments - 1));
  if (standardDeviation === 0) return without(meanDifference, 0, 'the systems differ alike in every segment');
  const z = meanDifference / (standardDeviation / Math.sqrt(segments));
  return { segments, meanDifference, standardDeviation, z, pValue: normalPValue(z, 'two-sided'), test };
}

// Tests as NIST's sc_stats (SCTK 2.4.10) makes them, for comparison with its tables. Ours are `wilcoxonSignedRank`, `signTest`
// and `mcnemar`.

/** What sc_stats prints of a comparison by speaker. */
export interface ScStatsResult {
  /** Differences counted as positive, and as negative, those of zero dealt to both. */
  readonly positive: number;
  readonly negative: number;
  /** Of these zero, to half a hundredth of a percentage point. */
  readonly zero: number;
  readonly pValue: number | null;
  readonly reason?: string;
}

/** Percentages that differ by no more count as equal. */
const equalBelow = 0.005;

/** sc_stats subtracts the system with the smaller sum from the other; where sums are equal the first from the second. */
function scStatsDifferences(first: ArrayLike<number>, second: ArrayLike<number>): number[] {
  if (first.length !== second.length) {
    throw new RangeError(`expected percentages of the same speakers, but got ${first.length} and ${second.length}`);
  }
  requireFinite(first, 'percentages');
  requireFinite(second, 'percentages');
  const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);
  const sign = sum(first) > sum(second) ? 1 : -1;
  return Array.from(first, (value, speaker) => sign * (value - second[speaker]!) || 0);
}

/**
 * Wilcoxon's signed-rank test by speaker as sc_stats makes it: differences of zero are ranked lowest and counted, in turn,
 * as positive and negative (a single one as positive); z, without corrections, is that of the sign with fewer speakers.
 *
 * @param first error rates of the first system in percent, speaker by speaker
 * @throws RangeError for unequal numbers of speakers or values that are not finite
 * @example scStatsWilcoxon([13.1, 14.69, 24], [6.9, 9.6, 12.67]).positiveRanks // 6
 */
export function scStatsWilcoxon(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
): ScStatsResult & { readonly positiveRanks: number; readonly negativeRanks: number; readonly z: number | null } {
  const differences = scStatsDifferences(first, second);
  const { ranks } = rankValues(differences.map(Math.abs));
  let zero = 0;
  let positive = 0;
  let positiveRanks = 0;
  let negativeRanks = 0;
  differences.forEach((difference, speaker) => {
    const isPositive = Math.abs(difference) > equalBelow ? difference > 0 : zero++ % 2 === 0;
    if (isPositive) {
      positive++;
      positiveRanks += ranks[speaker]!;
    } else negativeRanks += ranks[speaker]!;
  });
  const count = differences.length;
  const negative = count - positive;
  const counted = { positive, negative, zero, positiveRanks, negativeRanks };
  if (count === 0) return { ...counted, z: null, pValue: null, reason: 'there is no speaker' };
  const fewer = positive < negative ? positiveRanks : negativeRanks;
  const z = (fewer - (count * (count + 1)) / 4) / Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
  return { ...counted, z, pValue: normalPValue(z, 'two-sided') };
}

/**
 * The sign test by speaker as sc_stats makes it: half of the zero differences count as positive, the rest (an odd one too)
 * as negative, and p is that of `scStatsBinomial`.
 *
 * @throws RangeError as `scStatsWilcoxon`
 * @example scStatsSignTest([13.1, 14.69, 24], [6.9, 9.6, 12.67]).pValue // .25
 */
export function scStatsSignTest(first: ArrayLike<number>, second: ArrayLike<number>): ScStatsResult {
  const differences = scStatsDifferences(first, second);
  const zero = differences.filter((difference) => Math.abs(difference) <= equalBelow).length;
  const positive = differences.filter((difference) => difference > equalBelow).length + Math.floor(zero / 2);
  const negative = differences.length - positive;
  if (differences.length === 0) return { positive, negative, zero, pValue: null, reason: 'there is no speaker' };
  return { positive, negative, zero, pValue: scStatsBinomial(positive, negative) };
}

/**
 * The two-sided probability that sc_stats prints in its McNemar and sign tests. Up to 20 cases it is the exact one. Beyond,
 * its normal approximation takes half of the smaller count where the count belongs, so that p is far too small: 18
 * against 15 gives .002 for .73. For comparison with its tables only.
 *
 * @throws RangeError for counts that are not whole
 * @example scStatsBinomial(18, 15) // .0017
 */
export function scStatsBinomial(firstOnly: number, secondOnly: number): number {
  if (!(Number.isInteger(firstOnly) && Number.isInteger(secondOnly) && firstOnly >= 0 && secondOnly >= 0)) {
    throw new RangeError(`expected whole counts, but got ${firstOnly} and ${secondOnly}`);
  }
  if (firstOnly === secondOnly) return 1;
  const cases = firstOnly + secondOnly;
  const fewer = Math.min(firstOnly, secondOnly);
  if (cases > 20) return 2 * normalCdf((fewer / 2 - cases / 2) / Math.sqrt(cases / 4));
  let sum = 0;
  for (let count = 0; count <= fewer; count++) {
    sum += Math.exp(logGamma(cases + 1) - logGamma(count + 1) - logGamma(cases - count + 1) - cases * Math.LN2);
  }
  return Math.min(1, 2 * sum);
}
