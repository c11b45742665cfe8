import { grouped } from '../../base/number-format.ts';
import { limitText } from '../../base/printable.ts';
import { estimateOf } from '../../model/comparison.ts';
import type { Cell, Column, Table } from '../../model/finding.ts';
import { formatCell, type ShownCell } from '../format/cell.ts';
import { shownRows } from '../prepare/shown-rows.ts';
import { html, type Markup, spokenIn, verdictMark, type Ways, withWay } from './markup.ts';

export interface TableOptions {
  /** Unique in the page, made by us. */
  readonly id: string;
  readonly rows: number;
  /** Whether little pictures of the intervals stand in the cells, `wide` ones before the numbers. */
  readonly forest: boolean | 'wide';
  /** Whether its rows may be put in another order. */
  readonly sortable: boolean;
  /** Whether the caption is only for those who cannot see what stands above. */
  readonly unseenCaption?: boolean;
  /** Of words that were said (BCP 47), where all are in one; empty: not known. */
  readonly language?: string;
  readonly ways?: Ways | undefined;
}

const maxForestRows = 100;
const maxCellCharacters = 600;

/** With more columns the little pictures would push the last out of sight. */
const maxForestColumns = 9;

/** Names up to this long stay on one line. */
const shortText = 24;

/** A column of longer texts stands behind the numbers, which must be seen without scrolling. */
const longText = 40;

/** More columns than this, all of one kind (a group each), are turned into rows. */
const maxColumns = 12;

/** Longer tables scroll in their box under a head that stays. */
const deepRows = 25;

/** More sizes and methods than this differ from cell to cell, and are told with the cell. */
const maxCommon = 2;

/** A table in its own scrolling box, with what holds for its numbers and the reasons for its dashes at its foot. */
export function htmlTable(given: Table, options: TableOptions): Markup {
  if (given.rows.length === 0) return html`<p class="text"><bdi>${given.title}</bdi>: none.</p>`;
  const { id, rows: maxRows, forest, sortable, unseenCaption, language = '', ways } = options;
  const table = withoutEmpty(inOrder(upright(given)));
  const rows = table.rows.slice(0, maxRows);
  const cells = shownRows(table, maxRows);
  const foot: Foot = { reasons: [], common: commonDetails(cells.flat()) };
  const left = table.rows.length - rows.length;
  const units = table.columns.map((column, index) => unitOf(column, cells, index));
  const right = table.columns.map((_, index) => cells.some((row) => row[index]?.numeric === true));
  const pictured = forest && rows.length <= maxForestRows && table.columns.length <= maxForestColumns;
  const scales = table.columns.map(({ key }) => (pictured ? forestScale(rows.map((row) => row[key])) : null));
  const head = headOf(table);
  const body = rows.map((row, at) => {
    const texts = ways ? table.columns.flatMap(({ key }) => (typeof row[key] === 'string' ? [row[key]] : [])) : [];
    const parts = table.columns.map((column, index) => {
      const shown = cells[at]?.[index] ?? formatCell(null, column.kind);
      const said = column.transcript ? spokenIn(language) : null;
      if (index === head && !right[index]) {
        const name = withWay(html`<bdi>${limitText(shown.main, maxCellCharacters)}</bdi>`, rowWay(table, row, ways));
        return html`<th scope="row"${shown.main.length <= shortText ? html` class="short"` : null}${said}${orderAttribute(shown)}>${name}</th>`;
      }
      const cell = { ...shown, main: withoutUnit(shown.main, units[index]) };
      const drawing = picture(scales[index], row[column.key], forest === 'wide' ? 288 : 96);
      // A rate is of the trials that stand beside it; what compares, averages or counts is of more, or of others.
      const way = isRate(row[column.key], column, table.title)
        ? ways?.toTrials([...texts, column.label, table.title])
        : null;
      return dataCell(cell, { right: right[index] === true, foot, drawing, said, given: row[column.key], way });
    });
    return html`<tr>${parts}</tr>\n`;
  });
  return html`<div class="scroll${rows.length > deepRows ? ' deep' : ''}" role="group" tabindex="0" aria-labelledby="${id}.caption">
<table id="${id}" class="${sortable && rows.length > 1 && left === 0 ? 'sortable' : 'plain'}">
<caption id="${id}.caption"><span${unseenCaption ? html` class="unseen"` : null}>${table.title}</span></caption>
<thead><tr>${table.columns.map((column, index) => columnHead(column, right[index] === true, units[index]))}</tr></thead>
<tbody>
${body}</tbody>
</table>
${notes(foot, table.note, left)}
</div>
`;
}

/** Means over several conditions or data sets stand in tables and under heads that say so, and rates of something else than words under others. */
const averaged = /^By |by language and corpus/;
const averagedHead = /\bmean\b/i;
const otherRate = /character|CER|share|failed|lost|deleted|substituted|inserted/i;

function isRate(cell: Cell | undefined, { kind, label }: Column, title: string): boolean {
  if (kind !== 'rate' || averaged.test(title) || averagedHead.test(label) || otherRate.test(label)) return false;
  return typeof cell === 'object' && cell !== null && !('verdict' in cell) && cell.value !== null;
}

