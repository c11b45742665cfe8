import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import type { RandomOfData } from '../bootstrap/random-of-data.ts';
import {
  drawFlips,
  type Flips,
  type NormalScale,
  type PairedComparison,
  type ReadComparison,
  readComparisons,
  statisticAt,
  sumAt,
} from './flipped-sums.ts';
import { arrangementsName, defaultPermutations, requirePermutations } from './permutation-result.ts';
import { tieSlack } from './tie-slack.ts';

export type { PairedComparison } from './flipped-sums.ts';

export interface JointPairedOptions {
  /**
   * Exact over all arrangements where there are at most so many, else so many random ones; 10,000 by default. Of more than 10,000
   * comparisons fewer random ones, but no less than 1,000: `test` says how many.
   */
  readonly permutations?: number;
  /** Confidence level, .95 by default: comparisons of too few speakers to reach 1 less it take no part. */
  readonly level?: number;
  /** How much of the error each family may have, beside the others'; one family if absent. */
  readonly familyWeights?: readonly number[];
  /** For the arrangements of all. */
  readonly random: Random;
  /** For what a comparison says by itself. */
  readonly randomOfComparison: RandomOfData;
  /** Told again and again how much is done. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** What one of several comparisons says. */
export interface JointlyTested {
  /** By itself, whatever others there are; two-sided, never 0. Null with `reason` where there is no test. */
  readonly pValue: number | null;
  /** For all comparisons together, never below `pValue`. Null with `reason` also where too few speakers differ. */
  readonly adjustedPValue: number | null;
  /** What p cannot be less than, whatever the data, with so many speakers who differ. */
  readonly minPValue: number | null;
  /** Speakers whose counts differ. */
  readonly differing: number;
  /** How far the rates differ beside what sign flips make of the difference, on the scale of a standard normal variable. */
  readonly statistic: number | null;
  /** From where on the statistic would be told apart among these comparisons. */
  readonly critical: number | null;
  readonly reason?: Reason;
}

export interface JointPairedResult {
  /** In the order of the comparisons. */
  readonly comparisons: readonly JointlyTested[];
  readonly arrangements: number;
  readonly exact: boolean;
  /** How many comparisons were corrected together. */
  readonly tested: number;
  /** The test of each by itself. */
  readonly single: string;
  readonly test: string;
}

/**
 * Many paired comparisons tested together: which of them differ, so that the chance of even one false finding among all is at most
 * 1 - level. Under the hypothesis that two systems do alike, what they did with a speaker could as well have come the other way
 * round, in all comparisons of that speaker at once: so one set of sign flips of speakers serves for all, and each comparison is
 * held against the greatest of those that are not told apart yet (step-down maximum: P. Westfall and S. Young, "Resampling-based
 * multiple testing", 1993; J. Romano and M. Wolf, Econometrica 73, 2005). The least p value is that of a single test, 2 / 2^n with
 * n speakers, however many comparisons there are, and comparisons that depend on each other cost less than their number.
 *
 * Flipped is what each speaker adds to the difference of the pooled rates, measured from their common rate (linearization; exact
 * where both sides have the same words). Each comparison is measured by how rare its sum is under its own flips, on the scale of a
 * normal variable: by the root of its large deviation (J. Robinson, J. Royal Statistical Society B 44, 1982). For a single comparison
 * that is a monotone form of the studentized difference (A. Janssen, J. Statistical Planning and Inference 81, 1999), and `pValue`
 * is that of `pairedPermutationTest` where both sides have the same words; among several, one in which few speakers outweigh the rest
 * is as far out as any other when all of them agree.
 *
 * With `familyWeights`, each statistic is measured by how rarely the greatest of its own family reaches it, divided by the weight:
 * a family of few comparisons keeps its share of the error however many stand in the others, and families that are told wholly leave
 * theirs to the rest. It is still one step-down maximum, over all (balanced after R. Beran, J. American Statistical Association 83, 1988).
 *
 * Comparisons in which too few speakers differ to reach 1 - level take no part in the maximum; flips do not change who differs. What one
 * says by itself comes from flips of those who differ in it, drawn by their differences: no other comparison moves it.
 *
 * bench/calibration/joint.ts has how often fair worlds were called unfair, and design/joint-tests.md the figures. Where theory says it
 * cannot hold: a speaker's differences must, where nothing differs, be symmetric (a system that fails wholly for few speakers and is
 * a little better for the others is not), speakers independent; with three systems or more, of which some differ, flipping the pairs
 * of equal ones together is an approximation.
 *
 * Takes seconds for 10,000 comparisons of 30 speakers with 10,000 arrangements, and little memory: beyond four million speakers
 * x comparisons, speakers are merged at random.
 *
 * @param count how many comparisons
 * @param comparisonOf one of them, made when it is asked for: once, in order
 * @throws RangeError for lengths that differ, counts that are not finite, impossible options
 * @example
 * const speakers = (errors: number[]) => ({ numerators: Float64Array.from(errors), denominators: new Float64Array(6).fill(50) });
 * const old = speakers([10, 12, 9, 14, 11, 10]);
 * const rivals = [speakers([5, 6, 4, 8, 6, 4]), speakers([10, 11, 10, 14, 12, 9])];
 * const randoms = { random: createRandom('an example'), randomOfComparison: randomOfData('an example') };
 * jointPairedTest(2, (place) => ({ first: old, second: rivals[place]! }), randoms)
 *   .comparisons.map(({ adjustedPValue }) => adjustedPValue) // [.03125, 1]
 */
export function jointPairedTest(
  count: number,
  comparisonOf: (place: number) => PairedComparison,
  options: JointPairedOptions,
): JointPairedResult {
  const {
    permutations: wanted = defaultPermutations,
    level = 0.95,
    familyWeights: weights = [1],
    random,
    randomOfComparison,
    onProgress,
  } = options;
  requirePermutations(wanted);
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (weights.length === 0 || !weights.every((weight) => weight > 0 && weight < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`expected weights above 0, but got ${weights.join(', ') || 'none'}`);
  }
  const alpha = 1 - level + 1e-12;
  // Every comparison is gone through three times.
  let steps = 0;
  const step = () => onProgress?.(++steps, 3 * count);
  const made = (place: number) => {
    step();
    return comparisonOf(place);
  };
  const read = readComparisons(count, made, weights.length, random);
  const flips = drawFlips(read, wanted, random);
  const { arrangements, exact } = flips;
  const drawn = exact ? wanted : arrangements - 1;
  const leastOf = ({ differing }: ReadComparison) =>
    2 ** (differing - 1) <= drawn ? 2 ** (1 - differing) : 1 / (1 + drawn);
  const takesPart = (one: ReadComparison) => one.reason === undefined && one.differing > 0 && leastOf(one) <= alpha;

  const running = weights.map(() => runningMaximum(arrangements));
  const alone = read.comparisons.map((one, place) => {
    step();
    if (one.reason !== undefined || one.differing === 0) return null;
    const sums = flips.sums(place);
    const scale = flips.scale(place);
    const observed = Math.abs(sums[0]!);
    if (takesPart(one)) running[one.family]!.add(sums, scale);
    const threshold = observed - tieSlack(observed, scale.farthest);
    // Among all arrangements of everybody who differs, those of one comparison's speakers are equally frequent.
    const pValue = exact ? shareFrom(sums, threshold) : byItself(read.of(place), threshold, drawn, randomOfComparison);
    return { pValue, statistic: statisticAt(scale, observed) };
  });
  const maxima = running.map(({ greatest }) => greatest);
  const tested = [...read.comparisons.keys()].filter((place) => takesPart(read.comparisons[place]!));
  const scales = maxima.map((values, family) => familyScale(values, weights[family]!));
  const order = tested
    .map((place) => {
      const { family } = read.comparisons[place]!;
      const { statistic } = alone[place]!;
      return { place, family, statistic, rarity: scales[family]!.rarity(statistic) };
    })
    .sort((a, b) => a.rarity - b.rarity || b.statistic - a.statistic || a.place - b.place);
  const adjusted = stepDown(order, flips, scales, step);
  const bound = tested.length === 0 ? null : boundOf(maxima, scales, alpha);
  const families = new Set(tested.map((place) => read.comparisons[place]!.family)).size;
  const single = `paired permutation test, systems swapped by cluster, ${arrangementsName(arrangements - (exact ? 0 : 1), exact)}`;
  return {
    comparisons: read.comparisons.map((one, place): JointlyTested => {
      const { reason, differing } = one;
      const untested = { adjustedPValue: null, differing, critical: null };
      const found = alone[place];
      if (reason !== undefined) return { ...untested, pValue: null, minPValue: null, statistic: null, reason };
      // Flips change nothing, so that every arrangement is the observed one.
      if (found == null) return { ...untested, pValue: 1, adjustedPValue: 1, minPValue: 1, statistic: 0 };
      const minPValue = leastOf(one);
      if (!takesPart(one)) return { ...untested, ...found, minPValue, reason: { code: 'few-who-differ', differing } };
      const critical = bound === null ? null : scales[one.family]!.at(bound);
      // What is told of one comparison alone needs no correction.
      const adjustedPValue = tested.length === 1 ? found.pValue : Math.max(found.pValue, adjusted.get(place)!);
      return { ...found, minPValue, differing, adjustedPValue, critical };
    }),
    arrangements,
    exact,
    tested: tested.length,
    single,
    test: `${single}, step-down maximum over ${tested.length} comparison${tested.length === 1 ? '' : 's'}${families > 1 ? ` in ${families} families` : ''}`,
  };
}

function shareFrom(sums: Float64Array, threshold: number): number {
  let asGreat = 0;
  for (let at = 0; at < sums.length; at++) asGreat += Math.abs(sums[at]!) >= threshold ? 1 : 0;
  return asGreat / sums.length;
}

/** The share of flips of those who differ whose sum is as great; in whatever order they come. */
function byItself(values: Float64Array, threshold: number, wanted: number, randomOf: RandomOfData): number {
  const sizes = values
    .filter((value) => value !== 0)
    .map(Math.abs)
    .sort();
  const alone = { speakers: sizes.length, comparisons: [{ family: 0, differing: sizes.length }], of: () => sizes };
  // The first arrangement, in which all add up, stands for the observed one.
  return shareFrom(drawFlips(alone, wanted, randomOf([sizes])).sums(0), threshold);
}

/** The greatest statistic of those added, in every arrangement. */
interface RunningMaximum {
  readonly greatest: Float64Array;
  /** `raised` is told of every arrangement in which this is the greatest now. */
  add(sums: Float64Array, scale: NormalScale, raised?: (at: number, statistic: number) => void): void;
}

/** How often it is looked how small the least of all maxima is. */
const lookAgain = 32;

function runningMaximum(arrangements: number): RunningMaximum {
  const greatest = new Float64Array(arrangements).fill(-1);
  let [least, added] = [-1, 0];
  return {
    greatest,
    add(sums, scale, raised) {
      // Nearly all sums of a large family are smaller than any maximum: their place on the scale is not needed.
      const from = sumAt(scale, least) - tieSlack(0, scale.farthest);
      for (let at = 0; at < arrangements; at++) {
        const sum = Math.abs(sums[at]!);
        if (sum < from) continue;
        const statistic = statisticAt(scale, sum);
        if (statistic <= greatest[at]!) continue;
        greatest[at] = statistic;
        raised?.(at, statistic);
      }
      if (++added % lookAgain === 0) least = greatest.reduce((one, other) => Math.min(one, other));
    },
  };
}

/** How rarely the greatest statistic of a family lies so far out, over the family's weight: smaller is more extreme. */
interface FamilyScale {
  rarity(statistic: number): number;
  /** The statistic of that rarity; infinite where none is so rare. */
  at(rarity: number): number;
}

/** @param maxima of the family, one for each arrangement; between two of them rarity goes on in a straight line */
function familyScale(maxima: Float64Array, weight: number): FamilyScale {
  const falling = maxima.toSorted().reverse();
  const all = falling.length;
  return {
    rarity(statistic) {
      // How many lie at least so far out.
      const threshold = statistic - tieSlack(statistic);
      let [low, high] = [0, all];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (falling[middle]! >= threshold) low = middle + 1;
        else high = middle;
      }
      if (low === 0 || low === all) return low / weight;
      const [above, below] = [falling[low - 1]!, falling[low]!];
      return (low + Math.min(1, Math.max(0, (above - statistic) / (above - below)))) / weight;
    },
    at(rarity) {
      const rank = rarity * weight * (1 + 1e-12);
      const whole = Math.floor(rank);
      if (whole < 1) return Number.POSITIVE_INFINITY;
      const [above, below] = [falling[whole - 1]!, falling[whole]!];
      // Among equal ones all are as frequent as the last: whatever is rarer lies beyond them.
      const slack = tieSlack(above);
      return above - below <= slack ? above + 2 * slack : above - (rank - whole) * (above - below);
    },
  };
}

