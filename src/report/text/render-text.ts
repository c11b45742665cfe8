import { formatFixed } from '../../base/number-format.ts';
import { limitText, visibleText } from '../../base/printable.ts';
import type { Example, Finding, Section, Statement, Table } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { counted } from '../format/wording.ts';
import { seriesTable } from '../prepare/chart-table.ts';
import { marksInWords } from '../prepare/diff.ts';
import { jsonLines } from '../prepare/json-lines.ts';
import { otherFailures, reasonText, spentSentence, tallySentence } from '../prepare/report-parts.ts';
import { resultTableOf } from '../prepare/result-table.ts';
import { withoutTranscripts } from '../prepare/without-transcripts.ts';
import { createPaint, cutMiddle, type Paint, wrapToWidth } from './display-width.ts';
import { type TextDiffRow, textDiff } from './text-diff.ts';
import { leadTables, textLead } from './text-lead.ts';
import { textScores } from './text-scores.ts';
import { textStatement } from './text-statement.ts';
import { inFullReport, textTable } from './text-table.ts';

export interface TextOptions {
  /** Columns of the terminal; at least 40 are used. */
  readonly width: number;
  readonly color: boolean;
  /** Whether words that were said may be shown. */
  readonly transcripts: boolean;
  /** What the study puts first, one utterance word by word, warnings and tally alone. */
  readonly brief?: boolean;
  /** With `brief`: ids of sections that are shown all the same. */
  readonly sections?: readonly string[];
  /** The id of the run too, and all else that differs between two runs of the same. */
  readonly verbose?: boolean;
}

const maxRows = 8;
const maxExamples = 2;
const [maxWarnings, maxBriefWarnings] = [6, 3];

/**
 * The report as a summary for the terminal: the answer, what to know before believing it, then compact tables. Nothing
 * in it moves a cursor or changes a colour but what is set here: control characters of others are made visible.
 *
 * @example process.stderr.write(renderText(report, { width: 100, color: true, transcripts: true }));
 */