/** Columns whose texts tell of other trials than those of their row. */
const tellsOfOthers: readonly string[] = ['why', 'reason', 'message'];

/** Where the numbers of a row lead that have no way of their own: from its name. */
function rowWay({ columns, title }: Table, row: Table['rows'][number], ways: Ways | undefined): string | null {
  if (ways === undefined) return null;
  const texts = columns.flatMap(({ key, transcript }) => {
    const text = row[key];
    return typeof text === 'string' && !transcript && !tellsOfOthers.includes(key) ? [text] : [];
  });
  const utterance = row.utterance ?? row.utteranceId;
  const { said, heard } = row;
  const confused = typeof said === 'string' && typeof heard === 'string' ? ([said, heard] as const) : null;
  return ways.toRow([...texts, title], typeof utterance === 'string' ? utterance : null, confused);
}

/** What stands at the foot of a table. */
interface Foot {
  readonly reasons: string[];
  /** Sizes and methods that are told once; others are told with their cells. */
  readonly common: { readonly sizes: readonly string[]; readonly methods: readonly string[] };
}

/** A text that no row has tells nothing: a column of reasons where nothing is without. Files keep it. */
function withoutEmpty({ columns, rows, ...table }: Table): Table {
  const told = columns.filter(
    ({ key, kind }) => kind !== 'text' || rows.some((row) => row[key] != null && row[key] !== ''),
  );
  return { ...table, columns: told.length === 0 ? columns : told, rows };
}

/** The names of the rows stand first, then what is short, then the long texts. */
function inOrder(table: Table): Table {
  const { columns, rows } = table;
  const isLong = ({ key, kind }: Column) =>
    kind === 'text' && rows.some((row) => typeof row[key] === 'string' && row[key].length > longText);
  const head = columns[headOf(table)];
  const [long, short] = [columns, columns].map((all, place) =>
    all.filter((column) => column !== head && isLong(column) === (place === 0)),
  ) as [Column[], Column[]];
  return { ...table, columns: [...(head ? [head] : []), ...short, ...long] };
}

/** A table with a column for each group, many of them, lies down: a row for each group. */
function upright(table: Table): Table {
  const [head, ...others] = table.columns;
  const [kind] = others.map((column) => column.kind);
  if (head?.kind !== 'text' || kind === 'text' || others.length < maxColumns || table.rows.length > maxColumns)
    return table;
  if (others.some((column) => column.kind !== kind)) return table;
  return {
    ...table,
    columns: [
      { ...head, label: 'Name' },
      ...table.rows.map((row, at) => ({ key: `r${at}`, label: String(row[head.key] ?? ''), kind: kind! })),
    ],
    rows: others.map(({ key, label }) => ({
      [head.key]: label,
      ...Object.fromEntries(table.rows.map((row, at) => [`r${at}`, row[key] ?? null])),
    })),
  };
}

function headOf({ columns }: Table): number {
  return Math.max(
    0,
    columns.findIndex((column) => column.kind === 'text'),
  );
}

function commonDetails(cells: readonly ShownCell[]): Foot['common'] {
  const few = (all: readonly (string | null)[]) => {
    const different = [...new Set(all.filter((one) => one !== null))];
    return different.length <= maxCommon ? different : [];
  };
  const sizes = few(cells.map(({ n }) => n));
  return { sizes: sizes.length === 1 ? sizes : [], methods: few(cells.map(({ method }) => method)) };
}

const units: readonly (readonly [unit: string, head: string])[] = [
  [' %', '%'],
  [' points', 'points'],
  [' ms', 'ms'],
  [' s', 's'],
  [' min', 'min'],
  [' h', 'h'],
  [' dB', 'dB'],
];

/** The unit that all numbers of a column have; it stands in the head, and no more in the cells. */
function unitOf({ kind }: Column, cells: readonly (readonly ShownCell[])[], index: number): string | undefined {
  if (kind === 'text' || kind === 'verdict') return undefined;
  const numbers = cells.flatMap((row) => (row[index]?.order == null ? [] : [row[index].main]));
  if (numbers.length === 0) return undefined;
  return units.find(([unit]) => numbers.every((number) => number.endsWith(unit)))?.[0];
}

function withoutUnit(main: string, unit: string | undefined): string {
  return unit !== undefined && main.endsWith(unit) ? main.slice(0, -unit.length) : main;
}

function columnHead(column: Column, right: boolean, unit: string | undefined): Markup {
  const said = units.find(([one]) => one === unit)?.[1];
  const apart = said !== undefined && !column.label.endsWith(`(${said})`);
  const copied = said ?? (column.kind === 'seconds' ? 's' : undefined);
  return html`<th scope="col"${copied !== undefined && html` data-unit="${copied}"`}${right ? html` class="right"` : null}${column.help ? html` title="${column.help}"` : null}><bdi>${column.label}</bdi>${apart && html` <span class="unit">${said}</span>`}</th>`;
}

function picture(scale: ForestScale | null | undefined, cell: Cell | undefined, width: number): Markup | null {
  return scale ? forestMark(cell, scale, width) : null;
}

