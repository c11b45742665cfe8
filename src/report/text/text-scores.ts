import { visibleText } from '../../base/printable.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { ColumnKind, Estimate } from '../../model/finding.ts';
import { bareNumber, formatLevel } from '../format/cell.ts';
import { verdictIn } from '../format/wording.ts';
import { type GapTable, gapColumns, gapNotes, higherFirst, readableGroups } from '../prepare/gap-table.ts';
import {
  behindOf,
  intervalHead,
  isWorse,
  legendOf,
  type ResultTable,
  type ScoreCell,
  type ScoreRow,
} from '../prepare/result-table.ts';
import { columnGap, drawnColumn, linesOf, narrowestStrip, notedCells, type TextColumn, widthOf } from './columns.ts';
import { cutApart, cutToWidth, displayWidth, type Paint, wrapToWidth } from './display-width.ts';

interface Page {
  readonly width: number;
  readonly paint: Paint;
}

const maxName = 24;
/** A group in lines of its row. */
const narrowestName = 14;
/** With more recognizers the columns alone tell for whom it is worse. */
const maxWordy = 4;
/** Rows of the table; the report has all. */
const maxRows = 12;
/** Rows of all tables of gaps but the first: the report has all. */
const maxGapRows = 8;

/** The first table of a finding for the terminal: what was found, recognizers by conditions, groups by recognizers, and what the marks mean. */
export function textScores(table: ResultTable, page: Page): readonly string[] {
  const found = foundLines(table, page);
  const gaps = gapTables(table, page);
  return [
    ...found,
    ...(found.length > 0 ? [''] : []),
    ...scoreLines(table, page),
    ...(gaps.length > 0 ? ['', ...gaps] : []),
  ];
}

/** The same of what is said of groups alone, where another table has the rates. */
export function textGaps(table: ResultTable, page: Page): readonly string[] {
  const gaps = gapTables(table, page);
  const found = foundLines(table, page);
  return [...found, ...(found.length > 0 && gaps.length > 0 ? [''] : []), ...gaps];
}

const foundLines = ({ found }: ResultTable, page: Page) =>
  found.flatMap((sentence) => wrapToWidth(visibleText(sentence), page.width));

function gapTables(table: ResultTable, page: Page): readonly string[] {
  let left = maxGapRows;
  const shown = table.gaps.filter(({ rows }, place) => {
    left -= rows.length;
    return place === 0 || left >= 0;
  });
  return shown.flatMap((one, place) => [...(place > 0 ? [''] : []), ...gapLines(one, page)]);
}

function scoreLines(table: ResultTable, page: Page): readonly string[] {
  const { caption, columns, ranks, left, rows } = table;
  const shown = rows.slice(0, maxRows);
  const names = cutApart(
    shown.map(({ name }) => visibleText(name)),
    maxName,
  );
  const first = { heads: ['', caption], cells: names, right: false };
  const numbers = columns.map(({ head }, column) => ({
    heads: (head.length === 1 ? ['', ...head] : [...head]).map((word) => cutToWidth(visibleText(word), 14)),
    cells: columnTexts(shown.map(({ cells }) => cells[column] ?? null)),
    right: true,
  }));
  const kept = fitting(first, numbers, ranks, page.width);
  const room = page.width - widthOf([first, ...kept]) - columnGap;
  const { columns: beside, chosen } = besideIn(shown, table, room);
  const laid = [first, ...kept, ...beside];
  const laidOut = linesOf(laid).map((line, at) => (at < 2 ? page.paint('quiet', line) : line));
  const lines = laid.every(({ heads }) => heads[0] === '') ? laidOut.slice(1) : laidOut;
  const notes = [
    legendWithin(table, page.width),
    chosen.has('with interval') ? null : behindInWords(shown, table),
    chosen.has('named') && chosen.has('worst group') ? null : worstInWords(shown),
    ...table.open.map(visibleText),
    left === null ? null : `Shown: ${left}.`,
    kept.length < numbers.length || rows.length > maxRows
      ? 'All recognizers and conditions are in the full report.'
      : null,
  ].filter((note) => note !== null);
  return [...lines, ...notes.flatMap((note) => wrapToWidth(note, page.width)).map((line) => page.paint('quiet', line))];
}

/** In one line where it can be: what stands behind a semicolon the report says too. */
function legendWithin(table: ResultTable, width: number): string | null {
  const legend = legendOf(table);
  return legend === null || displayWidth(legend) <= width ? legend : legend.replace(/;.*$/, '');
}

