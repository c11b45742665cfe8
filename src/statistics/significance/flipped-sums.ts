import type { Random } from '../../base/random.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { type NormalScale, normalScale } from './normal-scale.ts';

/** Two error rates of the same clusters (speakers): the same index is the same speaker in all comparisons that are tested together. */
export interface PairedComparison {
  readonly first: ClusteredCounts;
  /** Speakers who are absent from the comparison have 0 of 0. */
  readonly second: ClusteredCounts;
  /** Place of its family among the weights; 0 if absent. */
  readonly family?: number;
}

/** Sums that random arrangements may cost: some seconds. */
const mostSums = 1e8;

/** Numbers that are kept at once: 32 megabytes. */
const mostNumbers = 2 ** 22;

/** Of so many comparisons the scale is kept for the second time that it is needed: some 30 megabytes. */
const mostScales = 16_384;

/** One comparison as it is tested. */
export interface ReadComparison {
  readonly family: number;
  readonly differing: number;
  readonly reason?: string;
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
