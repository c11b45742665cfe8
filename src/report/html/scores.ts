import { scaleLinear } from 'd3-scale';
import { shownDifference } from '../../model/comparison.ts';
import type { ColumnKind, Comparison, Estimate } from '../../model/finding.ts';
import type { ScoreColumn } from '../../model/scores.ts';
import { formatComparison, formatEstimate, formatLevel } from '../format/cell.ts';
import { formatSampleSize, sizeInBrief, verdictIn } from '../format/wording.ts';
import { type GapTable, gapColumns, gapNote, higherFirst } from '../prepare/gap-table.ts';
import { behindOf, intervalHead, legendOf, type ResultTable, type ScoreCell } from '../prepare/result-table.ts';
import { axisText } from './chart-scales.ts';
import { html, type Markup, verdictMark, type Ways, withWay } from './markup.ts';
import { type ForestScale, forestMark, placeOn } from './table.ts';

const maxRows = 200;
/** Of a strip, in the units of its view box; so wide it is on large screens. */
const stripWidth = 160;
/** So many ticks stand above a strip, or one more. */
const maxTicks = 2;
/** Tints of rates, each for a fifth of all words. */
const tints = 5;

/**
 * The first table of a finding: what was found, recognizers by conditions, and groups by recognizers.
 *
 * @param ways from the rates to the trials behind them
 */
export function htmlScores(table: ResultTable, id: string, ways?: Ways): Markup {
  return html`<div class="scores">
${table.found.map((sentence) => html`<p class="found"><bdi>${sentence}</bdi></p>`)}
${scoreTable(table, id, ways)}
${htmlGaps(table, id)}
</div>
`;
}

/** What stands of groups in the first table of a finding, alone. */
export function htmlGaps({ gaps, furthest }: ResultTable, id: string): Markup {
  return html`${[...gaps, ...(furthest ? [furthest] : [])].map((one, place) => gapTable(one, `${id}.gaps${place}`))}`;
}

function scoreTable(table: ResultTable, id: string, ways: Ways | undefined): Markup {
  const { caption, of, kind, columns, ranks, rows, left } = table;
  const shown = rows.slice(0, maxRows);
  const own = shown.map(({ cells }) => cells[ranks]?.estimate ?? null);
  const scale = scaleOf(own, kind === 'difference');
  const apart = scaleOf(
    shown.map(({ behind }) => behind && shownDifference(behind)),
    true,
  );
  const isCompared = shown.some(({ behind }) => behind !== null);
  const level = own.find((one) => one !== null)?.level ?? 0.95;
  const size = own.find((one) => one !== null)?.n;
  const notes = [
    legendOf(table),
    ...table.open,
    left === null ? null : `Shown: ${left}.`,
    size === undefined ? null : `${sizeInBrief(size)}.`,
  ].filter((note) => note !== null);
  return html`<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}.caption">
<table id="${id}" class="plain${columns.length > 4 ? ' many' : ''}">
<caption id="${id}.caption" class="unseen">${caption}</caption>
<thead><tr><th scope="col"><span class="unseen">${of}, </span>${caption}</th>${columns.map(({ head }, column) => html`<th scope="col" class="right${column === ranks ? ' ranks' : ''}">${head.map((line, at) => html`${at > 0 && html`<br>`}<bdi>${line}</bdi>`)}</th>`)}<th scope="col"><bdi>${intervalHead(table)}</bdi>${axisOf(scale, kind, false)}</th>${isCompared && html`<th scope="col">behind by${kind === 'rate' && ', points'} [${formatLevel(level)} interval]${axisOf(apart, kind, true)}</th>`}</tr></thead>
<tbody>
${shown.map(
  (
    { name, cells, behind },
    row,
  ) => html`<tr><th scope="row"><bdi>${name}</bdi></th>${cells.map((cell, column) => scoreCell(cell, columns[column]!.kind ?? 'rate', column === ranks, ways?.toTrials([name, ...namesOf(columns[column]!)])))}<td>${intervalCell(own[row] ?? null, scale, kind)}</td>${isCompared && html`<td class="apart">${behind && behindCell(behind, apart, kind)}</td>`}</tr>
`,
)}</tbody>
</table>
<div class="notes">${notes.map((note) => html`<p>${note}</p>`)}</div>
</div>
`;
}

/** Their colours are those of verdicts: what is best, and what is open. */
const marks = {
  lowest: ['*', 'lowest', 'good'],
  highest: ['*', 'highest', 'good'],
  told: ['*', 'beyond chance', 'told'],
  alike: ['≈', 'cannot be told from the best', 'open'],
} as const;

/** What the trials of a column are called. */
function namesOf({ rates, head }: ScoreColumn): string[] {
  return [...Object.values(rates.where ?? {}), head.join(' ')];
}

function scoreCell(cell: ScoreCell | null, kind: ColumnKind, ranks: boolean, way: string | null | undefined): Markup {
  if (cell === null) return html`<td class="right number">–</td>`;
  const [mark, meaning, tone] = cell.beside === null ? ['', '', ''] : marks[cell.beside];
  const tint = kind === 'rate' && !ranks ? Math.min(tints, Math.ceil(tints * (cell.estimate.value ?? 0))) : 0;
  return html`<td class="right number${ranks ? ' ranks' : ''}${tint > 0 ? ` worse-${tint}` : ''}" title="${formatSampleSize(cell.estimate.n)}">${withWay(html`${cell.number}`, way)}<span class="mark">${mark !== '' && html`<span class="${tone}" aria-hidden="true">${mark}</span><span class="unseen"> ${meaning}</span>`}${cell.isDoubled && html`<span class="worse" aria-hidden="true">!</span><span class="unseen"> more than doubled</span>`}</span></td>`;
}

