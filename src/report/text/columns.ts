import { formatFixed } from '../../base/number-format.ts';
import type { Estimate } from '../../model/finding.ts';
import { formatLevel } from '../format/cell.ts';
import { displayWidth, type Ink, type Paint } from './display-width.ts';

/** A column of a table. A cell may have several lines. */
export interface TextColumn {
  /** As many in every column of a table. */
  readonly heads: readonly string[];
  readonly cells: readonly string[];
  readonly right: boolean;
  /** Of each cell; none are set off if absent. */
  readonly inks?: readonly (Ink | null)[];
}

/** Blanks between two columns. */
export const columnGap = 2;
/** An interval on fewer columns of the terminal shows nothing. */
export const narrowestStrip = 16;
const widestStrip = 32;

const linesIn = (cell: string) => cell.split('\n');
const widthIn = ({ heads, cells }: TextColumn) => Math.max(...[...heads, ...cells.flatMap(linesIn)].map(displayWidth));

/** How many columns of a terminal so many columns of a table take. */
export function widthOf(columns: readonly TextColumn[]): number {
  return columns.reduce((sum, column) => sum + widthIn(column), columnGap * (columns.length - 1));
}

/** Lines of columns side by side: heads, then cells. */
export function linesOf(columns: readonly TextColumn[], paint: Paint = (_, text) => text): string[] {
  const widths = columns.map(widthIn);
  const line = (texts: readonly string[], row: number | null) =>
    texts
      .map((text, at) => {
        const blanks = ' '.repeat(Math.max(0, widths[at]! - displayWidth(text)));
        const ink = row === null ? null : columns[at]!.inks?.[row];
        const inked = ink == null || text === '' ? text : paint(ink, text);
        return columns[at]!.right ? blanks + inked : inked + blanks;
      })
      .join(' '.repeat(columnGap))
      .trimEnd();
  const [head] = columns;
  return [
    ...head!.heads.map((_, at) =>
      line(
        columns.map(({ heads }) => heads[at] ?? ''),
        null,
      ),
    ),
    ...head!.cells.flatMap((_, at) => {
      const cells = columns.map((column) => linesIn(column.cells[at] ?? ''));
      const height = Math.max(...cells.map(({ length }) => length));
      return Array.from({ length: height }, (_, below) =>
        line(
          cells.map((lines) => lines[below] ?? ''),
          at,
        ),
      );
    }),
  ];
}

/**
 * The same where cells of the first column have several lines: heads, then the lines of each row, numbers in its first.
 *
 * @param first lines of each of its cells
 */
export function linesOfRows(
  head: string,
  first: readonly (readonly string[])[],
  others: readonly TextColumn[],
  paint?: Paint,
): { readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const [{ heads } = { heads: [''] }] = others;
  const cells = first.map((own) => own.join('\n'));
  const lines = linesOf(
    [{ heads: heads.map((_, at) => (at === 0 ? head : '')), cells, right: false }, ...others],
    paint,
  );
  const begin = (row: number) => first.slice(0, row).reduce((sum, own) => sum + own.length, heads.length);
  return {
    heads: lines.slice(0, heads.length),
    rows: first.map((_, row) => lines.slice(begin(row), begin(row + 1))),
  };
}

/**
 * Values with their intervals, drawn on one scale from 0 for all; where some are below 0, with a line there.
 *
 * @param room columns of the terminal
 * @returns null where there is no room or no interval
 */
export function drawnColumn(estimates: readonly (Estimate | null)[], room: number): TextColumn | null {
  const known = estimates.filter((one) => one?.low != null) as Estimate[];
  const ends = estimates.flatMap((one) => [one?.value, one?.low, one?.high]).filter((end) => end != null);
  if (room < narrowestStrip || known.length === 0) return null;
  const width = Math.min(widestStrip, room);
  const most = niceAbove(Math.max(...ends));
  const least = -niceAbove(-Math.min(...ends));
  const at = (value: number) =>
    Math.min(width - 1, Math.max(0, Math.round(((value - least) / (most - least)) * (width - 1))));
  const draw = (estimate: Estimate | null): string => {
    if (estimate?.value == null) return '';
    const line = Array.from({ length: width }, () => ' ');
    if (least < 0) line[at(0)] = '│';
    if (estimate.low !== null && estimate.high !== null)
      for (let place = at(estimate.low); place <= at(estimate.high); place++) line[place] = '─';
    line[at(estimate.value)] = '●';
    return line.join('').trimEnd();
  };
  const scale = Array.from({ length: width }, () => ' ');
  // An end that leaves no room for 0 stands alone.
  for (const end of new Set([0, least, most])) {
    const text = formatFixed(100 * end, end !== 0 && Math.abs(end) < 0.01 ? 1 : 0);
    const place = Math.min(at(end), width - text.length);
    scale.fill(' ', Math.max(0, place - 1), place + text.length + 1);
    scale.splice(place, text.length, ...text);
  }
  return {
    heads: [`${formatLevel(known[0]!.level)} interval`, scale.join('').trimEnd()],
    cells: estimates.map(draw),
    right: false,
  };
}

/** The next round number above; 0 of what is not above 0. */
function niceAbove(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? 10 * power;
}

/** Raised numbers for what is said of some rows beneath a table, and what is said; the same text has the same number. */
export function notedCells(texts: readonly (string | null)[]): {
  readonly marks: readonly string[];
  readonly notes: readonly string[];
} {
  const notes = [...new Set(texts.filter((text) => text !== null))];
  const marks = texts.map((text) => (text === null ? '' : raised(notes.indexOf(text))));
  return { marks, notes: notes.map((note, at) => `${raised(at)} ${note}`) };
}

/** The number of a reason beneath a table, raised. */
export function raised(index: number): string {
  return String(index + 1).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
}
