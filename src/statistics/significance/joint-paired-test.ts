import type { Random } from '../../base/random.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { normalQuantile } from '../distributions/normal.ts';
import { requirePermutations } from './arrangements.ts';
import { arrangementsName, defaultPermutations } from './permutation-result.ts';

/** Two error rates of the same clusters (speakers): the same index is the same speaker in all comparisons that are tested together. */
export interface PairedComparison {
  readonly first: ClusteredCounts;
  /** Speakers who are absent from the comparison have 0 of 0. */
  readonly second: ClusteredCounts;
  /** Place of its family among the weights; 0 if absent. */
  readonly family?: number;
}

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
  readonly random: Random;
  /** Told again and again how much is done. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** What one of several comparisons says. */
export interface JointlyTested {
  /** By itself; two-sided, never 0. Null with `reason` where there is no test. */
  readonly pValue: number | null;
  /** For all comparisons together. Null with `reason` also where too few speakers differ. */
  readonly adjustedPValue: number | null;
  /** What p cannot be less than, whatever the data, with so many speakers who differ. */
  readonly leastPValue: number | null;
  /** Speakers whose counts differ. */
  readonly differing: number;
  /** How far the rates differ beside what sign flips make of the difference, on the scale of a standard normal variable. */
  readonly statistic: number | null;
  /** From where on the statistic would be told apart among these comparisons. */
  readonly critical: number | null;
  readonly reason?: string;
}

export interface JointPairedResult {
  /** In the order of the comparisons. */
  readonly comparisons: readonly JointlyTested[];
  readonly arrangements: number;
  readonly exact: boolean;
  /** How many comparisons were corrected together. */
  readonly tested: number;
  readonly test: string;
}

/** Sums that random arrangements may cost: some seconds. */
const mostSums = 1e8;

/** Numbers that are kept at once: 32 megabytes. */
const mostNumbers = 2 ** 22;

/** Sums in another order may differ in the last digits. */
const slack = 1e-9;

/** The same as a part of the farthest sum. */
const sumSlack = 1e-12;

