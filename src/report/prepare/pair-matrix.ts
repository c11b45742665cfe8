import type { Cell, ColumnKind, Comparison, Table, Verdict } from '../../model/finding.ts';

/** Everyone beside everyone: what stands in a row, less what heads the column. */
export interface PairMatrix {
  readonly title: string;
  readonly kind: ColumnKind;
  /** Of rows and columns. */
  readonly names: readonly string[];
  /** Null beside itself, and where nothing was compared. */
  readonly cells: readonly (readonly (Comparison | null)[])[];
}

const minNames = 3;
const maxNames = 20;

/** So many slices of a table (its conditions, its kinds of comparison) have matrices. */
const maxSlices = 3;

const opposite: Readonly<Record<Verdict, Verdict>> = {
  better: 'worse',
  worse: 'better',
  'cannot tell': 'cannot tell',
};

/**
 * The first slices of a table of comparisons (whose column `comparedWith` says with whom) as matrices; none where fewer than three stand
 * beside each other, which a table shows as well.
 */
export function pairMatrices(table: Table): readonly PairMatrix[] {
  const { columns, rows } = table;
  const other = columns.findIndex(({ key }) => key === 'comparedWith');
  const compared = columns.find(({ key }) => rows.some((row) => isComparison(row[key])));
  const one = columns[other - 1];
  if (one === undefined || compared === undefined) return [];
  const slicing = columns.filter(
    (column, index) => column.kind === 'text' && index < columns.indexOf(compared) && index !== other && column !== one,
  );
  const slices = Map.groupBy(rows, (row) => JSON.stringify(slicing.map(({ key }) => row[key] ?? null)));
  const told = slicing.filter(({ key }) => rows.some((row) => row[key] !== rows[0]![key]));
  return [...slices.values()]
    .flatMap((slice) => {
      const found = new Map<string, Map<string, Comparison>>();
      const put = (a: string, b: string, comparison: Comparison) =>
        found.set(a, (found.get(a) ?? new Map()).set(b, comparison));
      for (const row of slice) {
        const [a, b, cell] = [row[one.key], row.comparedWith, row[compared.key]];
        if (typeof a !== 'string' || typeof b !== 'string' || !isComparison(cell)) continue;
        if (!found.get(a)?.has(b)) put(a, b, cell);
        if (!found.get(b)?.has(a)) put(b, a, turned(cell));
      }
      const names = [...found.keys()];
      if (names.length < minNames || names.length > maxNames) return [];
      const where = told.flatMap(({ key }) => (slice[0]![key] === null ? [] : [String(slice[0]![key])]));
      return [
        {
          title: [table.title, ...where].join(', '),
          kind: compared.kind,
          names,
          cells: names.map((a) => names.map((b) => found.get(a)?.get(b) ?? null)),
        },
      ];
    })
    .slice(0, maxSlices);
}

/** The same comparison, asked of the other side. */
function turned(comparison: Comparison): Comparison {
  const { difference, verdict } = comparison;
  const less = (value: number | null) => (value === null || value === 0 ? value : -value);
  return {
    ...comparison,
    difference: {
      ...difference,
      value: less(difference.value),
      low: less(difference.high),
      high: less(difference.low),
    },
    verdict: opposite[verdict],
  };
}

function isComparison(cell: Cell | undefined): cell is Comparison {
  return typeof cell === 'object' && cell !== null && 'verdict' in cell;
}
