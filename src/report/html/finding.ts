import { area, line } from 'd3-shape';
import { grouped } from '../../base/number-format.ts';
import { limitText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type {
  BoxPlot,
  Chart,
  ChartSeries,
  Estimate,
  Example,
  ExampleRow,
  Finding,
  Section,
  Table,
} from '../../model/finding.ts';
import { formatCell, formatEstimate } from '../format/cell.ts';

import { barsTable, boxTable, chartTable, planeTable } from '../prepare/chart-table.ts';
import { describeEdits } from '../prepare/diff.ts';
import { conditionOf, noteOf } from '../prepare/in-words.ts';
import { cutMiddle } from '../text/display-width.ts';
import { type Anchors, type PlacedFinding, partName } from './anchors.ts';
import {
  axisText,
  axisTitle,
  type ChartFrame,
  type ChartScales,
  chartFrame,
  chartScales,
  htmlBars,
  isNamedAtEnds,
  scaleWithZero,
  tickLabel,
} from './chart-scales.ts';
import { diffKey, htmlDiff } from './diff.ts';
import { htmlHeatMap, htmlPairMatrix, pairMatrices } from './heat-map.ts';
import { html, languageTag, type Markup, trusted, type Ways, withWay } from './markup.ts';
import { seriesLook } from './palette.ts';
import { htmlPlane } from './plane.ts';
import type { ShownSound } from './sounds.ts';
import { htmlTable } from './table.ts';

/** How much of a report a page holds. */
export interface Detail {
  readonly rows: number;
  readonly examples: number;
  readonly charts: boolean;
}

export interface FindingOptions {
  readonly anchors: Anchors;
  readonly detail: Detail;
  readonly sounds: ReadonlyMap<Example, ShownSound>;
  /** Of what was said, where all of it is in one language (BCP 47); empty: not known. */
  readonly language: string;
  /** Absent: the page leads nowhere. */
  readonly ways?: Ways;
}

/** Everything a study found, below the answer. Speed comes last. */
export function findingSection({ finding, id, sections }: PlacedFinding, options: FindingOptions): Markup {
  if (sections.length === 0) return html``;
  return html`<section id="${id}">
<h2 id="${id}.title"><bdi>${finding.title}</bdi></h2>
${sections.map((placed) => partSection(finding, placed, options))}</section>
`;
}

type PlacedSection = PlacedFinding['sections'][number];

function partSection(finding: Finding, { section, id }: PlacedSection, options: FindingOptions): Markup {
  const { anchors, detail, language, ways } = options;
  const told = firstExampleOf(finding);
  const examples = (section.examples ?? []).filter((one) => one !== told).slice(0, detail.examples);
  const left = (section.examples ?? []).filter((one) => one !== told).length - examples.length;
  const under = (kind: string, title: string) => anchors.take(`${kind} ${id} ${title}`);
  const drawn = [
    ...(section.planes ?? []).map((plane) => withNumbers(htmlPlane, plane, planeTable, under('plane', plane.title))),
    ...(section.boxPlots ?? []).map((plot) => withNumbers(htmlBoxPlot, plot, boxTable, under('boxes', plot.title))),
    ...(section.bars ?? []).map((chart) => withNumbers(htmlBars, chart, barsTable, under('bars', chart.title))),
  ];
  const charts = (section.charts ?? []).map((chart) =>
    withNumbers(htmlChart, chart, chartTable, under('chart', chart.title)),
  );
  const matrices = (section.tables ?? []).flatMap(pairMatrices);
  const tableOf = (table: Table) => {
    const name = anchors.take(`table ${partName(finding, table.id)}`);
    return htmlTable(table, { id: name, rows: detail.rows, forest: true, sortable: true, language, ways });
  };
  const pictures = html`${detail.charts && drawn.length > 0 && html`<div class="charts">${drawn}</div>`}
${detail.charts && (section.heatMaps ?? []).map((map) => htmlHeatMap(map, under('map', map.title), ways))}
${detail.charts && charts.length > 0 && html`<div class="charts">${charts}</div>`}`;
  const rest = html`${(section.text ?? []).map((text) => html`<p class="text"><bdi>${text}</bdi></p>`)}
${detail.charts && matrices.map((matrix) => htmlPairMatrix(matrix, under('pairs', matrix.title), ways))}
${detail.rows > 0 && (section.tables ?? []).map(tableOf)}
${examples.length > 0 && exampleList(examples, options)}
${left > 0 && html`<p class="small quiet">${grouped(left)} more are in the JSON of this report.</p>`}`;
  const title = html`<h3 id="${id}.title"><bdi>${section.title}</bdi></h3>`;
  const held = heldIn(section, examples.length);
  if (held === '') return html`<section id="${id}" class="brief">${title}${rest}</section>\n`;
  return html`<section id="${id}"><details class="part"><summary>${title}<span class="small quiet">${held}</span></summary><div>${pictures}
${rest}</div></details>
</section>
`;
}

/** The example that stands with the answer: with a first table the first of all. */
export function firstExampleOf({ scores, sections }: Finding): Example | null {
  if (scores === undefined) return null;
  const [example] = sections.flatMap(({ examples = [] }) => examples);
  return example?.transcripts.some(({ aligned }) => aligned !== null) ? example : null;
}

/** `2 tables, 3 examples`; empty where there are only sentences. */
function heldIn(section: Section, examples: number): string {
  const { tables = [], charts = [], bars = [], boxPlots = [], heatMaps = [], planes = [] } = section;
  const drawn = [charts, bars, boxPlots, heatMaps, planes].reduce((sum, { length }) => sum + length, 0);
  const parts = [
    [drawn, 'chart'],
    [tables.length, 'table'],
    [examples, 'example'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(', ');
}

/** A picture, and its numbers to fold out beneath. */
function withNumbers<Drawn>(
  draw: (drawn: Drawn, id: string, numbers?: Markup) => Markup,
  drawn: Drawn,
  tableOf: (drawn: Drawn) => Table,
  id: string,
): Markup {
  const options = { id: `${id}.table`, rows: 500, forest: false, sortable: false, unseenCaption: true };
  return draw(drawn, id, html`<details><summary>Numbers</summary>${htmlTable(tableOf(drawn), options)}</details>`);
}

/** Trials worth hearing, under the key to their marks. */
export function exampleList(
  examples: readonly Example[],
  { sounds, language, ways }: Pick<FindingOptions, 'sounds' | 'language' | 'ways'>,
): Markup {
  const notes = new Set(examples.map((example) => silence(sounds.get(example))));
  const [only] = notes;
  const together = notes.size === 1 && examples.length > 1 && only != null;
  const shown = new Map(together ? [] : sounds);
  const marked = examples.some(({ transcripts }) => transcripts.some(({ aligned }) => aligned));
  return html`${marked && diffKey()}${together && html`<p class="small quiet">${only}</p>`}
<div class="examples">${examples.map((example) => htmlExample(example, shown.get(example), language, ways))}</div>`;
}

/** Why an example has no audio; null: it has some. */
function silence(sound: ShownSound | undefined): string | null {
  return sound === undefined || sound.clean !== null || sound.changed !== null ? null : sound.note;
}

const frame = { width: 520, left: 130, right: 18, top: 8, bottom: 44, row: 44 } as const;

/** A box for each group on its side: quartiles, range as whiskers, and every value as a dot. */
export function htmlBoxPlot({ title, label, kind, boxes }: BoxPlot, id: string, numbers?: Markup): Markup {
  const height = frame.top + frame.bottom + frame.row * boxes.length;
  const bounds = boxes.flatMap(({ least, most }) => [least, most]);
  const x = scaleWithZero(bounds, [frame.left, frame.width - frame.right]);
  const ticks = x.ticks(5);
  const at = (value: number) => x(value).toFixed(1);
  const told = (value: number) => formatCell(value, kind).main;
  return html`<figure class="chart boxes" aria-labelledby="${id}.heading">
<h4 id="${id}.heading"><bdi>${title}</bdi></h4>
<div class="plot"><svg viewBox="0 0 ${frame.width} ${height}" role="img" aria-labelledby="${id}.title ${id}.desc">
<title id="${id}.title">${title}</title>
<desc id="${id}.desc">${boxes.map(({ name, least, median, most }) => `${name}: median ${told(median)}, from ${told(least)} to ${told(most)}`).join('; ')}.</desc>
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
${numbers}</figure>
`;
}

const maxCharacters = 2000;
/** Speakers of Common Voice have names of 128 letters. */
const longId = /[^\s,:]{25,}/g;
const shortId = 17;

/** An example: its audio before and after, the reference, and the transcript of each recognizer. */
function htmlExample(
  example: Example,
  sound: ShownSound | undefined,
  language: string,
  ways: Ways | undefined,
): Markup {
  const spoken = languageTag(example.language ?? language);
  const heard = example.transcripts.flatMap(({ label, aligned }) => (aligned === null ? [] : [{ label, aligned }]));
  const draw = example.draw > 0 ? `, draw ${example.draw}` : '';
  return html`<article class="example">
<h4>${withWay(
    html`<bdi>${limitText(
      example.title.replace(longId, (id) => cutMiddle(id, shortId)),
      300,
    )}</bdi>`,
    ways?.toTrial(example.utteranceId, example.conditionName, example.draw),
  )}</h4>
<p class="small quiet">${!example.title.includes(example.utteranceId) && html`Utterance <bdi>${limitText(example.utteranceId, 300)}</bdi>, `}<bdi>${limitText(conditionOf(example), 300)}</bdi>${draw}</p>
${sound && soundMarkup(example, sound)}
${heard.length > 0 && htmlDiff(heard, spoken)}
<dl class="heard">${example.transcripts.map(transcriptMarkup)}</dl>
</article>
`;
}

/** How many errors each has; of what failed, why. */
function transcriptMarkup(row: ExampleRow): Markup {
  const { label, aligned } = row;
  const told = [aligned && describeEdits(aligned), noteOf(row)];
  return html`<div><dt><bdi>${label}</bdi></dt><dd class="quiet">${limitText(told.filter(Boolean).join('; '), maxCharacters)}</dd></div>`;
}

function soundMarkup(example: Example, { id, again, clean, changed, ofTwoRuns, note }: ShownSound): Markup {
  if (again) return html`<p class="again"><a href="#${id}">Play the audio of this clip</a></p>`;
  const players = [
    player('Before', ofTwoRuns ? conditionOf(example) : 'clean', example, clean),
    player('After', conditionOf(example), example, changed),
  ];
  return html`${(clean || changed) && html`<div class="sounds" id="${id}">${players}</div>`}${note && html`<p class="small quiet">${note}</p>`}`;
}

function player(when: string, condition: string, example: Example, base64: string | null): Markup | null {
  if (base64 === null) return null;
  return html`<figure><figcaption>${when} (<bdi>${limitText(condition, 100)}</bdi>)</figcaption><audio controls preload="metadata" aria-label="${when}, ${limitText(condition, 100)}: ${limitText(example.utteranceId, 100)}" src="data:audio/wav;base64,${trusted(base64)}"></audio></figure>`;
}

/**
 * Curves with their interval bands, and beneath them a table with the same numbers to fold out.
 *
 * @param id unique in the page, made by us
 * @param numbers its table; absent: it stands elsewhere
 */
export function htmlChart(chart: Chart, id: string, numbers?: Markup): Markup {
  const frame = chartFrame(chart);
  const scales = chartScales(chart, frame);
  const names = chart.series.map((series) => series.name).join(', ');
  return html`<figure class="chart" aria-labelledby="${id}.heading">
<h4 id="${id}.heading"><bdi>${chart.title}</bdi></h4>
${!isNamedAtEnds(chart) && html`<ul class="legend" aria-hidden="true">${chart.series.map((series, index) => legendItem(series.name, index, chart.unordered))}</ul>`}
<div class="plot"><svg viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-labelledby="${id}.title ${id}.desc">
<title id="${id}.title">${chart.title}</title>
<desc id="${id}.desc">${chart.yLabel} (upright) over ${chart.xLabel}, for ${names}, with intervals as ${chart.unordered ? 'lines' : 'bands'}. The table has the same numbers.</desc>
${axes(chart, frame, scales)}
${
  chart.unordered
    ? chart.series.map((series, index) => apart(series, index, chart.series.length, scales))
    : html`${chart.series.map((series, index) => band(series, index, scales))}
${chart.series.map((series, index) => curve(series, index, scales))}`
}
${isNamedAtEnds(chart) && endNames(chart, frame, scales)}
${hits(chart, frame, scales)}
</svg></div>
${numbers}
</figure>
`;
}

/** The name of each curve at its end, moved apart where they would cover each other. */
function endNames({ series }: Chart, { width, right, top }: ChartFrame, scales: ChartScales): Markup {
  const ends = series
    .flatMap((one, index) => {
      const last = placesOf(one, scales).findLast(({ estimate }) => estimate?.value != null);
      return last === undefined ? [] : [{ name: one.name, index, y: scales.y(last.estimate!.value!) }];
    })
    .toSorted((a, b) => a.y - b.y);
  let least = top;
  return html`${ends.map(({ name, index, y }) => {
    const at = Math.max(y, least);
    least = at + 14;
    return html`<text class="end ${seriesLook(index).className}" x="${width - right + 6}" y="${at.toFixed(1)}" dy=".32em">${tickLabel(name)}</text>`;
  })}`;
}

function legendItem(name: string, index: number, unordered = false): Markup {
  const look = seriesLook(index);
  return html`<li class="${look.className}"><svg viewBox="0 0 36 14" aria-hidden="true">${!unordered && html`<line class="line" x1="1" x2="35" y1="7" y2="7" stroke-dasharray="${look.dashes}"/>`}<path class="marker" transform="translate(18 7)" d="${look.markerPath}"/></svg><bdi>${name}</bdi></li>`;
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
<text class="axis" x="4" y="${frame.top - 10}" text-anchor="start">${axisTitle(chart.yLabel, chart.yKind)}</text>
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
  const first = scales.x(0) ?? 0;
  const marked =
    series.data?.map(({ x, value }) => ({ x: first + x * scales.x.step(), value })) ??
    places.flatMap(({ x, estimate }) => (estimate?.value == null ? [] : [{ x, value: estimate.value }]));
  const markers = marked.map(
    ({ x, value }) =>
      html`<path class="marker" transform="translate(${x.toFixed(1)} ${scales.y(value).toFixed(1)})" d="${look.markerPath}"/>`,
  );
  return html`<g class="${look.className}"><path class="line" stroke-dasharray="${look.dashes}" d="${shape(places as Place[]) ?? ''}"/>${markers}</g>`;
}

/** Points that nothing joins, each with its interval; several stand side by side over their tick. */
function apart(series: ChartSeries, index: number, of: number, scales: ChartScales): Markup {
  const look = seriesLook(index);
  const room = Math.min(12, (scales.x.step() * 0.8) / of);
  const aside = (index - (of - 1) / 2) * room;
  return html`<g class="${look.className}">${placesOf(series, scales).map(({ x, estimate }) => {
    if (estimate?.value == null) return null;
    const { value, low, high } = estimate;
    const at = (x + aside).toFixed(1);
    return html`${low !== null && high !== null && html`<line class="whisker" x1="${at}" x2="${at}" y1="${scales.y(low).toFixed(1)}" y2="${scales.y(high).toFixed(1)}"/>`}<path class="marker" transform="translate(${at} ${scales.y(value).toFixed(1)})" d="${look.markerPath}"/>`;
  })}</g>`;
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
    return html`<rect class="hit" x="${((x(index) ?? 0) - width / 2).toFixed(1)}" y="${frame.top}" width="${width.toFixed(1)}" height="${frame.height - frame.top - frame.bottom}"><title>${`${chart.xLabel} ${tick}`}${values.map((value) => html`${trusted('\n')}${value}`)}</title></rect>`;
  })}`;
}
