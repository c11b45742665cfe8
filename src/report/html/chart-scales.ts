import { type ScaleLinear, type ScalePoint, scaleLinear, scalePoint } from 'd3-scale';
import type { BarChart, Chart, ColumnKind } from '../../model/finding.ts';
import { formatCell, formatValue } from '../format/cell.ts';
import { cutMiddle } from '../text/display-width.ts';
import { html, type Markup } from './markup.ts';
import { seriesLook } from './palette.ts';

/** The room of a chart in units of its view box, about one CSS pixel each. */
export interface ChartFrame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether the labels of the axis below are too long to stand side by side. */
  readonly tilted: boolean;
}

export interface ChartScales {
  readonly x: ScalePoint<number>;
  readonly y: ScaleLinear<number, number>;
  readonly yTicks: readonly number[];
}

const characterWidth = 7.5;
const longestTick = 18;

/** Few curves have their names at their ends. */
const maxNamed = 8;
const longestLabel = 18;

/** Whether names stand at the ends of the curves. */
export function isNamedAtEnds({ series, unordered }: Chart): boolean {
  return !unordered && series.length > 1 && series.length <= maxNamed;
}

function labelRoom(chart: Chart): number {
  if (!isNamedAtEnds(chart)) return 0;
  return Math.max(...chart.series.map(({ name }) => Math.min(longestLabel, name.length))) * 6.5;
}

/** How much room the axes need. */
export function chartFrame(chart: Chart): ChartFrame {
  const right = 16 + labelRoom(chart);
  const width = 384 + right;
  const left = 54;
  const labels = chart.xTicks.map((tick) => Math.min(longestTick, tick.length) * characterWidth);
  const longest = Math.max(0, ...labels);
  const tilted = longest + 8 > (width - left - right) / Math.max(1, chart.xTicks.length);
  const bottom = tilted ? 34 + longest * 0.6 : 48;
  return { width, height: 218 + bottom, left, right, top: 26, bottom, tilted };
}

/** The axes. Zero is always on the upright one, so that heights can be compared. */
export function chartScales(chart: Chart, frame: ChartFrame): ChartScales {
  const bounds = chart.series.flatMap(({ points, data = [] }) => [
    ...points.flatMap(({ estimate: { value, low, high } }) => [value, low, high]),
    ...data.map(({ value }) => value),
  ]);
  // An interval that ends a hair below zero needs no axis of negative rates.
  const near = chart.yKind === 'rate' ? 0.02 : 0;
  const lengths = bounds.map((bound) => (bound != null && bound > -near ? Math.max(0, bound) : bound));
  const y = scaleWithZero(lengths, [frame.height - frame.bottom, frame.top]);
  const x = scalePoint<number>()
    .domain(chart.xTicks.map((_, index) => index))
    .range([frame.left, frame.width - frame.right])
    .padding(0.4);
  return { x, y, yTicks: y.ticks(5) };
}

/**
 * An axis that all bounds and zero stand on, so that lengths can be compared.
 *
 * @param bounds null and undefined are passed over
 * @param range where the axis begins and ends, in units of the view box
 */
export function scaleWithZero(
  bounds: readonly (number | null | undefined)[],
  range: readonly [number, number],
): ScaleLinear<number, number> {
  let low = 0;
  let high = 0;
  for (const bound of bounds) {
    if (bound == null) continue;
    low = Math.min(low, bound);
    high = Math.max(high, bound);
  }
  return scaleLinear()
    .domain([low, high > low ? high : low + 1])
    .nice(5)
    .range(range);
}

/** A label short enough for its place on the axis. */
export function tickLabel(tick: string): string {
  return cutMiddle(tick, longestTick);
}

/** A round number on an axis, with as many decimals as the distance of its ticks needs. */
export function axisText(tick: number, kind: ColumnKind, ticks: readonly number[]): string {
  const factor = kind === 'rate' || kind === 'difference' || kind === 'points' ? 100 : 1;
  const distance = Math.abs(((ticks[1] ?? 1) - (ticks[0] ?? 0)) * factor);
  const decimals = distance > 0 ? Math.max(0, Math.min(6, -Math.floor(Math.log10(distance) + 1e-9))) : 0;
  const number = (tick * factor).toFixed(decimals).replace('-', '−');
  return kind === 'rate' ? `${number} %` : number;
}

/** What numbers on an axis are in, where their ticks do not say it. */
const axisUnits: Readonly<Partial<Record<ColumnKind, string>>> = {
  difference: 'points',
  points: 'points',
  seconds: 's',
  decibels: 'dB',
};

/**
 * What an axis shows, with its unit.
 *
 * @example axisTitle('Change from clean', 'difference') // 'Change from clean, points'
 */
export function axisTitle(label: string, kind: ColumnKind): string {
  const unit = axisUnits[kind];
  return unit === undefined || label.split(/[^A-Za-z]+/).includes(unit) ? label : `${label}, ${unit}`;
}

