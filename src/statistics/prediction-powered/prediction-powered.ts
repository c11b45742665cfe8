import type { Reason } from '../../model/reason.ts';
import { addSpreads, defaultMinimumClusters, type Spread } from '../bootstrap/cluster-spread.ts';
import { studentQuantile, studentUpperTail } from '../distributions.ts';
import type { Interval } from '../interval.ts';
import {
  checkCounts,
  type PartlyLabelledCounts,
  type PoweredInfluences,
  poweredInfluences,
  tunedWeight,
} from './powered-influences.ts';

export interface PoweredOptions {
  /** Confidence level, .95 by default. */
  readonly level?: number;
  /** Clusters with transcribed words that an interval needs, 10 by default. */
  readonly minimumClusters?: number;
  /**
   * Holds the weight of the pseudo verdicts (lambda) instead of tuning it: that of a larger sample for its groups. Where it makes the
   * variance greater than that of the sample alone, 0 is taken.
   */
  readonly weight?: number;
}

/** An error rate of all recordings, of which a sample is transcribed. */
export interface PoweredRate {
  /** From the transcribed recordings alone. */
  readonly sample: Interval;
  /** From these and the pseudo verdicts of all. */
  readonly powered: Interval;
  /** How much the pseudo verdicts count (lambda): 0 not at all. Null where there is no estimate. */
  readonly weight: number | null;
  /** Pseudo errors per pseudo word; null where there are none. */
  readonly pseudo: { readonly sample: number | null; readonly all: number | null };
  /** Variance of `powered` over that of `sample`: .5 is as good as twice as many transcripts. */
  readonly varianceRatio: number | null;
}

/** A difference of two such rates. */
export interface PoweredGap {
  readonly sample: Interval & { readonly pValue: number | null };
  readonly powered: Interval & { readonly pValue: number | null };
  readonly varianceRatio: number | null;
}

/**
 * The error rate of all recordings from few references and many pseudo verdicts: prediction-powered inference (A. Angelopoulos and
 * others, Science 382, 2023; with tuned weight PPI++, arXiv 2311.01453; the difference or regression estimator of surveys: C.-E.
 * Särndal and others, "Model assisted survey sampling", 1992). The rate of the sample, plus weight x (pseudo rate of all
 * recordings - pseudo rate of the sample): right whatever the pseudo verdicts are worth, narrower where they go with the errors.
 *
 * The transcribed recordings must be a random sample of all, or weighted so that they are. Clusters (speakers) are the
 * independent units of sample and rest alike, and the truth that is estimated is that of the population they come from, as
 * with `rateInterval`. Intervals: t, by each cluster's influence (linearization), larger by what the cluster has of the words and of
 * the tuning (CR2 of R. Bell and D. McCaffrey, Survey Methodology 28, 2002), rates on a logarithmic scale. 95 % intervals hold
 * the truth in 93 to 96 of 100 simulations; in 91 to 92 where a clip in 50 is a hallucination that pseudo verdicts see half of the time, and
 * those of gaps in 89 to 93 where most speakers make no error (bench/calibration/few-references.ts).
 *
 * Null with a reason: without transcribed words or pseudo words; the intervals with fewer clusters than `minimumClusters`, and where
 * the rate is so near 0 that its logarithm varies by orders of magnitude.
 *
 * @throws RangeError for lengths that differ, sums below 0, an impossible level
 * @example
 * const { sample, powered, weight } = predictionPoweredRate(counts, { level: 0.95 });
 */
