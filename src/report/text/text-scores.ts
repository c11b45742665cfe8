import { formatFixed } from '../../base/number-format.ts';
import { visibleText } from '../../base/printable.ts';
import type { ColumnKind, Estimate } from '../../model/finding.ts';
import { bareNumber, formatLevel } from '../format/cell.ts';
import { verdictWording } from '../format/wording.ts';
import { type GapTable, legendOf, type ResultTable, type ScoreCell, type ScoreRow } from '../prepare/result-table.ts';
import { columnGap, drawnColumn, linesOf, narrowestStrip, type TextColumn, widthOf } from './columns.ts';
import { cutMiddle, cutToWidth, displayWidth, type Paint, wrapToWidth } from './display-width.ts';

interface Page {
  readonly width: number;
  readonly paint: Paint;
}

const maxName = 24;
/** With more recognizers the columns alone tell for whom it is worse. */
const maxWordy = 4;
/** Of the group that is worst. */
const maxGroup = 18;
/** Rows of the table; the report has all. */
const maxRows = 12;
/** Rows of all tables of gaps but the first: the report has all. */
const maxGapRows = 8;

/** The first table of a finding for the terminal: what was found, recognizers by conditions, groups by recognizers, and what the marks mean. */
export function textScores(table: ResultTable, page: Page): readonly string[] {
  const found = table.found.flatMap((sentence) => wrapToWidth(visibleText(sentence), page.width));
  let left = maxGapRows;
  const shown = table.gaps.filter(({ rows }, place) => {
    left -= rows.length;
    return place === 0 || left >= 0;
  });
  const gaps = shown.flatMap((one) => ['', ...gapLines(one, page)]);
  return [...found, ...(found.length > 0 ? [''] : []), ...scoreLines(table, page), ...gaps];
}

function scoreLines(table: ResultTable, page: Page): readonly string[] {
  const { caption, columns, ranks, left, rows } = table;
  const shown = rows.slice(0, maxRows);
  const names = shown.map(({ name }) => cutMiddle(visibleText(name), maxName));
  const first = { heads: ['', caption], cells: names, right: false };
  const numbers = columns.map(({ head }, column) => ({
    heads: (head.length === 1 ? ['', ...head] : [...head]).map((word) => cutToWidth(visibleText(word), 14)),
    cells: columnTexts(shown.map(({ cells }) => cells[column] ?? null)),
    right: true,
  }));
  const kept = fitting(first, numbers, ranks, page.width);
  const room = page.width - widthOf([first, ...kept]) - columnGap;
  const laid = [first, ...kept, ...besideIn(shown, ranks, table.kind, room)];
  const laidOut = linesOf(laid).map((line, at) => (at < 2 ? page.paint('quiet', line) : line));
  const lines = laid.every(({ heads }) => heads[0] === '') ? laidOut.slice(1) : laidOut;
  const notes = [
    legendOf(table),
    ...table.open.map(visibleText),
    left === null ? null : `Shown: ${left}.`,
    kept.length < numbers.length || rows.length > maxRows
      ? 'All recognizers and conditions are in the full report.'
      : null,
  ].filter((note) => note !== null);
  return [...lines, ...notes.flatMap((note) => wrapToWidth(note, page.width)).map((line) => page.paint('quiet', line))];
}

