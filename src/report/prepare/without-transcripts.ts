import type { Example, ExampleRow, Finding, Section, Table } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { describeEdits } from './diff.ts';
import { withExamples } from './report-parts.ts';

/**
 * The report without a word of what was said: examples keep their counts of errors, and columns marked as transcripts are
 * left out.
 */
export function withoutTranscripts(report: RunReport): RunReport {
  return { ...report, findings: report.findings.map(findingWithoutTranscripts) };
}

/** A finding without a word of what was said. */
export function findingWithoutTranscripts(finding: Finding): Finding {
  const { timing, ...quiet } = withExamples(finding, quietExample);
  return {
    ...quiet,
    sections: quiet.sections.map(quietSection),
    ...(timing && { timing: { ...timing, sections: timing.sections.map(quietSection) } }),
  };
}

function quietSection(section: Section): Section {
  if (!section.tables) return section;
  // Of a list of words nothing is left but counts of nobody knows what.
  const tables = section.tables.filter(({ columns }) => !columns[0]?.transcript).map(quietTable);
  return { ...section, tables };
}

function quietTable(table: Table): Table {
  const columns = table.columns.filter((column) => !column.transcript);
  if (columns.length === table.columns.length) return table;
  const rows = table.rows.map((row) => Object.fromEntries(columns.map(({ key }) => [key, row[key] ?? null])));
  return { ...table, columns, rows };
}

/** What a program says of its failure may hold names and what was said. */
export function withoutMessage({ failure, ...row }: ExampleRow): ExampleRow {
  return { ...row, ...(failure && { failure: { kind: failure.kind } }) };
}

function quietExample(example: Example): Example {
  return {
    ...example,
    transcripts: example.transcripts.map((row) => ({
      ...withoutMessage(row),
      ...(row.aligned && { aligned: null, note: describeEdits(row.aligned) }),
    })),
  };
}
