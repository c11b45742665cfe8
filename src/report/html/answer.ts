import { limitText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { About, ColumnKind, Finding, Statement } from '../../model/finding.ts';
import { formatComparison, formatEstimate, type ShownCell } from '../format/cell.ts';
import { verdictOf } from '../format/wording.ts';
import type { Called } from '../prepare/in-words.ts';
import { leadingPicture, type Ranking, rankingOf } from '../prepare/ranking.ts';
import { resultTableOf } from '../prepare/result-table.ts';
import type { PlacedFinding } from './anchors.ts';
import { htmlBars } from './chart-scales.ts';
import { exampleList, type FindingOptions, firstExampleOf, htmlBoxPlot, htmlChart } from './finding.ts';
import { html, type Markup, verdictMark } from './markup.ts';
import { htmlPlane } from './plane.ts';
import { htmlScores } from './scores.ts';
import { htmlTable } from './table.ts';

/** Longer sentences come from long names alone. */
const longestLine = 600;

/** With this many the ranking scrolls in its box. */
const maxRanked = 200;

export interface AnswerOptions extends Omit<FindingOptions, 'anchors'> {
  readonly placed: readonly PlacedFinding[];
  /** Where a reader goes on, behind the first table; absent: nobody knows. */
  readonly next?: Markup;
}

/** The answer of every finding: its first statement, who stands where, one picture, and what else was found. */
export function answerSection({ placed, next, ...options }: AnswerOptions): Markup {
  // What a corpus holds is no result: one study beside it is all that the answer is of, and has no heading of its own.
  const asked = placed.filter(({ finding }) => finding.study.name !== 'corpus');
  const isOnly = (one: PlacedFinding) => placed.length === 1 || (asked.length === 1 && one === asked[0]);
  return html`<section id="answer" aria-labelledby="answer.title">
<h2 id="answer.title">The answer</h2>
${placed.map((one) => (asked.length > 0 && !asked.includes(one) ? inBrief(one) : html`<article class="overview"><h3${isOnly(one) && html` class="unseen"`}><a href="#${one.id}"><bdi>${one.finding.title}</bdi></a></h3>${overview(one, { ...options, ...(next && one === (asked[0] ?? placed[0]) && { next }) })}</article>\n`))}
</section>
`;
}

/** What was asked about is told in its sentences alone. */
function inBrief({ finding: { title, answer }, id }: PlacedFinding): Markup {
  return html`<p class="text"><a href="#${id}"><bdi>${title}</bdi></a>: <bdi>${answer.map(({ text }) => text).join(' ')}</bdi></p>\n`;
}

function overview({ finding, id }: PlacedFinding, options: Omit<AnswerOptions, 'placed'>): Markup {
  const all = [
    ...finding.answer.map((statement) => ({ statement, usual: 'rate' as const })),
    ...(finding.timing?.answer ?? []).map((statement) => ({ statement, usual: 'number' as const })),
  ];
  const first = all.find(({ statement }) => statement.headline) ?? all[0];
  const others = all.filter((one) => one !== first);
  const shown = ({ statement, usual }: (typeof all)[number]) =>
    card(statement, usual, statement === first?.statement, shownBy(statement, finding, options));
  if (first === undefined) return html`<p class="text">${finding.title}: no answer was found.</p>`;
  const table = resultTableOf(finding);
  if (table !== null) {
    const drawn = options.detail.charts ? picture(finding, id) : null;
    const heard = firstExample(finding, options);
    const told = all.map((one) => card(one.statement, one.usual, false, shownBy(one.statement, finding, options)));
    return html`${htmlScores(table, `${id}.scores`, options.ways)}${options.next}${(drawn || heard) && html`<div class="beside">${drawn}${heard}</div>`}
<details class="claims"><summary>${counted(all.length, 'claim')}, each with what it rests on and the utterances that show it</summary>
<div class="statements">${told}</div></details>`;
  }
  const ranking = rankingOf(finding);
  const drawn = options.detail.charts ? picture(finding, id) : null;
  const beside = html`${ranking && rankingTable(ranking, `${id}.ranking`, options.ways)}${drawn}`;
  return html`${shown(first)}${options.next}
${(ranking || drawn) && html`<div class="beside">${beside}</div>`}
${others.length > 0 && html`<div class="statements">${others.map(shown)}</div>`}`;
}

/** What the numbers sound like: the first example of the finding. */
function firstExample(finding: Finding, options: Omit<AnswerOptions, 'placed'>): Markup | null {
  const example = options.detail.examples > 0 ? firstExampleOf(finding) : null;
  if (example === null) return null;
  const sound = options.sounds.get(example);
  const isHeard = sound !== undefined && (sound.clean !== null || sound.changed !== null);
  return html`<div class="heard-first"><h4>${isHeard ? 'What it sounds like' : 'What was heard'}</h4>${exampleList([example], options)}</div>`;
}

function rankingTable(
  { of, by, kind, bySize, slice, rows }: Ranking,
  id: string,
  ways: FindingOptions['ways'],
): Markup {
  const table = {
    ...{ id, title: ['Ranking', by, ...slice].join(', ') },
    columns: [
      { key: 'name', label: of, kind: 'text' as const },
      { key: 'value', label: by, kind },
    ],
    rows: rows.map(({ name, estimate }) => ({ name, value: estimate })),
  };
  const note = `${bySize ? 'Nearest to 0' : 'Lowest'} first. Where intervals overlap, this table does not show which is better.`;
  return html`<div class="ranking">${htmlTable({ ...table, note }, { id: `${id}.table`, rows: maxRanked, forest: 'wide', sortable: false, ways })}</div>`;
}

function picture(finding: Finding, id: string): Markup | null {
  const found = leadingPicture(finding);
  if (found === null) return null;
  const { chart, bars, boxes, plane } = found;
  if (chart) return htmlChart(chart, `${id}.picture`);
  if (bars) return htmlBars({ ...bars, rows: bars.rows.slice(0, 12) }, `${id}.picture`);
  if (boxes) return htmlBoxPlot(boxes, `${id}.picture`);
  return plane ? htmlPlane(plane, `${id}.picture`) : null;
}

function card(statement: Statement, usual: ColumnKind, first: boolean, examples: Markup | null): Markup {
  const { kind = usual } = statement;
  const verdict = verdictOf(statement);
  const numbers = [
    statement.estimate && formatEstimate(statement.estimate, kind),
    statement.comparison && formatComparison(statement.comparison, kind === 'rate' ? 'difference' : kind),
  ].filter((number) => number !== undefined);
  return html`<article class="card${first ? ' first' : ''}">
${numbers.length > 0 && html`<div class="numbers">${numbers.map((number, index) => figures(number, index === 0))}</div>`}
<div class="said">${verdict && verdictMark(verdict)}
<p class="sentence"><bdi>${statement.text}</bdi></p>
<div class="behind">${numbers.length > 0 && evidence(numbers)}${examples}</div></div>
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

/** The utterances that show a claim most, to fold out; where there are pages of trials, the way to all that it is about. */
function shownBy(
  statement: Statement,
  { settings, conditionNames = {} }: Finding,
  { detail, ...options }: Omit<AnswerOptions, 'placed'>,
): Markup | null {
  const { about, examples = [] } = statement;
  if (about === undefined) return null;
  const way = options.ways?.toClaim(about, settings) ?? null;
  const shown = examples.slice(0, detail.examples);
  return html`${
    shown.length > 0 &&
    html`<details class="shown"><summary>${counted(shown.length, 'utterance')} that ${shown.length === 1 ? 'shows' : 'show'} it</summary>
<p><bdi>${limitText(trialsInWords(about, conditionNames), longestLine)}</bdi>: <bdi>${limitText(chosenBy(statement, conditionNames), longestLine)}</bdi>.</p>
${exampleList(shown, options)}</details>`
  }${way !== null && html`<a class="way" href="${way}">the trials that it is about</a>`}`;
}

/** `engine 1, sex female, clean` */
function trialsInWords({ recognizer, conditions = [], group = {}, language }: About, called: Called): string {
  const groups = Object.entries(group).map(([attribute, value]) => `${attribute} ${value}`);
  const asked =
    conditions.length === 1
      ? [called[conditions[0]!] ?? conditions[0]!]
      : conditions.length > 1
        ? [`${conditions.length} conditions`]
        : [];
  const parts = [recognizer ?? 'all recognizers', ...groups, language, ...asked];
  return parts.filter((part) => part !== undefined).join(', ');
}

function chosenBy({ about: { than, by } = {}, verdict }: Statement, called: Called): string {
  if (by === 'failures') return 'trials that failed';
  if (by === 'failed tests') return 'failed tests, which another recognizer passed';
  const side = verdict === 'better' ? 'below' : verdict === 'cannot tell' ? 'from' : 'above';
  if (by === 'words') {
    return than?.recognizer === undefined
      ? 'most words recognized where nobody speaks'
      : `number of words furthest ${side} that of ${than.recognizer}`;
  }
  const condition = than?.condition;
  const beside = than?.recognizer ?? (condition && (called[condition] ?? condition)) ?? 'the first recognition';
  if (by === 'change') return `transcripts that differ most from those of ${beside}`;
  if (than === undefined) return 'highest WER';
  // As `rankOf` orders them: by the rate, so that long clips do not come first.
  return than.recognizer === undefined
    ? `WER furthest above that in ${beside}`
    : `WER furthest ${side} that of ${beside}`;
}
