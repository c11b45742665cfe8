import type { Random } from '../../base/random.ts';
import { requirePermutations } from '../significance/arrangements.ts';
import { defaultPermutations } from '../significance/permutation-result.ts';
import { arrangeGroups } from './arranged-groups.ts';
import { dealProfiles } from './deal-profiles.ts';
import { type Baseline, type GroupedUnits, requireGroupedUnits, rowsBySpeaker } from './grouped-units.ts';
import { stepDownMaximum } from './step-down-maximum.ts';
import { tailScale } from './tail-scale.ts';

/** Statistics that are kept for their scales: 80 megabytes. */
const mostKept = 20_000_000;

export interface DealOptions {
  /** How often profiles are dealt; 10,000 by default. */
  readonly permutations?: number;
  /** What mean disparities are measured from. `pooled` by default. */
  readonly baseline?: Baseline;
  readonly random: Random;
}

/** Whether a group's rate differs from that of everybody else. */
export interface DealtCell {
  /** Null with a reason where there is nobody else, or nothing to divide by. */
  readonly pValue: number | null;
  /** Corrected for all groups and outcomes together. */
  readonly adjustedPValue: number | null;
  readonly reason?: string;
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
}

/** Two outcomes: whether one is more unequal than the other beyond chance. */
export interface DealtPair {
  readonly first: number;
  readonly second: number;
  /** Mean disparity of the second less that of the first. */
  readonly difference: number | null;
  /** Two-sided, around what chance makes of it: an outcome with more errors varies more. */
  readonly pValue: number | null;
}

export interface DealtGroups {
  /** By outcome, then by group. */
  readonly cells: readonly (readonly DealtCell[])[];
  readonly outcomes: readonly DealtOutcome[];
  readonly pairs: readonly DealtPair[];
  readonly test: string;
}

/**
 * Whether rates depend on groups at all, asked of speakers: if attributes do not matter, any speaker could as well have
 * had those of another, so whole speakers' attributes are dealt anew (`dealProfiles`), for all outcomes alike, and each figure
 * is compared with what it then is. Overlapping groups, speakers of unequal difficulty and outcomes on the same speakers
 * are what they are in every arrangement, so that one correction holds for all groups and outcomes: the step-down maximum
 * (`stepDownMaximum`) of the differences in their own standard errors between each group and everybody else
 * (`studentizedDifference`; A. Janssen, Statistics and Probability Letters 36, 1997), each brought to one scale
 * (`tailScale`), or the smallest groups would decide alone.
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
  const { permutations = defaultPermutations, baseline = 'pooled', random } = options;
  requirePermutations(permutations);
  requireGroupedUnits(units);
  const { groups, outcomes, profiles } = units;
  const { arrange, reasons } = arrangeGroups(units, baseline);
  const found = arrange(profiles);
  const observed = reasons.map((reason, cell) => {
    const statistic = found.statistics[cell]!;
    return reason === null && !Number.isNaN(statistic) ? statistic : null;
  });
  const observedMeans = found.meanDisparities;
  const observedNoise = found.noise.slice();
  const deal = dealProfiles(rowsBySpeaker(units), profiles, random, units.strata);
  const scales = scalesOf(observed, permutations, () => arrange(deal()).statistics);
  const tests = stepDownMaximum(
    observed.map((statistic, cell) => (statistic === null ? null : scales[cell]!(statistic))),
  );
  const scaled = new Float64Array(observed.length);
  const means = outcomes.map(() => new Float64Array(permutations));
  for (let permutation = 0; permutation < permutations; permutation++) {
    const { statistics, noise, meanDisparities } = arrange(deal());
    for (let cell = 0; cell < observed.length; cell++) {
      if (observed[cell] === null) continue;
      const dealt = statistics[cell]!;
      // An arrangement without a rate counts against a difference.
      scaled[cell] = Number.isNaN(dealt) ? Number.POSITIVE_INFINITY : scales[cell]!(dealt);
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
        const reason = reasons[cell] ?? (observed[cell] === null ? 'all rows have the same rate' : null);
        return { ...pValues[cell]!, ...(reason === null ? {} : { reason }) };
      }),
    ),
    outcomes: observedMeans.map((meanDisparity, outcome) => ({
      meanDisparity,
      ...againstChance(meanDisparity, means[outcome]!),
    })),
    pairs: outcomes.flatMap((_, first) =>
      outcomes.slice(first + 1).map((__, offset) => {
        const second = first + 1 + offset;
        return { first, second, ...pairAgainstChance(observedMeans, means, first, second) };
      }),
    ),
    test: `permutation test, attributes dealt anew among speakers, ${permutations} random arrangements, step-down maximum over ${observed.filter((one) => one !== null).length} differences`,
  };
}

/**
 * The scale of each cell's statistic, from arrangements of its own: which one was observed they do not know, so that the
 * test stays exact.
 */
function scalesOf(
  observed: readonly (number | null)[],
  permutations: number,
  arranged: () => Float64Array,
): ((statistic: number) => number)[] {
  const most = Math.floor(mostKept / Math.max(1, observed.length));
  const times = Math.max(500, Math.min(5000, permutations, most));
  const kept = observed.map((statistic) => new Float32Array(statistic === null ? 0 : times));
  for (let time = 0; time < times; time++) {
    const statistics = arranged();
    kept.forEach((values, cell) => {
      if (values.length > 0) values[time] = statistics[cell]!;
    });
  }
  return kept.map((values) => tailScale(Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort()));
}

function againstChance(observed: number | null, dealt: Float64Array): Omit<DealtOutcome, 'meanDisparity'> {
  if (observed === null) return { byChance: null, pValue: null };
  let [sum, extreme] = [0, 0];
  for (const mean of dealt) {
    sum += mean;
    if (mean >= observed * (1 - 1e-12)) extreme++;
  }
  return { byChance: sum / dealt.length, pValue: (extreme + 1) / (dealt.length + 1) };
}

function pairAgainstChance(
  observed: readonly (number | null)[],
  dealt: readonly Float64Array[],
  first: number,
  second: number,
): Pick<DealtPair, 'difference' | 'pValue'> {
  const [one, other] = [observed[first]!, observed[second]!];
  if (one === null || other === null) return { difference: null, pValue: null };
  const differences = dealt[second]!.map((mean, place) => mean - dealt[first]![place]!);
  const usual = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  const distance = Math.abs(other - one - usual) * (1 - 1e-12);
  let extreme = 0;
  for (const difference of differences) if (Math.abs(difference - usual) >= distance) extreme++;
  return { difference: other - one, pValue: (extreme + 1) / (differences.length + 1) };
}
