import type { ColumnKind, Comparison, Estimate } from '../../model/finding.ts';
import { formatComparison, formatEstimate, formatLevel } from '../format/cell.ts';
import { formatSampleSize } from '../format/wording.ts';
import { type GapTable, legendOf, type ResultTable, type ScoreCell } from '../prepare/result-table.ts';
import { html, type Markup, verdictMark } from './markup.ts';
import { type ForestScale, forestMark, forestScale } from './table.ts';

const maxRows = 200;
const stripWidth = 96;

/** The first table of a finding: what was found, recognizers by conditions, and groups by recognizers. */
export function htmlScores(table: ResultTable, id: string): Markup {
  return html`<div class="scores">
${table.found.map((sentence) => html`<p class="found"><bdi>${sentence}</bdi></p>`)}
${scoreTable(table, id)}
${[...table.gaps, ...(table.furthest ? [table.furthest] : [])].map((gaps, place) => gapTable(gaps, `${id}.gaps${place}`))}
</div>
`;
}

function scoreTable(table: ResultTable, id: string): Markup {
  const { caption, of, kind, columns, ranks, rows, left } = table;
  const shown = rows.slice(0, maxRows);
  const own = shown.map(({ cells }) => cells[ranks]?.estimate ?? null);
  const [scale, apart] = [forestScale(own), forestScale(shown.map(({ behind }) => behind))];
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
<thead><tr><th scope="col">${of}</th>${columns.map(({ head }) => html`<th scope="col" class="right"><bdi>${head.join(' ')}</bdi></th>`)}<th scope="col">${formatLevel(level)} interval</th>${isCompared && html`<th scope="col">more than the lowest${kind === 'rate' && ', points'}</th>`}</tr></thead>
<tbody>
${shown.map(
  (
    { name, cells, behind },
    row,
  ) => html`<tr><th scope="row"><bdi>${name}</bdi></th>${cells.map(scoreCell)}<td>${intervalCell(own[row] ?? null, scale, kind)}</td>${isCompared && html`<td>${behind && behindCell(behind, apart, kind)}</td>`}</tr>
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

function scoreCell(cell: ScoreCell | null): Markup {
  if (cell === null) return html`<td class="right number">–</td>`;
  const [mark, meaning] = cell.beside === null ? ['', ''] : marks[cell.beside];
  return html`<td class="right number" title="${formatSampleSize(cell.estimate.n)}">${cell.number}<span class="mark">${mark !== '' && html`<span aria-hidden="true">${mark}</span><span class="unseen"> ${meaning}</span>`}${cell.isDoubled && html`<span class="worse" aria-hidden="true">!</span><span class="unseen"> more than doubled</span>`}</span></td>`;
}

function intervalCell(estimate: Estimate | null, scale: ForestScale | null, kind: ColumnKind): Markup | null {
  if (estimate === null) return null;
  const { interval, reason } = formatEstimate(estimate, kind);
  return interval === null
    ? html`<span class="quiet small">${reason}</span>`
    : html`${scale && forestMark(estimate, scale, stripWidth)}<span class="interval">${interval}</span>`;
}

function behindCell(
  { difference, verdict, open, ...rest }: Comparison,
  scale: ForestScale | null,
  kind: ColumnKind,
): Markup {
  const { main, interval } = formatComparison({ difference, verdict, ...rest }, kind);
  // An interval on one side of 0 beside an open verdict says of itself why.
  const why = open?.why === 'correction' ? ' alone, not among all' : '';
  return html`${scale && forestMark(difference, scale, stripWidth)}${main.replace(/ points$/, '')} ${interval && html`<span class="interval">${interval}</span>`}${verdict === 'cannot tell' && html` <span class="quiet small" title="${open?.text ?? ''}">≈${why}</span>`}`;
}

function gapTable({ attribute, of, kind, rows }: GapTable, id: string): Markup {
  const shown = rows.slice(0, maxRows);
  const scale = forestScale(shown.map(({ comparison }) => comparison));
  const rate = (estimate: Estimate | null | undefined) =>
    estimate == null ? '–' : formatEstimate(estimate, kind).main;
  const [first] = shown;
  const isSame = shown.every(({ groups }) => new Set([...groups, ...first!.groups]).size === 2);
  const heads = isSame ? first!.groups : ['more errors', 'fewer'];
  const side = ({ groups, rates }: (typeof shown)[number], place: number) => {
    if (!isSame) return html`<td><bdi>${groups[place]}</bdi> ${rate(rates[place])}</td>`;
    return html`<td class="right number">${rate(rates[groups.indexOf(first!.groups[place]!)])}</td>`;
  };
  return html`<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}.caption">
<table id="${id}" class="plain">
<caption id="${id}.caption">${attribute === null ? 'The group furthest above everybody' : html`By <bdi>${attribute}</bdi>`}, ${of}</caption>
<thead><tr><th scope="col">Recognizer</th>${heads.map((head) => html`<th scope="col"${isSame && html` class="right"`}><bdi>${head}</bdi></th>`)}<th scope="col">gap${kind === 'rate' && ', points'}</th><th scope="col">verdict</th></tr></thead>
<tbody>
${shown.map((row) => {
  const { name, groups, comparison } = row;
  const { main, interval, pValue, open } = formatComparison(comparison, kind);
  const why = comparison.open?.why === 'correction' ? 'alone, not among all' : null;
  return html`<tr><th scope="row"><bdi>${name}</bdi></th>${[0, 1].map((place) => side(row, place))}<td>${scale && forestMark(comparison, scale, stripWidth)}${main.replace(/ points$/, '')} ${interval && html`<span class="interval">${interval}</span>`}</td><td title="${[pValue, open].filter(Boolean).join('; ')}">${verdictMark(comparison.verdict)}${comparison.verdict !== 'cannot tell' && isSame && html` <span class="small quiet">for <bdi>${groups[0]}</bdi></span>`}${why !== null && html` <span class="small quiet">${why}</span>`}</td></tr>
`;
})}</tbody>
</table>
</div>
`;
}
