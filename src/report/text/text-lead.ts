import { formatFixed, percentDecimals, signedFixed } from '../../base/number-format.ts';
import { visibleText } from '../../base/printable.ts';
import { estimateOf, isComparison } from '../../model/comparison.ts';
import type { Cell, Column, Comparison, Estimate, Finding, Table } from '../../model/finding.ts';
import { reasonText, whatSettles } from '../../model/reason.ts';
import { dash, formatLevel } from '../format/cell.ts';
import { formatSampleSize, isVerdict, verdictIn, whyWider } from '../format/wording.ts';
import { columnGap, drawnColumn, linesOf, narrowestStrip, notedCells, type TextColumn, widthOf } from './columns.ts';
import { cutApart, cutMiddle, cutToWidth, displayWidth, type Paint, wrapToWidth } from './display-width.ts';
import { verdictInks } from './text-statement.ts';
import { inFullReport } from './text-table.ts';

const [narrowestName, widestName] = [12, 26];
/** Of the head of a rate: as wide as there is room for. */
const [narrowestSide, widestSide] = [9, 26];
const maxRows = 12;
const [narrowestText, widestText] = [12, 40];

type Row = Table['rows'][number];

/**
 * A table that leads its finding, a line a row: names, rates, how far they are apart, and the verdict with why it is open. What there is room for
 * beside that is added: the interval in figures and drawn, and further texts.
 */