/** What stands beside the numbers, as much as there is room for: intervals drawn, how far each is above the lowest, and its worst group. */
function besideIn(rows: readonly ScoreRow[], ranks: number, kind: ColumnKind, room: number): readonly TextColumn[] {
  const drawn = { interval: narrowestStrip, apart: narrowestStrip };
  const isDrawn = kind === 'rate' || kind === 'difference';
  const intervals = (own: readonly (Estimate | null)[], width: number) =>
    isDrawn ? drawnColumn(own, width) : intervalColumn(own, kind, room);
  const columnsOf = (names: ReadonlySet<string>): readonly TextColumn[] => {
    const apart = names.has('apart') && isDrawn
      ? drawnColumn(
          rows.map(({ behind }) => behind?.difference ?? null),
          drawn.apart,
        )
      : null;
    return [
      names.has('interval')
        ? intervals(
            rows.map(({ cells }) => cells[ranks]?.estimate ?? null),
            drawn.interval,
          )
        : null,
      names.has('behind') ? behindColumn(rows, kind, names.has('behind, with interval')) : null,
      apart && { ...apart, heads: ['drawn, points', apart.heads[1]!] },
      names.has('worst group') ? worstColumn(rows) : null,
    ].filter((column) => column !== null);
  };
  const chosen = new Set<string>();
  for (const name of ['interval', 'behind', 'worst group', 'behind, with interval', 'apart'])
    if (widthOf(columnsOf(new Set([...chosen, name]))) <= room) chosen.add(name);
  // What is left goes to what is drawn.
  for (const name of ['interval', 'apart'] as const)
    if (chosen.has(name)) drawn[name] += room - widthOf(columnsOf(chosen));
  return columnsOf(chosen);
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
function intervalColumn(estimates: readonly (Estimate | null)[], kind: ColumnKind, room: number): TextColumn | null {
  const cells = estimates.map((one) =>
    one?.low == null || one.high === null ? '' : `${bareNumber(one.low, kind)} to ${bareNumber(one.high, kind)}`,
  );
  const level = estimates.find((one) => one !== null)?.level ?? 0.95;
  const column = { heads: ['', `${formatLevel(level)} interval`], cells, right: true };
  return cells.every((cell) => cell === '') || widthOf([column]) > room ? null : column;
}

/** How far each is above the lowest; null where nothing was compared. */
function behindColumn(rows: readonly ScoreRow[], kind: ColumnKind, withInterval: boolean): TextColumn | null {
  if (rows.every(({ behind }) => behind === null)) return null;
  const points = (value: number) => bareNumber(value, kind, true);
  const cells = rows.map(({ behind }) => {
    if (behind?.difference.value == null) return '';
    const { value, low, high } = behind.difference;
    const interval = withInterval && low !== null && high !== null ? ` (${points(low)} to ${points(high)})` : '';
    return `${points(value)}${interval}${behind.verdict === 'cannot tell' ? ' ≈' : '  '}`;
  });
  const best = rows.some(({ cells: own }) => own.some((cell) => cell?.beside === 'highest')) ? 'best' : 'lowest';
  return { heads: ['more than', withInterval ? `the ${best}` : best], cells, right: true };
}

/** The group that each makes most errors for, of those told to have more than everybody; null where there is none. */
function worstColumn(rows: readonly ScoreRow[]): TextColumn | null {
  if (rows.every(({ worst }) => worst === null)) return null;
  const names = rows.map(({ worst }) => cutToWidth(visibleText(valuesOf(worst?.group ?? '')), maxGroup));
  const widest = Math.max(...names.map(displayWidth));
  const cells = rows.map(({ worst }, row) => {
    if (worst?.rate.value == null) return '';
    const blanks = ' '.repeat(widest - displayWidth(names[row]!));
    return `${names[row]}${blanks} ${formatFixed(100 * worst.rate.value, 1)}`;
  });
  return { heads: ['', 'worst group'], cells, right: false };
}

/** `ageGroup 19-29 × accent India` as `19-29, India`: the values tell it. */
function valuesOf(group: string): string {
  return group
    .split(' × ')
    .map((part) => part.slice(part.indexOf(' ') + 1))
    .join(', ');
}

/** Groups beside each other, a row for each recognizer. */
function gapLines({ attribute, of, kind, rows }: GapTable, page: Page): readonly string[] {
  const shown = rows.slice(0, maxRows);
  const same = shown.every(({ groups }) => new Set([...groups, ...shown[0]!.groups]).size === 2);
  const rate = (estimate: Estimate | null | undefined) =>
    estimate?.value == null ? '–' : bareNumber(estimate.value, kind);
  const points = (value: number | null, signed = true) => (value === null ? '–' : bareNumber(value, kind, signed));
  const [first] = shown;
  const heads = same ? [...first!.groups] : null;
  const groupRate = (row: (typeof shown)[number], group: string) => rate(row.rates[row.groups.indexOf(group)]);
  const column = (head: string, cells: readonly string[], right = true): TextColumn => ({
    heads: [cutToWidth(visibleText(head), maxName)],
    cells,
    right,
  });
  const laid = [
    column(
      `By ${attribute}, ${of}`,
      shown.map(({ name }) => cutMiddle(visibleText(name), maxName)),
      false,
    ),
    ...(heads === null
      ? [
          column(
            'most errors',
            shown.map((row) => cutToWidth(`${visibleText(row.groups[0])} ${rate(row.rates[0])}`, 22)),
          ),
          column(
            'fewest',
            shown.map((row) => cutToWidth(`${visibleText(row.groups[1])} ${rate(row.rates[1])}`, 22)),
          ),
        ]
      : heads.map((group) =>
          column(
            group,
            shown.map((row) => groupRate(row, group)),
          ),
        )),
    column(
      'gap',
      shown.map(({ comparison }) => points(comparison.difference.value)),
    ),
    column(
      'interval',
      shown.map(({ comparison: { difference } }) =>
        difference.low === null ? '–' : `${points(difference.low)} to ${points(difference.high)}`,
      ),
    ),
    column(
      '',
      shown.map(({ comparison: { verdict, open }, groups }) => {
        const { mark, word } = verdictWording[verdict];
        return verdict === 'cannot tell'
          ? `${mark} ${open?.why === 'correction' ? 'alone, not among all' : word}`
          : `${mark} worse${shown.length > maxWordy ? '' : ` for ${cutToWidth(visibleText(groups[0]), 16)}`}`;
      }),
      false,
    ),
  ];
  const kept = laid.slice();
  // Narrow terminals have the verdict and not the interval.
  if (widthOf(kept) > page.width) kept.splice(kept.length - 2, 1);
  while (widthOf(kept) > page.width && kept.length > 2) kept.splice(1, 1);
  return linesOf(kept).map((line, at) => {
    const cut = cutToWidth(line, page.width);
    return at === 0 ? page.paint('quiet', cut) : cut;
  });
}
