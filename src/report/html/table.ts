import { limitText } from '../../base/limit-text.ts';
import type { Cell, Column, Table } from '../../model/finding.ts';
import { formatCell, type ShownCell } from '../format/cell.ts';
import { verdictWording } from '../format/verdict.ts';
import { shownRows } from '../prepare/shown-rows.ts';
import { html, type Markup, verdictMark } from './markup.ts';

export interface TableOptions {
  /** Unique in the page, made by us. */
  readonly id: string;
  readonly rows: number;
  /** Whether little pictures of the intervals stand in the cells. */
  readonly forest: boolean;
  /** Whether its rows may be put in another order. */
  readonly sortable: boolean;
  /** Whether the caption is only for those who cannot see what stands above. */
  readonly unseenCaption?: boolean;
}

const maxForestRows = 100;
const maxCellCharacters = 600;

/** Names up to this long stay on one line. */
const shortText = 24;

/** Longer tables scroll in their box under a head that stays. */
const deepRows = 25;

/** A table in its own scrolling box, with the reasons for its dashes at its foot. */
export function htmlTable(table: Table, { id, rows: maxRows, forest, sortable, unseenCaption }: TableOptions): Markup {
  if (table.rows.length === 0) return html`<p class="text"><bdi>${table.title}</bdi>: none.</p>`;
  const rows = table.rows.slice(0, maxRows);
  const reasons: string[] = [];
  const cells = shownRows(table, maxRows);
  const right = table.columns.map((_, index) => cells.some((row) => row[index]?.numeric === true));
  const scales = table.columns.map((column) =>
    forest && rows.length <= maxForestRows ? forestScale(rows.map((row) => row[column.key])) : null,
  );
  const head = Math.max(
    0,
    table.columns.findIndex((column) => column.kind === 'text'),
  );
  const body = rows.map((row, at) => {
    const parts = table.columns.map((column, index) => {
      const shown = cells[at]?.[index] ?? formatCell(null, column.kind);
      return index === head && !right[index]
        ? html`<th scope="row"${shown.main.length <= shortText ? html` class="short"` : null}${orderAttribute(shown)}><bdi>${limitText(shown.main, maxCellCharacters)}</bdi></th>`
        : dataCell(shown, right[index] === true, reasons, picture(scales[index], row[column.key]));
    });
    return html`<tr>${parts}</tr>\n`;
  });
  const left = table.rows.length - rows.length;
  return html`<div class="scroll${rows.length > deepRows ? ' deep' : ''}" role="region" tabindex="0" aria-labelledby="${id}-caption">
<table class="${sortable && rows.length > 1 ? 'sortable' : 'plain'}">
<caption id="${id}-caption"><span${unseenCaption ? html` class="unseen"` : null}>${table.title}</span></caption>
<thead><tr>${table.columns.map((column, index) => columnHead(column, right[index] === true))}</tr></thead>
<tbody>
${body}</tbody>
</table>
${(reasons.length > 0 || table.note || left > 0) && notes(reasons, table.note, left)}
</div>
`;
}

function columnHead(column: Column, right: boolean): Markup {
  return html`<th scope="col"${right ? html` class="right"` : null}${column.help ? html` title="${column.help}"` : null}><bdi>${column.label}</bdi></th>`;
}

function picture(scale: ForestScale | null | undefined, cell: Parameters<typeof forestMark>[0]): Markup | null {
  return scale ? forestMark(cell, scale) : null;
}

function dataCell(shown: ShownCell, right: boolean, reasons: string[], drawing: Markup | null): Markup {
  const { main, interval, verdict, pValue, reason, n, method } = shown;
  const hint = [n, method].filter(Boolean).join('. ');
  const said = [main, interval, verdict, pValue, reason].filter(Boolean).join(' ');
  const text = limitText(main, maxCellCharacters);
  const isWord = verdict !== null && main === verdictWording[verdict].word;
  const kind = right ? 'right number' : text.length > 40 ? 'long' : text.length <= shortText ? 'short' : '';
  return html`<td${kind ? html` class="${kind}"` : null}${orderAttribute(shown)}${hint ? html` title="${hint}"` : null}${interval || reason ? html` data-text="${said}"` : null}>${verdict && html`${verdictMark(verdict)} `}${!isWord && html`<bdi>${text}</bdi>`}${
    reason && html`<sup>${marker(reason, reasons)}</sup>`
  }${interval && html` <span class="interval">${interval}</span>`}${pValue && html` <span class="interval">${pValue}</span>`}${drawing}</td>`;
}

function orderAttribute({ order }: ShownCell): Markup | null {
  return order === null ? null : html` data-order="${typeof order === 'string' ? limitText(order, 100) : order}"`;
}

/** The number of a reason among the notes; the same reason has one note. */
function marker(reason: string, reasons: string[]): Markup {
  if (!reasons.includes(reason)) reasons.push(reason);
  const number = reasons.indexOf(reason) + 1;
  return html`<span class="unseen">, see note </span>${number}`;
}

function notes(reasons: readonly string[], note: string | undefined, left: number): Markup {
  return html`<div class="notes">${note && html`<p>${note}</p>`}${
    left > 0 && html`<p>${left} more rows are in the JSON of this report.</p>`
  }${reasons.length > 0 && html`<ol>${reasons.map((reason) => html`<li>${reason}</li>`)}</ol>`}</div>`;
}

/** The stretch that a column's little interval pictures cover. */
interface ForestScale {
  readonly low: number;
  readonly high: number;
}

/**
 * The common scale of a column, so that its intervals can be compared by eye; null where there are too few of them to
 * compare. Zero is always on it.
 */
function forestScale(cells: readonly (Cell | undefined)[]): ForestScale | null {
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

/** A value and its interval as a dot on a line. Only a picture of what stands beside it, so it is silent. */
function forestMark(cell: Cell | undefined, scale: ForestScale): Markup | null {
  const estimate = estimateOf(cell);
  if (!estimate || estimate.low === null || estimate.high === null) return null;
  const at = (value: number) => (2 + (92 * (value - scale.low)) / (scale.high - scale.low)).toFixed(1);
  return html`<svg class="forest" viewBox="0 0 96 12" aria-hidden="true">
${scale.low < 0 && html`<line class="zero" x1="${at(0)}" x2="${at(0)}" y1="0" y2="12"/>`}
<line class="span" x1="${at(estimate.low)}" x2="${at(estimate.high)}" y1="6" y2="6"/>
${estimate.value !== null && html`<circle class="dot" cx="${at(estimate.value)}" cy="6" r="3.5"/>`}</svg>`;
}

function estimateOf(cell: Cell | undefined) {
  if (typeof cell !== 'object' || cell === null) return null;
  return 'verdict' in cell ? cell.difference : cell;
}
