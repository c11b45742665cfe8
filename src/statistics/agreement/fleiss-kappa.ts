import { distinctRatings, type Rating } from './rating.ts';

/**
 * Fleiss' kappa: the agreement of several raters beyond chance, every unit rated as often (J. Fleiss, Psychological Bulletin
 * 76, 1971); chance `free` (J. Randolph, 2005) takes every category as equally likely. Null with a reason where chance
 * alone would make all agree. With ratings missing use `krippendorffAlpha`.
 *
 * @param ratings one list for each rater, unit by unit
 * @param categories where one was never used, which matters only to `free`
 * @throws RangeError with fewer than two raters, missing ratings or unequal numbers of units
 * @example fleissKappa([[1, 1, 0], [1, 0, 0], [1, 1, 0]]).value // .55
 */
export function fleissKappa(
  ratings: readonly (readonly Rating[])[],
  chance: 'fixed' | 'free' = 'fixed',
  categories: readonly (number | string)[] = distinctRatings(ratings.flat()),
): { readonly value: number | null; readonly reason?: string; readonly units: number } {
  const units = ratings[0]?.length ?? 0;
  const raters = ratings.length;
  if (raters < 2) throw new RangeError(`expected at least two raters, but got ${raters}`);
  const placeOf = new Map<Rating, number>(categories.map((category, place) => [category, place]));
  const totals = new Float64Array(categories.length);
  let agreeing = 0;
  for (let unit = 0; unit < units; unit++) {
    const counts = new Float64Array(categories.length);
    for (const rater of ratings) {
      const place = rater.length === units ? placeOf.get(rater[unit]!) : undefined;
      if (place === undefined) throw new RangeError(`expected every rater's category for unit ${unit} of ${units}`);
      agreeing += counts[place]!++;
      totals[place]!++;
    }
  }
  if (units === 0) return { value: null, reason: 'there is no unit', units };
  const observed = agreeing / ((units * raters * (raters - 1)) / 2);
  const expected =
    chance === 'free' ? 1 / categories.length : totals.reduce((sum, total) => sum + (total / (units * raters)) ** 2, 0);
  if (expected > 1 - 1e-12) return { value: null, reason: 'all ratings are the same', units };
  return { value: (observed - expected) / (1 - expected), units };
}
