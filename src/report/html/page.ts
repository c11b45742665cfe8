import { sha256 } from '../../base/hash.ts';
import { limitText } from '../../base/limit-text.ts';
import type { Example } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { counted } from '../format/sample-size.ts';
import { answerSection } from './answer.ts';
import { failuresSection } from './failures.ts';
import { type Detail, findingSection } from './finding.ts';
import { html, type Markup, trusted } from './markup.ts';
import { hasPlain, plainSection } from './plain.ts';
import { provenanceSection } from './provenance.ts';
import { script } from './script.ts';
import type { ShownSound } from './sounds.ts';
import { style } from './style.ts';

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
    ...(warned ? [{ id: 'warnings', title: 'Before you believe it' }] : []),
    ...links,
    { id: 'trials', title: 'What became of the trials' },
    { id: 'provenance', title: 'Settings and provenance' },
  ];
  return html`<nav class="toc" aria-label="Contents"><ul>${all.map(({ id, title }) => html`<li><a href="#${id}">${limitText(title, 120)}</a></li>`)}</ul></nav>`;
}

function warningsSection(warnings: readonly string[]): Markup | null {
  if (warnings.length === 0) return null;
  return html`<section id="warnings" class="warnings" aria-labelledby="warnings-title">
<h2 id="warnings-title"><span aria-hidden="true">⚠ </span>Before you believe it</h2>
<ul>${warnings.slice(0, 100).map((warning) => html`<li><bdi>${limitText(warning, 1000)}</bdi></li>`)}${
    warnings.length > 100 && html`<li>${warnings.length - 100} more warnings are in the JSON of this report.</li>`
  }</ul>
</section>
`;
}
