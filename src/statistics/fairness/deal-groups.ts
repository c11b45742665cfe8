import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import { normalQuantile } from '../distributions.ts';
import { quantileSorted } from '../quantile.ts';
import { stepDownMaximum } from '../significance/multiplicity.ts';
import { defaultPermutations, requirePermutations } from '../significance/permutation-result.ts';
import { arrangeGroups, dealProfiles, dealtKind } from './arranged-groups.ts';
import { type Baseline, type GroupedUnits, requireGroupedUnits, rowsBySpeaker } from './grouped-units.ts';
import { inOwnOrder } from './own-order.ts';

/** Sums and statistics that all arrangements may cost together: some seconds. */
const maxAdditions = 1e9;

/** Statistics that are kept for their scales: 80 megabytes. */
const maxKept = 20_000_000;

export interface DealOptions {
  /** How often profiles are dealt; 10,000 by default. Of large tables fewer, but no less than 1,000: `test` says how often. */
  readonly permutations?: number;
  /** What mean disparities are measured from. `pooled` by default. */
  readonly baseline?: Baseline;
  readonly random: Random;
  /** Told again and again how much is done. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** Whether a group's rate differs from that of everybody else. */
export interface DealtCell {
  /** Null with a reason where there is nobody else, or nothing to divide by. */
  readonly pValue: number | null;
  /** Corrected for all groups and outcomes together. */
  readonly adjustedPValue: number | null;
  readonly reason?: Reason;
}

/** How unequal an outcome is, beside what chance alone makes unequal. */
export interface DealtOutcome {
  /** Mean disparity; null where no group has a rate. */
  readonly meanDisparity: number | null;
  /**
   * What the mean disparity of the same rows is on average where attributes do not matter, brought to the standard errors that the
   * groups have: dealt groups all are as noisy as everybody, true ones may be of those who say little.
   */
  readonly byChance: number | null;
  /** The share of arrangements as unequal as the observed, each in its groups' standard errors: whether there is more than chance. */
  readonly pValue: number | null;
  /** Corrected for all outcomes together. */
  readonly adjustedPValue: number | null;
}

export interface DealtGroups {
  /** By outcome, then by group. */
  readonly cells: readonly (readonly DealtCell[])[];
  readonly outcomes: readonly DealtOutcome[];
  readonly test: string;
}

/**
 * Whether rates depend on groups at all, asked of speakers: if attributes do not matter, any speaker could as well have
 * had those of another, so whole speakers' attributes are dealt anew (`dealProfiles`), for all outcomes alike, and each figure
 * is compared with what it then is. Overlapping groups, speakers of unequal difficulty and outcomes on the same speakers
 * are what they are in every arrangement, so that one correction holds for all groups and outcomes: the step-down maximum
 * (`stepDownMaximum`) of the differences in their own standard errors between each group and everybody else
 * (`studentizedDifference`; A. Janssen, Statistics and Probability Letters 36, 1997), each brought to one scale
 * (`tailScales`), or the smallest groups would decide alone.
 *
 * How often a fair world was called unfair: bench/calibration/disparity.ts, figures in docs/disparity.md. Where theory says
 * it cannot hold: if groups of a few speakers have one rate but other spreads, as `permutationTestOfRates` tells.
 *
 * @throws RangeError for lengths that differ, impossible options
 * @example
 * // three speakers of profile 0 (women), three of profile 1 (men), one recognizer
 * dealGroups({ speakers: [0, 1, 2, 3, 4, 5], profiles: [0, 0, 0, 1, 1, 1], groups: [[0], [1]], outcomes: [counts] },
 *   { random: createRandom('an example') }).cells[0][0].adjustedPValue
 */
export function dealGroups(units: GroupedUnits, options: DealOptions): DealtGroups {
  const { permutations: wanted = defaultPermutations, baseline = 'pooled', random, onProgress } = options;
  requirePermutations(wanted);
  requireGroupedUnits(units);
  const ordered = inOwnOrder(units);
  const { groups, outcomes, profiles } = ordered;
  const permutations = Math.min(wanted, Math.max(1000, Math.floor(maxAdditions / additionsOf(ordered))));
  const { arrange, reasons } = arrangeGroups(ordered, baseline);
  const found = arrange(profiles);
  const observed = reasons.map((reason, cell) => {
    const statistic = found.statistics[cell]!;
    return reason === null && !Number.isNaN(statistic) ? statistic : null;
  });
  const observedMeans = found.meanDisparities;
  const observedNoise = found.noise.slice();
  const speakers = rowsBySpeaker(ordered);
  const deal = dealProfiles(speakers, profiles, random, ordered.strata);
  const mirrored = mirroredGroups(ordered, speakers);
  const scales = scalesOf(observed, mirrored, permutations, () => arrange(deal()).statistics);
  const tests = stepDownMaximum(
    observed.map((statistic, cell) => (statistic === null ? null : scales.of(cell, statistic))),
  );
  const scaled = new Float64Array(observed.length);
  const means = outcomes.map(() => new Float64Array(permutations));
  for (let permutation = 0; permutation < permutations; permutation++) {
    onProgress?.(permutation, permutations);
    const { statistics, noise, meanDisparities } = arrange(deal());
    for (let cell = 0; cell < observed.length; cell++) {
      if (observed[cell] === null) continue;
      const dealt = statistics[cell]!;
      // An arrangement without a rate counts against a difference.
      scaled[cell] = Number.isNaN(dealt) ? Number.POSITIVE_INFINITY : scales.of(cell, dealt);
    }
    tests.add(scaled);
    for (let outcome = 0; outcome < outcomes.length; outcome++) {
      const scale = noise[outcome]! > 0 && observedNoise[outcome]! > 0 ? observedNoise[outcome]! / noise[outcome]! : 1;
      means[outcome]![permutation] = scale * (meanDisparities[outcome] ?? 0);
    }
  }

  const pValues = tests.pValues();
  return {
    cells: outcomes.map((_, outcome) =>
      groups.map((__, group) => {
        const cell = outcome * groups.length + group;
        const reason: Reason | null = reasons[cell] ?? (observed[cell] === null ? { code: 'same-rate' } : null);
        return { ...pValues[cell]!, ...(reason === null ? {} : { reason }) };
      }),
    ),
    outcomes: outcomesAgainstChance(observedMeans, means),
    test: `permutation test, permutation of attributes among speakers, ${permutations} random arrangements, step-down maximum over ${observed.filter((one) => one !== null).length} differences`,
  };
}

/**
 * The scale of each cell's statistic, from arrangements of its own: which one was observed they do not know, so that the
 * test stays exact.
 */
function scalesOf(
  observed: readonly (number | null)[],
  mirrored: readonly boolean[],
  permutations: number,
  arranged: () => Float64Array,
): TailScales {
  const cells = observed.length;
  const most = Math.floor(maxKept / Math.max(1, cells));
  const times = Math.max(500, Math.min(5000, Math.floor(permutations / 2), most));
  const kept = new Float32Array(cells * times);
  for (let time = 0; time < times; time++) kept.set(arranged(), time * cells);
  const scales = tailScales(cells);
  const known = new Float64Array(times);
  for (let cell = 0; cell < cells; cell++) {
    if (observed[cell] === null) continue;
    let count = 0;
    for (let time = 0; time < times; time++) {
      const statistic = kept[time * cells + cell]!;
      if (!Number.isNaN(statistic)) known[count++] = statistic;
    }
    const values = known.subarray(0, count);
    if (mirrored[cell % mirrored.length] === true) scales.learnMirrored(cell, values);
    else scales.learn(cell, values.sort());
  }
  return scales;
}

/**
 * Whether dealing puts whoever is in a group out of it as often as not, as where half of the speakers are in it: of every
 * arrangement there is a mirror image then, as likely, with the same statistic on the other side.
 */
function mirroredGroups(
  { groups, profiles, strata }: GroupedUnits,
  speakers: readonly (readonly number[])[],
): readonly boolean[] {
  const kinds = speakers.map((rows) => dealtKind(rows, strata));
  return groups.map((members) => {
    const inside = new Set(members);
    const balances = new Map<string, number>();
    speakers.forEach((rows, speaker) => {
      const own = rows.filter((row) => inside.has(profiles[row]!)).length;
      const key = `${kinds[speaker]}: ${Math.max(own, rows.length - own)}`;
      balances.set(key, (balances.get(key) ?? 0) + Math.sign(2 * own - rows.length));
    });
    return [...balances.values()].every((balance) => balance === 0);
  });
}

/** About what one arrangement costs. */
function additionsOf({ groups, outcomes, profiles }: GroupedUnits): number {
  const members = groups.reduce((sum, own) => sum + own.length, 0);
  return outcomes.length * (5 * (profiles.length + members) + 40 * groups.length);
}

/** Each outcome beside what chance makes of it, larger is more extreme; corrected together in its own standard deviations. */
function outcomesAgainstChance(observed: readonly (number | null)[], dealt: readonly Float64Array[]): DealtOutcome[] {
  const usual = dealt.map(usualOf);
  const statistics = observed.map((mean, outcome) => (mean === null ? null : standardized(mean, usual[outcome]!)));
  const tests = stepDownMaximum(statistics);
  const now = new Float64Array(observed.length);
  for (let at = 0; at < (dealt[0]?.length ?? 0); at++) {
    for (let outcome = 0; outcome < now.length; outcome++)
      now[outcome] = standardized(dealt[outcome]![at]!, usual[outcome]!);
    tests.add(now);
  }
  return tests.pValues().map((found, outcome) => {
    const meanDisparity = observed[outcome]!;
    return { meanDisparity, byChance: meanDisparity === null ? null : usual[outcome]!.mean, ...found };
  });
}

interface Usual {
  readonly mean: number;
  readonly deviation: number;
}

function usualOf(values: Float64Array): Usual {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / values.length) };
}

