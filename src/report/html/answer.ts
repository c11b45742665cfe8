import { limitText } from '../../base/limit-text.ts';
import type { ColumnKind, Finding, PlainSummary, Statement } from '../../model/finding.ts';
import { formatComparison, formatEstimate, type ShownCell } from '../format/cell.ts';
import { type PlainPart, plainParts, plainVerdicts } from '../prepare/plain-parts.ts';
import { type Ranking, rankingOf } from '../prepare/ranking.ts';
import type { PlacedFinding } from './anchors.ts';
import { htmlBars } from './bars.ts';
import { htmlBoxPlot, htmlChart } from './finding.ts';
import { html, type Markup, verdictMark, type Ways } from './markup.ts';
import { htmlPlane } from './plane.ts';
import { htmlTable } from './table.ts';

/** Longer sentences come from long names alone. */
const longestLine = 600;

/** With this many the ranking scrolls in its box. */
const maxRanked = 200;

export interface AnswerOptions {
  readonly placed: readonly PlacedFinding[];
  readonly charts: boolean;
  readonly ways?: Ways;
}

/** The answer of every finding: its first statement, who stands where, one picture, and what else was found. */
export function answerSection({ placed, charts, ways }: AnswerOptions): Markup {
  return html`<section id="answer" aria-labelledby="answer.title">
<h2 id="answer.title" class="unseen">The answer</h2>
${placed.map((one) => html`<article class="overview"><h3><a href="#${one.id}"><bdi>${one.finding.title}</bdi></a></h3>${overview(one, charts, ways)}</article>\n`)}
</section>
`;
}

function overview({ finding, id, sections }: PlacedFinding, charts: boolean, ways: Ways | undefined): Markup {
  const all = [
    ...finding.answer.map((statement) => ({ statement, usual: 'rate' as const })),
    ...(finding.timing?.answer ?? []).map((statement) => ({ statement, usual: 'number' as const })),
  ];
  const first = all.find(({ statement }) => statement.headline) ?? all[0];
  const others = all.filter((one) => one !== first);
  if (first === undefined) return html`<p class="text">${finding.title}: no answer was found.</p>`;
  const ranking = rankingOf(finding);
  const drawn = charts ? picture({ finding, id, sections }) : null;
  const beside = html`${ranking && rankingTable(ranking, `${id}.ranking`, ways)}${drawn}`;
  return html`${card(first.statement, first.usual, true)}
${(ranking || drawn) && html`<div class="beside">${beside}</div>`}
${others.length > 0 && html`<div class="statements">${others.map(({ statement, usual }) => card(statement, usual, false))}</div>`}`;
}

function rankingTable({ of, by, kind, slice, rows }: Ranking, id: string, ways: Ways | undefined): Markup {
  const table = {
    ...{ id, title: ['Ranking', by, ...slice].join(', ') },
    columns: [
      { key: 'name', label: of, kind: 'text' as const },
      { key: 'value', label: by, kind },
    ],
    rows: rows.map(({ name, estimate }) => ({ name, value: estimate })),
  };
  const note = 'Lowest first. Where intervals overlap, the order is not told by this table.';
  return html`<div class="ranking">${htmlTable({ ...table, note }, { id: `${id}.table`, rows: maxRanked, forest: 'wide', sortable: false, ways })}</div>`;
}

/** The first picture of a finding, again: what stands between two measures says most, then curves, then the rest. */
function picture({ finding, id }: PlacedFinding): Markup | null {
  const { sections } = finding;
  const first = <Drawn>(drawn: (section: (typeof sections)[number]) => readonly Drawn[] | undefined) =>
    sections.flatMap((section) => drawn(section) ?? [])[0];
  const plane = first(({ planes }) => planes);
  if (plane) return htmlPlane(plane, `${id}.picture`);
  const chart = first(({ charts }) => charts);
  if (chart) return htmlChart(chart, `${id}.picture`);
  const bars = first(({ bars }) => bars);
  if (bars) return htmlBars({ ...bars, rows: bars.rows.slice(0, 12) }, `${id}.picture`);
  const boxes = first(({ boxPlots }) => boxPlots);
  return boxes ? htmlBoxPlot(boxes, `${id}.picture`) : null;
}

function card(statement: Statement, usual: ColumnKind, first: boolean): Markup {
  const { kind = usual, verdict = statement.comparison?.verdict } = statement;
  const numbers = [
    statement.estimate && formatEstimate(statement.estimate, kind),
    statement.comparison && formatComparison(statement.comparison, kind === 'rate' ? 'difference' : kind),
  ].filter((number) => number !== undefined);
  return html`<article class="card${first ? ' first' : ''}">
${numbers.length > 0 && html`<div class="numbers">${numbers.map((number, index) => figures(number, index === 0))}</div>`}
<div class="said">${verdict && verdictMark(verdict)}
<p class="sentence"><bdi>${statement.text}</bdi></p>
<div class="behind">${numbers.length > 0 && evidence(numbers)}</div></div>
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
export function hasPlain(finding: Finding): finding is Finding & { readonly plain: PlainSummary } {
  return finding.plain !== undefined;
}

/** What every finding says to everybody, a printed page for each. */
export function plainSection(findings: readonly Finding[]): Markup | null {
  const told = findings.filter(hasPlain);
  if (told.length === 0) return null;
  const several = findings.length > 1;
  return html`<section id="plain" class="plain" aria-labelledby="plain.title">
<h2 id="plain.title">In plain words</h2>
${told.map(
  ({ title, plain }) => html`<article class="sheet">${several && html`<h3><bdi>${title}</bdi></h3>`}
${plainParts(plain).map((part) => htmlPart(part, several))}</article>
`,
)}</section>
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
