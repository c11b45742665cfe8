import { type ScaleContinuousNumeric, scaleLog } from 'd3-scale';
import type { ColumnKind, Estimate, Plane } from '../../model/finding.ts';
import { formatEstimate } from '../format/cell.ts';
import { axisText, axisTitle, scaleWithZero, tickLabel } from './chart-scales.ts';
import { html, type Markup } from './markup.ts';
import { seriesLook } from './palette.ts';

const frame = { width: 520, height: 380, left: 58, right: 18, top: 14, bottom: 48 } as const;

type Scale = ScaleContinuousNumeric<number, number>;

/** Points between two measures with their intervals as crosses; the front, if any, as a dashed line of steps. */
export function htmlPlane(plane: Plane, id: string, numbers?: Markup): Markup {
  const x = scaleOf(plane, 'x', [frame.left, frame.width - frame.right]);
  const y = scaleOf(plane, 'y', [frame.height - frame.bottom, frame.top]);
  const labels = plane.points.length > maxNamed ? null : placedNames(plane, x, y);
  const names = plane.points.map(({ name }) => name).join(', ');
  return html`<figure class="chart plane" aria-labelledby="${id}.heading">
<h4 id="${id}.heading"><bdi>${plane.title}</bdi></h4>
<ul class="legend" aria-hidden="true">${labels === null && plane.points.map(({ name }, index) => legendItem(name, index))}${plane.front && plane.front.length > 0 && html`<li><svg viewBox="0 0 36 14"><path class="front" d="M1 3H18V11H35"/></svg>no other is lower on both</li>`}${plane.linesLabel !== undefined && (plane.lines ?? []).length > 0 && html`<li><svg viewBox="0 0 36 14"><path class="joined" d="M1 7H35"/></svg><bdi>${plane.linesLabel}</bdi></li>`}${(plane.fits ?? []).map(({ name }) => html`<li><svg viewBox="0 0 36 14"><path class="fit" d="M1 7H35"/></svg><bdi>${name}</bdi></li>`)}</ul>
<div class="plot"><svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-labelledby="${id}.title ${id}.desc">
<title id="${id}.title">${plane.title}</title>
<desc id="${id}.desc">${plane.yLabel} (upright) over ${plane.xLabel}, for ${names}, with intervals as crosses; less is better on both. The table has the same numbers.</desc>
${axes(plane, x, y)}
${plane.front && frontLine(plane, x, y)}
${(plane.lines ?? []).map((line) => html`<polyline class="joined${isDense(plane) && ' dense'}" points="${line.points.map((place) => at(plane.points[place], x, y)).join(' ')}"><title>${line.name}</title></polyline>`)}
${(plane.fits ?? []).map(({ name, ends: [from, to] }) => html`<line class="fit" x1="${x(from[0]).toFixed(1)}" y1="${y(from[1]).toFixed(1)}" x2="${x(to[0]).toFixed(1)}" y2="${y(to[1]).toFixed(1)}"><title>${name}</title></line>`)}
${plane.points.map((point, index) => pointMark(point, index, plane, x, y))}
${labels}
</svg></div>
${numbers}</figure>
`;
}

/** More points have a legend. */
const maxNamed = 16;
const letter = { width: 6.6, height: 13 } as const;
/** Where a name stands beside its point: how far to the right, how far down. */
const around = [1, 1.8, 2.8, 4].flatMap((far) =>
  [
    [10, 0],
    [8, 12],
    [8, -12],
    [-10, 0],
    [-8, 12],
    [-8, -12],
    [0, 15],
    [0, -15],
  ].map(([across, down]) => [across! * far, down! * far] as const),
);

/** The name of each point beside it, where it covers no other name and no point; a line leads to one that stands further away. */
function placedNames({ points }: Plane, x: Scale, y: Scale): Markup {
  type Box = readonly [left: number, top: number, right: number, bottom: number];
  const marks = points.map((point) => [x(point.x.value ?? 0), y(point.y.value ?? 0)] as const);
  const taken: Box[] = marks.map(([px, py]): Box => [px - 5, py - 5, px + 5, py + 5]);
  const isFree = ([left, top, right, bottom]: Box) =>
    left > frame.left &&
    right < frame.width &&
    top > 0 &&
    bottom < frame.height - frame.bottom &&
    taken.every((one) => right < one[0] || left > one[2] || bottom < one[1] || top > one[3]);
  return html`${points.map(({ name }, index) => {
    const shown = tickLabel(name);
    const [px, py] = marks[index]!;
    const width = shown.length * letter.width;
    const places = around.map(([across, down]) => {
      const left = across > 0 ? px + across : across < 0 ? px + across - width : px - width / 2;
      const middle = py + down;
      const box: Box = [left, middle - letter.height / 2, left + width, middle + letter.height / 2];
      return { across, down, left, middle, box };
    });
    const { across, down, left, middle, box } = places.find((one) => isFree(one.box)) ?? places[0]!;
    taken.push(box);
    const isFar = Math.hypot(across, down) > 16;
    return html`${isFar && html`<line class="lead" x1="${px.toFixed(1)}" y1="${py.toFixed(1)}" x2="${(px + 0.9 * across).toFixed(1)}" y2="${(py + 0.9 * down).toFixed(1)}"/>`}<text class="end ${seriesLook(index).className}" x="${left.toFixed(1)}" y="${middle.toFixed(1)}" dy=".32em">${shown}</text>`;
  })}`;
}

