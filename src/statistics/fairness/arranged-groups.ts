import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import {
  regroupingColumns,
  regroupingTable,
  studentizedParts,
  welchParts,
} from '../significance/studentized-difference.ts';
import { type Baseline, distinctColumns, type GroupedUnits, groupSums, meanDisparityOf } from './grouped-units.ts';

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
  readonly reasons: readonly (Reason | null)[];
} {
  const { groups, outcomes, profiles } = units;
  const rows = profiles.length;
  const { columns, places } = distinctColumns(columnsOf(units));
  const sums = columns.map((column) => column.reduce((total, value) => total + value, 0));
  const placesOf = outcomes.map((_, outcome) =>
    places.slice(regroupingColumns * outcome, regroupingColumns * (outcome + 1)),
  );
  const outcomeSums = placesOf.map((own) => Float64Array.from(own, (place) => sums[place]!));
  const insideOf = Uint32Array.from(groups, (members) => {
    const set = new Set(members);
    let size = 0;
    for (let row = 0; row < rows; row++) if (set.has(profiles[row]!)) size++;
    return size;
  });

  const { byGroup, add } = groupSums(units, columns);
  // One of each, written anew for every group: there are millions of them.
  const own = new Float64Array(regroupingColumns);
  const sizes: [number, number] = [0, 0];
  const totalsOf = outcomeSums.map((sums) => ({ sizes, sums }));
  const statistics = new Float64Array(outcomes.length * groups.length);
  const noise = new Float64Array(outcomes.length);

  const arrange = (dealt: ArrayLike<number>): ArrangedGroups => {
    add(dealt);
    noise.fill(0);
    statistics.fill(Number.NaN);
    for (let outcome = 0; outcome < outcomes.length; outcome++) {
      const [numerators, words, squares, products, squaredWords] = placesOf[outcome]!.map((place) => byGroup[place]!);
      const totals = totalsOf[outcome]!;
      for (let group = 0; group < groups.length; group++) {
        sizes[0] = insideOf[group]!;
        sizes[1] = rows - sizes[0];
        if (sizes[0] < 2 || sizes[1] < 2) continue;
        own[0] = numerators![group]!;
        own[1] = words![group]!;
        own[2] = squares![group]!;
        own[3] = products![group]!;
        own[4] = squaredWords![group]!;
        const parts = welchParts(own, totals);
        if (parts === null) continue;
        statistics[outcome * groups.length + group] = studentizedParts(parts, totals);
        // A group's gap from all is that from the others, less by its own share.
        noise[outcome]! += Math.sqrt(parts.variance) * (1 - own[1]! / totals.sums[1]!);
      }
    }
    const meanDisparities = placesOf.map(([numerator, denominator]) =>
      // Numerators of the table are above the pooled rate already, so that the pooled baseline is 0.
      meanDisparityOf(byGroup[numerator!]!, byGroup[denominator!]!, baseline === 'pooled' ? 0 : null),
    );
    return { statistics, noise, meanDisparities };
  };

  arrange(profiles);
  const reasons = Array.from(statistics, (_, cell): Reason | null => {
    const [outcome, group] = [Math.floor(cell / groups.length), cell % groups.length];
    const words = byGroup[placesOf[outcome]![1]!]![group]!;
    return reasonAgainst(insideOf[group]!, rows - insideOf[group]!, words, outcomeSums[outcome]![1]!);
  });
  return { arrange, reasons };
}

/** The regrouping columns of all outcomes. */
function columnsOf({ outcomes, profiles }: GroupedUnits): Float64Array[] {
  return outcomes.flatMap(({ numerators, denominators }) => {
    const own = regroupingTable(numerators, denominators, rateOf(numerators, denominators));
    return Array.from({ length: regroupingColumns }, (_, column) =>
      Float64Array.from({ length: profiles.length }, (_row, row) => own[row * regroupingColumns + column]!),
    );
  });
}

function rateOf(numerators: Float64Array, denominators: Float64Array): number {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const all = sum(denominators);
  return all > 0 ? sum(numerators) / all : 0;
}

function reasonAgainst(inside: number, outside: number, words: number, allWords: number): Reason | null {
  if (!(words > 0)) return { code: 'no-words-answered' };
  if (!(allWords - words > 0)) return { code: 'nobody-outside' };
  if (Math.min(inside, outside) < 2) return { code: 'few-on-sides' };
  return null;
}

/**
 * Deals profiles anew among speakers, again with every call. A speaker with several profiles (an attribute that changes from
 * recording to recording) receives those of another who has as many, in any order: where attributes do not matter, each
 * such arrangement is as likely as the observed.
 *
 * @param speakers the rows of each
 * @param profiles of each row
 * @param strata of each row; speakers are dealt profiles of those who have as many rows of each stratum. One for all by default
 * @returns the profile of each row; overwritten by the next call
 */
export function dealProfiles(
  speakers: readonly (readonly number[])[],
  profiles: ArrayLike<number>,
  random: Random,
  strata?: ArrayLike<number>,
): () => Int32Array {
  const dealt = Int32Array.from(profiles);
  const alike = [...Map.groupBy(speakers, (rows) => dealtKind(rows, strata)).values()].map((members) => ({
    size: members[0]!.length,
    members,
    hands: Int32Array.from(members.flatMap((rows) => rows.map((row) => profiles[row]!))),
    order: Uint32Array.from(members, (_, place) => place),
  }));
  return () => {
    for (const { size, members, hands, order } of alike) {
      shuffle(order, 0, order.length, random);
      for (let place = 0; place < members.length; place++) {
        const from = order[place]! * size;
        if (size > 1) shuffle(hands, from, size, random);
        const rows = members[place]!;
        for (let row = 0; row < size; row++) dealt[rows[row]!] = hands[from + row]!;
      }
    }
    return dealt;
  };
}

/** Speakers of one kind are dealt among each other: those who have as many rows of each stratum. */
export function dealtKind(rows: readonly number[], strata: ArrayLike<number> | undefined): string {
  return rows
    .map((row) => strata?.[row] ?? 0)
    .sort()
    .join(' ');
}

/** Fisher and Yates, of so many values from a place on. */
function shuffle(values: Int32Array | Uint32Array, from: number, count: number, random: Random): void {
  for (let left = count - 1; left > 0; left--) {
    const drawn = from + random.integer(left + 1);
    const value = values[drawn]!;
    values[drawn] = values[from + left]!;
    values[from + left] = value;
  }
}
