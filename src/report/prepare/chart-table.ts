import type { BarChart, BoxPlot, Cell, Chart, Plane, Table } from '../../model/finding.ts';
import { formatValue } from '../format/cell.ts';

/**
 * The numbers of a chart as a table, one row for each place on its axis, one column for each series: what stands
 * beneath the chart, and instead of it where nothing can be drawn.
 */
export function chartTable(chart: Chart, id = 'chart'): Table {
  return {
    id,
    title: `${chart.title}: ${chart.yLabel}`,
    columns: [
      { key: 'x', label: chart.xLabel, kind: 'text' },
      ...chart.series.map((series, index) => ({ key: `s${index}`, label: series.name, kind: chart.yKind })),
    ],
    rows: chart.xTicks.map((tick, x) => {
      const row: Record<string, Cell> = { x: tick };
      for (const [index, series] of chart.series.entries()) {
        row[`s${index}`] = series.points.find((point) => point.x === x)?.estimate ?? null;
      }
      return row;
    }),
  };
}

/** The same lying down, one row for each series: fewer lines for a terminal. */
export function seriesTable(chart: Chart): Table {
  return {
    id: 'chart',
    title: `${chart.title}: ${chart.yLabel}`,
    columns: [
      { key: 'series', label: chart.xLabel, kind: 'text' },
      ...chart.xTicks.map((tick, x) => ({ key: `x${x}`, label: tick, kind: chart.yKind })),
    ],
    rows: chart.series.map(({ name, points }) => {
      const row: Record<string, Cell> = { series: name };
      for (const x of chart.xTicks.keys()) row[`x${x}`] = points.find((point) => point.x === x)?.estimate ?? null;
      return row;
    }),
  };
}

/** The numbers of a plane as a table: a row for each point. */
export function planeTable({ title, xLabel, xKind, yLabel, yKind, points }: Plane, id = 'plane'): Table {
  return {
    ...{ id, title },
    columns: [
      { key: 'name', label: 'Point', kind: 'text' },
      { key: 'x', label: xLabel, kind: xKind },
      { key: 'y', label: yLabel, kind: yKind },
    ],
    rows: points.map(({ name, x, y }) => ({ name, x, y })),
  };
}

/** The numbers of bars as a table: a row for each place, a column for each series; means stand at its foot. */
export function barsTable({ title, label, kind, series, rows, means = [] }: BarChart, id = 'bars'): Table {
  return {
    ...{ id, title: `${title}: ${label}` },
    columns: [
      { key: 'name', label: 'Name', kind: 'text' },
      ...series.map((name, index) => ({ key: `s${index}`, label: name, kind })),
    ],
    rows: rows.map(({ name, values }) => ({
      name,
      ...Object.fromEntries(series.map((_, index) => [`s${index}`, values[index] ?? null])),
    })),
    ...(means.length > 0 && {
      note: `Means: ${means.map(({ name, value }) => `${name} ${formatValue(value, kind)}`).join(', ')}.`,
    }),
  };
}

/** The numbers of box plots as a table: a row for each box. */
export function boxTable({ title, label, kind, boxes }: BoxPlot, id = 'boxes'): Table {
  const parts = ['least', 'firstQuartile', 'median', 'thirdQuartile', 'most'] as const;
  const labels = ['Minimum', 'First quartile', 'Median', 'Third quartile', 'Maximum'];
  return {
    ...{ id, title: `${title}: ${label}` },
    columns: [
      { key: 'name', label: 'Name', kind: 'text' },
      ...parts.map((key, index) => ({ key, label: labels[index]!, kind })),
      { key: 'values', label: 'Values', kind: 'text' },
    ],
    rows: boxes.map(({ name, points, ...box }) => ({
      name,
      ...Object.fromEntries(parts.map((key) => [key, box[key]])),
      values: points.map((point) => `${point.name}: ${formatValue(point.value, kind)}`).join('; '),
    })),
  };
}
