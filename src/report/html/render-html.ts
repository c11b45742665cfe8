import { badInput } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { limitText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Example, Table } from '../../model/finding.ts';
import { failuresInWords, isFailureKind } from '../../model/observation.ts';
import type { RunReport } from '../../model/run.ts';

import { reportInWords } from '../prepare/in-words.ts';
import { jsonLines } from '../prepare/json-lines.ts';
import {
  foremostWarning,
  reasonsTable,
  spentSentence,
  tallyInBrief,
  tallySentence,
  warningsOf,
} from '../prepare/report-parts.ts';
import { withoutTranscripts } from '../prepare/without-transcripts.ts';
import { createAnchors, type PlacedFinding, placeFindings } from './anchors.ts';
import { answerSection } from './answer.ts';
import { type Detail, findingSection, firstExampleOf } from './finding.ts';
import { html, languageTag, type Markup, markupText, trusted } from './markup.ts';
import { type ClipSource, noteBytes, type ShownSound, takeSounds } from './sounds.ts';
import { style } from './style.ts';
import { htmlTable } from './table.ts';

/** What each kind of failure means, for readers of the report. */
const meanings: Readonly<Record<string, string>> = {
  sound: 'the audio could not be read or made',
  crash: "the recognizer's process died, twice",
  timeout: 'no answer in time',
  refused: 'the recognizer rejected the request',
  unavailable: 'it could not be reached or was too busy, also after retries',
  garbage: 'its answer could not be understood',
  'unknown-utterance': 'it does not know this utterance',
  error: 'anything else',
};

/** What the page calls its own parts. */
const ownNames = ['main', 'answer', 'warnings', 'trials', 'provenance', 'failures', 'failure-reasons', 'detail'];

interface PageOptions {
  readonly script: string;
  readonly detail: Detail;
  readonly sounds: ReadonlyMap<Example, ShownSound>;
  /** Notes about what the page leaves out. */
  readonly notes: readonly string[];
  readonly about?: Markup;
}

/**
 * Only the style and the script written here may run, named by their hashes; sound and the (empty) icon come from the
 * file itself; nothing can be fetched, sent, framed or based elsewhere (CSP Level 3).
 */
