import { grouped } from '../../../base/number-format.ts';
import type { Cell, Chart, Table } from '../../../model/finding.ts';
import {
  attributeColumn,
  column,
  comparedWithColumn,
  type Given,
  groupColumn,
  recognizerColumn,
  tableOf,
} from '../tables.ts';
import { listed } from '../wording.ts';
import type { Count, Cube, CubeDesign, Gap, Pair, Ratio, Row } from './contract.ts';

/** Rows of a slice as a table: the columns of the slice, the series, ratios, counts that are not hidden. */
export function tableOfSlice<Fact, Counts extends string, Ratios extends string, Slices extends string>(
  { ratios, counts, slices }: CubeDesign<Fact, Counts, Ratios, Slices>,
  slice: Slices,
  rows: readonly Row<Counts, Ratios>[],
  named: Pick<Table, 'id' | 'title'>,
): Table {
  const { columns } = slices[slice];
  const helped = (help: string | undefined) => (help === undefined ? {} : { help });
  const shown = Object.entries<Count<Fact>>(counts).filter(([, { hidden }]) => hidden === undefined);
  return {
    ...named,
    columns: [
      ...columns,
      recognizerColumn,
      ...Object.entries<Ratio<Counts>>(ratios).map(([key, { label, kind, help }]) => {
        return { key, label, kind, ...helped(help) };
      }),
      ...shown.map(([key, { label, help }]) => ({ key, label, kind: 'count' as const, ...helped(help) })),
    ],
    rows: rows.map(
      (row): Record<string, Cell> => ({
        ...Object.fromEntries(columns.map(({ key }, place) => [key, row.path[place] ?? null])),
        [recognizerColumn.key]: row.series,
        ...row.ratios,
        ...Object.fromEntries(shown.map(([key]) => [key, row.counts[key as Counts]])),
      }),
    ),
  };
}

/** Columns of ratios and counts as they are declared. */
export function columnsOf<Counts extends string, Ratios extends string>(
  { ratios, counts }: Pick<CubeDesign<never, Counts, Ratios, never>, 'ratios' | 'counts'>,
  keys: readonly (Ratios | Counts)[],
): Given<Pick<Row<Counts, Ratios>, 'counts' | 'ratios'>>[] {
  const isRatio = (key: Ratios | Counts): key is Ratios => Object.hasOwn(ratios, key);
  return keys.map((key) => {
    if (isRatio(key)) {
      const { label, kind, help } = ratios[key];
      return { key, label, kind, ...(help !== undefined && { help }), of: (row) => row.ratios[key] };
    }
    const { label, help } = counts[key as Counts];
    return { key, label, kind: 'count', ...(help !== undefined && { help }), of: (row) => row.counts[key as Counts] };
  });
}

/** A line for each series over the cells of a slice of one column. */
export function chartOfSlice<Fact, Counts extends string, Ratios extends string, Slices extends string>(
  { slices, ratios, series }: CubeDesign<Fact, Counts, Ratios, Slices>,
  slice: Slices,
  rows: readonly Row<Counts, Ratios>[],
  { ratio, title }: { readonly ratio: Ratios; readonly title: string },
): Chart {
  const xTicks = [...new Set(rows.map(({ path: [name = ''] }) => name))];
  return {
    title,
    xLabel: slices[slice].columns.map(({ label }) => label).join(', '),
    xTicks,
    yLabel: ratios[ratio].label,
    yKind: ratios[ratio].kind,
    series: series.map((name) => ({
      name,
      points: rows
        .filter((row) => row.series === name)
        .map(({ path: [tick = ''], ratios: own }) => ({ x: xTicks.indexOf(tick), estimate: own[ratio] })),
    })),
  };
}

/**
 * What a reader must know of units and groups.
 *
 * @param noun what the units are: `speaker`
 * @param minimum with fewer units there is no interval
 * @example cubeWarnings(cube, 'speaker', 10) // ['An interval needs 10 speakers, and there are 3: there is no interval and no verdict.']
 */
export function cubeWarnings(
  { units, manyValued }: Pick<Cube<never, never, never, never>, 'units' | 'manyValued'>,
  noun: string,
  minimum: number,
): string[] {
  const warnings: string[] = [];
  if (units.count < minimum) {
    warnings.push(
      `An interval needs ${minimum} ${noun}s, and there ${units.count === 1 ? 'is' : 'are'} ${grouped(units.count)}: there is no interval and no verdict.`,
    );
  }
  if (units.merged) {
    warnings.push(
      `There are more than ${grouped(units.count)} ${noun}s: they were merged at random into that many units.`,
    );
  }
  if (manyValued.length > 0) {
    warnings.push(`Not reported by group, because of too many values: ${listed(manyValued)}.`);
  }
  return warnings;
}

/**
 * Comparisons of recognizers as a table.
 *
 * @example pairsTable(cube.pairs('wer'), 'mine-pairs', 'WER, on the clips that both answered')
 */
export function pairsTable(pairs: readonly Pair[], id: string, title: string): Table {
  return tableOf(id, title, pairs, [
    { ...recognizerColumn, of: ({ second }) => second },
    { ...comparedWithColumn, of: ({ first }) => first },
    column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
  ]);
}

/**
 * Gaps between groups as a table.
 *
 * @example gapsTable(cube.gaps('wer', 'group'), 'mine-gaps', 'Gaps between groups')
 */
export function gapsTable(gaps: readonly Gap[], id: string, title: string): Table {
  return tableOf(id, title, gaps, [
    { ...recognizerColumn, of: ({ series }) => series },
    { ...attributeColumn, of: ({ attribute }) => attribute },
    { ...groupColumn, of: ({ second }) => second },
    { ...comparedWithColumn, of: ({ first }) => first },
    column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
  ]);
}
