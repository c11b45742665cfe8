import { normalCdf, normalQuantile, normalUpperTail, studentQuantile } from '../distributions.ts';

/** A planned comparison of two systems on the same speakers. */
export interface PairedPlan {
  /** Of the speakers' differences (rate of the first minus rate of the second): `deviationOfDifferences`. */
  readonly standardDeviation: number;
  /** Level of the two-sided test, .05 by default. */
  readonly alpha?: number;
}

const defaultAlpha = 0.05;
const maxUnits = 1e9;

/**
 * The standard deviation of paired differences from those of the two and their correlation. Error rates of two
 * recognizers on the same speakers are mostly strongly correlated, which is why pairing pays.
 *
 * @throws RangeError for negative deviations or a correlation outside -1 to 1
 * @example deviationOfDifferences(.1, .1, .8) // .0632
 */
export function deviationOfDifferences(first: number, second: number, correlation: number): number {
  if (!(first >= 0 && second >= 0 && correlation >= -1 && correlation <= 1)) {
    throw new RangeError(
      `expected deviations of at least 0 and a correlation from -1 to 1, but got ${first}, ${second}, ${correlation}`,
    );
  }
  return Math.sqrt(Math.max(0, first ** 2 + second ** 2 - 2 * correlation * first * second));
}

/**
 * How probably a paired comparison over speakers will find a difference: the power of the two-sided paired t test, by the
 * noncentral t distribution (J. Cohen, "Statistical power analysis", 2nd edition 1988, chapter 2). Other tests have nearly the
 * same: where .565 was foretold (half a standard deviation, 20 speakers), the paired t test found .567 in 10,000
 * simulations, sign flips .565, the signed-rank test .548 (bench/calibration/tests.ts).
 *
 * @param difference true mean difference, in the unit of the deviation
 * @param pairs speakers, at least 2, need not be whole
 * @throws RangeError for values out of range
 * @example powerOfPairedDifference(.02, 50, { standardDeviation: .1 }) // .284
 */
export function powerOfPairedDifference(difference: number, pairs: number, plan: PairedPlan): number {
  const { standardDeviation, alpha = defaultAlpha } = plan;
  requirePlan(standardDeviation, alpha, pairs > 1, pairs);
  return powerOfT((difference / standardDeviation) * Math.sqrt(pairs), pairs - 1, alpha);
}

/**
 * How many speakers a paired comparison needs, before rounding up. Null where not even a thousand million would do.
 *
 * @throws RangeError for values out of range; a difference of 0
 * @example pairsForPower(.02, .8, { standardDeviation: .1 }) // 198.15
 */
export function pairsForPower(difference: number, power: number, plan: PairedPlan): number | null {
  requirePlan(plan.standardDeviation, plan.alpha ?? defaultAlpha, power > 0 && power < 1 && difference !== 0, power);
  return solveRising((pairs) => powerOfPairedDifference(difference, pairs, plan), power, 2, maxUnits);
}

/**
 * The smallest true difference that a paired comparison over so many speakers finds with a power.
 *
 * @throws RangeError for values out of range
 * @example detectableDifference(50, .8, { standardDeviation: .1 }) // .0404
 */
export function detectableDifference(pairs: number, power: number, plan: PairedPlan): number {
  const { standardDeviation, alpha = defaultAlpha } = plan;
  requirePlan(standardDeviation, alpha, pairs > 1 && power > alpha && power < 1, power);
  const atPower = (effect: number) => powerOfT(effect * Math.sqrt(pairs), pairs - 1, alpha);
  return solveRising(atPower, power, 0, 1e6)! * standardDeviation;
}

/**
 * How probably a comparison of two groups of different speakers will find a difference of their means: the power of the
 * two-sided t test with pooled variance (Cohen, 1988, chapter 2). Groups of 4 and 60 have the power of two groups of 7.5. Where
 * .478 was foretold (half a standard deviation, 30 speakers each), Welch's test found .480 in 10,000 simulations, the
 * permutation test .476, the rank-sum test .464 (bench/calibration/tests.ts).
 *
 * @param sizes speakers in the two groups
 * @throws RangeError for values out of range
 * @example powerOfTwoMeans(.05, [30, 30], { standardDeviation: .1 }) // .478
 */
export function powerOfTwoMeans(difference: number, sizes: readonly [number, number], plan: PairedPlan): number {
  const { standardDeviation, alpha = defaultAlpha } = plan;
  const [first, second] = sizes;
  requirePlan(standardDeviation, alpha, first >= 1 && second >= 1 && first + second > 2, Math.min(first, second));
  const effective = Math.sqrt((first * second) / (first + second));
  return powerOfT((difference / standardDeviation) * effective, first + second - 2, alpha);
}

function powerOfT(noncentrality: number, degreesOfFreedom: number, alpha: number): number {
  const critical = studentQuantile(1 - alpha / 2, degreesOfFreedom);
  const shift = Math.abs(noncentrality);
  // Both upper tails as lower ones, so that small powers keep their digits.
  const power =
    noncentralTCdf(-critical, degreesOfFreedom, -shift) + noncentralTCdf(-critical, degreesOfFreedom, shift);
  return Math.min(1, power);
}

function requirePlan(standardDeviation: number, alpha: number, others: boolean, other: number): void {
  if (!(standardDeviation > 0 && standardDeviation < Infinity && alpha > 0 && alpha < 1 && others)) {
    throw new RangeError(
      `expected a deviation above 0, a level between 0 and 1, speakers enough and a power above the level, but got ${standardDeviation}, ${alpha}, ${other}`,
    );
  }
}