function contentSecurityPolicy(script: string): string {
  return [
    "default-src 'none'",
    `script-src '${cspHash(script)}'`,
    `style-src '${cspHash(style)}'`,
    'media-src data:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function cspHash(text: string): string {
  return `sha256-${sha256(text, 'base64')}`;
}

/** The whole page. */
function page(report: RunReport, { script, detail, sounds, notes, about: told }: PageOptions): Markup {
  const title = limitText(report.run.name, 120);
  const about = `${counted(report.recognizers.length, 'recognizer')}, ${tallyInBrief(report.tally)}`;
  const anchors = createAnchors(ownNames);
  const placed = placeFindings(report.findings, anchors);
  const language = languageTag(report.language ?? '');
  const warnings = [...warningsOf(report), ...notes];
  const foremost = foremostWarning(warnings);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(contentSecurityPolicy(script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} – Earwitness</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the answer</a>
<div class="page">
<header class="top"><span class="name">Earwitness</span><h1><bdi>${title}</bdi></h1><span class="small quiet">${about}</span>${
    foremost !== null &&
    html`<a class="small warned" href="#warnings"><span aria-hidden="true">⚠ </span><bdi>${limitText(foremost, 300)}</bdi></a>`
  }</header>
${contents(placed, warnings.length > 0)}
<main id="main" tabindex="-1">
${answerSection({ placed, detail, sounds, language, ...(report.timing.run !== undefined && { next: nextOfRun }) })}
${told}${warningsSection(warnings)}
${placed.map((finding) => findingSection(finding, { anchors, detail, sounds, language }))}
${failuresSection(report)}
${provenanceSection(report)}
</main>
</div>
<script>${trusted(script)}</script>
</body>
</html>
`;
}

/** What a run prints at its end. */
const nextOfRun = html`<p class="next">Next: <code>earwitness view</code> shows every trial, word by word; <code>earwitness report --full</code> prints every table.</p>`;

/** The contents, to fold out; the script folds it out where there is room beside the page. */
function contents(placed: readonly PlacedFinding[], warned: boolean): Markup {
  const link = (id: string, title: string) => html`<a href="#${id}"><bdi>${limitText(title, 120)}</bdi></a>`;
  const item = (id: string, title: string) => html`<li>${link(id, title)}</li>`;
  const told = placed.filter(({ sections }) => sections.length > 0);
  return html`<nav class="toc" aria-label="Contents"><details><summary>Contents</summary><ul>${item('answer', 'The answer')}${warned && item('warnings', 'Warnings')}
${told.map(({ finding, id, sections }) => html`<li>${link(id, finding.title)}<ul>${sections.map((one) => item(one.id, one.section.title.replace(` (${finding.name})`, '')))}</ul></li>\n`)}${item('trials', 'Outcome of the trials')}${item('provenance', 'Settings and provenance')}</ul></details></nav>`;
}

function warningsSection(warnings: readonly string[]): Markup | null {
  if (warnings.length === 0) return null;
  return html`<section id="warnings" class="warnings" aria-labelledby="warnings.title">
<h2 id="warnings.title"><span aria-hidden="true">⚠ </span>Warnings</h2>
<ul>${warnings.slice(0, 100).map((warning) => html`<li><bdi>${limitText(warning, 1000)}</bdi></li>`)}${
    warnings.length > 100 && html`<li>${warnings.length - 100} more warnings are in the JSON of this report.</li>`
  }</ul>
</section>
`;
}

/** Everything that decides the numbers, so that they can be made again. */
function provenanceSection(report: RunReport): Markup {
  return html`<section id="provenance" aria-labelledby="provenance.title">
<h2 id="provenance.title">Settings and provenance</h2>
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

/** What became of the trials, with the failures by kind, most frequent first, and why. */
function failuresSection({ tally, failures, timing }: Pick<RunReport, 'tally' | 'failures' | 'timing'>): Markup {
  const kinds = Object.entries(tally.failures)
    .filter(([, count]) => count > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const table: Table = {
    id: 'failures',
    title: 'Failures by kind',
    columns: [
      { key: 'kind', label: 'Kind', kind: 'text' },
      { key: 'count', label: 'Trials', kind: 'count' },
      { key: 'share', label: 'Share of all trials', kind: 'rate' },
      { key: 'meaning', label: 'What it means', kind: 'text' },
    ],
    rows: kinds.map(([kind, count]) => ({
      kind: isFailureKind(kind) ? failuresInWords[kind] : kind,
      count,
      share: tally.trials > 0 ? count / tally.trials : null,
      meaning: Object.hasOwn(meanings, kind) ? (meanings[kind] ?? null) : null,
    })),
    note: 'A failure is never counted as an empty transcript: failed trials are left out of the rates.',
  };
  return html`<section id="trials" aria-labelledby="trials.title">
<h2 id="trials.title">Outcome of the trials</h2>
<p class="text">${[tallySentence(tally), spentSentence(timing)].filter(Boolean).join(' ')}</p>
${kinds.length > 0 && htmlTable(table, { id: 'failures', rows: 100, forest: false, sortable: true })}
${failures.length > 0 && htmlTable(reasonsTable(failures), { id: 'failure-reasons', rows: 100, forest: false, sortable: true })}
</section>
`;
}

export interface HtmlOptions {
  /** Whether words that were said may be shown. */
  readonly transcripts: boolean;
  /** Whether sound may be embedded. */
  readonly sound: boolean;
  /** Where the sound of the examples comes from. */
  readonly clips?: ClipSource;
  /** The file is never longer than this; 20,000,000 if absent. */
  readonly maximumBytes?: number;
  /** What stands behind the answer: of a page for others what it leaves out. */
  readonly about?: Markup;
}

/** From everything down to the bare sections: the first that fits the file is used. */
const details: readonly Detail[] = [
  { rows: 5000, examples: 100, charts: true },
  { rows: 1000, examples: 100, charts: true },
  { rows: 200, examples: 30, charts: true },
  { rows: 50, examples: 10, charts: true },
  { rows: 10, examples: 0, charts: true },
  { rows: 0, examples: 0, charts: false },
];

/**
 * The report as `renderHtml` gives it.
 *
 * @param script what the browser runs of it, which no pure function can read
 */
export function renderHtmlWith(script: string, report: RunReport, options: HtmlOptions): string {
  const { transcripts, sound, clips, maximumBytes = 20_000_000, about } = options;
  const shown = reportInWords(transcripts ? report : withoutTranscripts(report));
  const draw: Draw = (detail, notes, sounds) =>
    markupText(page(shown, { script, detail, sounds, notes, ...(about && { about }) }));
  const { detail, bytes, notes } = fit(draw, maximumBytes);
  if (!sound || !clips) return draw(detail, notes, new Map());
  const examples = examplesInOrder(shown, detail.examples);
  // A note instead of sound takes room as well.
  const sounds = takeSounds(examples, clips, maximumBytes - bytes - examples.length * noteBytes);
  return draw(detail, notes, sounds);
}

type Draw = (detail: Detail, notes: readonly string[], sounds: PageOptions['sounds']) => string;

function fit(draw: Draw, maximumBytes: number) {
  for (const detail of details) {
    const notes =
      detail === details[0] ? [] : ['This report is long: tables and examples were cut to keep the file small.'];
    const bytes = Buffer.byteLength(draw(detail, notes, new Map()));
    if (bytes <= maximumBytes) return { detail, bytes, notes };
  }
  throw badInput(
    `expected a report that fits into ${maximumBytes} bytes of HTML, but not even its answer does; use the JSON instead`,
  );
}

/**
 * Every example of a report in the order in which its sound is worth having: the first of each claim and section, then the
 * second of each, and so on. Each lists its worst first; the page shows at most `maxPerSection` of each.
 *
 * @example for (const { utteranceId, conditionName, draw } of examplesInOrder(report).slice(0, 40)) prepareClip(…);
 */
function examplesInOrder(report: RunReport, maxPerSection = 100): readonly Example[] {
  const lists = report.findings.flatMap(({ answer, sections, timing }) =>
    [...answer, ...sections, ...(timing?.sections ?? [])].map(({ examples = [] }) => examples.slice(0, maxPerSection)),
  );
  const longest = Math.max(0, ...lists.map((list) => list.length));
  // What stands with the answer is heard there.
  const ordered: Example[] = report.findings.flatMap((finding) => firstExampleOf(finding) ?? []);
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const example = list[rank];
      if (example) ordered.push(example);
    }
  }
  return [...new Set(ordered)];
}
