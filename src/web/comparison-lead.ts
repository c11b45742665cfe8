import { formatFixed } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { Comparison, Finding } from '../model/finding.ts';
import { comparisonAt, estimateAt, type Row, rowsOf } from '../model/finding-rows.ts';
import { reasonText } from '../model/reason.ts';
import { formatComparison, formatEstimate } from '../report/format/cell.ts';
import { verdictIn, whyWider } from '../report/format/wording.ts';
import { html, type Markup, verdictMark, type Ways, withWay } from '../report/html/markup.ts';
import { htmlGaps } from '../report/html/scores.ts';
import { forestMark, forestScale } from '../report/html/table.ts';
import { resultTableOf } from '../report/prepare/result-table.ts';
import { cutName } from './difference.ts';

/**
 * Differences as a forest plot, groups of speakers, and the words that are newly broken: before everything else that a comparison found.
 *
 * @param groups what the run said of groups for both, where they are of one
 */
export function comparisonLead(findings: readonly Finding[], groups: Finding | null, ways: Ways): Markup {
  const table = groups && resultTableOf(groups);
  return html`${foundIn(findings)}${forestPlot(findings, ways, table === null)}${table && html`<div class="scores">${htmlGaps(table, 'groups')}</div>`}${brokenWords(findings, ways)}`;
}

/** What was found, as a terminal says it first: of several recognizers one sentence each. */
function foundIn(findings: readonly Finding[]): Markup {
  const changed = findings.filter(({ unchanged }) => !unchanged);
  return html`<div class="scores">${changed.slice(0, maxFound).flatMap(({ answer }) =>
    answer
      .filter(({ headline }) => headline)
      .slice(0, changed.length === 1 ? maxFound : 1)
      .map(({ text }) => html`<p class="found"><bdi>${limitText(text, 300)}</bdi></p>`),
  )}</div>`;
}

const maxFound = 3;
const maxRows = 60;
const maxWords = 20;

function forestPlot(findings: readonly Finding[], ways: Ways, withGroups: boolean): Markup {
  const changed = findings.filter(({ unchanged }) => !unchanged);
  const same = findings.filter(({ unchanged }) => unchanged);
  const rows = changed.flatMap((finding) => {
    const called = finding.conditionNames ?? {};
    const named = (row: Row, keys: readonly string[]) =>
      keys.flatMap((key) => {
        const name = row[key];
        return typeof name !== 'string' ? [] : [key === 'condition' ? (called[name] ?? name) : name];
      });
    return [
      ...rowsOf(finding, 'comparison-conditions').map((row) => ({ finding, row, names: named(row, ['condition']) })),
      ...(withGroups ? rowsOf(finding, 'comparison-groups') : []).map((row) => ({
        finding,
        row,
        names: named(row, ['attribute', 'group']),
      })),
    ];
  });
  const shown = rows.slice(0, maxRows);
  const unchanged = same
    .flatMap(({ answer }) => answer)
    .map(({ text }) => html`<p class="text"><bdi>${text}</bdi></p>`);
  if (shown.length === 0) return html`${unchanged}`;
  const range = forestScale(shown.map(({ row }) => comparisonAt(row, 'difference')));
  // The line of no change is seen wherever all of them lie.
  const scale = range && { ...range, low: Math.min(range.low, (range.low - range.high) / 20) };
  const { finding: first } = shown[0]!;
  const sides = (['before', 'after'] as const).map((side) =>
    limitText(labelOf(first, 'comparison-conditions', side), 80),
  );
  // Of two names who makes fewer errors is said, since nothing changed.
  const ofNames = tableOf(first, 'comparison-conditions')?.ofNames === true;
  const what = ofNames ? 'difference' : 'change';
  const fewer = ofNames ? html` with <bdi>${sides[1]}</bdi>` : null;
  const verdictOf = (comparison: Comparison) =>
    ofNames && comparison.verdict !== 'cannot tell'
      ? html`<span class="good" aria-hidden="true">✓</span> <bdi>${sides[comparison.verdict === 'better' ? 1 : 0]}</bdi>`
      : verdictMark(verdictIn(comparison));
  return html`<div class="scroll listed" role="region" tabindex="0" aria-labelledby="forest-caption"><table class="compared"><caption id="forest-caption">${ofNames ? 'Difference' : 'Change'} of the WER, points, with its interval; left of the dashed line fewer errors${fewer}</caption>
<thead><tr><th scope="col">Where</th>${sides.map((side) => html`<th scope="col" class="right"><bdi>${side}</bdi></th>`)}<th scope="col">${what}</th><th scope="col">${ofNames ? 'fewer errors' : 'verdict'}</th></tr></thead>
<tbody>${shown.map(({ finding, row, names }, at) => {
    const comparison = comparisonAt(row, 'difference');
    const { main, interval, pValue, open } = formatComparison(comparison);
    const rate = (side: string) =>
      html`<td class="right number">${formatEstimate(estimateAt(row, side), 'rate').main}</td>`;
    const isFirst = shown[at - 1]?.finding !== finding;
    return html`${isFirst && findings.length > 1 && html`<tr><th scope="rowgroup" colspan="5"><bdi>${limitText(finding.title, 200)}</bdi></th></tr>`}<tr><th scope="row">${withWay(html`<bdi>${limitText(names.join(' '), 80)}</bdi>`, ways.toRow(names, null))}</th>${rate('before')}${rate('after')}<td class="number">${scale && forestMark(comparison, scale, 240)}${main.replace(/ points$/, '')} ${interval !== null && html`<span class="interval">${interval}</span>`}</td><td title="${[pValue, open].filter(Boolean).join('; ')}">${verdictOf(comparison)}${why(comparison)}</td></tr>
`;
  })}</tbody></table>${rows.length > shown.length && html`<p class="notes">${formatFixed(rows.length - shown.length, 0)} more groups stand below.</p>`}</div>${unchanged}`;
}

