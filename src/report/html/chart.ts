import { area, line } from 'd3-shape';
import type { Chart, ChartSeries, Estimate } from '../../model/finding.ts';
import { formatCell, formatEstimate } from '../format/cell.ts';
import { chartTable } from '../prepare/chart-table.ts';
import { axisText } from './axis-text.ts';
import { type ChartFrame, type ChartScales, chartFrame, chartScales, tickLabel } from './chart-scales.ts';
import { seriesLook } from './marker.ts';
import { html, type Markup } from './markup.ts';
import { htmlTable } from './table.ts';

/**
 * Curves with their interval bands, and directly beneath them a table with the same numbers.
 *
 * @param id unique in the page, made by us
 */
export function htmlChart(chart: Chart, id: string): Markup {
  const frame = chartFrame(chart);
  const scales = chartScales(chart, frame);
  const names = chart.series.map((series) => series.name).join(', ');
  return html`<figure class="chart" aria-labelledby="${id}-heading">
<h4 id="${id}-heading"><bdi>${chart.title}</bdi></h4>
<ul class="legend" aria-hidden="true">${chart.series.map((series, index) => legendItem(series.name, index))}</ul>
<div class="plot"><svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${chart.title}</title>
<desc id="${id}-desc">${chart.yLabel} (upright) over ${chart.xLabel}, for ${names}, with intervals as bands. The table beneath has the same numbers.</desc>
${axes(chart, frame, scales)}
${chart.series.map((series, index) => band(series, index, scales))}
${chart.series.map((series, index) => curve(series, index, scales))}
${hits(chart, frame, scales)}
</svg></div>
${htmlTable(chartTable(chart), { id: `${id}-table`, rows: 500, forest: false, sortable: false, unseenCaption: true })}
</figure>
`;
}

function legendItem(name: string, index: number): Markup {
  const look = seriesLook(index);
  return html`<li class="${look.className}"><svg viewBox="0 0 36 14" aria-hidden="true"><line class="line" x1="1" x2="35" y1="7" y2="7" stroke-dasharray="${look.dashes}"/><path class="marker" transform="translate(18 7)" d="${look.markerPath}"/></svg><bdi>${name}</bdi></li>`;
}

function axes(chart: Chart, frame: ChartFrame, { x, y, yTicks }: ChartScales): Markup {
  const floor = frame.height - frame.bottom;
  return html`${yTicks.map((tick) => {
    const at = y(tick).toFixed(1);
    return html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="${frame.left}" x2="${frame.width - frame.right}" y1="${at}" y2="${at}"/><text class="tick" x="${frame.left - 8}" y="${at}" dy=".32em" text-anchor="end">${axisText(tick, chart.yKind, yTicks)}</text>`;
  })}
${chart.xTicks.map((tick, index) => {
  const at = (x(index) ?? 0).toFixed(1);
  return frame.tilted
    ? html`<text class="tick" transform="translate(${at} ${floor + 14}) rotate(-38)" text-anchor="end">${tickLabel(tick)}</text>`
    : html`<text class="tick" x="${at}" y="${floor + 18}" text-anchor="middle">${tickLabel(tick)}</text>`;
})}
<text class="axis" x="${(frame.left + frame.width - frame.right) / 2}" y="${frame.height - 6}" text-anchor="middle">${chart.xLabel}</text>`;
}

interface Place {
  readonly x: number;
  readonly estimate: Estimate | null;
}

/** A place for every tick, so that a missing point leaves a gap instead of a bridge. */
function placesOf(series: ChartSeries, { x }: ChartScales): readonly Place[] {
  return x.domain().map((index) => ({
    x: x(index) ?? 0,
    estimate: series.points.find((point) => point.x === index)?.estimate ?? null,
  }));
}

function band(series: ChartSeries, index: number, scales: ChartScales): Markup {
  const places = placesOf(series, scales);
  const has = ({ estimate }: Place) => estimate?.low != null && estimate.high != null;
  const shape = area<Place>()
    .defined(has)
    .x((place) => place.x)
    .y0((place) => scales.y(place.estimate?.low ?? 0))
    .y1((place) => scales.y(place.estimate?.high ?? 0))
    .digits(1);
  const alone = places.filter((place, at) => {
    const beside = [places[at - 1], places[at + 1]];
    return has(place) && !beside.some((other) => other && has(other));
  });
  return html`<g class="${seriesLook(index).className}"><path class="band" d="${shape(places as Place[]) ?? ''}"/>${alone.map(
    ({ x, estimate }) =>
      html`<line class="whisker" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${scales.y(estimate?.low ?? 0).toFixed(1)}" y2="${scales.y(estimate?.high ?? 0).toFixed(1)}"/>`,
  )}</g>`;
}

function curve(series: ChartSeries, index: number, scales: ChartScales): Markup {
  const look = seriesLook(index);
  const places = placesOf(series, scales);
  const shape = line<Place>()
    .defined(({ estimate }) => estimate?.value != null)
    .x((place) => place.x)
    .y((place) => scales.y(place.estimate?.value ?? 0))
    .digits(1);
  const markers = places.map(
    ({ x, estimate }) =>
      estimate?.value != null &&
      html`<path class="marker" transform="translate(${x.toFixed(1)} ${scales.y(estimate.value).toFixed(1)})" d="${look.markerPath}"/>`,
  );
  return html`<g class="${look.className}"><path class="line" stroke-dasharray="${look.dashes}" d="${shape(places as Place[]) ?? ''}"/>${markers}</g>`;
}

/** A column for the pointer over every tick; its title tells the values where no script runs. */
function hits(chart: Chart, frame: ChartFrame, { x }: ChartScales): Markup {
  const width = x.step() || frame.width - frame.left - frame.right;
  return html`${chart.xTicks.map((tick, index) => {
    const values = chart.series.map((series) => {
      const estimate = series.points.find((point) => point.x === index)?.estimate;
      const { main, interval, reason } = estimate
        ? formatEstimate(estimate, chart.yKind)
        : formatCell(null, chart.yKind);
      return `${series.name}: ${[main, interval, reason].filter(Boolean).join(' ')}`;
    });
    return html`<rect class="hit" x="${((x(index) ?? 0) - width / 2).toFixed(1)}" y="${frame.top}" width="${width.toFixed(1)}" height="${frame.height - frame.top - frame.bottom}"><title>${tick}: ${values.join('; ')}</title></rect>`;
  })}`;
}
