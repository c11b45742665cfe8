/** What a rater said of a unit; null where nothing was said. Levels above nominal need numbers. */
export type Rating = number | string | null;

/** The distinct ratings that were given: numbers in rising order, then words in order of code units. */
export function distinctRatings(ratings: Iterable<Rating>): (number | string)[] {
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
