import type { ColumnKind, Comparison, Estimate } from '../../model/finding.ts';
import type { ScoreColumn } from '../../model/scores.ts';
import { bareNumber, formatComparison, formatEstimate, formatLevel } from '../format/cell.ts';
import { formatSampleSize, whyOpenInBrief } from '../format/wording.ts';
import { type GapTable, gapColumns, higherFirst } from '../prepare/gap-table.ts';
import { legendOf, type ResultTable, type ScoreCell } from '../prepare/result-table.ts';
import { html, type Markup, verdictMark, type Ways, withWay } from './markup.ts';
import { type ForestScale, forestMark } from './table.ts';

const maxRows = 200;
/** Columns of the strip; the style has the same. */
const stripWidth = 128;

/**
 * The first table of a finding: what was found, recognizers by conditions, and groups by recognizers.
 *
 * @param ways from the rates to the trials behind them
 */
export function htmlScores(table: ResultTable, id: string, ways?: Ways): Markup {
  return html`<div class="scores">
${table.found.map((sentence) => html`<p class="found"><bdi>${sentence}</bdi></p>`)}
${scoreTable(table, id, ways)}
${[...table.gaps, ...(table.furthest ? [table.furthest] : [])].map((gaps, place) => gapTable(gaps, `${id}.gaps${place}`))}
</div>
`;
}

function scoreTable(table: ResultTable, id: string, ways: Ways | undefined): Markup {
  const { caption, of, kind, columns, ranks, rows, left } = table;
  const shown = rows.slice(0, maxRows);
  const own = shown.map(({ cells }) => cells[ranks]?.estimate ?? null);
  const scale = scaleOf(own, kind === 'difference');
  const apart = scaleOf(
    shown.map(({ behind }) => behind?.difference ?? null),
    true,
  );
  const isCompared = shown.some(({ behind }) => behind !== null);
  const level = own.find((one) => one !== null)?.level ?? 0.95;
  const size = own.find((one) => one !== null)?.n;
  const notes = [
    legendOf(table),
    ...table.open,
    left === null ? null : `Shown: ${left}.`,
    size === undefined ? null : `${formatSampleSize(size)}.`,
  ].filter((note) => note !== null);
  return html`<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}.caption">
<table id="${id}" class="plain">
<caption id="${id}.caption">${caption}</caption>
<thead><tr><th scope="col">${of}</th>${columns.map(({ head }) => html`<th scope="col" class="right"><bdi>${head.join(' ')}</bdi></th>`)}<th scope="col">${formatLevel(level)} interval${endsOf(scale, kind, false)}</th>${isCompared && html`<th scope="col">more than the lowest${kind === 'rate' && ', points'}${endsOf(apart, kind, true)}</th>`}</tr></thead>
<tbody>
${shown.map(
  (
    { name, cells, behind },
    row,
  ) => html`<tr><th scope="row"><bdi>${name}</bdi></th>${cells.map((cell, column) => scoreCell(cell, ways?.toTrials([name, ...namesOf(columns[column]!)])))}<td>${intervalCell(own[row] ?? null, scale, kind)}</td>${isCompared && html`<td>${behind && behindCell(behind, apart, kind)}</td>`}</tr>
`,
)}</tbody>
</table>
<div class="notes">${notes.map((note) => html`<p>${note}</p>`)}</div>
</div>
`;
}

const marks = {
  lowest: ['*', 'lowest'],
  highest: ['*', 'highest'],
  told: ['*', 'beyond chance'],
  alike: ['≈', 'cannot be told from the best'],
} as const;

/** What the trials of a column are called. */
function namesOf({ rates, head }: ScoreColumn): string[] {
  return [...Object.values(rates.where ?? {}), head.join(' ')];
}

function scoreCell(cell: ScoreCell | null, way: string | null | undefined): Markup {
  if (cell === null) return html`<td class="right number">–</td>`;
  const [mark, meaning] = cell.beside === null ? ['', ''] : marks[cell.beside];
  return html`<td class="right number" title="${formatSampleSize(cell.estimate.n)}">${withWay(html`${cell.number}`, way)}<span class="mark">${mark !== '' && html`<span aria-hidden="true">${mark}</span><span class="unseen"> ${meaning}</span>`}${cell.isDoubled && html`<span class="worse" aria-hidden="true">!</span><span class="unseen"> more than doubled</span>`}</span></td>`;
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

/** What the two ends of a strip are. */
function endsOf(scale: ForestScale | null, kind: ColumnKind, signed: boolean): Markup | null {
  if (scale === null) return null;
  const [low, high] = [scale.low, scale.high].map((end) => bareNumber(end, kind, signed));
  return html`<span class="ends" data-from="${low}" data-to="${high}"></span>`;
}

function intervalCell(estimate: Estimate | null, scale: ForestScale | null, kind: ColumnKind): Markup | null {
  if (estimate === null) return null;
  const { interval, reason } = formatEstimate(estimate, kind);
  return interval === null
    ? html`<span class="quiet small">${reason}</span>`
    : html`${scale && forestMark(estimate, scale, stripWidth)}<span class="interval">${interval}</span>`;
}

function behindCell(comparison: Comparison, scale: ForestScale | null, kind: ColumnKind): Markup {
  const { difference, verdict } = comparison;
  const { main, interval, open } = formatComparison(comparison, kind);
  const why = whyOpenInBrief(comparison);
  return html`${scale && forestMark(difference, scale, stripWidth)}${main.replace(/ points$/, '')} ${interval && html`<span class="interval">${interval}</span>`}${verdict === 'cannot tell' && html` <span class="quiet small" title="${open ?? ''}">≈ <span class="why">${why}</span></span>`}`;
}

function gapTable(table: GapTable, id: string): Markup {
  const { attribute, of, kind, groups: same } = table;
  const rows = table.rows.slice(0, maxRows);
  const scale = scaleOf(
    rows.map(({ comparison }) => comparison.difference),
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
<table id="${id}" class="plain">
<caption id="${id}.caption">${attribute === null ? 'The worst group of each recognizer beside everybody' : html`By <bdi>${attribute}</bdi>`}, ${of}</caption>
<thead><tr><th scope="col">Recognizer</th>${columns.map(({ head, isNumber }) => html`<th scope="col"${isNumber && html` class="right"`}><bdi>${head}</bdi></th>`)}<th scope="col"><bdi>${gap}</bdi>${kind === 'rate' && ', points'}${endsOf(scale, kind, true)}</th><th scope="col">verdict</th></tr></thead>
<tbody>
${rows.map((row, at) => {
  const { name, comparison } = row;
  const { main, interval, pValue, open } = formatComparison(comparison, kind);
  const { groups, comparison: told } = higherFirst(row);
  const whose =
    told.verdict !== 'cannot tell' && same !== null ? html`for <bdi>${groups[0]}</bdi>` : whyOpenInBrief(told);
  return html`<tr><th scope="row"><bdi>${name}</bdi></th>${side(at)}<td>${scale && forestMark(comparison, scale, stripWidth)}${main.replace(/ points$/, '')} ${interval && html`<span class="interval">${interval}</span>`}</td><td title="${[pValue, open].filter(Boolean).join('; ')}">${verdictMark(told.verdict)}${whose !== null && html` <span class="small quiet why">${whose}</span>`}</td></tr>
`;
})}</tbody>
</table>
</div>
`;
}