export function predictionPoweredRate(counts: PartlyLabelledCounts, options: PoweredOptions = {}): PoweredRate {
  const { level = 0.95, weight: held } = options;
  checkLevel(level);
  checkCounts(counts);
  const found = poweredInfluences(counts);
  const pseudo = {
    sample: ratio(counts.pseudoErrors, counts.pseudoWords),
    all: ratio(counts.allPseudoErrors, counts.allPseudoWords),
  };
  if (found === null) {
    const value = ratio(counts.errors, counts.words);
    const reason: Reason = value === null ? { code: 'not-transcribed' } : { code: 'no-pseudo' };
    const none = { value: null, low: null, high: null, level, reason, method: methodOf('powered') };
    return {
      sample: { ...none, value, method: methodOf('sample') },
      powered: none,
      weight: null,
      pseudo,
      varianceRatio: null,
    };
  }
  const refusal = refusalOf([found], options);
  const alone = spreadOf(found, 0, 0);
  const wanted = held ?? tunedWeight(found);
  const spread = spreadOf(found, wanted, held === undefined ? 1 : 0);
  const isWorth = held === undefined || spread.variance <= alone.variance;
  const [weight, powered] = isWorth ? [wanted, spread] : [0, alone];
  const value = found.rate + weight * found.shift;
  return {
    sample: logInterval(found.rate, alone, level, methodOf('sample'), refusal),
    powered: logInterval(value, powered, level, methodOf('powered'), refusal),
    weight,
    pseudo,
    varianceRatio: alone.variance > 0 ? powered.variance / alone.variance : null,
  };
}

/**
 * The difference of two groups' error rates, second minus first, each as `predictionPoweredRate`. A cluster may be in both: its
 * influences are added.
 *
 * @param weight of the pseudo verdicts; by default each group's own is tuned
 * @throws RangeError as `predictionPoweredRate`, and where the two have unequal numbers of clusters
 */
export function predictionPoweredGap(
  first: PartlyLabelledCounts,
  second: PartlyLabelledCounts,
  options: PoweredOptions = {},
): PoweredGap {
  const { level = 0.95, weight: held } = options;
  checkLevel(level);
  for (const counts of [first, second]) checkCounts(counts);
  if (first.errors.length !== second.errors.length) {
    throw new RangeError(`expected the same clusters, but got ${first.errors.length} and ${second.errors.length}`);
  }
  const found = [first, second].map(poweredInfluences);
  const [from, to] = found;
  if (from == null || to == null) {
    const reason: Reason = { code: 'no-pseudo-of-group' };
    const none = { value: null, low: null, high: null, level, reason, pValue: null };
    return {
      sample: { ...none, method: methodOf('sample') },
      powered: { ...none, method: methodOf('powered') },
      varianceRatio: null,
    };
  }
  const refusal = refusalOf([from, to], options);
  const estimate = (weights: readonly [number, number], tuned: number, method: string) => {
    const value = to.rate + weights[1] * to.shift - (from.rate + weights[0] * from.shift);
    const spread = differenceSpread(from, to, weights, tuned);
    return { interval: tInterval(value, spread, level, method, refusal), variance: spread.variance };
  };
  const tuned: [number, number] = held === undefined ? [tunedWeight(from), tunedWeight(to)] : [held, held];
  const sample = estimate([0, 0], 0, methodOf('sample'));
  const wanted = estimate(tuned, held === undefined ? 1 : 0, methodOf('powered'));
  const isWorth = held === undefined || wanted.variance <= sample.variance;
  const powered = isWorth ? wanted : estimate([0, 0], 0, methodOf('powered'));
  return {
    sample: sample.interval,
    powered: powered.interval,
    varianceRatio: sample.variance > 0 ? powered.variance / sample.variance : null,
  };
}

function methodOf(which: 'sample' | 'powered'): string {
  const interval = 't interval by the spread of clusters (linearization)';
  return which === 'sample' ? `transcribed recordings alone, ${interval}` : `prediction-powered inference, ${interval}`;
}

function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
}

function ratio(numerators: Float64Array, denominators: Float64Array): number | null {
  const all = denominators.reduce((sum, value) => sum + value, 0);
  return all > 0 ? numerators.reduce((sum, value) => sum + value, 0) / all : null;
}

function refusalOf(
  groups: readonly PoweredInfluences[],
  { minimumClusters = defaultMinimumClusters }: PoweredOptions,
): Reason | null {
  const needed = Math.max(2, minimumClusters);
  const each = groups.length > 1 && ({ each: 'group' } as const);
  for (const { labelled, effective } of groups) {
    if (labelled < needed) return { code: 'few-transcribed', need: needed, have: [labelled], ...each };
    if (effective < needed / 2) {
      return { code: 'uneven-transcribed', need: needed / 2, have: labelled, effective, ...each };
    }
  }
  return null;
}

