import { sha256 } from '../base/hash.ts';
import type { Json } from '../base/json.ts';
import { shownDifference } from '../model/comparison.ts';
import type { Comparison, Finding } from '../model/finding.ts';
import type { RunReport } from '../model/run.ts';
import { verdictIn } from '../report/format/wording.ts';
import { html, markupText } from '../report/html/markup.ts';
import { htmlScores } from '../report/html/scores.ts';
import { style } from '../report/html/style.ts';
import { renderJson } from '../report/json/render-json.ts';
import { escapeMarkdown, markdownScores } from '../report/markdown/render-markdown.ts';
import {
  besideNumbers,
  failedInBrief,
  foremostWarning,
  restsInBrief,
  warningsOf,
} from '../report/prepare/report-parts.ts';
import { type ResultTable, resultTableOf } from '../report/prepare/result-table.ts';
import { renderFirstScreen } from '../report/text/first-screen.ts';

/**
 * The page's style for what stands in a notebook: what the notebook says of tables is taken back (the id, which nothing has, outweighs its
 * classes; attributes of drawings are styles too, and stay), and dark is what the notebook's theme says, not the system's.
 */
const notebookStyle = `.earwitness-result:not(#_){padding:.75rem;border-radius:.75rem;:where(:not(svg,svg *)){all:revert}svg{max-width:none}${style
  .replace('color-scheme:light dark', 'color-scheme:light')
  .replace(/@media \(prefers-color-scheme:dark\)\{:root(\{[^{}]*\})\}/, '[data-jp-theme-light=false] &$1')
  .replace(/(^|[\s,{}])(?::root|body)(?=[\s{,])/g, '$1&')}}`;

/** A report as Python has it: `report.json`, and what its result tables show. */
export function toldReport(report: RunReport, transcripts = true): { [name: string]: Json } {
  return { report: JSON.parse(renderJson(report, { transcripts })) as Json, ...toldTables(report, transcripts) };
}

/** The first screen of a report, as a terminal has it, for a notebook and as Markdown; its result tables as rows, and its warnings. */
export function toldTables(report: RunReport, transcripts = true): { [name: string]: Json } {
  const { findings } = report;
  const shown = findings.flatMap((finding) => {
    const table = resultTableOf(finding);
    return table === null ? [] : [{ finding, table }];
  });
  // What compares two has no table of its own, and says how far they are apart.
  const said = findings.flatMap((finding) => {
    const first = finding.answer.find(({ headline }) => headline) ?? finding.answer[0];
    return first === undefined || finding.study.name === 'corpus' || shown.some((one) => one.finding === finding)
      ? []
      : [first.text];
  });
  const notes = findings.filter(({ scores }) => scores !== undefined).flatMap(besideNumbers);
  const warnings = warningsOf(report);
  const foremost = foremostWarning(warnings);
  // A table of a page says itself what it rests on.
  const below = (table: ResultTable | null) =>
    [
      ...notes,
      ...failedInBrief(report.failures),
      restsInBrief(report, table),
      foremost === null ? null : `⚠ ${foremost}`,
    ].filter((line) => line !== null);
  const tables = shown.map(({ finding, table }) => tableInRows(finding, table));
  // Ids are of a page, and a notebook has many.
  const id = `earwitness-${sha256(JSON.stringify(tables)).slice(0, 10)}`;
  return {
    ...{ tables, warnings, text: renderFirstScreen(report, { width: 80, color: false, transcripts }) },
    html: markupText(
      html`<div class="earwitness-result">${said.length > 0 && html`<div class="scores">${said.map((text) => html`<p class="found"><bdi>${text}</bdi></p>`)}</div>`}${shown.map(({ table }, at) => htmlScores(table, `${id}-${at}`))}${below(null).map((line) => html`<p class="small"><bdi>${line}</bdi></p>`)}</div>`,
    ),
    style: notebookStyle,
    markdown: [
      ...said.flatMap((text) => [escapeMarkdown(text), '']),
      ...shown.flatMap(({ finding }) => markdownScores(finding)),
      ...below(shown[0]?.table ?? null).flatMap((line) => [escapeMarkdown(line), '']),
    ].join('\n'),
  };
}

function tableInRows(finding: Finding, table: ResultTable): Json {
  // How far two are apart is told by what compares them; of rows it is wanted with each.
  const { apartElsewhere: _, ...scores } = finding.scores!;
  const whole = resultTableOf({ ...finding, scores }) ?? table;
  const rows = whole.rows.map(({ name, cells, behind }) => {
    const own = cells[whole.ranks]?.estimate;
    return {
      name,
      values: cells.map((cell) => cell?.estimate.value ?? null),
      low: own?.low ?? null,
      high: own?.high ?? null,
      ...{ utterances: own?.n.utterances ?? null, speakers: own?.n.speakers ?? null },
      above: behind === null ? null : numbersOf(behind),
    };
  });
  const gaps = whole.gaps.flatMap(({ attribute, rows }) =>
    rows.map(({ name, comparison, groups }) => ({ name, attribute, groups, ...numbersOf(comparison) })),
  );
  return {
    ...{ finding: finding.name ?? finding.study.name, measure: whole.measure, of: whole.of.toLowerCase() },
    columns: whole.columns.map(({ head }) => head.join(' ')),
    ...{ rows, gaps },
  } as unknown as Json;
}

function numbersOf(comparison: Comparison) {
  const { value, low, high } = shownDifference(comparison);
  const { pValue, adjustedPValue } = comparison;
  return {
    value,
    low,
    high,
    pValue: adjustedPValue ?? pValue,
    verdict: comparison.verdict,
    says: verdictIn(comparison).word,
  };
}
