import { formatFixed } from '../../base/number-format.ts';
import { limitText, visibleText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Example, Finding, Section } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { seriesTable } from '../prepare/chart-table.ts';
import { conditionOf, noteOf, reportInWords } from '../prepare/in-words.ts';
import { jsonLines } from '../prepare/json-lines.ts';
import { failureText, otherFailures, spentSentence, tallySentence, warningsOf } from '../prepare/report-parts.ts';
import { resultTableOf } from '../prepare/result-table.ts';
import { withoutTranscripts } from '../prepare/without-transcripts.ts';
import { createPaint, type Paint, wrapToWidth } from './display-width.ts';
import { textDiff } from './text-diff.ts';
import { textScores } from './text-scores.ts';
import { textStatement } from './text-statement.ts';
import { inFullReport, textTable } from './text-table.ts';

export interface TextOptions {
  /** Columns of the terminal; at least 40 are used. */
  readonly width: number;
  readonly color: boolean;
  /** Whether words that were said may be shown. */
  readonly transcripts: boolean;
  /** Every row, column, example and warning, in place of the first of each. */
  readonly full?: boolean;
  /** The id of the run too, and all else that differs between two runs of the same. */
  readonly verbose?: boolean;
  /** Of a first screen: ids of sections that are shown all the same. */
  readonly sections?: readonly string[];
}

const maxRows = 8;
const maxExamples = 2;
const maxWarnings = 20;

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
    full: options.full ?? false,
  };
  const shown = reportInWords(options.transcripts ? report : withoutTranscripts(report));
  const sections = [
    ...shown.findings.flatMap((finding) => finding.sections),
    ...shown.findings.flatMap((finding) => finding.timing?.sections ?? []),
  ];
  const blocks = [
    ...shown.findings.map((finding) => answerBlock(finding, page)),
    warningsBlock(shown, page),
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
  readonly full: boolean;
}

type Block = readonly string[];

function answerBlock(finding: Finding, page: Page): Block {
  const table = resultTableOf(finding);
  return [
    ...heading(finding.title, page),
    ...(table === null ? [] : [...textScores(table, page), '']),
    ...finding.answer.flatMap((statement) => textStatement(statement, 'rate', page)),
    ...(finding.timing?.answer.flatMap((statement) => textStatement(statement, 'number', page)) ?? []),
  ];
}

function warningsBlock(report: RunReport, page: Page): Block {
  const warnings = warningsOf(report);
  const most = page.full ? warnings.length : maxWarnings;
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

/** A section: its sentences, then its charts and tables as tables, and the first of its examples. */
export function sectionBlocks(
  section: Section,
  { full = false, ...page }: Pick<Page, 'width' | 'paint'> & { readonly full?: boolean },
): readonly Block[] {
  const table = { ...page, rows: full ? Number.POSITIVE_INFINITY : maxRows, whole: full };
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
      // Said once, where the only table is called as its section.
      ...(one.title === section.title ? [] : title(one.title, page)),
      ...textTable(one, table),
      ...note.map((line) => page.paint('quiet', line)),
    ]);
  }
  const examples = section.examples ?? [];
  const most = full ? examples.length : maxExamples;
  blocks.push(...examples.slice(0, most).map((example) => exampleBlock(example, page)));
  if (examples.length > most) {
    blocks.push([page.paint('quiet', `… ${examples.length - most} more ${inFullReport}`)]);
  }
  return blocks;
}

function exampleBlock(example: Example, page: Pick<Page, 'width' | 'paint'>): Block {
  const heard = example.transcripts.flatMap(({ label, aligned }) => (aligned === null ? [] : [{ label, aligned }]));
  const notes = example.transcripts.flatMap((row) => {
    const note = noteOf(row);
    return note === undefined ? [] : [`${visibleText(row.label)}: ${limitText(visibleText(note), 600)}`];
  });
  const lines = [
    ...(heard.length === 0 ? [] : textDiff(heard, { ...page, width: page.width - 2 })),
    ...notes.flatMap((note) => wrapToWidth(note, page.width - 2)),
  ];
  return [
    ...title(`${example.title} (${conditionOf(example)})`, page),
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
      ...one.reasons.flatMap((reason) => reasonLines(reason.count, failureText(reason))),
      ...(otherFailures(one) === 0 ? [] : reasonLines(otherFailures(one), 'other reasons')),
    ]),
  ];
}

function heading(text: string, page: Pick<Page, 'width' | 'paint'>): Block {
  return wrapToWidth(visibleText(text), page.width).map((line) => page.paint('strong', line));
}

function title(text: string, page: Pick<Page, 'width' | 'paint'>): Block {
  return wrapToWidth(visibleText(text), page.width);
}
