import type { Estimate } from '../../../model/finding.ts';
import type { GroupSide } from '../group-pairs.ts';
import { column } from '../tables.ts';
import { type GroupTest, type GroupTestSettings, testTogether } from '../test-groups.ts';

/** Groups of one attribute that are compared by a number which each has over cells of its own (conditions, recognizers). */
export interface Contrasted<Cell> {
  /** Of each group those in which it has anything. */
  readonly cells: readonly (readonly Cell[])[];
  sideOver(group: number, cells: readonly Cell[]): GroupSide | null;
  /** Whether two groups are not compared in a cell that both have. */
  readonly isLost?: (cell: Cell, first: number, second: number) => boolean;
}

/** Two groups, compared over all cells that both have. */
export interface Contrast<Cell> {
  readonly shared: readonly Cell[];
  readonly test: GroupTest;
}

/**
 * Every two groups, each pair over all cells that both have: a third group that lacks some takes nothing from the others. Pairs that share the
 * same cells are tested together, and all of them jointly (`testTogether`); groups that have these cells too stand beside them, so that speakers
 * are dealt among all.
 *
 * @returns for each of what is asked its pairs
 * @example contrastGroups([{ cells: [['clean', 'noise'], ['clean']], sideOver: (group, cells) => meanOver(group, cells) }], settings)
 */
export function contrastGroups<Cell>(
  asked: readonly Contrasted<Cell>[],
  settings: Omit<GroupTestSettings, 'isAsked'>,
): readonly (readonly Contrast<Cell>[])[] {
  const measures = asked.flatMap((one, number) => alikeOf(one).map((alike) => ({ number, ...alike })));
  const tests = testTogether(
    measures.map(({ sides }) => sides),
    {
      ...settings,
      isAsked: (measure, first, second) =>
        measures[measure]!.pairs.some((pair) => pair.first === first && pair.second === second),
    },
  );
  return asked.map((_, number) =>
    measures.flatMap((one, measure) =>
      one.number === number ? tests[measure]!.map((test) => ({ shared: one.shared, test })) : [],
    ),
  );
}

/** Pairs of groups by the cells that they share, with the sides of all groups that have these. */
function alikeOf<Cell>({ cells, sideOver, isLost = () => false }: Contrasted<Cell>) {
  const numbers = new Map([...new Set(cells.flat())].map((cell, number) => [cell, number]));
  const pairs = cells.flatMap((one, first) =>
    cells.slice(first + 1).map((other, offset) => {
      const second = first + 1 + offset;
      const shared = one.filter((cell) => other.includes(cell) && !isLost(cell, first, second));
      return { first, second, shared, key: shared.map((cell) => numbers.get(cell)).join() };
    }),
  );
  return Array.from(Map.groupBy(pairs, ({ key }) => key).values(), (own) => {
    const { shared } = own[0]!;
    const sides = cells.map((has, group) =>
      shared.every((cell) => has.includes(cell)) ? sideOver(group, shared) : null,
    );
    return { shared, sides, pairs: own };
  });
}

/** What a number rests on that lacks some cells, and the two numbers over these which a difference is the difference of. */
export interface Rests {
  /** `9 of 10 conditions` */
  readonly over: string;
  readonly own: Estimate;
  readonly others: Estimate;
}

/**
 * `9 of 10 conditions`, where a number rests on fewer cells than there are; null where it rests on all.
 *
 * @param axes what cells are made of, with the plural of its name
 * @example overInWords([a1], [a1, a2], [{ noun: 'conditions', of: ({ condition }) => condition }]) // '1 of 2 conditions'
 */
export function overInWords<Cell>(
  own: readonly Cell[],
  all: readonly Cell[],
  axes: readonly { readonly noun: string; readonly of: (cell: Cell) => unknown }[],
): string | null {
  if (own.length === all.length) return null;
  const counts = axes.map(({ noun, of }) => ({
    noun,
    here: new Set(own.map(of)).size,
    all: new Set(all.map(of)).size,
  }));
  if (own.length < counts.reduce((product, { here }) => product * here, 1)) {
    return `${own.length} of ${all.length} ${axes.map(({ noun }) => noun).join(' of ')}`;
  }
  return counts.flatMap(({ noun, here, all }) => (here < all ? [`${here} of ${all} ${noun}`] : [])).join(' and ');
}

const overColumn = {
  key: 'over',
  label: 'Rests on',
  kind: 'text',
  help: 'Where there are no words in some conditions: how many there are words in. A difference is taken over those in which both groups have words.',
} as const;

/** What the numbers of groups rest on, where one lacks some cells. */
export function overColumns<Row extends { readonly over: string | null }>(rows: readonly Row[]) {
  return rows.some(({ over }) => over !== null) ? [{ ...overColumn, of: ({ over }: Row) => over ?? 'all' }] : [];
}

/** What differences rest on and the two numbers that each is the difference of, where two groups do not share everything. */
export function restsColumns<Row extends { readonly rests: Rests | null }>(
  rows: readonly Row[],
  kind: 'difference' | 'rate',
) {
  if (rows.every(({ rests }) => rests === null)) return [];
  return [
    { ...overColumn, of: ({ rests }: Row) => rests?.over ?? 'all' },
    column('own', 'Group, over these', kind, ({ rests }: Row) => rests?.own ?? null),
    column('others', 'Other group, over these', kind, ({ rests }: Row) => rests?.others ?? null),
  ];
}
