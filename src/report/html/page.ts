import { sha256 } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { limitText } from '../../base/limit-text.ts';
import type { ColumnKind, Example, Finding, PlainSummary, Statement, Table } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { formatComparison, formatEstimate, type ShownCell } from '../format/cell.ts';
import { counted } from '../format/sample-size.ts';
import { reasonsTable } from '../prepare/failure-reasons.ts';
import { jsonLines } from '../prepare/json-lines.ts';
import { type PlainPart, plainParts, plainVerdicts } from '../prepare/plain-parts.ts';
import { tallySentence } from '../prepare/tally.ts';
import { type Detail, findingSection } from './finding.ts';
import { html, type Markup, trusted, verdictMark } from './markup.ts';
import { script } from './script.ts';
import type { ShownSound } from './sounds.ts';
import { style } from './style.ts';
import { htmlTable } from './table.ts';

/** Longer sentences come from long names alone. */
const longestLine = 600;

/** What each kind of failure means, for readers of the report. */
const meanings: Readonly<Record<string, string>> = {
  sound: 'the audio could not be read or made',
  crash: "the recognizer's process died, twice",
  timeout: 'no answer in time',
  refused: 'the recognizer said no',
  unavailable: 'it could not be reached or was too busy, also after retries',
  garbage: 'its answer could not be understood',
  'unknown-utterance': 'it does not know this utterance',
  error: 'anything else',
};

export interface PageOptions {
  readonly detail: Detail;
  readonly sounds: ReadonlyMap<Example, ShownSound>;
  /** Notes about what the page leaves out. */
  readonly notes: readonly string[];
}

/**
 * Only the style and the script written here may run, named by their hashes; sound and the (empty) icon come from the
 * file itself; nothing can be fetched, sent, framed or based elsewhere (CSP Level 3).
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src '${cspHash(script)}'`,
  `style-src '${cspHash(style)}'`,
  'media-src data:',
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function cspHash(text: string): string {
  return `sha256-${sha256(text, 'base64')}`;
}

/** The whole page. */
export function page(report: RunReport, { detail, sounds, notes }: PageOptions): Markup {
  const title = limitText(report.run.name, 120);
  const about = `${counted(report.recognizers.length, 'recognizer')}, ${counted(report.tally.trials, 'trial')}`;
  const warnings = [...notes, ...report.warnings, ...report.findings.flatMap((finding) => finding.warnings)];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(contentSecurityPolicy)}">
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
<header class="top"><span class="name">Earwitness</span><h1><bdi>${title}</bdi></h1><span class="small quiet">${about}</span></header>
${contents(report, warnings.length > 0)}
<main id="main" tabindex="-1">
${plainSection(report.findings)}
${answerSection(report.findings)}
${warningsSection(warnings)}
${report.findings.map((finding, index) => findingSection(finding, { id: `finding-${index + 1}`, detail, sounds }))}
${failuresSection(report)}
${provenanceSection(report)}
</main>
</div>
<script>${trusted(script)}</script>
</body>
</html>
`;
}

function contents(report: RunReport, warned: boolean): Markup {
  const several = report.findings.length > 1;
  const links = report.findings.flatMap((finding, index) => {
    const id = `finding-${index + 1}`;
    const sections = [...finding.sections, ...(finding.timing?.sections ?? [])];
    if (several) return sections.length > 0 ? [{ id, title: finding.title }] : [];
    return sections.map((section, at) => ({ id: `${id}-${at + 1}`, title: section.title }));
  });
  const all = [
    ...(report.findings.some(hasPlain) ? [{ id: 'plain', title: 'In plain words' }] : []),
    { id: 'answer', title: 'The answer' },
    ...(warned ? [{ id: 'warnings', title: 'Warnings' }] : []),
    ...links,
    { id: 'trials', title: 'What became of the trials' },
    { id: 'provenance', title: 'Settings and provenance' },
  ];
  return html`<nav class="toc" aria-label="Contents"><ul>${all.map(({ id, title }) => html`<li><a href="#${id}">${limitText(title, 120)}</a></li>`)}</ul></nav>`;
}

function warningsSection(warnings: readonly string[]): Markup | null {
  if (warnings.length === 0) return null;
  return html`<section id="warnings" class="warnings" aria-labelledby="warnings-title">
<h2 id="warnings-title"><span aria-hidden="true">⚠ </span>Warnings</h2>
<ul>${warnings.slice(0, 100).map((warning) => html`<li><bdi>${limitText(warning, 1000)}</bdi></li>`)}${
    warnings.length > 100 && html`<li>${warnings.length - 100} more warnings are in the JSON of this report.</li>`
  }</ul>
