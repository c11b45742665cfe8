import type { Example, Finding, Section } from '../../model/finding.ts';
import { htmlBars } from './bars.ts';
import { htmlBoxPlot } from './box-plot.ts';
import { htmlChart } from './chart.ts';
import { differenceKey, htmlExample } from './example.ts';
import { htmlHeatMap } from './heat-map.ts';
import { html, type Markup } from './markup.ts';
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
  /** Unique in the page, made by us. */
  readonly id: string;
  readonly detail: Detail;
  readonly sounds: ReadonlyMap<Example, ShownSound>;
}

/** Everything a study found, below the answer. Speed comes last. */
export function findingSection(finding: Finding, { id, ...options }: FindingOptions): Markup {
  const sections = [...finding.sections, ...(finding.timing?.sections ?? [])];
  if (sections.length === 0) return html``;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title"><bdi>${finding.title}</bdi></h2>
${sections.map((section, index) => partSection(section, { id: `${id}-${index + 1}`, ...options }))}</section>
`;
}

function partSection(section: Section, { id, detail, sounds }: FindingOptions): Markup {
  const examples = (section.examples ?? []).slice(0, detail.examples);
  const left = (section.examples?.length ?? 0) - examples.length;
  const drawn = [
    ...(section.planes ?? []).map((plane, at) => htmlPlane(plane, `${id}-plane-${at + 1}`)),
    ...(section.boxPlots ?? []).map((plot, at) => htmlBoxPlot(plot, `${id}-boxes-${at + 1}`)),
    ...(section.bars ?? []).map((chart, at) => htmlBars(chart, `${id}-bars-${at + 1}`)),
  ];
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><bdi>${section.title}</bdi></h3>
${(section.text ?? []).map((text) => html`<p class="text"><bdi>${text}</bdi></p>`)}
${detail.charts && drawn.length > 0 ? html`<div class="charts">${drawn}</div>` : null}
${detail.charts && (section.heatMaps ?? []).map((map, at) => htmlHeatMap(map, `${id}-heat-${at + 1}`))}
${detail.charts && section.charts?.length ? html`<div class="charts">${section.charts.map((chart, at) => htmlChart(chart, `${id}-chart-${at + 1}`))}</div>` : null}
${detail.rows > 0 && (section.tables ?? []).map((table, at) => htmlTable(table, { id: `${id}-table-${at + 1}`, rows: detail.rows, forest: true, sortable: true }))}
${examples.some(({ transcripts }) => transcripts.some(({ aligned }) => aligned)) && differenceKey()}
${examples.length > 0 && html`<div class="examples">${examples.map((example) => htmlExample(example, sounds.get(example)))}</div>`}
${left > 0 && html`<p class="small quiet">${left} more are in the JSON of this report.</p>`}
</section>
`;
}
