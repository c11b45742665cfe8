import { grouped } from '../../base/number-format.ts';
import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import { type Interval, requireSquares } from '../interval.ts';
import { quantileSorted } from '../quantile.ts';

export interface AlphaResult {
  /** At most 1; 0 where raters agree as often as by chance. Null with `reason` where it is undefined. */
  readonly value: number | null;
  readonly reason?: Reason;
  /** Units with at least two ratings, and the ratings of these. */
  readonly units: number;
  readonly ratings: number;
}

/**
 * Krippendorff's alpha: the agreement of any number of raters beyond chance, some ratings missing (K. Krippendorff,
 * "Content analysis", 2nd edition 2004, chapter 11; "Computing Krippendorff's alpha-reliability", 2011).
 *
 * @param ratings one list for each rater, unit by unit
 * @param level what the ratings are: names (`nominal`), an order, numbers with meaningful differences (`interval`) or
 * ratios (`ratio`, none negative)
 * @throws RangeError for raters with unequal numbers of units, ratings that are no finite number where the level needs them
 * @example krippendorffAlpha([[1, 2, 3, null], [1, 2, 2, 4]], 'ordinal').value // .778
 */
export function krippendorffAlpha(ratings: readonly (readonly Rating[])[], level: MeasurementLevel): AlphaResult {
  const table = ratingTable(ratings, level);
  const value = alphaOf(table, table.places.keys(), level);
  const known = { units: table.units, ratings: table.ratings };
  if (table.units === 0) return { value, reason: { code: 'no-two-ratings' }, ...known };
  if (value === null) return { value, reason: { code: 'all-ratings-same' }, ...known };
  return { value, ...known };
}

/**
 * Krippendorff's alpha with a percentile bootstrap interval over units (raters are taken as given). Resamples in which all
 * ratings are the same say nothing and are drawn again.
 *
 * Of 95 % intervals for three raters of four ordered grades, 94.2 % held the truth with 20 units and 94.9 % with 50, in 10,000
 * simulations each (bench/calibration/tests.ts). Units must be independent, or belong to `clusters` that are: these are then drawn whole.
 *
 * @param options.clusters what each unit belongs to, one name for each; each unit its own by default
 * @throws RangeError as `krippendorffAlpha`, for a level of confidence outside 0 to 1, and for another number of clusters than of units
 * @example krippendorffAlphaInterval(ratings, 'nominal', { random: createRandom('an example') })
 */
export function krippendorffAlphaInterval(
  ratings: readonly (readonly Rating[])[],
  level: MeasurementLevel,
  options: {
    readonly level?: number;
    readonly resamples?: number;
    readonly clusters?: readonly string[];
    readonly random: Random;
  },
): Interval & { readonly units: number } {
  const { level: confidence = 0.95, resamples = 2000, clusters, random } = options;
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`expected a level between 0 and 1, but got ${confidence}`);
  }
  const { value, reason: none, units } = krippendorffAlpha(ratings, level);
  if (clusters !== undefined && clusters.length !== (ratings[0]?.length ?? 0)) {
    throw new RangeError(`expected a cluster for each of ${ratings[0]?.length ?? 0} units, but got ${clusters.length}`);
  }
  const method = `percentile bootstrap over ${clusters === undefined ? 'units' : 'clusters of units'}, ${grouped(resamples)} resamples`;
  const without = (reason: Reason) => ({ value, low: null, high: null, level: confidence, reason, method, units });
  if (value === null) return without(none!);
  const table = ratingTable(ratings, level);
  const all = Array.from({ length: units }, (_, unit) => unit);
  const groups =
    clusters === undefined
      ? all.map((unit) => [unit])
      : [...Map.groupBy(all, (unit) => clusters[table.places[unit]!]!).values()];
  if (groups.length < minUnits) {
    const unit = clusters === undefined ? 'unit' : 'cluster';
    return without({ code: 'few-units', need: minUnits, have: [groups.length], unit });
  }
  const replicates = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let replicate: number | null = null;
    // Where nearly all ratings are the same a resample may hold nothing else; the bound keeps this from going on forever.
    for (let attempt = 0; attempt < 100 && replicate === null; attempt++) {
      const drawn = groups.flatMap(() => groups[random.integer(groups.length)]!);
      replicate = alphaOf(table, drawn, level);
    }
    if (replicate === null) return without({ code: 'all-ratings-same' });
    replicates[resample] = replicate;
  }
  replicates.sort();
  const low = quantileSorted(replicates, (1 - confidence) / 2);
  const high = quantileSorted(replicates, (1 + confidence) / 2);
  return { value, low, high, level: confidence, method, units };
}

const minUnits = 10;

/** How often each category was given to each unit that has at least two ratings. */
interface RatingTable {
  readonly categories: readonly (number | string)[];
  readonly units: number;
  readonly ratings: number;
  readonly counts: Float64Array;
  /** Where each of these units stands in the lists. */
  readonly places: readonly number[];
}