/**
 * The probability that a noncentral t variable is at most `t`: a normal variable around `noncentrality` over an independent
 * chi variable over the root of its degrees of freedom. The mean of the normal probability over the chi variable, summed
 * on a logarithmic scale, where sums over equal steps converge exponentially (F. Stenger, SIAM Review 23, 1981). Absolute
 * error below 1e-12 for |t| up to 100.
 *
 * @param degreesOfFreedom > 0, need not be whole
 */
export function noncentralTCdf(t: number, degreesOfFreedom: number, noncentrality: number): number {
  const half = degreesOfFreedom / 2;
  // Beyond these ends the density has fallen below e^-46 of its peak.
  const right = Math.sqrt(46 / degreesOfFreedom);
  const left = -(right + 46 / degreesOfFreedom + 0.5);
  const step = Math.min(1 / Math.sqrt(2 * degreesOfFreedom), 1 / (1 + Math.abs(t)), 0.5) / 3;
  let sum = 0;
  let total = 0;
  for (let place = Math.floor(left / step); place <= right / step; place++) {
    const logChi = place * step;
    const density = Math.exp(degreesOfFreedom * logChi - half * Math.expm1(2 * logChi));
    sum += density * normalCdf(t * Math.exp(logChi) - noncentrality);
    total += density;
  }
  // The density's own sum instead of its constant, which loses digits with many degrees of freedom.
  return sum / total;
}

/**
 * How probably a comparison of two proportions (failed tests, wrong sentences) in independent samples will find them
 * different: two-sided, on the arcsine scale on which their variance is constant (Cohen, 1988, chapter 6).
 *
 * Items must be independent. Of items that come in clusters (utterances of speakers) so many count as their number over
 * `designEffect`. Where .641 was foretold (.3 against .2 of 200 items each), a t test of the shares found .638 in 10,000
 * simulations (bench/calibration/tests.ts).
 *
 * @param sizes items in the two samples
 * @param alpha level of the test, .05 by default
 * @throws RangeError for proportions outside 0 to 1, sizes below 1, a level outside 0 to 1
 * @example powerOfTwoProportions(.3, .2, [200, 200]) // .641
 */
export function powerOfTwoProportions(
  first: number,
  second: number,
  sizes: readonly [number, number],
  alpha = 0.05,
): number {
  const share = (value: number) => value >= 0 && value <= 1;
  if (!(share(first) && share(second) && sizes[0] >= 1 && sizes[1] >= 1 && alpha > 0 && alpha < 1)) {
    throw new RangeError(
      `expected proportions from 0 to 1, sizes of at least 1 and a level between 0 and 1, but got ${first}, ${second}, ${sizes[0]}, ${sizes[1]}, ${alpha}`,
    );
  }
  const critical = -normalQuantile(alpha / 2);
  const shift = arcsineDistance(first, second) * Math.sqrt((sizes[0] * sizes[1]) / (sizes[0] + sizes[1]));
  return normalUpperTail(critical - shift) + normalUpperTail(critical + shift);
}

/**
 * How many items each of two equally large samples needs for two proportions to be found different with a power, before
 * rounding up. Null where the proportions are equal or nearly so.
 *
 * @throws RangeError as `powerOfTwoProportions`
 * @example itemsForTwoProportions(.3, .2, .8) // 291.7
 */
export function itemsForTwoProportions(first: number, second: number, power: number, alpha = 0.05): number | null {
  if (!(power > 0 && power < 1)) throw new RangeError(`expected a power between 0 and 1, but got ${power}`);
  const atPower = (size: number) => powerOfTwoProportions(first, second, [size, size], alpha);
  return solveRising(atPower, power, 1, 1e12);
}

/**
 * The nearest proportion above `first` that samples of these sizes tell from it with a power. Null where none is.
 *
 * @throws RangeError as `powerOfTwoProportions`
 * @example detectableProportion(.2, .8, [200, 200]) // .322
 */
export function detectableProportion(
  first: number,
  power: number,
  sizes: readonly [number, number],
  alpha = 0.05,
): number | null {
  if (!(power > alpha && power < 1)) {
    throw new RangeError(`expected a power between ${alpha} and 1, but got ${power}`);
  }
  return solveRising((second) => powerOfTwoProportions(first, second, sizes, alpha), power, first, 1);
}

/**
 * By how much the variance of a mean grows because items come in clusters: 1 + (m - 1) rho (L. Kish, "Survey sampling",
 * 1965, section 5.4). Divide the number of items by it.
 *
 * @param clusterSize items per cluster (utterances per speaker)
 * @param correlation of two items of one cluster, from 0 to 1
 * @throws RangeError for values out of range
 * @example designEffect(20, .1) // 2.9
 */
export function designEffect(clusterSize: number, correlation: number): number {
  if (!(clusterSize >= 1 && correlation >= 0 && correlation <= 1)) {
    throw new RangeError(
      `expected a cluster size of at least 1 and a correlation from 0 to 1, but got ${clusterSize}, ${correlation}`,
    );
  }
  return 1 + (clusterSize - 1) * correlation;
}

function arcsineDistance(first: number, second: number): number {
  return 2 * Math.abs(Math.asin(Math.sqrt(first)) - Math.asin(Math.sqrt(second)));
}

/**
 * Where a rising function reaches a value, to 1e-12 of the place, by halving; null where it does not between the ends. For
 * functions that are cheap and smooth but have no handy derivative.
 */
function solveRising(rising: (x: number) => number, goal: number, least: number, greatest: number): number | null {
  let low = least;
  let high = Math.min(greatest, 2 * Math.max(least, 1));
  if (rising(low) >= goal) return low;
  while (rising(high) < goal) {
    if (high >= greatest) return null;
    low = high;
    high = Math.min(greatest, 2 * high);
  }
  for (let halving = 0; halving < 200 && high - low > 1e-13 * high; halving++) {
    const middle = (low + high) / 2;
    if (rising(middle) < goal) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