function standardized(value: number, { mean, deviation }: Usual): number {
  const distance = value - mean;
  return deviation > 1e-13 * (Math.abs(mean) + Math.abs(value)) ? distance / deviation : 0;
}

const near = 0.9;
const far = 0.995;

/** Points that are nearer to each other, relatively, tell no tail. */
const shortestTail = 1e-3;

/** Scales of many statistics, each of its own. */
interface TailScales {
  /**
   * Learns the scale of one of them. Where the values tell no tail, it is the distance from 0.
   *
   * @param sorted values under the hypothesis, in rising order; they are kept by nobody
   */
  learn(place: number, sorted: Float64Array): void;
  /** The same of values that lie on both sides alike, which then have one scale: a value and its mirror image are equally far out. */
  learnMirrored(place: number, values: Float64Array): void;
  /** A statistic on its scale: larger is more extreme, whichever the side. */
  of(place: number, statistic: number): number;
}

/**
 * Brings statistics to a scale on which their tails are about as long as those of a standard normal variable, each side by
 * itself: the 90 % and the 99.5 % point are put where the normal ones are, what lies beyond goes on in a straight line, and what lies
 * nearer is in proportion to its distance from 0: the line would carry the uncertainty of the far point to where most values are.
 * Statistics of few and of many units, or of skewed values, can then be compared in one maximum, which would otherwise be that
 * of the longest tail alone (balance after R. Beran, J. American Statistical Association 83, 1988).
 *
 * @param count how many statistics there are
 */