const frame = { width: 520, right: 18, top: 8, bottom: 44, bar: 12, between: 10 } as const;
const longestName = 36;

/** A row of lying bars for each place, with their intervals; means run through all of them as dashed lines. */
export function htmlBars(
  { title, label, kind, series, rows, means = [] }: BarChart,
  id: string,
  numbers?: Markup,
): Markup {
  const left = 20 + Math.max(...rows.map(({ name }) => Math.min(longestName, name.length))) * 6.4;
  const rowHeight = frame.bar * Math.max(1, series.length) + frame.between;
  const height = frame.top + frame.bottom + rowHeight * rows.length;
  const bounds = [
    ...means.map(({ value }) => value),
    ...rows.flatMap(({ values }) =>
      values.flatMap((cell) => (typeof cell === 'object' ? [cell?.value, cell?.low, cell?.high] : [cell])),
    ),
  ];
  const x = scaleWithZero(bounds, [left, frame.width - frame.right]);
  const ticks = x.ticks(5).filter((tick) => kind !== 'count' || Number.isInteger(tick));
  const at = (value: number) => x(value).toFixed(1);
  const floor = height - frame.bottom;
  const bar = (cell: BarChart['rows'][number]['values'][number], name: string, row: number, place: number) => {
    const estimate = typeof cell === 'object' ? cell : null;
    const value = typeof cell === 'object' ? (cell?.value ?? null) : cell;
    if (value === null) return null;
    const top = frame.top + rowHeight * row + frame.between / 2 + frame.bar * place;
    const { main, interval } = formatCell(cell, kind);
    const said = [main, interval].filter(Boolean).join(' ');
    return html`<g class="${seriesLook(place).className}"><rect class="bar${seriesLook(place).hollow ? ' hollow' : ''}" x="${at(Math.min(0, value))}" y="${top}" width="${Math.abs(x(value) - x(0)).toFixed(1)}" height="${frame.bar - 2}"><title>${name}, ${series[place] ?? ''}: ${said}</title></rect>${
      estimate?.low != null &&
      estimate.high != null &&
      html`<line class="whisker" x1="${at(estimate.low)}" x2="${at(estimate.high)}" y1="${top + frame.bar / 2 - 1}" y2="${top + frame.bar / 2 - 1}"/>`
    }</g>`;
  };
  const across = means.map(({ name, value }) => `${name} ${formatValue(value, kind)}`);
  return html`<figure class="chart boxes" aria-labelledby="${id}.heading">
<h4 id="${id}.heading"><bdi>${title}</bdi></h4>
<ul class="legend" aria-hidden="true">${series.length > 1 && series.map((name, place) => html`<li class="${seriesLook(place).className}"><svg viewBox="0 0 36 14"><rect class="bar${seriesLook(place).hollow ? ' hollow' : ''}" x="2" y="2" width="32" height="10"/></svg><bdi>${name}</bdi></li>`)}${across.map((said, place) => html`<li><svg viewBox="0 0 36 14"><line class="mean" x1="1" x2="35" y1="7" y2="7" stroke-dasharray="${dashes(place)}"/></svg><bdi>${said}</bdi></li>`)}</ul>
<div class="plot"><svg viewBox="0 0 ${frame.width} ${height}" role="img" aria-labelledby="${id}.title ${id}.desc">
<title id="${id}.title">${title}</title>
<desc id="${id}.desc">${label} for ${rows.map(({ name }) => name).join(', ')}${across.length > 0 ? `; means: ${across.join(', ')}` : ''}. The table has the same numbers.</desc>
${ticks.map((tick) => html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="${at(tick)}" x2="${at(tick)}" y1="${frame.top}" y2="${floor}"/><text class="tick" x="${at(tick)}" y="${floor + 18}" text-anchor="middle">${axisText(tick, kind, ticks)}</text>`)}
${rows.map(({ name, values }, row) => html`<text class="tick" x="${left - 8}" y="${frame.top + rowHeight * (row + 0.5)}" dy=".32em" text-anchor="end">${cutMiddle(name, longestName)}${name.length > longestName && html`<title>${name}</title>`}</text>${values.map((cell, place) => bar(cell, name, row, place))}`)}
${means.map(({ value }, place) => html`<line class="mean" x1="${at(value)}" x2="${at(value)}" y1="${frame.top}" y2="${floor}" stroke-dasharray="${dashes(place)}"/>`)}
<text class="axis" x="${(left + frame.width - frame.right) / 2}" y="${height - 6}" text-anchor="middle">${axisTitle(label, kind)}</text>
</svg></div>
${numbers}</figure>
`;
}

/** Means are told apart by their dashes. */
function dashes(place: number): string {
  return ['6 4', '2 3', '10 3 2 3'][place % 3]!;
}
