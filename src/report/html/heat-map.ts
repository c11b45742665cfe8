import type { Comparison, HeatMap } from '../../model/finding.ts';
import { formatComparison } from '../format/cell.ts';
import { verdictWording } from '../format/verdict.ts';
import { html, type Markup } from './markup.ts';

/** Shades on either side. */
const shades = 5;

/**
 * Differences as a table of shaded cells: the shade is the size beside the largest, the sign and a mark carry the same, so
 * that nothing hangs on colour. The section's table has intervals and p values.
 */
export function htmlHeatMap(map: HeatMap, id: string): Markup {
  const largest = map.rows
    .flatMap(({ cells }) => cells)
    .reduce((most, { difference }) => Math.max(most, Math.abs(difference.value ?? 0)), 0);
  return html`<figure class="chart heat" aria-labelledby="${id}-heading">
<h4 id="${id}-heading"><bdi>${map.title}</bdi></h4>
<ul class="legend"><li><span class="swatch worse-5"></span>worse than ${map.than ?? 'everybody'}</li><li><span class="swatch better-5"></span>better</li><li><b>${verdictWording.worse.mark}</b> shown to be worse</li><li><b>${verdictWording.better.mark}</b> shown to be better</li><li>no mark: cannot tell</li></ul>
<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}-heading">
<table class="plain"><thead><tr><th scope="col">${map.rowLabel ?? 'Group'}</th>${map.columns.map((name) => html`<th scope="col" class="right"><bdi>${name}</bdi></th>`)}</tr></thead>
<tbody>
${map.rows.map(({ name, cells }) => html`<tr><th scope="row"><bdi>${name}</bdi></th>${cells.map((cell) => heatCell(cell, map, largest))}</tr>\n`)}</tbody>
</table>
</div>
</figure>
`;
}

function heatCell(cell: Comparison, { kind }: HeatMap, largest: number): Markup {
  const { main, interval, pValue, open, reason } = formatComparison(cell, kind);
  const { value } = cell.difference;
  const step = value === null || largest === 0 ? 0 : Math.ceil((shades * Math.abs(value)) / largest);
  const shade = value === null || step === 0 ? 'none' : `${value > 0 ? 'worse' : 'better'}-${step}`;
  const hint = [interval, pValue, open, reason].filter(Boolean).join(', ');
  const known = cell.verdict === 'cannot tell' ? null : verdictWording[cell.verdict];
  return html`<td class="right ${shade}" title="${hint}"><span class="number">${main}</span>${known && html` <b aria-hidden="true">${known.mark}</b><span class="unseen"> ${known.word}</span>`}</td>`;
}