</section>
`;
}

/** Everything that decides the numbers, so that they can be made again. */
function provenanceSection(report: RunReport): Markup {
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

/** What became of the trials, with the failures by kind, most frequent first, and why. */
function failuresSection({ tally, failures }: Pick<RunReport, 'tally' | 'failures'>): Markup {
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
      kind,
      count,
      share: tally.trials > 0 ? count / tally.trials : null,
      meaning: Object.hasOwn(meanings, kind) ? (meanings[kind] ?? null) : null,
    })),
    note: 'A failure is never counted as an empty transcript: failed trials are left out of the rates.',
  };
  return html`<section id="trials" aria-labelledby="trials-title">
<h2 id="trials-title">What became of the trials</h2>
<p class="text">${tallySentence(tally)}</p>
${kinds.length > 0 && htmlTable(table, { id: 'failures', rows: 100, forest: false, sortable: true })}
${failures.length > 0 && htmlTable(reasonsTable(failures), { id: 'failure-reasons', rows: 100, forest: false, sortable: true })}
</section>
`;
}

/** The answer of every finding as cards, the most important statement of each across the whole width. */
function answerSection(findings: readonly Finding[]): Markup {
  const several = findings.length > 1;
  return html`<section id="answer" aria-labelledby="answer-title">
<h2 id="answer-title"${several ? null : html` class="unseen"`}>The answer</h2>
${findings.map((finding) => html`${several && html`<h3>${finding.title}</h3>`}${cards(finding)}`)}
</section>
`;
}

function cards(finding: Finding): Markup {
  const all = [
    ...finding.answer.map((statement) => ({ statement, usual: 'rate' as const })),
    ...(finding.timing?.answer ?? []).map((statement) => ({ statement, usual: 'number' as const })),
  ];
  if (all.length === 0) return html`<p class="text">${finding.title}: no answer was found.</p>`;
  return html`<div class="cards">${all.map(({ statement, usual }, index) => card(statement, usual, index === 0))}</div>`;
}

function card(statement: Statement, usual: ColumnKind, first: boolean): Markup {
  const { kind = usual, verdict = statement.comparison?.verdict } = statement;
  const numbers = [
    statement.estimate && formatEstimate(statement.estimate, kind),
    statement.comparison && formatComparison(statement.comparison, kind === 'rate' ? 'difference' : kind),
  ].filter((number) => number !== undefined);
  return html`<article class="card${first ? ' first' : ''}">
${verdict && verdictMark(verdict)}
<p class="sentence"><bdi>${statement.text}</bdi></p>
${numbers.map((number, index) => figures(number, index === 0))}
${numbers.length > 0 && evidence(numbers)}
</article>
`;
}

function figures(number: ShownCell, first: boolean): Markup {
  const comparison = number.verdict !== null;
  return html`<p class="figures"><span class="number${first ? ' big' : ''}">${!first && comparison && 'difference '}${number.main}</span>
${number.interval && html`<span class="number interval"><span class="unseen">interval </span>${number.interval}</span>`}
${number.pValue && html`<span class="number interval">${number.pValue}</span>`}
${number.reason && html`<span class="quiet small">${number.reason}</span>`}</p>
`;
}

function evidence(numbers: readonly ShownCell[]): Markup {
  return html`<details><summary>What it rests on</summary>
${numbers.map(({ n, method }) => html`<p>${n}. ${method}.</p>`)}</details>`;
}

/** Whether a finding has a page for everybody. */
function hasPlain(finding: Finding): finding is Finding & { readonly plain: PlainSummary } {
  return finding.plain !== undefined;
}

/** What every finding says to everybody, a printed page for each. */
function plainSection(findings: readonly Finding[]): Markup | null {
  const told = findings.filter(hasPlain);
  if (told.length === 0) return null;
  const several = findings.length > 1;
  return html`<section id="plain" class="plain" aria-labelledby="plain-title">
<h2 id="plain-title">In plain words</h2>
${told.map(
  ({ title, plain }) => html`<article class="sheet">${several && html`<h3><bdi>${title}</bdi></h3>`}
${plainParts(plain).map((part) => htmlPart(part, several))}</article>
`,
)}<p class="small quiet onward">Everything below is the appendix: every number with its interval, its test, and how it was made.</p>
</section>
`;
}

function htmlPart({ title, lines }: PlainPart, several: boolean): Markup {
  return html`<div class="part">${several ? html`<h4>${title}</h4>` : html`<h3>${title}</h3>`}
<ul>${lines.map(({ text, verdict }) => {
    const mark =
      verdict &&
      html`<span class="claim ${verdict === 'cannot tell' ? 'open' : 'told'}">${plainVerdicts[verdict]}</span> `;
    return html`<li>${mark}<bdi>${limitText(text, longestLine)}</bdi></li>`;
  })}</ul></div>
`;
}
