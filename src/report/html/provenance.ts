import type { JsonObject } from '../../base/json.ts';
import { limitText } from '../../base/limit-text.ts';
import type { RunReport } from '../../model/run.ts';
import { jsonLines } from '../prepare/json-lines.ts';
import { html, type Markup } from './markup.ts';

/** Everything that decides the numbers, so that they can be made again. */
export function provenanceSection(report: RunReport): Markup {
  return html`<section id="provenance" aria-labelledby="provenance-title">
<h2 id="provenance-title">Settings and provenance</h2>
<div class="facts">
<div>${facts({ program: `Earwitness ${report.earwitness}`, run: report.run.name, seed: report.run.seed })}</div>
${report.findings.map(({ study, settings }) => folded(`Study ${study.name}, version ${study.version}`, settings))}
${report.recognizers.map(({ name, identity }) => folded(`Recognizer ${name}`, identity))}
${Object.keys(report.timing).length > 0 && folded('Timing of this run', report.timing)}
</div></section>
`;
}

function folded(title: string, value: JsonObject): Markup {
  return html`<details><summary><bdi>${limitText(title, 200)}</bdi></summary>${facts(value)}</details>\n`;
}

function facts(value: JsonObject): Markup {
  const lines = jsonLines(value);
  if (lines.length === 0) return html`<p class="small quiet">None.</p>`;
  return html`<dl>${lines.map(
    ({ path, value: text }) =>
      html`<dt><bdi>${limitText(path, 200)}</bdi></dt><dd><bdi>${limitText(text, 1000)}</bdi></dd>`,
  )}</dl>`;
}
