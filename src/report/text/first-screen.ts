import { visibleText } from '../../base/printable.ts';
import type { Example, Finding, Section, Statement, Table } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { marksInWords } from '../prepare/diff.ts';
import { conditionOf, reportInWords } from '../prepare/in-words.ts';
import {
  besideNumbers,
  failedInBrief,
  foremostWarning,
  restsInBrief,
  spentSentence,
  warningsOf,
} from '../prepare/report-parts.ts';
import { type ResultTable, resultTableOf } from '../prepare/result-table.ts';
import { withoutTranscripts } from '../prepare/without-transcripts.ts';
import { createPaint, cutMiddle, wrapToWidth } from './display-width.ts';
import { sectionBlocks, type TextOptions } from './render-text.ts';
import { type TextDiffRow, textDiff } from './text-diff.ts';
import { leadTables, textLead } from './text-lead.ts';
import { textGaps, textScores } from './text-scores.ts';
import { textStatement } from './text-statement.ts';
import { textTable } from './text-table.ts';

type Page = Omit<TextOptions, 'color'> & { readonly paint: ReturnType<typeof createPaint> };

type Block = readonly string[];

const maxRows = 8;
/** Lines of the most important warning. */
const maxWarningLines = 2;
/** Words that are named of those that are newly wrong. */
const maxWords = 5;

/**
 * What a person sees first at the end of a run, at most 120 words: what was found, who makes how many errors where and for whom, what the
 * numbers rest on, and the warning that matters most. `renderText` has the rest.
 *
 * @example process.stdout.write(renderFirstScreen(report, { width: 80, color: true, transcripts: true }));
 */