function ratingTable(ratings: readonly (readonly Rating[])[], level: MeasurementLevel): RatingTable {
  const length = ratings[0]?.length ?? 0;
  for (const rater of ratings) {
    if (rater.length !== length) {
      throw new RangeError(`expected ratings of the same units, but got ${length} and ${rater.length}`);
    }
  }
  const categories = distinctRatings(ratings.flat());
  if (level !== 'nominal' && categories.some((category) => typeof category === 'string')) {
    throw new RangeError(`expected numbers for the level ${level}, but got words; map them to numbers`);
  }
  if (level === 'ratio' && (categories[0] as number) < 0) {
    throw new RangeError(`expected ratings of at least 0 for the level ratio, but got ${categories[0]}`);
  }
  if (level === 'interval') requireSquares(categories as readonly number[], 'ratings');
  const placeOf = new Map(categories.map((category, place) => [category, place]));
  const width = categories.length;
  const counts = new Float64Array(length * width);
  const places: number[] = [];
  let units = 0;
  let kept = 0;
  for (let unit = 0; unit < length; unit++) {
    const row = counts.subarray(units * width, (units + 1) * width).fill(0);
    let given = 0;
    for (const rater of ratings) {
      const rating = rater[unit]!;
      if (rating === null) continue;
      row[placeOf.get(rating)!]!++;
      given++;
    }
    if (given < 2) continue;
    kept += given;
    units++;
    places.push(unit);
  }
  return { categories, units, ratings: kept, counts: counts.slice(0, units * width), places };
}

/** Null where the ratings of these units are all the same. */
function alphaOf(table: RatingTable, units: Iterable<number>, level: MeasurementLevel): number | null {
  const width = table.categories.length;
  const totals = new Float64Array(width);
  const together = new Float64Array(width * width);
  for (const unit of units) {
    const start = unit * width;
    let given = 0;
    for (let category = 0; category < width; category++) given += table.counts[start + category]!;
    for (let one = 0; one < width; one++) {
      const count = table.counts[start + one]!;
      if (count === 0) continue;
      totals[one]! += count;
      for (let other = one + 1; other < width; other++) {
        together[one * width + other]! += (count * table.counts[start + other]!) / (given - 1);
      }
    }
  }
  const total = totals.reduce((sum, count) => sum + count, 0);
  const distances = squaredDistances(table.categories, totals, level);
  let observed = 0;
  let expected = 0;
  for (let one = 0; one < width; one++) {
    for (let other = one + 1; other < width; other++) {
      observed += together[one * width + other]! * distances(one, other);
      expected += totals[one]! * totals[other]! * distances(one, other);
    }
  }
  return expected === 0 ? null : 1 - ((total - 1) * observed) / expected;
}

/** What can be said of ratings: S. Stevens, "On the theory of scales of measurement", Science 103 (1946). */
export type MeasurementLevel = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/**
 * The squared distance of two categories (by their places) in Krippendorff's alpha: K. Krippendorff, "Computing
 * Krippendorff's alpha-reliability" (2011), step D.
 *
 * @param totals how often each category was given: ordinal categories are as far apart as ratings lie between them
 */
function squaredDistances(
  categories: readonly (number | string)[],
  totals: Float64Array,
  level: MeasurementLevel,
): (one: number, other: number) => number {
  if (level === 'nominal') return (one, other) => (one === other ? 0 : 1);
  if (level === 'ordinal') {
    const before = new Float64Array(totals.length + 1);
    totals.forEach((count, place) => {
      before[place + 1] = before[place]! + count;
    });
    return (one, other) => {
      const between = before[Math.max(one, other) + 1]! - before[Math.min(one, other)]!;
      return one === other ? 0 : (between - (totals[one]! + totals[other]!) / 2) ** 2;
    };
  }
  const numbers = categories as readonly number[];
  if (level === 'interval') return (one, other) => (numbers[one]! - numbers[other]!) ** 2;
  return (one, other) => {
    const sum = numbers[one]! + numbers[other]!;
    return sum === 0 ? 0 : ((numbers[one]! - numbers[other]!) / sum) ** 2;
  };
}

/** What a rater said of a unit; null where nothing was said. Levels above nominal need numbers. */
export type Rating = number | string | null;

/** The distinct ratings that were given: numbers in rising order, then words in order of code units. */
function distinctRatings(ratings: Iterable<Rating>): (number | string)[] {
  const numbers = new Set<number>();
  const words = new Set<string>();
  for (const rating of ratings) {
    if (typeof rating === 'string') words.add(rating);
    else if (rating !== null) {
      if (!Number.isFinite(rating)) throw new RangeError(`expected finite ratings, but got ${rating}`);
      numbers.add(rating === 0 ? 0 : rating);
    }
  }
  return [...[...numbers].sort((a, b) => a - b), ...[...words].sort()];
}
