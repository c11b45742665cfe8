import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { normalQuantile } from '../distributions.ts';

/** Two error rates of the same clusters (speakers): the same index is the same speaker in all comparisons that are tested together. */
export interface PairedComparison {
  readonly first: ClusteredCounts;
  /** Speakers who are absent from the comparison have 0 of 0. */
  readonly second: ClusteredCounts;
  /** Place of its family among the weights; 0 if absent. */
  readonly family?: number;
}

/** Sums that random arrangements may cost: some seconds. */
const maxSums = 1e8;

/** Numbers that are kept at once: 32 megabytes. */
const maxNumbers = 2 ** 22;

/** Of so many comparisons the scale is kept for the second time that it is needed: some 30 megabytes. */
const maxScales = 16_384;

/** One comparison as it is tested. */
export interface ReadComparison {
  readonly family: number;
  readonly differing: number;
  readonly reason?: Reason;
}

export interface ReadComparisons {
  readonly speakers: number;
  readonly comparisons: readonly ReadComparison[];
  /** What each speaker adds to the difference, in standard deviations of the sum under flips. */
  of(place: number): Float64Array;
}

/** Comparisons as they are tested; beyond four million speakers x comparisons, speakers are merged at random. */
export function readComparisons(
  count: number,
  comparisonOf: (place: number) => PairedComparison,
  families: number,
  random: Random,
): ReadComparisons {
  if (count === 0) return { speakers: 0, comparisons: [], of: () => new Float64Array(0) };
  const before = comparisonOf(0);
  const all = before.first.numerators.length;
  const speakers = Math.min(all, Math.max(64, Math.floor(maxNumbers / count)));
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
function addDifferences(first: ClusteredCounts, second: ClusteredCounts, into: Float64Array): Reason | null {
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
      ? { code: 'nothing-counted' }
      : { code: 'no-denominator' };
  }
  const rate = (one.errors + other.errors) / (one.words + other.words);
  const partOf = ({ numerators, denominators }: ClusteredCounts, words: number, speaker: number) => {
    const [errors, common] = [numerators[speaker]!, rate * denominators[speaker]!];
    return { adds: (errors - common) / words, size: (Math.abs(errors) + Math.abs(common)) / words };
  };
  for (let speaker = 0; speaker < into.length; speaker++) {
    const [own, others] = [partOf(second, other.words, speaker), partOf(first, one.words, speaker)];
    const apart = own.adds - others.adds;
    // What is alike on paper is told apart by no rounding, though it be all that there is.
    into[speaker] = Math.abs(apart) <= 1e-12 * (own.size + others.size) ? 0 : apart;
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

export interface Flips {
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
export function drawFlips({ speakers, comparisons, of }: ReadComparisons, wanted: number, random: Random): Flips {
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
    : 1 + Math.min(wanted, Math.max(1000, Math.floor(maxSums / Math.max(1, comparisons.length))));
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
      if (comparison < maxScales) scales[comparison] = scale;
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

/** Equal parts of the way to the farthest sum, from which the piece of a sum is looked for. */
const cells = 128;

/** Shorter pieces, as parts of the way, are none: in them rounding would decide. */
const shortest = 1e-6;

/** Straight pieces; the last goes on. */
export interface NormalScale {
  readonly starts: readonly number[];
  readonly heights: readonly number[];
  readonly slopes: readonly number[];
  /** The first piece that reaches into a cell. */
  readonly pieceOf: Uint8Array;
  /** The sum beyond which there is none. */
  readonly farthest: number;
}

/** What a sum comes to. */
export function statisticAt({ starts, heights, slopes, pieceOf, farthest }: NormalScale, sum: number): number {
  let piece = pieceOf[Math.min(cells, Math.floor((sum * cells) / farthest))]!;
  while (sum > starts[piece + 1]!) piece++;
  return heights[piece]! + (sum - starts[piece]!) * slopes[piece]!;
}

/** The sum that has a statistic; less than any for statistics below 0. */
export function sumAt({ starts, heights, slopes }: NormalScale, statistic: number): number {
  let piece = slopes.length - 1;
  while (piece > 0 && heights[piece]! > statistic) piece--;
  return statistic < 0 ? -1 : starts[piece]! + (statistic - heights[piece]!) / slopes[piece]!;
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