export function renderFirstScreen(report: RunReport, options: TextOptions): string {
  const page = { ...options, width: Math.max(40, options.width) - 1, paint: createPaint(options.color) };
  const { findings, ...shown } = reportInWords(options.transcripts ? report : withoutTranscripts(report));
  // What a corpus holds is no result where something was asked about it.
  const asked = findings.filter(({ study }) => study.name !== 'corpus');
  const first = (asked.length > 0 ? asked : findings)
    .toSorted((a, b) => Number(a.unchanged ?? false) - Number(b.unchanged ?? false))
    .map((finding) => ({ finding, table: resultTableOf(finding) }));
  const leading = first.filter(
    ({ finding, table }) => !finding.unchanged && table === null && leadsOf(finding).length > 0,
  );
  const warning = warned({ ...shown, findings }, page);
  const beside = leading.length === 1 ? warning : [];
  // Beside one comparison: who is misheard more stands before words and utterances.
  const groups = first.flatMap(({ finding, table }) =>
    isToldElsewhere(finding, table) ? [groupsOf(finding, table!, page)].filter((lines) => lines.length > 0) : [],
  );
  const isAlone =
    leading.length === 1 && first.filter(({ finding, table }) => !isToldElsewhere(finding, table)).length === 1;
  const blocks = [
    // Of several, all verdicts before any table.
    leading.length > 1 ? [...new Set(leading.flatMap(({ finding }) => verdictLines(finding, page)))] : [],
    ...first.map(({ finding, table }) => {
      if (finding.unchanged) return finding.answer.flatMap(({ text }) => wrapToWidth(visibleText(text), page.width));
      if (isToldElsewhere(finding, table)) return isAlone ? [] : groupsOf(finding, table!, page);
      const block =
        table === null
          ? headlines(finding, page, { isSaid: leading.length > 1, beside, groups: isAlone ? groups : [] })
          : scores(finding, table, page);
      return !isAlone && (first.length > 1 || table === null)
        ? [...wrapToWidth(visibleText(finding.title), page.width).map((line) => page.paint('strong', line)), ...block]
        : block;
    }),
    ...first.flatMap(({ finding }) =>
      finding.sections
        .filter(({ id }) => options.sections?.includes(id))
        .flatMap((section) => sectionBlocks(section, page)),
    ),
    [
      ...failing(shown, page),
      ...(first.some(({ finding, table }) => isToldElsewhere(finding, table))
        ? []
        : restsOn(shown, first.find(({ table }) => table !== null)?.table ?? null, page)),
      ...(leading.length === 1 ? [] : warning),
    ],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

/** Rates that the change from one to the other has too: what is left is of groups. */
const isToldElsewhere = ({ scores: told }: Finding, table: ResultTable | null) =>
  told?.apartElsewhere === true && table !== null;

const ofHeadlines = ({ answer }: Pick<Finding, 'answer'>) => answer.filter(({ headline }) => headline);

function scores(finding: Finding, table: ResultTable, page: Page): Block {
  return [...textScores(table, page), ...notesOf(finding, page)];
}

const groupsOf = (finding: Finding, table: ResultTable, page: Page): Block => [
  ...textGaps(table, page),
  ...notesOf(finding, page),
];

const notesOf = (finding: Finding, page: Page): Block =>
  besideNumbers(finding).flatMap((text) => wrapToWidth(visibleText(text), page.width));

/** Of what has no first table its headlines, or all of its answer where it has none, and the beginnings of tables that sum it up. */
function headlines(finding: Finding, page: Page, around: Around): Block {
  const leads = leadsOf(finding);
  if (leads.length > 0) return leadBlock(finding, leads, page, around);
  const answer = ofHeadlines(finding);
  const statements = (some: readonly Statement[]) => some.flatMap((one) => textStatement(one, 'rate', page));
  return [
    ...statements(answer.length === 0 ? finding.answer : answer),
    ...finding.sections.flatMap((section) => (section.summary ? summary(section, page) : [])),
  ];
}

const leadsOf = ({ sections }: Finding) => leadTables(sections.flatMap(({ tables = [] }) => tables));

const verdictLines = (finding: Finding, page: Page) =>
  ofHeadlines(finding)
    .slice(0, 1)
    .flatMap(({ text }) => wrapToWidth(visibleText(text), page.width));

/** What stands with the tables that lead a finding. */
interface Around {
  /** Its verdict stands above. */
  readonly isSaid: boolean;
  /** What may move them. */
  readonly beside: Block;
  /** Tables of groups that belong to it. */
  readonly groups: readonly Block[];
}

/** What was found, the tables that show it, what may move them, and what stands in none of them. */
function leadBlock(
  finding: Finding,
  leads: ReturnType<typeof leadTables>,
  page: Page,
  { isSaid, beside, groups }: Around,
): Block {
  const lines = (statements: readonly Statement[]) =>
    statements.flatMap(({ text }) => wrapToWidth(visibleText(text), page.width));
  const first = Math.max(
    0,
    finding.answer.findIndex(({ headline }) => headline),
  );
  const found = ofHeadlines(finding).slice(isSaid ? 1 : 0);
  const others = lines(finding.answer.slice(first).filter(({ headline }) => !headline));
  return [
    ...lines(finding.answer.slice(0, first)).map((line) => page.paint('quiet', line)),
    ...lines(found),
    ...leads.flatMap((tables, at) => [
      '',
      ...textLead(tables, { ...page, conditionNames: finding.conditionNames ?? {}, sized: at === 0 }),
    ]),
    ...beside,
    ...groups.flatMap((lines) => ['', ...lines]),
    ...(others.length > 0 ? ['', ...others] : []),
    ...changedBlock(finding, page),
  ];
}

/** An utterance of which both sides have a transcript, word by word. */
function changedBlock({ sections }: Finding, page: Page): Block {
  const wrong = wordsLine({ sections }, 'comparison-wrong', page);
  const words = wrong.length > 0 ? wrong : wordsLine({ sections }, 'comparison-words', page);
  const section = sections.find(({ examples = [] }) => examples.some(({ transcripts }) => transcripts.length === 2));
  const [example] = section?.examples ?? [];
  if (section === undefined || example === undefined) return words.length === 0 ? [] : ['', ...words];
  const rows = example.transcripts.flatMap(({ label, aligned }) => (aligned === null ? [] : [{ label, aligned }]));
  const where = conditionOf(example);
  return ['', ...words, ...wordsLines(`For example, ${where}`, example, rows, page)];
}

/** `Words right with a and wrong with b: the (2), old (2).`, and of those that are wrong `her (9 of 22)`; of one that comes once nothing. */
function wordsLine({ sections }: Pick<Finding, 'sections'>, id: string, page: Page): readonly string[] {
  const table = sections.flatMap(({ tables = [] }) => tables).find((one) => one.id === id);
  if (table === undefined) return [];
  const {
    title,
    rows,
    columns: [first],
  } = table;
  const times = Map.groupBy(rows, (row) => String(row[first!.key]));
  const most = Array.from(times, ([word, same]) => ({
    word,
    many: same.reduce((sum, row) => sum + Number(row.times ?? row.wrong), 0),
    said: same[0]!.said,
  }))
    .filter(({ many }) => many > 1)
    .toSorted((a, b) => b.many - a.many)
    .slice(0, maxWords)
    .map(({ word, many, said }) => `${word} (${many}${typeof said === 'number' ? ` of ${said}` : ''})`);
  return most.length === 0 ? [] : wrapToWidth(visibleText(`${title}: ${most.join(', ')}.`), page.width);
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

/** The beginnings of tables; nothing of those whose words are not to be shown. */
function summary({ tables = [] }: Section, page: Page): Block {
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

/** Who failed, and most often why. */
const failing = ({ failures }: Pick<RunReport, 'failures'>, page: Page): Block =>
  failedInBrief(failures)
    .flatMap((line) => wrapToWidth(line, page.width))
    .map((line) => page.paint('bad', line));

function restsOn(
  report: Pick<RunReport, 'recognizers' | 'tally' | 'timing'>,
  table: ResultTable | null,
  page: Page,
): Block {
  const lines = [
    restsInBrief(report, table),
    spentSentence(report.timing),
    page.verbose ? `Run ${String(report.timing.run)}.` : null,
  ];
  return lines
    .flatMap((line) => (line === null ? [] : wrapToWidth(line, page.width)))
    .map((line) => page.paint('quiet', line));
}

function warned(report: Pick<RunReport, 'warnings' | 'findings'>, page: Page): Block {
  const lines = (text: string) => wrapToWidth(visibleText(text), page.width - 2);
  const told = foremostWarning(warningsOf(report), (text) => lines(text).length <= maxWarningLines);
  if (told === null) return [];
  return lines(told).map((line, at) => (at === 0 ? `${page.paint('caution', '!')} ${line}` : `  ${line}`));
}