export function renderText(report: RunReport, options: TextOptions): string {
  const page: Page = {
    width: Math.max(40, options.width) - 1,
    paint: createPaint(options.color),
    verbose: options.verbose ?? false,
  };
  const shown = options.transcripts ? report : withoutTranscripts(report);
  const sections = options.brief
    ? shown.findings.flatMap((finding) => finding.sections.filter(({ id }) => options.sections?.includes(id)))
    : [
        ...shown.findings.flatMap((finding) => finding.sections),
        ...shown.findings.flatMap((finding) => finding.timing?.sections ?? []),
      ];
  const blocks = [
    ...shown.findings.map((finding) => (options.brief ? headlineBlock(finding, page) : answerBlock(finding, page))),
    warningsBlock(shown, options.brief ? maxBriefWarnings : maxWarnings, page),
    ...sections.flatMap((section) => sectionBlocks(section, page)),
    failuresBlock(shown, page),
    closingBlock(shown, page),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

interface Page {
  readonly width: number;
  readonly paint: Paint;
  readonly verbose: boolean;
}

type Block = readonly string[];

function answerBlock(finding: Finding, page: Page): Block {
  return [
    ...heading(finding.title, page),
    ...finding.answer.flatMap((statement) => textStatement(statement, 'rate', page)),
    ...(finding.timing?.answer.flatMap((statement) => textStatement(statement, 'number', page)) ?? []),
  ];
}

/** The headlines of a finding, and the first of its examples word by word; all of its answer where it has no headlines. */
function headlineBlock(finding: Finding, page: Page): Block {
  const headlines = (statements: readonly Statement[]) => statements.filter(({ headline }) => headline);
  const table = resultTableOf(finding);
  if (table !== null) {
    // What rests on no number stands in no table: why groups cannot be compared.
    const notes = headlines(finding.answer).filter((one) => one.estimate === undefined && one.comparison === undefined);
    const told = [...notes, ...headlines(finding.timing?.answer ?? [])];
    return [
      ...heading(finding.title, page),
      ...textScores(table, page),
      ...(told.length === 0 ? [] : ['']),
      ...told.flatMap(({ text }) => wrapToWidth(visibleText(text), page.width)),
      ...examplesBlock(finding, page),
    ];
  }
  const leads = leadTables(finding.sections.flatMap(({ tables = [] }) => tables));
  if (leads.length > 0) return leadBlock(finding, leads, page);
  const [answer, timing] = [headlines(finding.answer), headlines(finding.timing?.answer ?? [])];
  const summaries = finding.sections.flatMap((section) => (section.summary ? summaryBlock(section, page) : []));
  if (answer.length === 0) return [...answerBlock(finding, page), ...summaries];
  const [example] = finding.sections.flatMap(({ examples }) => examples ?? []);
  return [
    ...heading(finding.title, page),
    ...answer.flatMap((statement) => textStatement(statement, 'rate', page)),
    ...(example === undefined ? [] : ['', ...wordsBlock(example, page)]),
    ...timing.flatMap((statement) => textStatement(statement, 'number', page)),
    ...summaries,
  ];
}

/** What else is known before any number, what was found, the tables that show it, and what stands in none of them. */
function leadBlock(finding: Finding, leads: ReturnType<typeof leadTables>, page: Page): Block {
  const lines = (statements: readonly Statement[]) =>
    statements.flatMap(({ text }) => wrapToWidth(visibleText(text), page.width));
  const first = Math.max(
    0,
    finding.answer.findIndex(({ headline }) => headline),
  );
  const found = finding.answer.filter(({ headline }) => headline);
  const others = lines(finding.answer.slice(first).filter(({ headline }) => !headline));
  return [
    ...heading(finding.title, page),
    ...lines(finding.answer.slice(0, first)).map((line) => page.paint('quiet', line)),
    ...lines(found),
    ...leads.flatMap((tables) => ['', ...textLead(tables, page)]),
    ...(others.length > 0 ? ['', ...others] : []),
    ...changedBlock(finding, page),
  ];
}

/** An utterance of which both sides have a transcript, word by word. */
function changedBlock({ sections }: Finding, page: Page): Block {
  const section = sections.find(({ examples = [] }) => examples.some(({ transcripts }) => transcripts.length === 2));
  const [example] = section?.examples ?? [];
  if (section === undefined || example === undefined) return [];
  const rows = example.transcripts.flatMap(({ label, aligned }) => (aligned === null ? [] : [{ label, aligned }]));
  return ['', ...wordsLines(`${section.title}, ${example.conditionName}`, example, rows, page)];
}

/** The first of its examples, word by word. */
function examplesBlock({ sections }: Finding, page: Page): Block {
  const [example] = sections.flatMap(({ examples }) => examples ?? []);
  return example === undefined ? [] : ['', ...wordsBlock(example, page)];
}

/** The beginnings of tables; nothing of those whose words are not to be shown. */
function summaryBlock({ tables = [] }: Section, page: Page): Block {
  return tables
    .filter(({ columns, rows }) => rows.length > 0 && columns.some(({ transcript }) => transcript))
    .flatMap((table) => [
      ...wrapToWidth(visibleText(table.title), page.width - 2).map((line) => `  ${line}`),
      ...textTable(firstOfEach(table), { ...page, width: page.width - 4, rows: maxRows }).map((line) => `    ${line}`),
    ]);
}

/** So many rows of each value of the first column that all of them have some. */
function firstOfEach(table: Table): Table {
  const key = table.columns[0]!.key;
  const groups = [...Map.groupBy(table.rows, (row) => row[key])];
  const each = Math.max(1, Math.floor(maxRows / groups.length));
  return { ...table, rows: groups.flatMap(([, rows]) => rows.slice(0, each)) };
}

/** One utterance word by word: what was said, heard clean, and heard in the condition. */
function wordsBlock(example: Example, page: Page): Block {
  const { conditionName, transcripts } = example;
  const heard = transcripts.flatMap(({ label, aligned }) => (aligned === null ? [] : [{ label, aligned }]));
  const [first, second] = heard;
  const isBesideClean =
    first !== undefined && second !== undefined && ['clean', `${second.label}, clean`].includes(first.label);
  const rows = isBesideClean
    ? [
        { ...first, label: 'clean' },
        { ...second, label: conditionName },
      ]
    : heard.slice(0, 1).map(({ label, aligned }) => ({ label: `${label}, ${conditionName}`, aligned }));
  return rows.length === 0 ? [] : wordsLines('Word by word', example, rows, page);
}

function wordsLines(head: string, { title, utteranceId }: Example, rows: readonly TextDiffRow[], page: Page): Block {
  // Ids of spoken texts are hashes.
  const named = title.startsWith(`${utteranceId}, `) ? title.slice(utteranceId.length + 2) : title;
  // Speakers of Common Voice have names of 128 letters.
  const whose = named.replace(/\S{41,}/g, (id) => cutMiddle(id, 20));
  const who = wrapToWidth(visibleText(`${head} (${marksInWords}), ${whose}:`), page.width).map((line) =>
    page.paint('quiet', line),
  );
  return [
    ...who,
    ...textDiff(rows, { ...page, width: page.width - 2 }).map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

function warningsBlock(report: RunReport, most: number, page: Page): Block {
  // What several studies say is said once.
  const warnings = [...new Set([...report.warnings, ...report.findings.flatMap((finding) => finding.warnings)])];
  const lines = warnings
    .slice(0, most)
    .flatMap((warning) =>
      wrapToWidth(visibleText(warning), page.width - 4).map((line, index) =>
        index === 0 ? `  ${page.paint('caution', '!')} ${line}` : `    ${line}`,
      ),
    );
  if (warnings.length > most) lines.push(`    … ${warnings.length - most} more ${inFullReport}`);
  return lines.length > 0 ? [...heading('Warnings', page), ...lines] : [];
}

function sectionBlocks(section: Section, page: Page): readonly Block[] {
  const table = { ...page, rows: maxRows };
  const blocks: Block[] = [
    [
      ...heading(section.title, page),
      ...(section.text ?? []).flatMap((text) => wrapToWidth(visibleText(text), page.width)),
    ],
  ];
  for (const chart of section.charts ?? []) {
    blocks.push([...title(chart.title, page), ...textTable(seriesTable(chart), table)]);
  }
  for (const one of section.tables ?? []) {
    const note = one.note ? wrapToWidth(visibleText(one.note), page.width) : [];
    blocks.push([
      ...title(one.title, page),
      ...textTable(one, table),
      ...note.map((line) => page.paint('quiet', line)),
    ]);
  }
  const examples = section.examples ?? [];
  blocks.push(...examples.slice(0, maxExamples).map((example) => exampleBlock(example, page)));
  if (examples.length > maxExamples) {
    blocks.push([page.paint('quiet', `… ${examples.length - maxExamples} more ${inFullReport}`)]);
  }
  return blocks;
}

function exampleBlock(example: Example, page: Page): Block {
  const heard = example.transcripts.flatMap(({ label, aligned }) => (aligned === null ? [] : [{ label, aligned }]));
  const notes = example.transcripts.flatMap(({ label, aligned, note }) =>
    note === undefined && aligned !== null
      ? []
      : [`${visibleText(label)}: ${limitText(visibleText(note ?? 'failed'), 600)}`],
  );
  const lines = [
    ...(heard.length === 0 ? [] : textDiff(heard, { ...page, width: page.width - 2 })),
    ...notes.flatMap((note) => wrapToWidth(note, page.width - 2)),
  ];
  return [
    ...title(`${example.title} (${example.conditionName})`, page),
    ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

function closingBlock(report: RunReport, page: Page): Block {
  const { started, seconds } = report.timing;
  const lines: string[] = [];
  // A finding that belongs to no run has asked nobody.
  if (report.recognizers.length > 0) {
    const when = typeof started === 'string' ? ` Begun ${started.slice(0, 16).replace('T', ' ')} UTC` : '';
    const took = typeof seconds === 'number' ? `, took ${formatFixed(seconds, seconds < 10 ? 1 : 0)} s` : '';
    lines.push(`${tallySentence(report.tally)}${when === '' ? '' : `${when}${took}.`}`);
    const spent = spentSentence(report.timing);
    if (spent !== null) lines.push(spent);
  }
  if (page.verbose) {
    const timing = jsonLines(report.timing)
      .filter(({ value }) => value !== 'none')
      .slice(0, 12)
      .map(({ path, value }) => `${visibleText(path)} ${visibleText(value)}`);
    if (timing.length > 0) lines.push(`Timing: ${timing.join(', ')}`);
  }
  return lines.flatMap((line) => wrapToWidth(line, page.width)).map((line) => page.paint('quiet', line));
}

/** Why trials failed, by recognizer. */
function failuresBlock({ failures }: RunReport, page: Page): Block {
  if (failures.length === 0) return [];
  const reasonLines = (count: number, reason: string) =>
    wrapToWidth(`${counted(count, 'trial')}: ${limitText(visibleText(reason), 600)}`, page.width - 6).map(
      (line, index) => `${index === 0 ? '    ' : '      '}${line}`,
    );
  return [
    ...heading('Why trials failed', page),
    ...failures.flatMap((one) => [
      ...wrapToWidth(
        `${visibleText(one.recognizer)}: ${formatFixed(one.failed, 0)} of ${counted(one.trials, 'trial')} failed`,
        page.width - 2,
      ).map((line) => `  ${line}`),
      ...one.reasons.flatMap((reason) => reasonLines(reason.count, reasonText(reason))),
      ...(otherFailures(one) === 0 ? [] : reasonLines(otherFailures(one), 'other reasons')),
    ]),
  ];
}

function heading(text: string, page: Page): Block {
  return wrapToWidth(visibleText(text), page.width).map((line) => page.paint('strong', line));
}

function title(text: string, page: Page): Block {
  return wrapToWidth(visibleText(text), page.width);
}
