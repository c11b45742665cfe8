import { type ScaleLinear, type ScalePoint, scaleLinear, scalePoint } from 'd3-scale';
import type { Chart, ColumnKind } from '../../model/finding.ts';

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

/** How much room the axes need. */
export function chartFrame(chart: Chart): ChartFrame {
  const width = 400;
  const left = 54;
  const right = 16;
  const labels = chart.xTicks.map((tick) => Math.min(longestTick, tick.length) * characterWidth);
  const longest = Math.max(0, ...labels);
  const tilted = longest + 8 > (width - left - right) / Math.max(1, chart.xTicks.length);
  const bottom = tilted ? 34 + longest * 0.6 : 48;
  return { width, height: 218 + bottom, left, right, top: 26, bottom, tilted };
}

/** The axes. Zero is always on the upright one, so that heights can be compared. */
export function chartScales(chart: Chart, frame: ChartFrame): ChartScales {
  const bounds = chart.series.flatMap(({ points }) =>
    points.flatMap(({ estimate: { value, low, high } }) => [value, low, high]),
  );
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
  return tick.length <= longestTick ? tick : `${tick.slice(0, longestTick - 1).toWellFormed()}…`;
}

/** A round number on an axis, with as many decimals as the distance of its ticks needs. */
export function axisText(tick: number, kind: ColumnKind, ticks: readonly number[]): string {
  const factor = kind === 'rate' || kind === 'difference' ? 100 : 1;
  const distance = Math.abs(((ticks[1] ?? 1) - (ticks[0] ?? 0)) * factor);
  const decimals = distance > 0 ? Math.max(0, Math.min(6, -Math.floor(Math.log10(distance) + 1e-9))) : 0;
  const number = (tick * factor).toFixed(decimals).replace('-', '−');
  return kind === 'rate' ? `${number} %` : number;
}

/** What numbers on an axis are in, where their ticks do not say it. */
const axisUnits: Readonly<Partial<Record<ColumnKind, string>>> = { difference: 'points', seconds: 's', decibels: 'dB' };

/**
 * What an axis shows, with its unit.
 *
 * @example axisTitle('Change from clean', 'difference') // 'Change from clean, points'
 */
export function axisTitle(label: string, kind: ColumnKind): string {
  const unit = axisUnits[kind];
  return unit === undefined || label.split(/[^A-Za-z]+/).includes(unit) ? label : `${label}, ${unit}`;
}
