import { grouped } from '../../base/number-format.ts';
import { limitText, visibleText } from '../../base/printable.ts';
import type { ColumnKind, Estimate, Example, Finding, Section, Statement, Table } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { formatComparison, formatEstimate, type ShownCell } from '../format/cell.ts';
import { verdictIn, verdictOf } from '../format/wording.ts';
import { chartTable } from '../prepare/chart-table.ts';
import { gapColumns, higherFirst } from '../prepare/gap-table.ts';
import { conditionOf, noteOf, reportInWords } from '../prepare/in-words.ts';
import { jsonLines } from '../prepare/json-lines.ts';
import { reasonsTable, spentSentence, tallySentence, warningsOf } from '../prepare/report-parts.ts';
import {
  behindOf,
  intervalHead,
  legendOf,
  resultTableOf,
  type ScoreCell,
  type ScoreRow,
} from '../prepare/result-table.ts';
import { shownRows } from '../prepare/shown-rows.ts';
import { withoutTranscripts } from '../prepare/without-transcripts.ts';
import { textDiff } from '../text/text-diff.ts';

export interface MarkdownOptions {
  /** Whether words that were said may be shown. */
  readonly transcripts: boolean;
}

const maxRows = 200;
const maxExamples = 50;
/** Columns of a block in which words stand under words. */
const diffWidth = 96;

/**
 * The report in GitHub's Markdown, for merge requests and notebooks. Everything that comes from outside stands for
 * itself: see escapeMarkdown.
 *
 * @example await writeFile('report.md', renderMarkdown(report, { transcripts: false }));
 */
export function renderMarkdown(report: RunReport, options: MarkdownOptions): string {
  const shown = reportInWords(options.transcripts ? report : withoutTranscripts(report));
  const lines = [
    `# ${escapeMarkdown(shown.run.name)}`,
    '',
    ...shown.findings.flatMap(answerLines),
    ...warningLines(shown),
    ...shown.findings.flatMap((finding) => [
      ...finding.sections.flatMap(sectionLines),
      ...(finding.timing?.sections.flatMap(sectionLines) ?? []),
    ]),
    ...closingLines(shown),
  ];
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

function answerLines(finding: Finding): readonly string[] {
  return [
    `## ${escapeMarkdown(finding.title)}`,
    '',
    ...markdownScores(finding),
    ...finding.answer.map((statement) => statementLine(statement, 'rate')),
    ...(finding.timing?.answer.map((statement) => statementLine(statement, 'number')) ?? []),
    '',
  ];
}

/** The first table: what was found, recognizers by conditions, groups by recognizers. */
export function markdownScores(finding: Finding): readonly string[] {
  const table = resultTableOf(finding);
  if (table === null) return [];
  const { measure, kind, columns, ranks, rows, gaps, furthest } = table;
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => escapeMarkdown(cell)).join(' | ')} |`;
  const number = (estimate: Estimate | null | undefined) =>
    estimate == null ? '–' : formatEstimate(estimate, kind).main;
  const marked = (cell: ScoreCell | null, column: number) => {
    if (cell === null) return '–';
    const beside = cell.beside === null ? '' : cell.beside === 'alike' ? ' ≈' : ' *';
    return `${formatEstimate(cell.estimate, columns[column]!.kind ?? 'rate').main}${beside}${cell.isDoubled ? ' !' : ''}`;
  };
  const legend = legendOf(table);
  const isCompared = rows.some(({ behind }) => behind !== null);
  const above = ({ behind }: ScoreRow) => {
    if (behind === null) return '';
    const { main, interval, mark } = behindOf(behind, kind);
    return [main, interval, mark].filter(Boolean).join(' ');
  };
  return [
    ...table.found.map(escapeMarkdown).flatMap((sentence) => [sentence, '']),
    line([
      measure,
      ...columns.map(({ head }) => head.join(' ')),
      intervalHead(table),
      ...(isCompared ? ['behind by, points [95 % interval]'] : []),
    ]),
    `| --- | ${columns.map(() => '---: |').join(' ')} --- |${isCompared ? ' ---: |' : ''}`,
    ...rows.slice(0, maxRows).map((row) => {
      const { name, cells } = row;
      const own = cells[ranks]?.estimate;
      const interval = (own && formatEstimate(own, kind).interval) ?? '–';
      return line([name, ...cells.map(marked), interval, ...(isCompared ? [above(row)] : [])]);
    }),
    '',
    ...[legend, ...table.open].flatMap((note) => (note === null ? [] : [escapeMarkdown(note), ''])),
    ...[...gaps, ...(furthest ? [furthest] : [])].flatMap((one) => {
      const shown = { ...one, rows: one.rows.slice(0, maxRows) };
      const { columns: sides, gap } = gapColumns(shown, number);
      const title = one.attribute === null ? 'Worst group of each' : `By ${one.attribute}`;
      return [
        line([`${title}, ${one.of}`, ...sides.map(({ head }) => head), gap, 'verdict']),
        `| --- | ${sides.map(({ isNumber }) => (isNumber ? '---: |' : '--- |')).join(' ')} --- | --- |`,
        ...shown.rows.map((row, at) => {
          const { main, interval } = formatComparison(row.comparison, kind === 'rate' ? 'difference' : kind);
          const { comparison: told, groups } = higherFirst(row);
          const whose = told.verdict !== 'cannot tell' && one.groups !== null ? ` for ${groups[0]}` : '';
          const verdict = `${verdictIn(told).word}${whose}`;
          return line([row.name, ...sides.map(({ cells }) => cells[at]!), `${main} ${interval ?? ''}`.trim(), verdict]);
        }),
        '',
      ];
    }),
  ];
}

function statementLine(statement: Statement, usual: ColumnKind): string {
  const { kind = usual } = statement;
  const verdict = verdictOf(statement);
  const numbers = [
    statement.estimate && formatEstimate(statement.estimate, kind),
    statement.comparison && formatComparison(statement.comparison, kind === 'rate' ? 'difference' : kind),
  ].filter((number) => number !== undefined);
  const notes = numbers.map((number) =>
    escapeMarkdown([number.main, number.interval, number.pValue, number.n, number.reason].filter(Boolean).join(', ')),
  );
  const word = verdict ? `**${verdict.word}**: ` : '';
  return `- ${word}${escapeMarkdown(statement.text)}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