export function textLead(
  tables: readonly Table[],
  {
    width,
    paint,
    conditionNames,
    sized,
  }: {
    readonly width: number;
    readonly paint: Paint;
    /** Whether it says what it rests on: the first of several does. */
    readonly sized: boolean;
  } & Required<Pick<Finding, 'conditionNames'>>,
): string[] {
  const [table] = tables;
  const all = tables.flatMap((one, at) => namedRows(one, at, conditionNames)).filter((row) => isAnswered(table!, row));
  const rows = shownRows(all);
  const of = (kinds: readonly Column['kind'][]) => table!.columns.filter(({ kind }) => kinds.includes(kind));
  const behindNumbers = table!.columns.slice(firstNumber(table!));
  const rates = of(['rate', 'points']);
  const apart = of(['difference'])[0];
  const isWay = rates.length === 1;
  const differences = rows.map((row) => (apart === undefined ? null : row[apart.key]));
  const open = notedCells(differences.map((cell, at) => whyOpen(cell, at === 0)));
  const isChanged = apart !== undefined && (!isWay || differences.some((cell) => estimateOf(cell) !== null));
  const change = isChanged
    ? [changeColumn(isWay ? 'since' : table!.ofNames ? 'difference' : 'change', differences)]
    : [];
  const wholeVerdict = of(['verdict'])
    .map(({ key }) => verdictColumn(rows, key, differences, { marks: open.marks, openAlone: table!.ofNames ?? false }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const interval = apart === undefined ? [] : [intervalColumn(differences)];
  const longest = Math.min(widestName, Math.max(...rows.map((row) => displayWidth(visibleText(String(row[nameKey]))))));
  const around = (column: readonly TextColumn[]) => [...change, ...column, ...(isWay ? [] : interval)];
  const roomBeside = (column: readonly TextColumn[], name: number) =>
    width - widthOf(around(column)) - name - 2 * columnGap;
  // Of two names the one that is shown to be lower, in each row.
  const lower = rows.map((row) => (table!.ofNames ? lowerIn(row) : null));
  const whole = sidesWithin(rates, rows, roomBeside(wholeVerdict, longest), lower);
  // Rather than a name is cut, words of a verdict go on in a second line, and names of rows too.
  const isCut = whole.some(({ heads }) => heads.some((line) => line.includes('…')));
  const verdict = isCut ? wholeVerdict.map(inLines) : wholeVerdict;
  const sides = isCut ? sidesWithin(rates, rows, roomBeside(verdict, narrowestName), lower) : whole;
  const behind = [...sides, ...change, ...verdict];
  const taken = widthOf([...sides, ...around(verdict)]) + columnGap;
  const maxNameWidth = Math.max(narrowestName, Math.min(widestName, width - taken));
  const corner = {
    heads: [cutToWidth(visibleText(table!.leads ?? ''), maxNameWidth)],
    // A name of several words goes on in its next line.
    cells: rows.map((row) =>
      wrapToWidth(visibleText(String(row[nameKey])), maxNameWidth)
        .map((line) => cutMiddle(line, maxNameWidth))
        .join('\n'),
    ),
    right: false,
  };
  const shown: { readonly place: number; readonly column: TextColumn }[] = [];
  const left = () => width - widthOf([corner, ...behind, ...shown.map(({ column }) => column)]) - columnGap;
  const add = (place: number, column: TextColumn | null) => {
    if (column !== null && widthOf([column]) <= left()) shown.push({ place, column });
  };
  // A single rate is drawn before all else: its way is what the table shows.
  if (isWay) {
    const texts = behindNumbers.filter(({ kind, key, transcript }) => kind === 'text' && key !== 'why' && !transcript);
    const widest = narrowestStrip + (texts.some(({ key }) => key === 'without') ? 0 : 4);
    add(
      0,
      drawnColumn(
        rows.map((row) => estimateOf(row[rates[0]!.key])),
        Math.min(left(), widest),
      ),
    );
    for (const { key, label } of texts) {
      const room = Math.min(widestText, left());
      const texts = rows.map((row) => visibleText(String(row[key] ?? '')));
      const cells = texts.map((text) => (text.includes(' ') ? cutToWidth : cutMiddle)(text, room));
      if (room >= narrowestText && cells.some((cell) => cell !== ''))
        add(3, { heads: [cutToWidth(visibleText(label), room)], cells, right: false });
    }
  }
  for (const column of interval) add(1, column);
  if (!isWay) {
    const strip = drawnColumn(differences.map(estimateOf), left());
    // Its level stands above the figures.
    add(2, strip && { ...strip, heads: [strip.heads[1]!] });
  }
  const at = (place: number) => shown.flatMap((one) => (one.place === place ? [one.column] : []));
  const columns = [corner, ...sides, ...at(0), ...change, ...at(1), ...at(2), ...verdict, ...at(3)];
  const tall = Math.max(...columns.map(({ heads }) => heads.length));
  const level = columns.map((column) => ({
    ...column,
    heads: [...Array.from({ length: tall - column.heads.length }, () => ''), ...column.heads],
  }));
  const { pairs: _, ...size } = differences.map(estimateOf).find((one) => one !== null)?.n ?? {
    utterances: 0,
    speakers: 0,
  };
  const notes = [
    ...(lower.some((one) => one !== null) ? ['* shown to be the lower'] : []),
    ...open.notes,
    ...(isWay && isChanged ? [`since: ${apart.label.toLowerCase()}.`] : []),
    ...(size.utterances === 0 || isWay || !sized ? [] : [`${formatSampleSize(size)}.`]),
    ...(rows.length < all.length ? [`… ${all.length - rows.length} more rows ${inFullReport}`] : []),
  ];
  // Of the first line of each row, its number.
  const height = (row: number) => Math.max(...columns.map(({ cells }) => (cells[row] ?? '').split('\n').length));
  const rowAt = rows.flatMap((_, row) => Array.from({ length: height(row) }, (_, below) => (below === 0 ? row : 0)));
  const begins = (row: number) => row > 0 && rows[row]![tableKey] !== rows[row - 1]![tableKey];
  return [
    ...linesOf(level, paint).flatMap((line, at) =>
      at < tall ? [paint('quiet', line)] : begins(rowAt[at - tall] ?? 0) ? ['', line] : [line],
    ),
    ...notes.flatMap((note) => wrapToWidth(visibleText(note), width)).map((line) => paint('quiet', line)),
  ];
}

/** Where the texts stand together that name a row. */
const nameKey = 'lead name';
/** Which of the tables a row is of. */
const tableKey = 'lead table';
const firstNumber = ({ columns }: Table) => columns.findIndex(({ kind }) => kind !== 'text');

/** Whether it has a rate, where there are rates. */
function isAnswered({ columns }: Table, row: Row): boolean {
  const rates = columns.filter(({ kind }) => kind === 'rate');
  return rates.length === 0 || rates.some(({ key }) => row[key] != null);
}

/** `accent british`, `everybody` */
const nameOf = (texts: readonly Cell[]) => texts.slice(texts.length > 1 && texts[0] === 'all' ? 1 : 0).join(' ');

function namedRows(table: Table, at: number, called: Readonly<Record<string, string>>): Row[] {
  const names = table.columns.slice(0, firstNumber(table)).map(({ key }) => key);
  const cell = (row: Row, key: string) =>
    (key === 'condition' ? (called[String(row[key])] ?? row[key]) : row[key]) ?? '';
  return table.rows.map((row) => ({
    ...row,
    [tableKey]: at,
    [nameKey]: nameOf(names.map((key) => (key === 'comparedWith' ? `− ${cell(row, key)}` : cell(row, key)))),
  }));
}

/** Tables that lead a finding: those of the same numbers stand as one. */
export function leadTables(tables: readonly Table[]): readonly (readonly Table[])[] {
  const leads = tables.filter((one) => one.leads !== undefined);
  const numbers = (table: Table) =>
    JSON.stringify(table.columns.slice(firstNumber(table)).map(({ key, label }) => [key, label]));
  return [...Map.groupBy(leads, numbers).values()];
}

const wanted: readonly unknown[] = ['worse', 'better', 'cannot tell'];

/** The first and the last, and of the others those that tell most, where there are too many. */
function shownRows(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= maxRows) return rows;
  const rank = ({ verdict }: Row, at: number) => {
    if (at === 0 || at === rows.length - 1) return -1;
    const place = wanted.indexOf(verdict);
    return place < 0 ? wanted.length : place;
  };
  const ranked = rows
    .map((row, at) => ({ at, rank: rank(row, at) }))
    .toSorted((a, b) => a.rank - b.rank || b.at - a.at);
  const kept = new Set(ranked.slice(0, maxRows).map(({ at }) => at));
  return rows.filter((_, at) => kept.has(at));
}

const points = (value: number) => signedFixed(100 * value, 1);

/** Names are cut where nothing else is left: above their rates they stand whole, or in lines. */
function sidesWithin(
  rates: readonly Column[],
  rows: readonly Row[],
  room: number,
  lower: readonly (number | null)[],
): TextColumn[] {
  let side = widestSide;
  const labels = rates.map(({ label }) => visibleText(label));
  const columns = () => {
    const heads = labels.map((label) => headOf(label, side));
    const isAlike = new Set(heads.map((lines) => lines.join('\n'))).size < new Set(labels).size;
    const shown = isAlike ? cutApart(labels, side).map((label) => [label]) : heads;
    return rates
      .map((column, at) => rateColumn(column, rows, shown[at]!))
      .map((column, side) =>
        markedWhere(
          column,
          lower.map((one) => (one === null ? null : one === side)),
        ),
      );
  };
  while (side > narrowestSide && widthOf(columns()) > room) side--;
  return columns();
}

/** Which of two rates is shown to be the lower one. */
function lowerIn(row: Row): number | null {
  const verdict = Object.values(row).find(isComparison)?.verdict;
  return verdict === 'better' ? 1 : verdict === 'worse' ? 0 : null;
}

/** With a star where it is so; as wide in every cell. */
function markedWhere(column: TextColumn, marks: readonly (boolean | null)[]): TextColumn {
  if (marks.every((one) => one === null)) return column;
  return { ...column, cells: column.cells.map((cell, at) => `${cell}${marks[at] ? '*' : ' '}`) };
}

function rateColumn({ key }: Column, rows: readonly Row[], heads: readonly string[]): TextColumn {
  const values = rows.map((row) => estimateOf(row[key])?.value ?? null);
  const decimals = Math.min(...values.map((value) => (value === null ? 2 : percentDecimals(value))));
  return {
    heads,
    cells: values.map((value) => (value === null ? dash : formatFixed(100 * value, decimals))),
    right: true,
  };
}

/** A label in lines of so many columns, where it has a place to break. */
function headOf(label: string, side: number): string[] {
  const lines: string[] = [];
  for (const part of label.match(/[^-_ .:/]+[-_ .:/]*|[-_ .:/]+/gu) ?? []) {
    const longer = `${lines.at(-1) ?? ''}${part}`;
    if (lines.length > 0 && displayWidth(longer.trim()) <= side) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines.map((line) => cutMiddle(line.trim(), side));
}

function changeColumn(head: string, cells: readonly (Cell | undefined)[]): TextColumn {
  const values = cells.map((cell) => estimateOf(cell)?.value ?? null);
  return {
    heads: [head],
    cells: values.map((value) => (value === null ? '' : points(value))),
    right: true,
  };
}

function intervalColumn(cells: readonly (Cell | undefined)[]): TextColumn {
  const known = cells.map(estimateOf);
  return {
    heads: [`${formatLevel(known.find((one) => one !== null)?.level ?? 0.95)} interval`],
    cells: known.map((one) => (one === null ? '' : intervalText(one))),
    right: true,
  };
}

const intervalText = ({ low, high }: Estimate) =>
  low === null || high === null ? dash : `${points(low)} to ${points(high)}`;

/** `openAlone`: of two names who is better is marked in the rates. */
function verdictColumn(
  rows: readonly Row[],
  key: string,
  compared: readonly (Cell | undefined)[],
  { marks, openAlone }: { readonly marks: readonly string[]; readonly openAlone: boolean },
): TextColumn {
  const verdicts = rows.map((row) => row[key]);
  return {
    heads: [''],
    cells: verdicts.map((verdict, at) => {
      if (!isVerdict(verdict)) return '';
      const cell = compared[at];
      if (openAlone && verdict !== 'cannot tell') return '';
      const { mark, word } = verdictIn(isComparison(cell) ? cell : { verdict });
      return `${mark} ${word}${marks[at]}`;
    }),
    inks: verdicts.map((verdict) => (isVerdict(verdict) ? verdictInks[verdict] : null)),
    right: false,
  };
}

const widestInLines = 12;

/** `? too few`, and `speakers` beneath it. */
const inLines = (column: TextColumn): TextColumn => ({
  ...column,
  cells: column.cells.map((cell) => wrapToWidth(cell, widestInLines).join('\n  ')),
});

/** What the word of an open verdict leaves out: of whom there are too few, why its interval is wider; of the first row also what would settle it. */
function whyOpen(cell: Cell | undefined, first: boolean): string | null {
  const open = isComparison(cell) ? cell.open : undefined;
  if (open === undefined || open.reason.code === 'unchanged') return null;
  const isShown = open.reason.code === 'holds-nothing';
  const why = whyWider(cell as Comparison) ?? (isShown ? null : reasonText(open.reason));
  const parts = [why, first || !isShown ? whatSettles(open) : null].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('; ');
}