/** Each cluster's influence on rate + weight x shift, larger by what it has of the words, and of the tuning where there was one. */
function influencesOf({ ofRate, ofShift, shares }: PoweredInfluences, weight: number, tuned: number): Float64Array {
  const squares = ofShift.reduce((sum, value) => sum + value ** 2, 0);
  return ofRate.map((own, cluster) => {
    const leverage = shares[cluster]! + (tuned > 0 && squares > 0 && weight > 0 ? ofShift[cluster]! ** 2 / squares : 0);
    return (own + weight * ofShift[cluster]!) / Math.sqrt(1 - Math.min(0.9, leverage));
  });
}

/** Degrees of freedom as `clusterSpread` has them for rates: Kish's number and the tails of the influences. */
function spreadOf(found: PoweredInfluences, weight: number, tuned: number): Spread {
  const influences = influencesOf(found, weight, tuned);
  const [squares, fourths] = [2, 4].map((power) => influences.reduce((sum, value) => sum + value ** power, 0));
  const own = Math.max(1, found.effective - 1 - (weight > 0 ? tuned : 0));
  if (squares === 0) return { variance: 0, degreesOfFreedom: own };
  const kurtosis = (found.labelled * fourths!) / squares! ** 2;
  const both = 1 / own + Math.max(0, kurtosis - 1) / (2 * found.labelled) - 0.5 / found.labelled;
  return { variance: squares!, degreesOfFreedom: Math.max(1, 1 / Math.max(both, 1 / (2 * found.labelled))) };
}

/** Groups of other speakers are drawn apart, and their degrees of freedom put together; of shared speakers the fewest count. */
function differenceSpread(
  from: PoweredInfluences,
  to: PoweredInfluences,
  weights: readonly [number, number],
  tuned: number,
): Spread {
  const [mine, theirs] = [influencesOf(from, weights[0], tuned), influencesOf(to, weights[1], tuned)];
  const variance = mine.reduce((sum, value, cluster) => sum + (theirs[cluster]! - value) ** 2, 0);
  const own = [from, to].map((one, side) => ({
    variance: (side === 0 ? mine : theirs).reduce((sum, value) => sum + value ** 2, 0),
    degreesOfFreedom: Math.max(1, one.effective - 1 - (weights[side]! > 0 ? tuned : 0)),
  }));
  const shared = from.shares.some((share, cluster) => share > 0 && to.shares[cluster]! > 0);
  const fewest = Math.min(...own.map(({ degreesOfFreedom }) => degreesOfFreedom));
  return { variance, degreesOfFreedom: shared ? fewest : addSpreads(own).degreesOfFreedom };
}

/** Nothing but rounding. */
const nothing = 1e-12;

function tInterval(value: number, spread: Spread, level: number, method: string, refusal: Reason | null) {
  const error = Math.sqrt(spread.variance);
  const reason: Reason | null = refusal ?? (error > nothing ? null : { code: 'same-rate' });
  if (reason !== null) return { value, low: null, high: null, level, reason, method, pValue: null };
  const half = studentQuantile((1 + level) / 2, spread.degreesOfFreedom) * error;
  return {
    value,
    low: value - half,
    high: value + half,
    level,
    method: `${method}, ${spread.degreesOfFreedom.toFixed(1)} degrees of freedom`,
    pValue: 2 * studentUpperTail(Math.abs(value) / error, spread.degreesOfFreedom),
  };
}

/** Further from the rate than a million times either way an interval says nothing; it would end at infinity. */
const widestLogarithm = Math.log(1e6);

/** The interval of a rate: on a logarithmic scale, because a rate twice as high varies twice as much; none lies below 0. */
function logInterval(value: number, spread: Spread, level: number, method: string, refusal: Reason | null): Interval {
  const { pValue: _, ...plain } = tInterval(value, spread, level, method, refusal);
  if (plain.low === null) return plain;
  if (!(value > 0)) {
    const reason: Reason = { code: 'no-errors-told' };
    return { ...plain, value: null, low: null, high: null, reason };
  }
  const half = (plain.high! - plain.low!) / 2 / value;
  if (half > widestLogarithm) {
    const reason: Reason = { code: 'near-nothing' };
    return { ...plain, low: null, high: null, reason };
  }
  return {
    ...plain,
    low: value * Math.exp(-half),
    high: value * Math.exp(half),
    method: `${plain.method}, logarithmic`,
  };
}
