import { scaleLinear } from 'd3-scale';
import type { BoxPlot } from '../../model/finding.ts';
import { formatCell } from '../format/cell.ts';
import { axisText } from './axis-text.ts';
import { tickLabel } from './chart-scales.ts';
import { seriesLook } from './marker.ts';
import { html, type Markup } from './markup.ts';

const frame = { width: 520, left: 130, right: 18, top: 8, bottom: 44, row: 44 } as const;

/** A box for each group on its side: quartiles, range as whiskers, and every value as a dot. */
export function htmlBoxPlot({ title, label, kind, boxes }: BoxPlot, id: string): Markup {
  const height = frame.top + frame.bottom + frame.row * boxes.length;
  const bounds = boxes.flatMap(({ least, most }) => [least, most]);
  const low = bounds.reduce((a, b) => Math.min(a, b), 0);
  const high = bounds.reduce((a, b) => Math.max(a, b), 0);
  const x = scaleLinear()
    .domain([low, high > low ? high : low + 1])
    .nice(5)
    .range([frame.left, frame.width - frame.right]);
  const ticks = x.ticks(5);
  const at = (value: number) => x(value).toFixed(1);
  const told = (value: number) => formatCell(value, kind).main;
  return html`<figure class="chart boxes" aria-labelledby="${id}-heading">
<h4 id="${id}-heading"><bdi>${title}</bdi></h4>
<div class="plot"><svg viewBox="0 0 ${frame.width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${boxes.map(({ name, least, median, most }) => `${name}: median ${told(median)}, from ${told(least)} to ${told(most)}`).join('; ')}.</desc>
${ticks.map((tick) => html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="${at(tick)}" x2="${at(tick)}" y1="${frame.top}" y2="${height - frame.bottom}"/><text class="tick" x="${at(tick)}" y="${height - frame.bottom + 18}" text-anchor="middle">${axisText(tick, kind, ticks)}</text>`)}
${boxes.map((box, index) => {
  const middle = frame.top + frame.row * (index + 0.5);
  const width = Math.max(1, x(box.thirdQuartile) - x(box.firstQuartile)).toFixed(1);
  return html`<g class="${seriesLook(index).className}"><text class="tick" x="${frame.left - 8}" y="${middle}" dy=".32em" text-anchor="end">${tickLabel(box.name)}</text>
<line class="whisker" x1="${at(box.least)}" x2="${at(box.most)}" y1="${middle}" y2="${middle}"/><rect class="box" x="${at(box.firstQuartile)}" y="${middle - 12}" width="${width}" height="24"/><line class="line" x1="${at(box.median)}" x2="${at(box.median)}" y1="${middle - 12}" y2="${middle + 12}"/>
${box.points.map(({ name, value }) => html`<circle class="marker" cx="${at(value)}" cy="${middle}" r="3.5"><title>${name}: ${told(value)}</title></circle>`)}</g>`;
})}
<text class="axis" x="${(frame.left + frame.width - frame.right) / 2}" y="${height - 6}" text-anchor="middle">${label}</text>
</svg></div>
</figure>
`;
}
