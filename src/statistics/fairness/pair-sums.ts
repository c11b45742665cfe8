import { groupVariance, onNormalScale } from '../significance/studentized-difference.ts';
import type { GroupedUnits } from './grouped-units.ts';

/** Errors of two recognizers in the same words, row by row. */
export interface ErrorPair {
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly words: Float64Array;
}

/** Errors of both, the same times words, the squared difference, words, squared words, and whether there are any. */
export function columnsOfPair({ first, second, words }: ErrorPair): Float64Array[] {
  return [
    first,
    second,
    first.map((errors, row) => errors * words[row]!),
    second.map((errors, row) => errors * words[row]!),
    first.map((errors, row) => (second[row]! - errors) ** 2),
    words,
    words.map((own) => own ** 2),
    words.map((own) => (own > 0 ? 1 : 0)),
  ];
}

/** The sums of one resample. */
export interface Sums {
  readonly byGroup: readonly Float64Array[];
  readonly totals: Float64Array;
  readonly groups: number;
  readonly isPooled: boolean;
}

/**
 * One pair of recognizers in the sums of resamples: how far its gaps are from those observed, and its mean disparities.
 *
 * @param places of `columnsOfPair` among all columns
 */
export function pairSums(pair: ErrorPair, places: readonly number[]) {
  const [
    first = 0,
    second = 0,
    firstProducts = 0,
    secondProducts = 0,
    squares = 0,
    words = 0,
    squaredWords = 0,
    present = 0,
  ] = places;
  const negligible = 1e-12 * pair.first.reduce((sum, errors, row) => sum + (pair.second[row]! - errors) ** 2, 0);
  let centres: Float64Array | null = null;
  let isTested = new Uint8Array(0);

  // Of the cell that was looked at last: an object for each would cost more than its sums.
  let difference = 0;
  /** How far a group's difference is from that of everybody else, less what was observed of it, in standard errors. */
  const statisticOf = ({ byGroup, totals }: Sums, group: number, isFarther: number): number => {
    const own = byGroup[words]![group]!;
    const rest = totals[words]! - own;
    const inside = byGroup[present]![group]!;
    const outside = totals[present]! - inside;
    if (inside < 2 || outside < 2 || !(own > 0 && rest > 0)) return Number.NaN;
    const errors = byGroup[second]![group]! - byGroup[first]![group]!;
    const otherErrors = totals[second]! - totals[first]! - errors;
    const products = byGroup[secondProducts]![group]! - byGroup[firstProducts]![group]!;
    const otherProducts = totals[secondProducts]! - totals[firstProducts]! - products;
    const square = byGroup[squares]![group]!;
    const squareWords = byGroup[squaredWords]![group]!;
    const one = groupVariance(inside, errors, own, square, products, squareWords, negligible);
    const other = groupVariance(
      outside,
      otherErrors,
      rest,
      totals[squares]! - square,
      otherProducts,
      totals[squaredWords]! - squareWords,
      negligible,
    );
    difference = errors / own - otherErrors / rest;
    const variance = one + other;
    const distance = Math.abs(difference - (centres === null ? 0 : centres[group]!));
    if (variance === 0) return distance <= 1e-9 ? 0 : Number.POSITIVE_INFINITY;
    const t = distance / Math.sqrt(variance);
    // On the normal scale it is no farther out.
    if (t <= isFarther) return t;
    const freedom = variance ** 2 / (one ** 2 / (inside - 1) + other ** 2 / (outside - 1));
    return onNormalScale(t, freedom);
  };
  /** The mean of a recognizer's gaps, each in the direction that it was observed to have: as if none could change it. */
  const meanOf = ({ byGroup, totals, isPooled }: Sums, errors: number, directions: Float64Array) => {
    let [signed, plain, turn, known] = [0, 0, 0, 0];
    for (let group = 0; group < directions.length; group++) {
      if (Number.isNaN(directions[group])) continue;
      const rate = byGroup[errors]![group]! / byGroup[words]![group]!;
      signed += directions[group]! * rate;
      plain += rate;
      turn += directions[group]!;
      known++;
    }
    return (signed - turn * (isPooled ? totals[errors]! / totals[words]! : plain / known)) / known;
  };
  const directionsOf = ({ byGroup, totals, isPooled }: Sums, errors: number) => {
    const rates = byGroup[errors]!.map((wrong, group) => wrong / byGroup[words]![group]!);
    const known = rates.filter((rate) => !Number.isNaN(rate));
    const plain = known.reduce((sum, rate) => sum + rate, 0) / known.length;
    const from = isPooled ? totals[errors]! / totals[words]! : plain;
    return rates.map((rate) => Math.sign(rate - from));
  };
  let [ofFirst, ofSecond] = [new Float64Array(0), new Float64Array(0)];
  const meansOf = (sums: Sums) => [meanOf(sums, first, ofFirst), meanOf(sums, second, ofSecond)] as const;

  /** By how much each row moves the difference of the means, but for a factor: its errors above the rates of its groups and of all. */
  const influences = ({ byGroup, totals, isPooled }: Sums, { profiles, groups }: Omit<GroupedUnits, 'outcomes'>) => {
    const moved = new Float64Array(profiles.length);
    const known = ofFirst.reduce((count, direction) => count + (Number.isNaN(direction) ? 0 : 1), 0);
    for (const [errors, own, directions, side] of [
      [second, pair.second, ofSecond, 1],
      [first, pair.first, ofFirst, -1],
    ] as const) {
      const turn = directions.reduce((sum, direction) => sum + (Number.isNaN(direction) ? 0 : direction), 0);
      const [slopes, levels] = [new Map<number, number>(), new Map<number, number>()];
      groups.forEach((members, group) => {
        if (Number.isNaN(directions[group])) return;
        const slope = (directions[group]! - (isPooled ? 0 : turn / known)) / byGroup[words]![group]!;
        const level = slope * (byGroup[errors]![group]! / byGroup[words]![group]!);
        for (const profile of members) {
          slopes.set(profile, (slopes.get(profile) ?? 0) + slope);
          levels.set(profile, (levels.get(profile) ?? 0) + level);
        }
      });
      const whole = isPooled ? turn / totals[words]! : 0;
      const rate = totals[errors]! / totals[words]!;
      for (let row = 0; row < moved.length; row++) {
        const [slope, level] = [slopes.get(profiles[row]!) ?? 0, levels.get(profiles[row]!) ?? 0];
        moved[row]! += side * ((slope - whole) * own[row]! - (level - whole * rate) * pair.words[row]!);
      }
    }
    return moved;
  };
  return {
    observe(sums: Sums, units: Omit<GroupedUnits, 'outcomes'>) {
      const differences = new Float64Array(sums.groups);
      const statistics = differences.map((_, group) => {
        const statistic = statisticOf(sums, group, 0);
        differences[group] = difference;
        return statistic;
      });
      isTested = Uint8Array.from(statistics, (statistic) => (Number.isNaN(statistic) ? 0 : 1));
      centres = differences;
      [ofFirst, ofSecond] = [directionsOf(sums, first), directionsOf(sums, second)];
      return {
        farthest: statistics.reduce((most, statistic) => (statistic > most ? statistic : most), 0),
        meanDisparities: meansOf(sums),
        influences: influences(sums, units),
      };
    },
    difference(sums: Sums): number {
      const [one, other] = meansOf(sums);
      return other - one;
    },
    farthest(sums: Sums): number {
      let most = 0;
      for (let group = 0; group < sums.groups; group++) {
        if (isTested[group] === 0) continue;
        const statistic = statisticOf(sums, group, most);
        // A resample in which a group has no spread counts against a difference.
        if (Number.isNaN(statistic)) return Number.POSITIVE_INFINITY;
        if (statistic > most) most = statistic;
      }
      return most;
    },
  };
}
