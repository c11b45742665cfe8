import type { Reason } from '../../model/reason.ts';
import { studentQuantile, studentUpperTail } from '../distributions.ts';
import type { Interval } from '../interval.ts';

/** What one listener made of what one speaker said, in one stratum (a group in a condition). */
export interface CrossedCell {
  readonly speaker: number;
  readonly listener: number;
  readonly stratum: number;
  /** Errors, or a difference of errors. */
  readonly numerator: number;
  /** Words, above 0. */
  readonly denominator: number;
}

/** A stratum's weight in the contrast, and whose speakers are in it. */
export interface Stratum {
  readonly weight: number;
  /** Speakers of different sides are different people: each side has a spread of its own. */
  readonly side: number;
}

export interface CrossedContrast {
  readonly interval: Interval;
  readonly pValue: number | null;
  /** The smallest contrast that is told apart from 0 in 80 of 100 such studies, tested alone; null where there is no interval. */
  readonly detectable: number | null;
  readonly speakers: number;
  readonly listeners: number;
}

/** With fewer listeners nobody knows how much listeners differ. */
export const minimumListeners = 4;

const usualPower = 0.8;

/**
 * What listeners add is a difference of two estimates, by chance below 0 where they add nothing. Cut off at 0 it would be too large on average, and
 * fair worlds would be called unfair in 3.5 of 100 studies; not cut off at all, the whole variance could be too small. In parts of the variance of cells.
 */
const lowestAdded = 0.3;

/**
 * A weighted sum of pooled rates whose cells are clustered twice, by speakers and by listeners who heard several of them: neither is
 * nested in the other, and the words of a speaker are as little independent as the words that one listener wrote down.
 *
 * The variance is that of speakers plus what listeners add: V(speakers) + V(listeners) - V(cells of both), the two-way cluster-robust
 * variance of A. C. Cameron, J. B. Gelbach and D. L. Miller ("Robust inference with multiway clustering", Journal of Business &
 * Economic Statistics 29, 2011) of the linearized rates. Each residual is divided by the root of 1 minus its cluster's share of the words (Bell
 * and McCaffrey's CR2, 2002). Degrees of freedom are F. Satterthwaite's (1946) of the parts: for each
 * side Kish's effective number of speakers less 1, and of listeners likewise. How often it is wrong: bench/calibration/listeners.ts.
 *
 * @param cells several of one speaker, listener and stratum are added up
 * @param strata by the number that cells have
 * @param options with `units`: what the first clusters are called, where they are no speakers
 * @returns value null where a stratum with a weight has no words; no interval with too few speakers on a side, or listeners
 * @example
 * crossedContrast(cells, [{ weight: 1, side: 0 }, { weight: -1, side: 1 }], { level: .95, minimumSpeakers: 10 }) // first stratum's rate less the second's
 */
