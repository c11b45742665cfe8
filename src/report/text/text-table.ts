import { visibleText } from '../../base/printable.ts';
import type { Column, Table } from '../../model/finding.ts';
import { dash, type ShownCell } from '../format/cell.ts';
import { shownRows } from '../prepare/shown-rows.ts';
import { raised } from './columns.ts';
import { cutMiddle, cutToWidth, displayWidth, type Paint, wrapToWidth } from './display-width.ts';

/** Ends what says that a text leaves something out. */
export const inFullReport = 'in the full report';

const gap = '  ';
const narrowestText = 18;
const widestText = 48;

const maxLinesOfCell = 8;

/**
 * A table for the terminal, never wider than `width`: where it would be, intervals go first, then long texts go over several
 * lines and names are cut in their middle, then columns are left out and counted.
 *
 * @param options.whole columns that do not fit stand below in lines of their own, each time behind the first, with their intervals
 */
export function textTable(
  table: Table,
  options: { readonly width: number; readonly rows: number; readonly paint: Paint; readonly whole?: boolean },
): readonly string[] {
  const { width, rows: maxRows, paint, whole = false } = options;
  if (table.rows.length === 0) return [paint('quiet', 'None.')];
  const cells = shownRows(table, maxRows);
  if (whole) {
    const parts = partsWithin(table.columns, cells, width);
    return parts.flatMap((columns, at) => [
      ...(at === 0 ? [] : ['']),
      ...textTable({ ...table, columns }, { width, rows: maxRows, paint }),
    ]);
  }
  // By columns, so that those of the columns that are left out come last and can be left out with them.
  const reasonsOf = (columns: number) => [
    ...new Set(Array.from({ length: columns }, (_, index) => cells.flatMap((row) => row[index]?.reason ?? [])).flat()),
  ];
  const reasons = reasonsOf(table.columns.length);
  const { columns, left, intervals } = layOut(
    table.columns,
    cells.map((row) => row.map((cell) => ({ ...cell, main: withMark(cell, reasons) }))),
    width,
  );
  const flushRight = columns.map((_, index) => cells.some((row) => row[index]?.numeric));
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => pad(text, columns[index]?.width ?? 0, flushRight[index] === true))
      .join(gap)
      .trimEnd();
  const lines = [paint('quiet', line(columns.map(({ label }) => label)))];
  for (let row = 0; row < cells.length; row++) {
    const texts = columns.map(({ texts }) => texts[row] ?? ['']);
    const height = Math.max(...texts.map(({ length }) => length));
    for (let at = 0; at < height; at++) lines.push(line(texts.map((cell) => cell[at] ?? '')));
    if (height > 1 && row < cells.length - 1) lines.push('');
  }
  for (const [index, reason] of reasonsOf(columns.length).entries()) {
    const [first = '', ...rest] = wrapToWidth(visibleText(reason), width - 4);
    lines.push(`  ${raised(index)} ${first}`, ...rest.map((line) => `    ${line}`));
  }
  const hidden = table.rows.length - cells.length;
  const more = [
    !intervals && 'intervals',
    hidden > 0 && `${hidden} more rows`,
    left > 0 && `${left} more columns`,
  ].filter(Boolean);
  if (more.length > 0) {
    const rest = wrapToWidth(`… ${more.join(', ')} ${inFullReport}`, width);
    lines.push(...rest.map((one) => paint('quiet', one)));
  }
  return lines;
}

function withMark({ main, reason }: ShownCell, reasons: readonly string[]): string {
  return reason ? `${visibleText(main)}${raised(reasons.indexOf(reason))}` : main;
}

interface TextColumn {
  readonly label: string;
  /** The lines of each cell. */
  readonly texts: readonly (readonly string[])[];
  readonly width: number;
}

function buildColumns(
  columns: readonly Column[],
  cells: readonly (readonly ShownCell[])[],
  { width, intervals, maxText }: { readonly width: number; readonly intervals: boolean; readonly maxText: number },
): readonly TextColumn[] {
  return columns.map((column, index): TextColumn => {
    const most = cells.some((row) => row[index]?.numeric) ? width : maxText;
    const texts = cells.map((row) => linesOf(cellText(row[index], intervals), most));
    const label = cutToWidth(visibleText(column.label), Math.max(narrowestText, most));
    return { label, texts, width: Math.max(displayWidth(label), ...texts.flat().map(displayWidth)) };
  });
}

/** The columns in parts that fit, the first again at the head of each. */
function partsWithin(
  columns: readonly Column[],
  cells: readonly (readonly ShownCell[])[],
  width: number,
): readonly (readonly Column[])[] {
  const laid = buildColumns(columns, cells, { width, intervals: true, maxText: widestText });
  const parts: number[][] = [[]];
  for (const at of columns.keys()) {
    const part = parts.at(-1)!;
    const fits = total([...part, at].map((place) => laid[place]!)) <= width;
    if (fits || part.length < 2) part.push(at);
    else parts.push([0, at]);
  }
  return parts.map((part) => part.map((at) => columns[at]!));
}

function layOut(
  columns: readonly Column[],
  cells: readonly (readonly ShownCell[])[],
  width: number,
): { readonly columns: readonly TextColumn[]; readonly left: number; readonly intervals: boolean } {
  const build = (intervals: boolean, maxText: number) => buildColumns(columns, cells, { width, intervals, maxText });
  let laid = build(true, widestText);
  const intervals = total(laid) <= width || !cells.flat().some(({ interval }) => interval);
  if (total(laid) > width) laid = build(false, widestText);
  for (let most = 40; total(laid) > width && most >= narrowestText; most -= 11) laid = build(false, most);
  let shown = laid.length;
  while (shown > 1 && total(laid.slice(0, shown)) > width) shown--;
  const kept = laid.slice(0, shown).map((column) => ({
    label: cutToWidth(column.label, width),
    texts: column.texts.map((lines) => lines.map((text) => cutToWidth(text, width))),
    width: Math.min(column.width, width),
  }));
  return { columns: kept, left: laid.length - shown, intervals };
}

/** Words go on in the next line, indented, so that no text looks like a row; a name, which has no blanks, is told by its ends. */
function linesOf(text: string, most: number): readonly string[] {
  if (displayWidth(text) <= most) return [text];
  if (!text.includes(' ')) return [cutMiddle(text, most)];
  const lines = wrapToWidth(text, most - 1)
    .map((line) => cutMiddle(line, most - 1))
    .map((line, at) => (at === 0 ? line : ` ${line}`));
  if (lines.length <= maxLinesOfCell) return lines;
  return [...lines.slice(0, maxLinesOfCell - 1), cutToWidth(`${lines[maxLinesOfCell - 1]}…`, most)];
}

function total(columns: readonly TextColumn[]): number {
  return columns.reduce((sum, column) => sum + column.width, gap.length * Math.max(0, columns.length - 1));
}

/** A cell on one line: `12.3 % [11.8, 12.9]`, `−1.2 points [−1.9, −0.5] better`. */
export function cellText(cell: ShownCell | undefined, intervals = true): string {
  if (cell === undefined) return dash;
  const parts = [visibleText(cell.main)];
  if (intervals && cell.interval) parts.push(cell.interval);
  if (cell.verdict && cell.verdict.word !== cell.main) parts.push(cell.verdict.word);
  return parts.join(' ');
}

function pad(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return right ? blanks + text : text + blanks;
}
