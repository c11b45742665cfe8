import type { ColumnKind, Finding, Statement } from '../../model/finding.ts';
import { formatComparison, formatEstimate, type ShownCell } from '../format/cell.ts';
import { html, type Markup } from './markup.ts';
import { verdictMark } from './verdict-mark.ts';

/** The answer of every finding as cards, the most important statement of each across the whole width. */
export function answerSection(findings: readonly Finding[]): Markup {
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
