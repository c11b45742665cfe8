import { formatPValue } from '../../base/number-format.ts';
import { isComparison } from '../../model/comparison.ts';
import type { Table } from '../../model/finding.ts';
import { formatCell, type ShownCell } from '../format/cell.ts';
import { verdictIn } from '../format/wording.ts';

/**
 * The first rows of a table, every cell taken apart for printing. What has a column of its own (the verdict, the p-value)
 * is not said again beside the difference.
 */
export function shownRows({ columns, rows }: Table, maxRows: number): readonly (readonly ShownCell[])[] {
  const own = (kind: string) => columns.some((column) => column.kind === kind);
  const ownVerdict = own('verdict');
  const ownPValue = own('pvalue');
  return rows.slice(0, maxRows).map((row) =>
    columns.map(({ key, kind }) => {
      const cell = row[key];
      const shown = formatCell(cell, kind);
      if (kind === 'pvalue' && typeof cell === 'number') return { ...shown, main: formatPValue(cell, leastOf(row)) };
      const told = kind === 'verdict' ? Object.values(row).find(isComparison) : undefined;
      if (told !== undefined && told.verdict === cell) {
        const verdict = verdictIn(told);
        return { ...shown, main: verdict.word, verdict };
      }
      if (!isComparison(cell)) return shown;
      return {
        ...shown,
        ...(ownVerdict && { verdict: null }),
        ...(ownPValue && { pValue: null }),
      };
    }),
  );
}

/** What the p values of a row cannot be less than: those of its comparison. */
function leastOf(row: Table['rows'][number]): number | null {
  return Object.values(row).find(isComparison)?.minPValue ?? null;
}