interface Ordered {
  readonly place: number;
  readonly family: number;
  readonly rarity: number;
}

/**
 * Adjusted p values, by the places of the comparisons.
 *
 * @param order the rarest first
 */
function stepDown(
  order: readonly Ordered[],
  { arrangements, sums, scale }: Flips,
  scales: readonly FamilyScale[],
  step: () => void,
): ReadonlyMap<number, number> {
  const running = scales.map(() => runningMaximum(arrangements));
  const rarest = new Float64Array(arrangements).fill(Number.POSITIVE_INFINITY);
  const together = new Float64Array(order.length);
  for (let rank = order.length - 1; rank >= 0; rank--) {
    const { place, family, rarity } = order[rank]!;
    step();
    running[family]!.add(sums(place), scale(place), (at, statistic) => {
      rarest[at] = Math.min(rarest[at]!, scales[family]!.rarity(statistic));
    });
    const threshold = rarity + tieSlack(rarity, arrangements);
    let count = 0;
    for (let at = 0; at < arrangements; at++) if (rarest[at]! <= threshold) count++;
    together[rank] = count / arrangements;
  }
  let highest = 0;
  return new Map(
    order.map(({ place }, rank) => {
      highest = Math.max(highest, together[rank]!);
      return [place, highest];
    }),
  );
}

/** The rarity that the rarest of all comparisons passes in at most `alpha` of the arrangements. */
function boundOf(maxima: readonly Float64Array[], scales: readonly FamilyScale[], alpha: number): number {
  const arrangements = maxima[0]!.length;
  const rarest = Float64Array.from({ length: arrangements }, (_, at) =>
    Math.min(
      ...maxima.map((values, family) =>
        values[at]! > 0 ? scales[family]!.rarity(values[at]!) : Number.POSITIVE_INFINITY,
      ),
    ),
  ).sort();
  const rejected = Math.floor(alpha * arrangements);
  // Ties count together.
  const next = rarest[rejected]!;
  let place = rejected - 1;
  while (place >= 0 && rarest[place]! >= next - tieSlack(next, arrangements)) place--;
  return place < 0 ? 0 : rarest[place]!;
}