function warningLines(report: RunReport): readonly string[] {
  const warnings = warningsOf(report);
  if (warnings.length === 0) return [];
  return ['## Warnings', '', ...warnings.map((warning) => `- ${escapeMarkdown(warning)}`), ''];
}

function sectionLines(section: Section): readonly string[] {
  const examples = section.examples ?? [];
  return [
    `## ${escapeMarkdown(section.title)}`,
    '',
    ...(section.text ?? []).flatMap((text) => [escapeMarkdown(text), '']),
    ...(section.charts ?? []).flatMap((chart) => [
      `### ${escapeMarkdown(chart.title)}`,
      '',
      ...markdownTable(chartTable(chart), maxRows),
      '',
    ]),
    ...(section.tables ?? []).flatMap((table) => [
      `### ${escapeMarkdown(table.title)}`,
      '',
      ...markdownTable(table, maxRows),
      '',
    ]),
    ...examples.slice(0, maxExamples).flatMap(exampleLines),
    ...(examples.length > maxExamples ? [`… ${examples.length - maxExamples} more examples`, ''] : []),
  ];
}

/** Lines as they are; no run of backticks in them ends the block. */
function fenced(lines: readonly string[]): readonly string[] {
  const longest = Math.max(2, ...lines.flatMap((line) => line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [fence, ...lines, fence, ''];
}

function exampleLines(example: Example): readonly string[] {
  const heard = example.transcripts.flatMap(({ label, aligned }) => (aligned === null ? [] : [{ label, aligned }]));
  return [
    `### ${escapeMarkdown(example.title)}`,
    '',
    `Utterance ${escapeMarkdown(example.utteranceId)}, condition ${escapeMarkdown(conditionOf(example))}, draw ${example.draw}`,
    '',
    ...(heard.length === 0 ? [] : fenced(textDiff(heard, { width: diffWidth, paint: (_, text) => text }))),
    ...example.transcripts.flatMap((row) => {
      const note = noteOf(row);
      return note === undefined ? [] : [`- **${escapeMarkdown(row.label)}**: ${escapeMarkdown(note)}`];
    }),
    '',
  ];
}

function closingLines(report: RunReport): readonly string[] {
  return [
    '## Outcome of the trials',
    '',
    [tallySentence(report.tally), spentSentence(report.timing)].filter(Boolean).join(' '),
    '',
    ...(report.failures.length === 0 ? [] : markdownTable(reasonsTable(report.failures), maxRows)),
    '',
    '## Settings and provenance',
    '',
    `- Earwitness ${escapeMarkdown(report.earwitness)}, seed ${report.run.seed}`,
    ...report.recognizers.flatMap(({ name, identity }) => [
      `- **${escapeMarkdown(name)}**`,
      ...jsonLines(identity).map(lineItem),
    ]),
    ...report.findings.flatMap(({ study, settings }) => [
      `- **${escapeMarkdown(study.name)}** version ${study.version}`,
      ...jsonLines(settings).map(lineItem),
    ]),
    ...(Object.keys(report.timing).length > 0 ? ['- **timing**', ...jsonLines(report.timing).map(lineItem)] : []),
  ];
}

function lineItem({ path, value }: { readonly path: string; readonly value: string }): string {
  return `  - ${escapeMarkdown(path)}: ${escapeMarkdown(limitText(value, 500))}`;
}

/** A table in GitHub's Markdown, with the reasons for its dashes beneath it. */
function markdownTable(table: Table, maxRows: number): readonly string[] {
  if (table.rows.length === 0) return ['None.'];
  const rows = shownRows(table, maxRows);
  const reasons: string[] = [];
  const lines = [
    rowLine(table.columns.map(({ label }) => escapeMarkdown(label))),
    rowLine(table.columns.map((_, index) => (rows.some((row) => row[index]?.numeric) ? '---:' : '---'))),
    ...rows.map((row) => rowLine(row.map((cell) => markdownCell(cell, reasons)))),
  ];
  if (table.rows.length > rows.length) lines.push('', `… ${grouped(table.rows.length - rows.length)} more rows`);
  if (table.note) lines.push('', escapeMarkdown(table.note));
  if (reasons.length > 0) {
    lines.push('', ...reasons.map((reason, index) => `- (${index + 1}) ${escapeMarkdown(reason)}`));
  }
  return lines;
}

/** A cell in Markdown. A reason is put on the list (once) and referred to by its number. */
function markdownCell(cell: ShownCell, reasons: string[]): string {
  const parts = [escapeMarkdown(cell.main)];
  if (cell.interval) parts.push(`\\${cell.interval.slice(0, -1)}\\]`);
  if (cell.verdict && cell.verdict.word !== cell.main) parts.push(cell.verdict.word);
  if (cell.pValue) parts.push(escapeMarkdown(`(${cell.pValue})`));
  if (cell.reason) {
    if (!reasons.includes(cell.reason)) reasons.push(cell.reason);
    parts.push(`(${reasons.indexOf(cell.reason) + 1})`);
  }
  return parts.join(' ');
}

function rowLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/**
 * A text that stands in Markdown (CommonMark 0.31 with GitHub's tables, autolinks, mentions and mathematics) for itself
 * alone: no emphasis, link, image, HTML, heading, list, cell border, mention or line break comes of it.
 *
 * @example escapeMarkdown('a|b <i>') // 'a\\|b &lt;i&gt;'
 */
export function escapeMarkdown(text: string): string {
  return (
    visibleText(text)
      .replace(/[\\`*_{}[\]()#!|~$^]/g, '\\$&')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // GitHub makes links of bare addresses and mentions after all escapes are resolved; an empty comment parts them.
      .replace(/@|:(?=\/\/)|(?<=\bwww)\.|#(?=\d)/gi, '$&<!-- -->')
      .replace(/^(\s*)([-+=])/, '$1\\$2')
      .replace(/^(\s*\d+)([.)])/, '$1\\$2')
  );
}