const tableOf = ({ sections }: Finding, id: string) =>
  sections.flatMap(({ tables = [] }) => tables).find((table) => table.id === id);

/** The head of a column: of two times before and after, of two names these. */
const labelOf = (finding: Finding, id: string, column: string): string =>
  tableOf(finding, id)?.columns.find(({ key }) => key === column)?.label ?? column;

/** Why an interval beside an open verdict is on one side of 0, or missing. */
function why(comparison: Comparison): Markup | null {
  const { difference, reason, verdict } = comparison;
  const missing = difference.low === null && verdict === 'cannot tell' ? (difference.reason ?? reason) : undefined;
  const told = whyWider(comparison) ?? (missing === undefined ? null : reasonText(missing));
  return told === null ? null : html` <span class="small quiet">${limitText(told, 120)}</span>`;
}

/** Words of references that were right before and are wrong now, over all trials. */
function brokenWords(findings: readonly Finding[], ways: Ways): Markup {
  const broken = findings.flatMap((finding) =>
    rowsOf(finding, 'comparison-words')
      .slice(0, maxWords)
      .map((row) => ({ row, finding, title: finding.title })),
  );
  if (broken.length === 0) return html``;
  const [{ finding }] = broken as [(typeof broken)[number]];
  const table = tableOf(finding, 'comparison-words');
  const head = (key: string) =>
    html`<th scope="col"><bdi>${limitText(labelOf(finding, 'comparison-words', key), 80)}</bdi></th>`;
  const several = new Set(broken.map(({ title }) => title)).size > 1;
  return html`<div class="scroll listed" role="region" tabindex="0" aria-labelledby="broken-caption"><table class="compared"><caption id="broken-caption">${limitText(table?.title ?? '', 200)}, most frequent first</caption>
<thead><tr>${head('said')}${head('heard')}<th scope="col" class="right">times</th><th scope="col">first in</th></tr></thead>
<tbody>${broken.map(({ row, title }, at) => {
    const [said, heard, utterance, condition] = ['said', 'heard', 'utterance', 'condition'].map((key) =>
      String(row[key] ?? ''),
    ) as [string, string, string, string];
    const isFirst = several && broken[at - 1]?.title !== title;
    return html`${isFirst && html`<tr><th scope="rowgroup" colspan="4"><bdi>${limitText(title, 200)}</bdi></th></tr>`}<tr><th scope="row"><bdi>${limitText(said, 80)}</bdi></th><td>${heard === '' ? html`<span class="quiet">deleted</span>` : html`<bdi>${limitText(heard, 80)}</bdi>`}</td><td class="right number">${formatFixed(Number(row.times), 0)}</td><td>${withWay(cutName(utterance), ways.toRow([condition], utterance))}, <bdi>${limitText(condition, 80)}</bdi></td></tr>
`;
  })}</tbody></table></div>`;
}