/** The same between two ranks. */
const rankSlack = 1e-6;

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
 * Comparisons in which too few speakers differ to reach 1 - level take no part in the maximum; flips do not change who differs.
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
 * jointPairedTest(2, (place) => ({ first: old, second: rivals[place]! }), { random: createRandom('an example') })
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
  const leastOf = ({ differing }: ReadComparison) => Math.max(1 / arrangements, 2 ** (1 - differing));
  const takesPart = (one: ReadComparison) => one.reason === undefined && one.differing > 0 && leastOf(one) <= alpha;

  const running = weights.map(() => runningMaximum(arrangements));
  const alone = read.comparisons.map((one, place) => {
    step();
    if (one.reason !== undefined || one.differing === 0) return null;
    const sums = flips.sums(place);
    const scale = flips.scale(place);
    const observed = Math.abs(sums[0]!);
    const threshold = observed - sumSlack * scale.farthest;
    let asGreat = 0;
    for (let at = 0; at < arrangements; at++) asGreat += Math.abs(sums[at]!) >= threshold ? 1 : 0;
    if (takesPart(one)) running[one.family]!.add(sums, scale);
    return { pValue: asGreat / arrangements, statistic: statisticAt(scale, observed) };
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
  return {
    comparisons: read.comparisons.map((one, place): JointlyTested => {
      const { reason, differing } = one;
      const untested = { adjustedPValue: null, differing, critical: null };
      const found = alone[place];
      if (reason !== undefined) return { ...untested, pValue: null, leastPValue: null, statistic: null, reason };
      // Flips change nothing, so that every arrangement is the observed one.
      if (found == null) return { ...untested, pValue: 1, adjustedPValue: 1, leastPValue: 1, statistic: 0 };
      const leastPValue = leastOf(one);
      if (!takesPart(one)) return { ...untested, ...found, leastPValue, reason: tooFewDiffer(differing) };
      const critical = bound === null ? null : scales[one.family]!.at(bound);
      return { ...found, leastPValue, differing, adjustedPValue: adjusted.get(place)!, critical };
    }),
    arrangements,
    exact,
    tested: tested.length,
    test: `paired permutation test, systems swapped by cluster, ${arrangementsName(arrangements - (exact ? 0 : 1), exact)}, step-down maximum over ${tested.length} comparison${tested.length === 1 ? '' : 's'}${families > 1 ? ` in ${families} families` : ''}`,
  };
}

function tooFewDiffer(differing: number): string {
  return `only ${differing} speaker${differing === 1 ? ' differs' : 's differ'}, which no test can tell from chance`;
}

/** One comparison as it is tested. */
interface ReadComparison {
  readonly family: number;
  readonly differing: number;
  readonly reason?: string;
}

interface ReadComparisons {
  readonly speakers: number;
  readonly comparisons: readonly ReadComparison[];
  /** What each speaker adds to the difference, in standard deviations of the sum under flips. */
  of(place: number): Float64Array;
}

function readComparisons(
  count: number,
  comparisonOf: (place: number) => PairedComparison,
  families: number,
  random: Random,
): ReadComparisons {
  if (count === 0) return { speakers: 0, comparisons: [], of: () => new Float64Array(0) };
  const before = comparisonOf(0);
  const all = before.first.numerators.length;
  const speakers = Math.min(all, Math.max(64, Math.floor(mostNumbers / count)));
  const groupOf = speakers === all ? null : dealtInto(speakers, all, random);
  const values = new Float64Array(count * speakers);
  const own = new Float64Array(all);
  const comparisons = Array.from({ length: count }, (_, place): ReadComparison => {
    const { first, second, family = 0 } = place === 0 ? before : comparisonOf(place);
    if (!(Number.isInteger(family) && family >= 0 && family < families)) {
      throw new RangeError(`expected a family from 0 to ${families - 1}, but got ${family}`);
    }
    const reason = addDifferences(first, second, own);
    if (reason !== null) return { family, differing: 0, reason };
    const into = values.subarray(place * speakers, (place + 1) * speakers);
    for (let speaker = 0; speaker < all; speaker++) into[groupOf?.[speaker] ?? speaker]! += own[speaker]!;
    let [squares, differing, greatest] = [0, 0, 0];
    for (const value of into) greatest = Math.max(greatest, Math.abs(value));
    for (let speaker = 0; speaker < speakers; speaker++) {
      // What ought to be 0 may be off by rounding.
      if (Math.abs(into[speaker]!) <= 1e-12 * greatest) into[speaker] = 0;
      if (into[speaker] !== 0) differing++;
      squares += into[speaker]! ** 2;
    }
    if (differing === 0) return { family, differing };
    const deviation = Math.sqrt(squares);
    for (let speaker = 0; speaker < speakers; speaker++) into[speaker]! /= deviation;
    return { family, differing };
  });
  return { speakers, comparisons, of: (place) => values.subarray(place * speakers, (place + 1) * speakers) };
}

/** What each speaker adds to the second rate less the first; why there is no difference, or null. */
function addDifferences(first: ClusteredCounts, second: ClusteredCounts, into: Float64Array): string | null {
  const sides = [first, second].map(({ numerators, denominators }) => {
    if (numerators.length !== into.length || denominators.length !== into.length) {
      throw new RangeError(
        `expected ${into.length} clusters everywhere, but got ${numerators.length} and ${denominators.length}`,
      );
    }
    let [errors, words] = [0, 0];
    for (let speaker = 0; speaker < into.length; speaker++) {
      errors += numerators[speaker]!;
      words += denominators[speaker]!;
    }
    if (!Number.isFinite(errors) || !Number.isFinite(words)) {
      throw new RangeError(`expected finite counts, but they add up to ${errors} of ${words}`);
    }
    return { errors, words };
  });
  const [one, other] = [sides[0]!, sides[1]!];
  if (!(one.words > 0 && other.words > 0)) {
    return one.words + other.words === 0 && one.errors + other.errors === 0
      ? 'there is nothing to count'
      : 'a rate is undefined: nothing to divide by';
  }
  const rate = (one.errors + other.errors) / (one.words + other.words);
  for (let speaker = 0; speaker < into.length; speaker++) {
    into[speaker] =
      (second.numerators[speaker]! - rate * second.denominators[speaker]!) / other.words -
      (first.numerators[speaker]! - rate * first.denominators[speaker]!) / one.words;
  }
  return null;
}

/** A group of equal size (to one) for everybody, at random. */
function dealtInto(groups: number, speakers: number, random: Random): Uint32Array {
  const dealt = Uint32Array.from({ length: speakers }, (_, speaker) => speaker % groups);
  for (let place = speakers - 1; place > 0; place--) {
    const drawn = random.integer(place + 1);
    const group = dealt[drawn]!;
    dealt[drawn] = dealt[place]!;
    dealt[place] = group;
  }
  return dealt;
}

interface Flips {
  /** The observed one among them. */
  readonly arrangements: number;
  readonly exact: boolean;
  /** The sum of a comparison in every arrangement, the observed one first; overwritten by the next call. */
  sums(place: number): Float64Array;
  scale(place: number): NormalScale;
}

/**
 * Sign flips of speakers: all that differ (an arrangement and its mirror image are one), where there are at most as many as wanted, else
 * random ones behind the observed. Eight speakers at a time, the sums of every subset are added up beforehand.
 */
function drawFlips({ speakers, comparisons, of }: ReadComparisons, wanted: number, random: Random): Flips {
  const differs = new Uint8Array(speakers);
  for (const place of comparisons.keys()) {
    of(place).forEach((value, speaker) => {
      if (value !== 0) differs[speaker] = 1;
    });
  }
  const live = [...differs.keys()].filter((speaker) => differs[speaker] === 1);
  const all = 2 ** Math.max(0, live.length - 1);
  const exact = all <= wanted;
  const arrangements = exact
    ? all
    : 1 + Math.min(wanted, Math.max(1000, Math.floor(mostSums / Math.max(1, comparisons.length))));
  // In all arrangements the last one stays as it is.
  const flipped = exact ? live.slice(0, -1) : Array.from({ length: speakers }, (_, speaker) => speaker);
  const words = Math.ceil(flipped.length / 32);
  const bits = new Int32Array(words * arrangements);
  const drawn = new Int32Array(words);
  for (let at = 1; at < arrangements; at++) {
    if (exact) drawn[0] = at;
    else random.words(drawn);
    for (let word = 0; word < words; word++) bits[word * arrangements + at] = drawn[word]!;
  }
  const sums = new Float64Array(arrangements);
  const subsets = [0, 1, 2, 3].map(() => new Float64Array(256));
  const [first, second, third, fourth] = subsets as [Float64Array, Float64Array, Float64Array, Float64Array];
  const scales: (NormalScale | undefined)[] = [];
  return {
    arrangements,
    exact,
    scale(comparison) {
      const scale = scales[comparison] ?? normalScale(of(comparison));
      if (comparison < mostScales) scales[comparison] = scale;
      return scale;
    },
    sums(comparison) {
      const values = of(comparison);
      sums.fill(values.reduce((total, value) => total + value, 0));
      for (let word = 0; word < words; word++) {
        const nothing = subsets.map((into, octet) => addSubsets(flipped, 32 * word + 8 * octet, values, into));
        if (nothing.every(Boolean)) continue;
        const from = word * arrangements;
        for (let at = 0; at < arrangements; at++) {
          const flips = bits[from + at]!;
          sums[at]! -=
            first[flips & 255]! + second[(flips >>> 8) & 255]! + (third[(flips >>> 16) & 255]! + fourth[flips >>> 24]!);
        }
      }
      return sums;
    },
  };
}

/**
 * What flipping takes away, for every subset of eight speakers.
 *
 * @param from the first of the eight among the flipped
 * @returns whether it is nothing for all
 */
function addSubsets(flipped: readonly number[], from: number, values: Float64Array, into: Float64Array): boolean {
  let nothing = true;
  // Subsets with a speaker come behind those without, which they are more than by that one.
  for (let bit = 0; bit < 8; bit++) {
    const place = flipped[from + bit];
    const value = place === undefined ? 0 : 2 * values[place]!;
    if (value !== 0) nothing = false;
    const size = 1 << bit;
    for (let subset = 0; subset < size; subset++) into[size + subset] = into[subset]! + value;
  }
  return nothing;
}

/** Of so many comparisons the scale is kept for the second time that it is needed: some 30 megabytes. */
const mostScales = 16_384;

/** Equal parts of the way to the farthest sum, from which the piece of a sum is looked for. */
const cells = 128;

/** Shorter pieces, as parts of the way, are none: in them rounding would decide. */
const shortest = 1e-6;

/** Straight pieces; the last goes on. */
interface NormalScale {
  readonly starts: readonly number[];
  readonly heights: readonly number[];
  readonly slopes: readonly number[];
  /** The first piece that reaches into a cell. */
  readonly pieceOf: Uint8Array;
  /** The sum beyond which there is none. */
  readonly farthest: number;
}

function statisticAt({ starts, heights, slopes, pieceOf, farthest }: NormalScale, sum: number): number {
  let piece = pieceOf[Math.min(cells, Math.floor((sum * cells) / farthest))]!;
  while (sum > starts[piece + 1]!) piece++;
  return heights[piece]! + (sum - starts[piece]!) * slopes[piece]!;
}

/** The sum that has a statistic; less than any for statistics below 0. */
function sumAt({ starts, heights, slopes }: NormalScale, statistic: number): number {
  let piece = slopes.length - 1;
  while (piece > 0 && heights[piece]! > statistic) piece--;
  return statistic < 0 ? -1 : starts[piece]! + (statistic - heights[piece]!) / slopes[piece]!;
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
      const from = sumAt(scale, least) - sumSlack * scale.farthest;
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

/**
 * Brings a sum under sign flips to the scale of a standard normal variable: by the root of its large deviation, as saddlepoint
 * approximations of permutation tests have it (J. Robinson, J. Royal Statistical Society B 44, 1982), bent so that its farthest, 2^-n on
 * either side, comes to lie where that is on a normal scale. It depends on the sizes alone, which flips do not change: so each
 * comparison is measured by how rare its own sum is. In standard deviations alone, one in which a few speakers outweigh the rest could
 * never be as far out as others, though all of them agree; and where one outweighs all others together, nearly every sum lies next to the
 * farthest, so that pieces are as narrow there as the rest is small.
 */
function normalScale(values: Float64Array): NormalScale {
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const end = sizes.reduce((sum, size) => sum + size, 0);
  const farthest = Math.sqrt(2 * Math.LN2 * sizes.length);
  const bend = Math.log(farthestDeviate(sizes.length) / farthest) / farthest;
  // Of sums that are equally rare, the one in which more speakers weigh comes first, or all at their farthest would be ties.
  const scaled = (root: number) => root * Math.exp(bend * root) * (1 + 1e-4 * end);
  const [starts, heights] = [[0], [0]];
  const pieceTo = (to: number, root: number) => {
    starts.push(to);
    heights.push(scaled(root));
  };
  let from = 0;
  for (let tilt = 0.25; tilt < 1e8 && from < end * (1 - 2 * shortest); tilt *= 1.35) {
    let [mean, deviation, product] = [0, 0, 1];
    for (const size of sizes) {
      // The tilted sum's mean and cumulants from one exponential: tanh, and the logarithm of cosh.
      const other = Math.exp(-2 * tilt * size);
      mean += (size * (1 - other)) / (1 + other);
      product *= (1 + other) / 2;
      if (product < 1e-200) {
        deviation -= Math.log(product);
        product = 1;
      }
    }
    deviation += tilt * (mean - end) - Math.log(product);
    if (mean > from + shortest * end && mean < end * (1 - shortest)) {
      pieceTo(mean, Math.sqrt(2 * Math.max(0, deviation)));
      from = mean;
    }
  }
  pieceTo(end, farthest);
  const slopes = starts.slice(1).map((to, piece) => (heights[piece + 1]! - heights[piece]!) / (to - starts[piece]!));
  const pieceOf = new Uint8Array(cells + 1);
  for (let cell = 1, piece = 0; cell <= cells; cell++) {
    while (piece < slopes.length - 1 && starts[piece + 1]! < (cell * end) / cells) piece++;
    pieceOf[cell] = piece;
  }
  // Sums in another order may be a last digit farther than the farthest.
  starts[slopes.length] = Number.POSITIVE_INFINITY;
  return { starts, heights, slopes, pieceOf, farthest: end };
}

/** The standard normal variable lies beyond this with a chance of 2^-n. */
function farthestDeviate(count: number): number {
  if (count <= 50) return Math.max(0.1, normalQuantile(1 - 2 ** -count));
  let deviate = Math.sqrt(2 * Math.LN2 * count);
  for (let round = 0; round < 5; round++) {
    deviate = Math.sqrt(2 * (Math.LN2 * count - Math.log(deviate * Math.sqrt(2 * Math.PI))));
  }
  return deviate;
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
      let [low, high] = [0, all];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (falling[middle]! >= statistic - slack) low = middle + 1;
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
    const threshold = rarity + rankSlack;
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
  let place = rejected - 1;
  while (place >= 0 && rarest[place] === rarest[rejected]) place--;
  return place < 0 ? 0 : rarest[place]!;
}