/** What stands beside the numbers, as much as there is room for: intervals drawn, how far each is behind the first, and its worst group. */
function besideIn(rows: readonly ScoreRow[], table: ResultTable, room: number) {
  const { ranks, kind, measure } = table;
  const drawn = { interval: narrowestStrip, apart: narrowestStrip };
  let nameRoom = room;
  const isDrawn = kind === 'rate' || kind === 'difference';
  const own = rows.map(({ cells }) => cells[ranks]?.estimate ?? null);
  const columnsOf = (names: ReadonlySet<string>): readonly TextColumn[] => {
    const apart =
      names.has('apart') && isDrawn
        ? drawnColumn(
            rows.map(({ behind }) => behind && shownDifference(behind)),
            drawn.apart,
          )
        : null;
    const strip = isDrawn ? drawnColumn(own, drawn.interval) : null;
    const interval = isDrawn
      ? strip && { ...strip, heads: [intervalHead(table, true), strip.heads[1]!] }
      : intervalColumn(own, table, room);
    return [
      names.has('interval') ? interval : null,
      names.has('behind') || names.has('with interval') ? behindColumn(rows, kind, names.has('with interval')) : null,
      apart && { ...apart, heads: ['drawn, points', apart.heads[1]!] },
      ...(names.has('worst group') ? worstColumns(rows, measure, names.has('named') ? nameRoom : null) : []),
    ].filter((column) => column !== null);
  };
  const chosen = new Set<string>();
  // How sure it is who is best stands before all else.
  for (const name of ['with interval', 'behind', 'worst group', 'named', 'interval', 'apart'])
    if (name === 'behind' && chosen.has('with interval')) continue;
    else if (widthOf(columnsOf(new Set([...chosen, name]))) <= room) chosen.add(name);
    else if (name === 'named' && chosen.has('worst group')) {
      // In lines of their own row, where one is too long.
      nameRoom -=
        widthOf(columnsOf(new Set([...chosen, name]))) - widthOf(worstColumns(rows, measure, room).slice(0, 1));
      if (nameRoom >= narrowestName) chosen.add(name);
    }
  // What is left goes to what is drawn.
  for (const name of ['interval', 'apart'] as const)
    if (chosen.has(name)) drawn[name] += room - widthOf(columnsOf(chosen));
  return { columns: columnsOf(chosen), chosen };
}

/** As many of the columns as there is room for; the first and the one that ranks before others. */
function fitting(first: TextColumn, columns: readonly TextColumn[], ranks: number, width: number): TextColumn[] {
  const order = [...new Set([0, ranks, ...columns.keys()])];
  let kept: number[] = [];
  for (const column of order) {
    const more = [...kept, column];
    if (widthOf([first, ...more.map((one) => columns[one]!)]) > width) break;
    kept = more;
  }
  return kept.toSorted((a, b) => a - b).map((column) => columns[column]!);
}

/** `23.8*`, `59.0≈!`: as wide behind the points in every cell of a column, so that they stand below each other. */
function columnTexts(cells: readonly (ScoreCell | null)[]): readonly string[] {
  const texts = cells.map((cell) => {
    if (cell === null) return { number: '–', marks: '' };
    const beside = cell.beside === null ? '' : cell.beside === 'alike' ? '≈' : '*';
    return {
      number: cell.number,
      marks: `${beside}${cell.isDoubled ? '!' : ''}`,
    };
  });
  const room = Math.max(...texts.map(({ marks }) => marks.length));
  return texts.map(({ number, marks }) => number + marks.padEnd(room));
}

/** Intervals in figures, of what is not drawn on one scale from 0; null where there is no room or no interval. */
function intervalColumn(estimates: readonly (Estimate | null)[], table: ResultTable, room: number): TextColumn | null {
  const { kind } = table;
  const cells = estimates.map((one) =>
    one?.low == null || one.high === null ? '' : `${bareNumber(one.low, kind)} to ${bareNumber(one.high, kind)}`,
  );
  const column = { heads: ['', intervalHead(table, true)], cells, right: true };
  return cells.every((cell) => cell === '') || widthOf([column]) > room ? null : column;
}

/** How far each is behind the first, so wide with its interval that those of a column stand below each other; null where nothing was compared. */
function behindColumn(rows: readonly ScoreRow[], kind: ColumnKind, withInterval: boolean): TextColumn | null {
  const known = rows.map(({ behind }) => behind && behindOf(behind, kind));
  if (known.every((one) => one === null)) return null;
  const isOpen = rows.some(({ behind }) => behind?.verdict === 'cannot tell');
  const intervals = known.map((one) => (withInterval ? (one?.interval ?? '') : ''));
  const room = Math.max(...intervals.map(({ length }) => length));
  const cells = known.map((one, at) =>
    one === null
      ? ''
      : `${one.main}${room > 0 ? ` ${intervals[at]!.padStart(room)}` : ''}${isOpen ? ` ${one.mark || ' '}` : ''}`,
  );
  const level = rows.find(({ behind }) => behind !== null)!.behind!.difference.level;
  return {
    heads: room > 0 ? ['behind by', `[${formatLevel(level)} interval]`] : ['', 'behind by'],
    cells,
    right: true,
  };
}

/** Of the nearest to the lowest, where no column has room for it: what stands in none that is too narrow. */
function behindInWords(rows: readonly ScoreRow[], { kind }: ResultTable): string | null {
  const nearest = rows.find(({ behind }) => behind !== null);
  if (nearest === undefined) return null;
  const { main, interval, mark } = behindOf(nearest.behind!, kind);
  if (interval === null) return null;
  const of = formatLevel(nearest.behind!.difference.level);
  return `${visibleText(nearest.name)}: ${main} ${interval}${mark && ` ${mark}`} beside ${visibleText(rows[0]!.name)} (${of} interval).`;
}

