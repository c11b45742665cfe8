import { likelyCurves, sharesAt } from './curve-grid.ts';
import { weightedMean } from './curve-weights.ts';
import type { CurvePosterior, SearchSpace } from './threshold-search.ts';

/** Curves less likely than this, against the likeliest, do not decide what is asked next. */
const negligible = 1e-4;

/** Levels that tell less than this, against the one that tells most, are not asked about. */
const leastInformation = 0.6;

/** Below this ceiling, one question of each batch goes to the best level: a lower ceiling moves the threshold. */
const plainCeiling = 0.97;

/**
 * The levels at which some more questions tell most about the threshold: those whose Fisher information about it, in units of
 * the curve's own steepness and expected over all likely curves, is at least .6 of the greatest, evenly spread. While little is
 * known they are far apart; later they lie where between a fifth and four fifths of the words are right, which tells the
 * slope too. Maximum information in place of the psi method's (L. Kontsevich and C. Tyler, Vision Research 39, 1999) least
 * entropy of all parameters, because that one, tried here, spends half of its questions on the ceiling (see N. Prins, "The
 * psi-marginal adaptive method", Journal of Vision 13(7), 2013).
 *
 * @returns places in the levels of the space, `count` of them
 */
export function nextLevels(space: SearchSpace, { weights }: CurvePosterior, count: number): number[] {
  const { grid, weights: likely } = likelyCurves(space.grid, weights, negligible);
  const { levels } = space.aim;
  const information = levels.map((level) => {
    const shares = sharesAt(grid, level);
    const told = shares.map((share, cell) => {
      const ceiling = grid.ceilings[cell]!;
      const reached = Math.min(1, share / ceiling);
      return (ceiling * reached * (1 - reached)) ** 2 / (share * (1 - share));
    });
    return weightedMean(likely, told);
  });
  const most = Math.max(...information);
  const worthwhile = [...levels.keys()].filter((place) => information[place]! >= leastInformation * most);
  const ceiling = weightedMean(likely, grid.ceilings) / likely.reduce((sum, weight) => sum + weight, 0);
  const best = count > 1 && ceiling < plainCeiling ? [levels.length - 1] : [];
  const rest = count - best.length;
  return [
    ...Array.from({ length: rest }, (_, question) => {
      const place = Math.floor(((question + 0.5) * worthwhile.length) / rest);
      return worthwhile[place]!;
    }),
    ...best,
  ];
}

/** Places for the first questions: spread evenly over all levels. */
export function firstLevels(levels: number, count: number): number[] {
  return Array.from({ length: count }, (_, place) => Math.round((place * (levels - 1)) / Math.max(1, count - 1)));
}
