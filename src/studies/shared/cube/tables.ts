import { grouped } from '../../../base/number-format.ts';
import type { Table } from '../../../model/finding.ts';
import { attributeColumn, column, comparedWithColumn, groupColumn, recognizerColumn, tableOf } from '../tables.ts';
import { listed } from '../wording.ts';
import type { Cube, Gap, Pair } from './contract.ts';

/**
 * What a reader must know of units and groups.
 *
 * @param minimum with fewer units there is no interval
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

/** Comparisons of recognizers as a table. */
export function pairsTable(pairs: readonly Pair[], id: string, title: string): Table {
  return tableOf(id, title, pairs, [
    { ...recognizerColumn, of: ({ second }) => second },
    { ...comparedWithColumn, of: ({ first }) => first },
    column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
  ]);
}

/** Gaps between groups as a table. */
export function gapsTable(gaps: readonly Gap[], id: string, title: string): Table {
  return tableOf(id, title, gaps, [
    { ...recognizerColumn, of: ({ series }) => series },
    { ...attributeColumn, of: ({ attribute }) => attribute },
    { ...groupColumn, of: ({ second }) => second },
    { ...comparedWithColumn, of: ({ first }) => first },
    column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
  ]);
}
