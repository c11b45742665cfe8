import { boundedThresholds, likelyCurves } from './curve-grid.ts';
import type { CurvePosterior, SearchSpace } from './threshold-search.ts';

/** Curves less likely than this, against the likeliest, do not decide what is asked next. */
const negligible = 1e-6;

/** Levels that tell less than this, against the one that tells most, are not asked about. */
const minInformation = 0.6;

/**
 * The levels at which some more questions tell most about the threshold: those whose Fisher information about it, in units of
 * each curve's own steepness and expected over all likely curves, is at least .6 of the greatest, evenly spread. While little
 * is known they are far apart; later they lie within 1.5 logits of the threshold, which tells the slope too: narrower, and
 * few answers that part well by chance make the search crowd in a wrong place; wider, and answers are wasted. The
 * threshold stands in the middle also where the ceiling is low, because there the ceiling hardly moves it. Maximum
 * information in place of the psi method's (L. Kontsevich and C. Tyler, Vision Research 39, 1999) least entropy of all
 * parameters, because that one, tried here, spends half of its questions on the ceiling (see N. Prins, "The psi-marginal
 * adaptive method", Journal of Vision 13(7), 2013).
 *
 * @returns places in the levels of the space, `count` of them
 */
export function nextLevels(space: SearchSpace, { weights }: CurvePosterior, count: number): number[] {
  const { grid, weights: likely } = likelyCurves(space.grid, weights, negligible);
  const { levels } = space.aim;
  const thresholds = boundedThresholds(grid, space.aim);
  const information = levels.map((level) => {
    let told = 0;
    for (let cell = 0; cell < likely.length; cell++) {
      const fall = Math.exp(-grid.slopes[cell]! * Math.abs(level - thresholds[cell]!));
      told += (likely[cell]! * fall) / (1 + fall) ** 2;
    }
    return told;
  });
  const most = Math.max(...information);
  const worthwhile = [...levels.keys()].filter((place) => information[place]! >= minInformation * most);
  return firstLevels(worthwhile.length, count).map((place) => worthwhile[place]!);
}

/** Places for the first questions: the middles of `count` equal parts of all levels. */
export function firstLevels(levels: number, count: number): number[] {
  return Array.from({ length: count }, (_, part) => Math.floor(((part + 0.5) * levels) / count));
}
