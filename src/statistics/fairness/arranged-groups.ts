import {
  regroupingColumns,
  regroupingTable,
  studentizedParts,
  welchParts,
} from '../significance/studentized-difference.ts';
import { type Baseline, type GroupedUnits, meanDisparityOf, profileCount, sumGroups } from './grouped-units.ts';

/** What groups come to when rows have the profiles of an arrangement. A cell is an outcome's group, outcome after outcome. */
export interface ArrangedGroups {
  /** By cell, a group's difference from everybody else in standard errors (`studentizedDifference`); not a number where there is none. */
  readonly statistics: Float64Array;
  /** By outcome, how far its groups' gaps from all would be from 0 by the spread of speakers: their standard errors' sum. */
  readonly noise: Float64Array;
  /** By outcome; null where no group has a rate. */
  readonly meanDisparities: readonly (number | null)[];
}

/**
 * Sums a table of rows by group, once for each arrangement of profiles.
 *
 * @returns `arrange`, whose results are overwritten by its next call, and why a cell has no test; null where it has one
 */
export function arrangeGroups(
  units: GroupedUnits,
  baseline: Baseline,
): {
  readonly arrange: (profiles: ArrayLike<number>) => ArrangedGroups;
  readonly reasons: readonly (string | null)[];
} {
  const { groups, outcomes, profiles } = units;
  const rows = profiles.length;
  const width = regroupingColumns * outcomes.length;
  const table = sideBySide(units, width);
  const sums = new Float64Array(width);
  for (let place = 0; place < table.length; place++) sums[place % width]! += table[place]!;
  const outcomeSums = outcomes.map((_, outcome) =>
    sums.slice(regroupingColumns * outcome, regroupingColumns * (outcome + 1)),
  );
  const sizes = groups.map((members) => {
    const set = new Set(members);
    let size = 0;
    for (let row = 0; row < rows; row++) if (set.has(profiles[row]!)) size++;
    return [size, rows - size] as const;
  });

  const byProfile = new Float64Array(profileCount(units) * width);
  const byGroup = new Float64Array(groups.length * width);
  const own = new Float64Array(regroupingColumns);
  const statistics = new Float64Array(outcomes.length * groups.length);
  const noise = new Float64Array(outcomes.length);

  const arrange = (dealt: ArrayLike<number>): ArrangedGroups => {
    byProfile.fill(0);
    for (let row = 0; row < rows; row++) {
      const [to, from] = [dealt[row]! * width, row * width];
      for (let column = 0; column < width; column++) byProfile[to + column]! += table[from + column]!;
    }
    sumGroups(byProfile, groups, width, byGroup);
    noise.fill(0);
    for (let cell = 0; cell < statistics.length; cell++) {
      const [outcome, group] = [Math.floor(cell / groups.length), cell % groups.length];
      const from = group * width + regroupingColumns * outcome;
      for (let column = 0; column < regroupingColumns; column++) own[column] = byGroup[from + column]!;
      const totals = { sizes: sizes[group]!, sums: outcomeSums[outcome]! };
      const parts = Math.min(...totals.sizes) < 2 ? null : welchParts(own, totals);
      statistics[cell] = parts === null ? Number.NaN : studentizedParts(parts, totals);
      // A group's gap from all is that from the others, less by its own share.
      if (parts !== null) noise[outcome]! += Math.sqrt(parts.variance) * (1 - own[1]! / totals.sums[1]!);
    }
    const meanDisparities = outcomes.map((_, outcome) =>
      // Numerators of the table are above the pooled rate already, so that the pooled baseline is 0.
      meanDisparityOf(byGroup, regroupingColumns * outcome, width, groups.length, baseline === 'pooled' ? 0 : null),
    );
    return { statistics, noise, meanDisparities };
  };

  arrange(profiles);
  const reasons = Array.from(statistics, (_, cell) => {
    const [outcome, group] = [Math.floor(cell / groups.length), cell % groups.length];
    const inside = byGroup[group * width + regroupingColumns * outcome + 1]!;
    return reasonAgainst(sizes[group]!, inside, outcomeSums[outcome]![1]!);
  });
  return { arrange, reasons };
}

/** The regrouping columns of all outcomes, row by row. */
function sideBySide({ outcomes, profiles }: GroupedUnits, width: number): Float64Array {
  const table = new Float64Array(profiles.length * width);
  outcomes.forEach(({ numerators, denominators }, outcome) => {
    const own = regroupingTable(numerators, denominators, rateOf(numerators, denominators));
    for (let row = 0; row < profiles.length; row++) {
      const columns = own.subarray(row * regroupingColumns, (row + 1) * regroupingColumns);
      table.set(columns, row * width + outcome * regroupingColumns);
    }
  });
  return table;
}

function rateOf(numerators: Float64Array, denominators: Float64Array): number {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const all = sum(denominators);
  return all > 0 ? sum(numerators) / all : 0;
}

function reasonAgainst(sizes: readonly [number, number], inside: number, all: number): string | null {
  if (!(inside > 0)) return 'the group has no words that were answered';
  if (!(all - inside > 0)) return 'there is nobody outside of the group';
  if (Math.min(...sizes) < 2) return 'a test needs at least 2 speakers inside and outside of the group';
  return null;
}
