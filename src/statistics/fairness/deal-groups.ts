import type { Random } from '../../base/random.ts';
import { requirePermutations } from '../significance/arrangements.ts';
import { defaultPermutations } from '../significance/permutation-result.ts';
import {
  regroupingColumns,
  regroupingTable,
  studentizedDifference,
  welchParts,
} from '../significance/studentized-difference.ts';
import { dealProfiles } from './deal-profiles.ts';
import {
  type Baseline,
  type GroupedUnits,
  meanDisparityOf,
  profileCount,
  requireGroupedUnits,
  rowsBySpeaker,
  sumGroups,
} from './grouped-units.ts';
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
  const rows = profiles.length;
  const pooled = outcomes.map(({ numerators, denominators }) => rateOf(numerators, denominators));
  const width = regroupingColumns * outcomes.length;
  const table = sideBySide(units, pooled, width);
  const totals = new Float64Array(width);
  for (let place = 0; place < table.length; place++) totals[place % width]! += table[place]!;

  const sizes = groups.map((members) => {
    const set = new Set(members);
    let size = 0;
    for (let row = 0; row < rows; row++) if (set.has(profiles[row]!)) size++;
    return [size, rows - size] as const;
  });
  const outcomeTotals = outcomes.map((_, outcome) =>
    totals.slice(regroupingColumns * outcome, regroupingColumns * (outcome + 1)),
  );
  const byProfile = new Float64Array(profileCount(units) * width);
  const byGroup = new Float64Array(groups.length * width);
  const scratch = new Float64Array(regroupingColumns);
  const cellCount = outcomes.length * groups.length;

  const arrange = (dealt: ArrayLike<number>) => {
    byProfile.fill(0);
    for (let row = 0; row < rows; row++) {
      const [to, from] = [dealt[row]! * width, row * width];
      for (let column = 0; column < width; column++) byProfile[to + column]! += table[from + column]!;
    }
    sumGroups(byProfile, groups, width, byGroup);
  };
  const columnsAt = (outcome: number, group: number): Float64Array => {
    const from = group * width + regroupingColumns * outcome;
    for (let column = 0; column < regroupingColumns; column++) scratch[column] = byGroup[from + column]!;
    return scratch;
  };
  const statisticAt = (outcome: number, group: number): number | null => {
    const own = columnsAt(outcome, group);
    const found = studentizedDifference(own, { sizes: sizes[group]!, sums: outcomeTotals[outcome]! });
    return found === null || Number.isNaN(found) ? null : found;
  };
  // Numerators of the table are above the pooled rate already, so that the pooled baseline is 0.
  const meanAt = (outcome: number) =>
    meanDisparityOf(byGroup, regroupingColumns * outcome, width, groups.length, baseline === 'pooled' ? 0 : null);

  /** How far gaps of groups of this arrangement would be from 0 by the spread of speakers: their standard errors' sum. */
  const noiseAt = (outcome: number): number => {
    const totals = outcomeTotals[outcome]!;
    let sum = 0;
    for (let group = 0; group < groups.length; group++) {
      if (Math.min(...sizes[group]!) < 2) continue;
      const own = columnsAt(outcome, group);
      const parts = welchParts(own, { sizes: sizes[group]!, sums: totals });
      // A group's gap from all is that from the others, less by its own share.
      if (parts !== null) sum += Math.sqrt(parts.variance) * (1 - own[1]! / totals[1]!);
    }
    return sum;
  };

  arrange(profiles);
  const reasons = Array.from({ length: cellCount }, (_, cell) => {
    const [outcome, group] = [Math.floor(cell / groups.length), cell % groups.length];
    return reasonAgainst(
      sizes[group]!,
      byGroup[group * width + regroupingColumns * outcome + 1]!,
      outcomeTotals[outcome]![1]!,
    );
  });
  const observed = reasons.map((reason, cell) =>
    reason === null ? statisticAt(Math.floor(cell / groups.length), cell % groups.length) : null,
  );
  const observedMeans = outcomes.map((_, outcome) => meanAt(outcome));
  const observedNoise = outcomes.map((_, outcome) => noiseAt(outcome));
  const deal = dealProfiles(rowsBySpeaker(units), profiles, random);
  const scales = scalesOf(observed, permutations, () => {
    arrange(deal());
    return (cell) => statisticAt(Math.floor(cell / groups.length), cell % groups.length);
  });
  const tests = stepDownMaximum(
    observed.map((statistic, cell) => (statistic === null ? null : scales[cell]!(statistic))),
  );
  const statistics = new Float64Array(cellCount);
  const means = outcomes.map(() => new Float64Array(permutations));
  for (let permutation = 0; permutation < permutations; permutation++) {
    arrange(deal());
    for (let cell = 0; cell < cellCount; cell++) {
      if (observed[cell] === null) continue;
      const dealt = statisticAt(Math.floor(cell / groups.length), cell % groups.length);
      // An arrangement without a rate counts against a difference.
      statistics[cell] = dealt === null ? Number.POSITIVE_INFINITY : scales[cell]!(dealt);
    }
    tests.add(statistics);
    for (let outcome = 0; outcome < outcomes.length; outcome++) {
      const noise = noiseAt(outcome);
      const scale = noise > 0 && observedNoise[outcome]! > 0 ? observedNoise[outcome]! / noise : 1;
      means[outcome]![permutation] = scale * (meanAt(outcome) ?? 0);
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
  arranged: () => (cell: number) => number | null,
): ((statistic: number) => number)[] {
  const most = Math.floor(mostKept / Math.max(1, observed.length));
  const times = Math.max(500, Math.min(5000, permutations, most));
  const kept = observed.map((statistic) => new Float32Array(statistic === null ? 0 : times));
  for (let time = 0; time < times; time++) {
    const statisticAt = arranged();
    kept.forEach((values, cell) => {
      if (values.length > 0) values[time] = statisticAt(cell) ?? Number.NaN;
    });
  }
  return kept.map((values) => tailScale(Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort()));
}

function rateOf(numerators: Float64Array, denominators: Float64Array): number {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const all = sum(denominators);
  return all > 0 ? sum(numerators) / all : 0;
}

/** The regrouping columns of all outcomes, row by row. */
function sideBySide(units: GroupedUnits, pooled: readonly number[], width: number): Float64Array {
  const table = new Float64Array(units.profiles.length * width);
  units.outcomes.forEach(({ numerators, denominators }, outcome) => {
    const own = regroupingTable(numerators, denominators, pooled[outcome]!);
    for (let row = 0; row < units.profiles.length; row++) {
      const columns = own.subarray(row * regroupingColumns, (row + 1) * regroupingColumns);
      table.set(columns, row * width + outcome * regroupingColumns);
    }
  });
  return table;
}

function reasonAgainst(sizes: readonly [number, number], inside: number, all: number): string | null {
  if (!(inside > 0)) return 'the group has no words that were answered';
  if (!(all - inside > 0)) return 'there is nobody outside of the group';
  if (Math.min(...sizes) < 2) return 'a test needs at least 2 speakers inside and outside of the group';
  return null;
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
