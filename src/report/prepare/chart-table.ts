import type { Cell, Chart, Table } from '../../model/finding.ts';

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
