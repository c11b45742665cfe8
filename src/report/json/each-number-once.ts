import { estimateOf, isComparison } from '../../model/comparison.ts';
import type { Comparison, Estimate, Finding, Section, Statement } from '../../model/finding.ts';

/** Where a number stands: a table of the finding, a row of it (counted from 0), a column. */
export interface CellPlace {
  readonly table: string;
  readonly row: number;
  readonly column: string;
}

/** A sentence whose number stands in a table, and is found there. */
export type PlacedStatement = Statement & { readonly cell?: CellPlace };

type Parts = Pick<Finding, 'answer' | 'sections'>;

/** Views of the numbers of tables. */
const views = ['planes', 'charts', 'boxPlots', 'bars', 'heatMaps'] as const;

/**
 * A finding in which each number stands once, in its table: a sentence names the cell that it quotes, and charts all of whose numbers stand in
 * tables are left out. A number that no table has stays where it is.
 *
 * @example eachNumberOnce(finding).answer[0].cell // { table: 'robustness-conditions', row: 0, column: 'wordErrorRate' }
 */
export function eachNumberOnce(finding: Finding) {
  const { timing, ...rest } = finding;
  const parts = (own: Parts) => {
    const known = cellsOf(own.sections);
    return {
      answer: own.answer.map((statement) => placed(statement, known)),
      sections: own.sections.map((section) => withoutKnownViews(section, known)),
    };
  };
  return { ...rest, ...parts(finding), ...(timing && { timing: parts(timing) }) };
}

/** The other way round, of a report that was read: a sentence has the number of the cell that it names. */
export function withNumbersOfCells(finding: Finding): Finding {
  const tables = new Map(finding.sections.flatMap(({ tables = [] }) => tables).map((table) => [table.id, table]));
  const answer = finding.answer.map(({ cell: place, ...rest }: PlacedStatement): Statement => {
    const cell = place && tables.get(place.table)?.rows[place.row]?.[place.column];
    if (cell == null) return rest;
    const estimate = estimateOf(cell);
    return isComparison(cell) ? { ...rest, comparison: cell } : { ...rest, ...(estimate && { estimate }) };
  });
  return { ...finding, answer };
}

interface KnownCells {
  readonly places: ReadonlyMap<string, CellPlace>;
  readonly numbers: ReadonlySet<number>;
}

function cellsOf(sections: readonly Section[]): KnownCells {
  const places = new Map<string, CellPlace>();
  const numbers = new Set<number>();
  for (const { id: table, rows } of sections.flatMap(({ tables = [] }) => tables)) {
    for (const [row, cells] of rows.entries()) {
      for (const [column, cell] of Object.entries(cells)) {
        if (typeof cell === 'number') numbers.add(cell);
        if (cell === null || typeof cell !== 'object') continue;
        for (const one of isComparison(cell) ? [cell, cell.difference] : [cell]) {
          const key = keyOf(one);
          if (!places.has(key)) places.set(key, { table, row, column });
        }
        const value = estimateOf(cell)?.value;
        if (value != null) numbers.add(value);
      }
    }
  }
  return { places, numbers };
}

function keyOf(cell: Estimate | Comparison): string {
  if (isComparison(cell)) return `c ${keyOf(cell.difference)} ${cell.adjustedPValue} ${cell.verdict}`;
  const { value, low, high, level, n, reason } = cell;
  return `e ${value} ${low} ${high} ${level} ${n.utterances} ${n.speakers} ${n.words} ${JSON.stringify(reason)}`;
}

function placed({ estimate, comparison, ...rest }: Statement, { places }: KnownCells): PlacedStatement {
  const [ofEstimate, ofComparison] = [estimate, comparison].map((number) => number && places.get(keyOf(number)));
  const cell = ofComparison ?? ofEstimate;
  return {
    ...rest,
    ...(cell && { cell }),
    ...(estimate && !ofEstimate && { estimate }),
    ...(comparison && !ofComparison && { comparison }),
  };
}

function withoutKnownViews(section: Section, known: KnownCells): Section {
  const left = views.flatMap((kind) => {
    const kept = (section[kind] ?? []).filter((view) => !standsIn(view, known));
    return kept.length === 0 ? [] : [[kind, kept]];
  });
  const others = Object.entries(section).filter(([name]) => !views.some((kind) => kind === name));
  return Object.fromEntries([...others, ...left]) as unknown as Section;
}

/** Members of views that are places on the drawing, and lines through points that are there. */
const drawn = ['x', 'lines', 'front', 'fits'];

/** Whether all numbers of a view are cells of tables. */
function standsIn(view: unknown, known: KnownCells): boolean {
  if (typeof view === 'number') return known.numbers.has(view);
  if (typeof view !== 'object' || view === null) return true;
  if (Array.isArray(view)) return view.every((part) => standsIn(part, known));
  if (isNumberWithInterval(view)) return estimateOf(view)?.value == null || known.places.has(keyOf(view));
  return Object.entries(view).every(([name, part]) => {
    const isPlace = drawn.includes(name) && (typeof part === 'number' || Array.isArray(part));
    return isPlace || standsIn(part, known);
  });
}

function isNumberWithInterval(view: object): view is Estimate | Comparison {
  return ('value' in view && 'method' in view) || ('difference' in view && 'verdict' in view);
}
