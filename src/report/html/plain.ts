import { limitText } from '../../base/limit-text.ts';
import type { Finding, PlainSummary } from '../../model/finding.ts';
import { type PlainPart, plainParts, plainVerdicts } from '../prepare/plain-parts.ts';
import { html, type Markup } from './markup.ts';

/** Longer sentences come from long names alone. */
const longestLine = 600;

/** Whether a finding has a page for everybody. */
export function hasPlain(finding: Finding): finding is Finding & { readonly plain: PlainSummary } {
  return finding.plain !== undefined;
}

/** What every finding says to everybody, a printed page for each. */
export function plainSection(findings: readonly Finding[]): Markup | null {
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