export function crossedContrast(
  cells: readonly CrossedCell[],
  strata: readonly Stratum[],
  {
    level,
    minimumSpeakers,
    units = 'speakers',
  }: { readonly level: number; readonly minimumSpeakers: number; readonly units?: 'speakers' | 'clips' },
): CrossedContrast {
  const own = cells.filter(({ stratum, denominator }) => strata[stratum]!.weight !== 0 && denominator > 0);
  const numerators = strata.map(() => 0);
  const denominators = strata.map(() => 0);
  for (const { stratum, numerator, denominator } of own) {
    numerators[stratum]! += numerator;
    denominators[stratum]! += denominator;
  }
  const listeners = sharesOf(own, strata, denominators, ({ listener }) => listener);
  const sides = [...new Set(strata.flatMap(({ weight, side }) => (weight === 0 ? [] : [side])))];
  const speakers = sides.map((side) =>
    sharesOf(
      own.filter(({ stratum }) => strata[stratum]!.side === side),
      strata,
      denominators,
      ({ speaker }) => speaker,
    ),
  );
  const counts = { speakers: new Set(own.map(({ speaker }) => speaker)).size, listeners: listeners.shares.size };
  const method = `two-way clusters: ${counts.speakers} ${units}, ${counts.listeners} listeners`;
  const without = (value: number | null, reason: Reason): CrossedContrast => ({
    interval: { value, low: null, high: null, level, reason, method },
    ...{ pValue: null, detectable: null, ...counts },
  });
  const isEmpty = strata.some(({ weight }, stratum) => weight !== 0 && denominators[stratum] === 0);
  if (own.length === 0 || isEmpty) return without(null, { code: 'not-heard-by-listeners' });
  const rates = numerators.map((sum, stratum) => (denominators[stratum]! > 0 ? sum / denominators[stratum]! : 0));
  const value = strata.reduce((sum, { weight }, stratum) => sum + weight * rates[stratum]!, 0);
  const fewest = Math.min(...speakers.map(({ shares }) => shares.size));
  const needed = Math.max(2, minimumSpeakers);
  if (fewest < needed) {
    const each = sides.length > 1 && { each: 'side' as const };
    return without(value, { code: 'few-units', need: needed, have: [fewest], ...each });
  }
  if (counts.listeners < minimumListeners)
    return without(value, { code: 'few-units', need: minimumListeners, have: [counts.listeners], unit: 'listener' });

  const influence = ({ stratum, numerator, denominator }: CrossedCell) =>
    (strata[stratum]!.weight * (numerator - rates[stratum]! * denominator)) / denominators[stratum]!;
  const summed = (
    list: readonly CrossedCell[],
    keyOf: (cell: CrossedCell) => number | string,
    shareOf: (key: number | string, stratum: number) => number,
  ) => {
    const sums = new Map<number | string, number>();
    for (const cell of list) {
      const key = keyOf(cell);
      const adjusted = influence(cell) / Math.sqrt(Math.max(0.5, 1 - shareOf(key, cell.stratum)));
      sums.set(key, (sums.get(key) ?? 0) + adjusted);
    }
    return [...sums.values()].reduce((sum, one) => sum + one ** 2, 0);
  };
  const parts = sides.map((side, place) => {
    const list = own.filter(({ stratum }) => strata[stratum]!.side === side);
    const { share, effective } = speakers[place]!;
    const variance = summed(list, ({ speaker }) => speaker, share);
    return { variance, freedom: Math.max(1, effective - 1) };
  });
  const byListener = summed(own, ({ listener }) => listener, listeners.share);
  const byBoth = summed(
    own,
    ({ speaker, listener }) => `${speaker} ${listener}`,
    () => 0,
  );
  const added = Math.max(-lowestAdded * byBoth, byListener - byBoth);
  const variance = parts.reduce((sum, part) => sum + part.variance, added);
  // Of what is added both parts are uncertain, and that of listeners rests on fewest.
  const ofListeners = added > 0 ? byListener ** 2 / Math.max(1, listeners.effective - 1) : 0;
  const reciprocal = parts.reduce((sum, part) => sum + part.variance ** 2 / part.freedom, ofListeners);
  const freedom = reciprocal > 0 ? Math.max(1, variance ** 2 / reciprocal) : 1;
  const error = Math.sqrt(variance);
  if (!(error > 0)) return without(value, { code: 'listeners-alike' });
  const deviate = studentQuantile((1 + level) / 2, freedom);
  return {
    interval: {
      ...{ value, low: value - deviate * error, high: value + deviate * error, level },
      method: `${method}, t with ${freedom.toFixed(1)} degrees of freedom`,
    },
    pValue: Math.min(1, 2 * studentUpperTail(Math.abs(value) / error, freedom)),
    detectable: detectableOf(parts, byListener, byBoth, listeners.effective, level),
    ...counts,
  };
}

/**
 * What a further study like this one finds in 80 of 100. Where listeners seem to differ less than chance, by chance, the next ones do not: what they add
 * is not below 0, and how uncertain it is counts in any case.
 */
function detectableOf(
  parts: readonly { readonly variance: number; readonly freedom: number }[],
  byListener: number,
  byBoth: number,
  effective: number,
  level: number,
): number {
  const variance = parts.reduce((sum, part) => sum + part.variance, Math.max(0, byListener - byBoth));
  const reciprocal = parts.reduce(
    (sum, part) => sum + part.variance ** 2 / part.freedom,
    byListener ** 2 / Math.max(1, effective - 1),
  );
  const freedom = Math.max(1, variance ** 2 / reciprocal);
  return (studentQuantile((1 + level) / 2, freedom) + studentQuantile(usualPower, freedom)) * Math.sqrt(variance);
}

/** How much of each stratum's words every cluster has, and how many clusters of equal size would say as much (Kish, "Survey sampling", 1965). */
function sharesOf(
  cells: readonly CrossedCell[],
  strata: readonly Stratum[],
  denominators: readonly number[],
  clusterOf: (cell: CrossedCell) => number,
) {
  const shares = new Map<number | string, Float64Array>();
  for (const cell of cells) {
    const key = clusterOf(cell);
    const mine = shares.get(key) ?? new Float64Array(strata.length);
    mine[cell.stratum]! += cell.denominator / denominators[cell.stratum]!;
    shares.set(key, mine);
  }
  let effective = Number.POSITIVE_INFINITY;
  for (const stratum of strata.keys()) {
    const squares = [...shares.values()].reduce((sum, mine) => sum + mine[stratum]! ** 2, 0);
    if (squares > 0) effective = Math.min(effective, 1 / squares);
  }
  return { shares, effective, share: (key: number | string, stratum: number) => shares.get(key)![stratum]! };
}