/** From the lowest end of all intervals to the highest, with a margin; of differences with 0. Null where none has an interval. */
function scaleOf(estimates: readonly (Estimate | null)[], withZero: boolean): ForestScale | null {
  const ends = estimates.flatMap((one) => (one?.low == null || one.high === null ? [] : [one.low, one.high]));
  if (ends.length === 0) return null;
  const [low, high] = [Math.min(...ends, ...(withZero ? [0] : [])), Math.max(...ends, ...(withZero ? [0] : []))];
  const margin = 0.04 * (high - low) || 0.01;
  // No rate is below 0, whatever the margin.
  return { low: !withZero && low >= 0 ? Math.max(0, low - margin) : low - margin, high: high + margin };
}

/** Round numbers within a strip. */
function ticksOf({ low, high }: ForestScale): readonly number[] {
  return scaleLinear().domain([low, high]).ticks(maxTicks);
}

/** What a strip is drawn along. */
function axisOf(scale: ForestScale | null, kind: ColumnKind, signed: boolean): Markup | null {
  if (scale === null) return null;
  const ticks = ticksOf(scale);
  const label = (tick: number) => `${signed && tick > 0 ? '+' : ''}${axisText(tick, kind, ticks).replace(/ %$/, '')}`;
  // Words outside <text> are not drawn: they are for where the drawing is taken away and its texts stay.
  return html` <svg class="forest axis" viewBox="0 0 ${stripWidth} 12" aria-hidden="true">(scale${ticks.map((tick, at) => html`${at > 0 && ','} <text x="${placeOn(scale, stripWidth)(tick)}" y="10" text-anchor="middle">${label(tick)}</text>`)})</svg>`;
}

function strip(shown: Estimate | Comparison, scale: ForestScale | null): Markup | null {
  return scale && forestMark(shown, scale, stripWidth, ticksOf(scale));
}

function intervalCell(estimate: Estimate | null, scale: ForestScale | null, kind: ColumnKind): Markup | null {
  if (estimate === null) return null;
  const { interval, reason } = formatEstimate(estimate, kind);
  return interval === null
    ? html`<span class="quiet small">${reason}</span>`
    : html`${strip(estimate, scale)}<span class="interval">${interval}</span>`;
}

function behindCell(comparison: Comparison, scale: ForestScale | null, kind: ColumnKind): Markup {
  const { main, interval, mark } = behindOf(comparison, kind);
  return html`${strip(comparison, scale)}${main} ${interval && html`<span class="interval">${interval}</span>`}${mark && html` <span class="open" aria-hidden="true">${mark}</span><span class="unseen"> cannot be told from the lowest</span>`}`;
}

function gapTable(table: GapTable, id: string): Markup {
  const { attribute, of, kind, groups: same } = table;
  const rows = table.rows.slice(0, maxRows);
  const scale = scaleOf(
    rows.map(({ comparison }) => shownDifference(comparison)),
    true,
  );
  const { columns, gap } = gapColumns({ ...table, rows }, (estimate) =>
    estimate === null ? '–' : formatEstimate(estimate, kind).main,
  );
  const side = (row: number) =>
    columns.map(
      ({ cells, isNumber }) =>
        html`<td${isNumber && html` class="right number"`}${!isNumber && html` class="long"`}><bdi>${cells[row]}</bdi></td>`,
    );
  return html`<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}.caption">
<table id="${id}" class="plain${columns.length > 2 ? ' many' : ''}">
<caption id="${id}.caption">${attribute === null ? 'The worst group of each recognizer beside everybody' : html`By <bdi>${attribute}</bdi>`}, ${of}</caption>
<thead><tr><th scope="col">Recognizer</th>${columns.map(({ head, isNumber }) => html`<th scope="col"${isNumber && html` class="right"`}><bdi>${head}</bdi></th>`)}<th scope="col"><bdi>${gap}</bdi>${kind === 'rate' && ', points'}${axisOf(scale, kind, true)}</th><th scope="col">verdict</th></tr></thead>
<tbody>
${rows.map((row, at) => {
  const { name, comparison } = row;
  const { main, interval, pValue, open } = formatComparison(comparison, kind);
  const { groups, comparison: told } = higherFirst(row);
  const whose =
    told.verdict !== 'cannot tell' && same !== null ? html`for <bdi>${groups[0]}</bdi>` : gapNote(table, at);
  return html`<tr><th scope="row"><bdi>${name}</bdi></th>${side(at)}<td class="apart">${strip(comparison, scale)}${main.replace(/ points$/, '')} ${interval && html`<span class="interval">${interval}</span>`}</td><td title="${[pValue, open].filter(Boolean).join('; ')}">${verdictMark(verdictIn(told))}${whose !== null && html` <span class="small quiet why">${whose}</span>`}</td></tr>
`;
})}</tbody>
</table>
</div>
`;
}