/** Each joined with each, points would lie under their lines: then these are faint. */
function isDense({ lines = [], points }: Plane): boolean {
  return lines.length > points.length;
}

function legendItem(name: string, index: number): Markup {
  const look = seriesLook(index);
  return html`<li class="${look.className}"><svg viewBox="0 0 14 14"><path class="marker" transform="translate(7 7)" d="${look.markerPath}"/></svg><bdi>${name}</bdi></li>`;
}

/** Zero is on linear axes, so that distances can be compared; a size has none. */
function scaleOf({ points, xScale, fits = [] }: Plane, axis: 'x' | 'y', range: [number, number]): Scale {
  const values = points.flatMap((point) => {
    const { value, low, high } = point[axis];
    return [value, low, high].filter((bound) => bound !== null);
  });
  values.push(...fits.flatMap(({ ends }) => ends.map(([across, up]) => (axis === 'x' ? across : up))));
  if (axis === 'x' && xScale === 'log') {
    const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const most = values.reduce((a, b) => Math.max(a, b), 0);
    return scaleLog()
      .domain(most > 0 ? [least / 1.5, most * 1.5] : [1, 10])
      .range(range);
  }
  return scaleWithZero(values, range);
}

function axes(plane: Plane, x: Scale, y: Scale): Markup {
  const floor = frame.height - frame.bottom;
  const xTicks = plane.xScale === 'log' ? logTicks(x) : x.ticks(5);
  const yTicks = y.ticks(5);
  return html`${yTicks.map((tick) => {
    const place = y(tick).toFixed(1);
    return html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="${frame.left}" x2="${frame.width - frame.right}" y1="${place}" y2="${place}"/><text class="tick" x="${frame.left - 8}" y="${place}" dy=".32em" text-anchor="end">${axisText(tick, plane.yKind, yTicks)}</text>`;
  })}
${xTicks.map((tick) => {
  const place = x(tick).toFixed(1);
  const label = plane.xScale === 'log' ? short(tick) : axisText(tick, plane.xKind, xTicks);
  return html`<line class="${tick === 0 ? 'base' : 'grid'}" x1="${place}" x2="${place}" y1="${frame.top}" y2="${floor}"/><text class="tick" x="${place}" y="${floor + 18}" text-anchor="middle">${label}</text>`;
})}
<text class="axis" x="${(frame.left + frame.width - frame.right) / 2}" y="${frame.height - 6}" text-anchor="middle">${axisTitle(plane.xLabel, plane.xKind)}</text>
<text class="axis" x="${frame.left}" y="${frame.top - 3}" text-anchor="start">${axisTitle(plane.yLabel, plane.yKind)}</text>`;
}

/** 1, 2 and 5 times powers of ten, or fewer where there would be too many. */
function logTicks(x: Scale): number[] {
  const all = x.ticks(4).filter((tick) => [1, 2, 5].includes(Number(tick.toPrecision(1)[0])));
  return all.length > 7 ? all.filter((tick) => tick.toPrecision(1).startsWith('1')) : all;
}

/** `74M`, as sizes of models are written. */
function short(value: number): string {
  for (const [size, unit] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (value >= size) return `${Number((value / size).toPrecision(3))}${unit}`;
  }
  return String(Number(value.toPrecision(3)));
}

function at(point: Plane['points'][number] | undefined, x: Scale, y: Scale): string {
  return `${x(point?.x.value ?? 0).toFixed(1)},${y(point?.y.value ?? 0).toFixed(1)}`;
}

function frontLine({ points, front = [] }: Plane, x: Scale, y: Scale): Markup | null {
  const order = front
    .map((place) => points[place]!)
    .toSorted((a, b) => (a.x.value ?? 0) - (b.x.value ?? 0) || (b.y.value ?? 0) - (a.y.value ?? 0));
  if (order.length === 0) return null;
  const steps = order.map(({ x: across, y: up }, index) => {
    const to = `${x(across.value ?? 0).toFixed(1)}`;
    const height = y(up.value ?? 0).toFixed(1);
    return index === 0 ? `M${to} ${frame.top}V${height}` : `H${to}V${height}`;
  });
  return html`<path class="front" d="${steps.join('')}H${frame.width - frame.right}"/>`;
}

function pointMark(
  { name, x: across, y: up }: Plane['points'][number],
  index: number,
  plane: Plane,
  x: Scale,
  y: Scale,
) {
  const look = seriesLook(index);
  const px = x(across.value ?? 0).toFixed(1);
  const py = y(up.value ?? 0).toFixed(1);
  const bar = ({ low, high }: Estimate, scale: Scale): [string, string] | null =>
    low === null || high === null ? null : [scale(low).toFixed(1), scale(high).toFixed(1)];
  const wide = bar(across, x);
  const tall = bar(up, y);
  const told = (estimate: Estimate, kind: ColumnKind) => {
    const { main, interval } = formatEstimate(estimate, kind);
    return [main, interval].filter(Boolean).join(' ');
  };
  return html`<g class="${look.className}">${wide && html`<line class="whisker" x1="${wide[0]}" x2="${wide[1]}" y1="${py}" y2="${py}"/>`}${tall && html`<line class="whisker" x1="${px}" x2="${px}" y1="${tall[0]}" y2="${tall[1]}"/>`}<path class="marker" transform="translate(${px} ${py})" d="${look.markerPath}"><title>${name}: ${plane.xLabel} ${told(across, plane.xKind)}; ${plane.yLabel} ${told(up, plane.yKind)}</title></path></g>`;
}