function tailScales(count: number): TailScales {
  // Upper side, then lower; side by side, because millions of statistics are brought there.
  const sides = new Float64Array(2 * sideLength * count);
  return {
    learn(place, sorted) {
      const upper = sideThrough(quantileSorted(sorted, near), quantileSorted(sorted, far));
      const lower = sideThrough(-quantileSorted(sorted, 1 - near), -quantileSorted(sorted, 1 - far));
      sides.set([...upper, ...lower], 2 * sideLength * place);
    },
    learnMirrored(place, values) {
      const both = new Float64Array(2 * values.length);
      both.set(values);
      both.set(
        values.map((value) => -value),
        values.length,
      );
      both.sort();
      const side = sideThrough(quantileSorted(both, near), quantileSorted(both, far));
      sides.set([...side, ...side], 2 * sideLength * place);
    },
    of(place, statistic) {
      const at = sideLength * (2 * place + (statistic < 0 ? 1 : 0));
      const distance = Math.abs(statistic);
      return distance < sides[at]! ? sides[at + 1]! * distance : sides[at + 2]! + sides[at + 3]! * distance;
    },
  };
}

const sideLength = 4;

/** Of a side: where its tail begins, the slope before, then start and slope of the tail's line. */
function sideThrough(nearPoint: number, farPoint: number): readonly [number, number, number, number] {
  // Between points that are one value but for rounding, a slope would make ties far apart.
  const isTail = farPoint - nearPoint > shortestTail * (1 + Math.abs(nearPoint));
  if (!isTail || !Number.isFinite(farPoint)) return [0, 1, 0, 1];
  const slope = (normalQuantile(far) - normalQuantile(near)) / (farPoint - nearPoint);
  const start = normalQuantile(near) - slope * nearPoint;
  return nearPoint > shortestTail ? [nearPoint, normalQuantile(near) / nearPoint, start, slope] : [0, 0, start, slope];
}