/** The worst group of each that is told to have more errors than everybody, with its rate; none where none is. */
function worstColumns(rows: readonly ScoreRow[], measure: string, nameRoom: number | null): readonly TextColumn[] {
  if (!rows.some(isWorse)) return [];
  const open = ({ worst }: ScoreRow) => {
    if (worst === null) return '';
    const { mark, word } = verdictIn(worst.comparison);
    return `${mark} ${word}`;
  };
  const cells = (told: (row: ScoreRow) => string, or: typeof open) =>
    rows.map((row) => (isWorse(row) ? told(row) : or(row)));
  const rate = ({ worst }: ScoreRow) => bareNumber(worst!.rate.value!);
  if (nameRoom === null) return [{ heads: ['worst group,', `its ${measure}`], cells: cells(rate, open), right: true }];
  const name = worstNames(rows);
  return [
    {
      heads: ['', 'worst group'],
      cells: cells((row) => wrapToWidth(name(row), nameRoom).join('\n'), open),
      right: false,
    },
    { heads: ['its', measure], cells: cells(rate, () => ''), right: true },
  ];
}

function worstNames(rows: readonly ScoreRow[]): (row: ScoreRow) => string {
  const called = ({ worst }: ScoreRow) => worst?.values ?? '';
  const names = readableGroups(rows.filter(isWorse).map(called));
  return (row) => visibleText(names(called(row)));
}

/** `Worst group of a and b: 19-29, India; of c: female, United States.` Null where none is told to be worse. */
function worstInWords(rows: readonly ScoreRow[]): string | null {
  const groups = Map.groupBy(rows.filter(isWorse), worstNames(rows));
  const parts = Array.from(
    groups,
    ([group, own]) => `of ${own.map(({ name }) => visibleText(name)).join(', ')}: ${group}`,
  );
  return parts.length === 0 ? null : `Worst group ${parts.join('; ')}.`;
}

/** Groups beside each other, a row for each recognizer. */
function gapLines(table: GapTable, page: Page): readonly string[] {
  const { attribute, of, kind, groups: same } = table;
  const rows = table.rows.slice(0, maxRows);
  const bare = (estimate: Estimate | null) => (estimate?.value == null ? '–' : bareNumber(estimate.value, kind));
  const points = (value: number | null) => (value === null ? '–' : bareNumber(value, kind, true));
  const column = (head: string, cells: readonly string[], right: boolean): TextColumn => {
    return { heads: [visibleText(head)], cells: cells.map(visibleText), right };
  };
  const { columns, gap } = gapColumns({ ...table, rows }, bare);
  const open = notedCells(gapNotes({ ...table, rows }));
  const verdicts = (isNamed: boolean) =>
    rows.map((row, at) => {
      const { comparison, groups } = higherFirst(row);
      const { mark, word } = verdictIn(comparison);
      const whose = isNamed && same !== null && comparison.verdict !== 'cannot tell' ? ` for ${groups[0]}` : '';
      return `${mark} ${word}${open.marks[at]}${whose}`;
    });
  const names = column(
    '',
    cutApart(
      rows.map(({ name }) => visibleText(name)),
      maxName,
    ),
    false,
  );
  const sides = columns.map(({ head, cells, isNumber }) => column(head, cells, isNumber));
  const apart = column(
    'gap',
    rows.map(({ comparison }) => points(comparison.difference.value)),
    true,
  );
  const interval = column(
    `${formatLevel(rows[0]?.comparison.difference.level ?? 0.95)} interval`,
    rows.map(({ comparison }) => {
      const { low, high } = shownDifference(comparison);
      return low === null ? '–' : `${points(low)} to ${points(high)}`;
    }),
    true,
  );
  const [long, short] = [rows.length <= maxWordy, false].map((isNamed) => column('', verdicts(isNamed), false));
  // Narrow terminals have the verdict and not the interval; names that no line has room for stand in lines of their own.
  const ways = [
    [names, ...sides, apart, interval, long!],
    [names, ...sides, apart, interval, short!],
    [names, ...sides, apart, short!],
    [names, apart, interval, short!],
    [names, apart, short!],
  ];
  const fits = ways.find((way) => widthOf(way) <= page.width) ?? [names, short!];
  const isNamed = sides.every((side) => fits.includes(side));
  const inWords = rows.map(({ name, groups, rates: [own, other] }) => {
    return `${name}: ${groups[0]} ${bare(own)}, ${groups[1]} ${bare(other)}.`;
  });
  const quiet = (text: string) => wrapToWidth(visibleText(text), page.width).map((line) => page.paint('quiet', line));
  return [
    ...quiet(`By ${attribute}, ${of}; ${gap}`),
    ...linesOf(fits).map((line, at) => {
      const cut = cutToWidth(line, page.width);
      return at === 0 ? page.paint('quiet', cut) : cut;
    }),
    ...(isNamed ? [] : inWords.flatMap(quiet)),
    ...open.notes.flatMap(quiet),
  ];
}