interface DataCell {
  readonly right: boolean;
  readonly foot: Foot;
  readonly drawing: Markup | null;
  readonly said: Markup | null;
  readonly given: Cell | undefined;
  readonly way: string | null | undefined;
}

function dataCell(shown: ShownCell, { right, foot, drawing, said, given, way }: DataCell): Markup {
  const { main, interval, verdict, pValue, open, reason, n, method } = shown;
  const { sizes, methods } = foot.common;
  const own = [n !== null && !sizes.includes(n) && n, open, method !== null && !methods.includes(method) && method];
  const hint = own.filter(Boolean).join('. ');
  const text = limitText(main, maxCellCharacters);
  const isWord = verdict !== null && main === verdict.word;
  const kind = right ? 'right number' : text.length > longText ? 'long' : text.length <= shortText ? 'short' : '';
  return html`<td${kind ? html` class="${kind}"` : null}${said}${orderAttribute(shown)}${boundsAttributes(given)}${hint ? html` title="${hint}"` : null}>${verdict && html`${verdictMark(verdict)} `}${!isWord && withWay(html`<bdi>${text}</bdi>`, way)}${
    reason && html`<sup>${marker(reason, foot.reasons)}</sup>`
  }${interval && html` <span class="interval">${interval}</span>`}${pValue && html` <span class="interval">${pValue}</span>`}${drawing}</td>`;
}

function orderAttribute({ order }: ShownCell): Markup | null {
  return order === null ? null : html` data-order="${typeof order === 'string' ? limitText(order, 100) : order}"`;
}

/** For those who copy the table. */
function boundsAttributes(cell: Cell | undefined): Markup | null {
  const estimate = estimateOf(cell);
  return estimate?.low == null || estimate.high === null
    ? null
    : html` data-low="${estimate.low}" data-high="${estimate.high}"`;
}

/** The number of a reason among the notes; the same reason has one note. */
function marker(reason: string, reasons: string[]): Markup {
  if (!reasons.includes(reason)) reasons.push(reason);
  const number = reasons.indexOf(reason) + 1;
  return html`<span class="unseen">, see note </span>${number}`;
}

function notes({ reasons, common }: Foot, note: string | undefined, left: number): Markup | null {
  const { sizes, methods } = common;
  const rests = [...sizes.map((size) => `n: ${size}.`), ...methods.map((method) => `${method}.`)];
  if (reasons.length === 0 && rests.length === 0 && note === undefined && left === 0) return null;
  return html`<div class="notes">${note && html`<p>${note}</p>`}${
    left > 0 &&
    html`<p class="cut">${grouped(left)} more rows are in the JSON of this report and in the CSV of this table. The rows that stand here are the first, not the greatest: only the whole table can be sorted.</p>`
  }${rests.length > 0 && html`<p>${rests.join(' ')}</p>`}${reasons.length > 0 && html`<ol>${reasons.map((reason) => html`<li>${reason}</li>`)}</ol>`}</div>`;
}

/** The stretch that a column's little interval pictures cover. */
export interface ForestScale {
  readonly low: number;
  readonly high: number;
}

/**
 * The common scale of a column, so that its intervals can be compared by eye; null where there are too few of them to
 * compare. Zero is always on it.
 */
export function forestScale(cells: readonly (Cell | undefined)[]): ForestScale | null {
  const estimates = cells.map(estimateOf).filter((estimate) => estimate?.low != null && estimate.high != null);
  if (estimates.length < 2) return null;
  let low = 0;
  let high = 0;
  for (const estimate of estimates) {
    low = Math.min(low, estimate?.low ?? 0);
    high = Math.max(high, estimate?.high ?? 0);
  }
  return high > low ? { low, high } : null;
}

/** Where a value stands in a little picture of some width. */
export const placeOn =
  ({ low, high }: ForestScale, width: number) =>
  (value: number) =>
    (2 + ((width - 4) * (value - low)) / (high - low)).toFixed(1);

/**
 * A value and its interval as a dot on a line. Only a picture of what stands beside it, so it is silent.
 *
 * @param ticks lines that all pictures of a column share
 */
export function forestMark(
  cell: Cell | undefined,
  scale: ForestScale,
  width: number,
  ticks: readonly number[] = [],
): Markup | null {
  const estimate = estimateOf(cell);
  if (!estimate || estimate.low === null || estimate.high === null) return null;
  const at = placeOn(scale, width);
  return html`<svg class="forest" viewBox="0 0 ${width} 12" aria-hidden="true">${ticks.map((tick) => html`<line class="tick" x1="${at(tick)}" x2="${at(tick)}" y1="-6" y2="18"/>`)}
${scale.low < 0 && html`<line class="zero" x1="${at(0)}" x2="${at(0)}" y1="0" y2="12"/>`}
<line class="span" x1="${at(estimate.low)}" x2="${at(estimate.high)}" y1="6" y2="6"/>
${estimate.value !== null && html`<circle class="dot" cx="${at(estimate.value)}" cy="6" r="3.5"/>`}</svg>`;
}
