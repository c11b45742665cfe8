import type { AlignedWord, Example, Finding, Section, Table } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { counted } from '../format/wording.ts';
import { withExamples } from './report-parts.ts';

/** What became of one word. */
type Edit = 'same' | 'substitution' | 'deletion' | 'insertion';

/** Which edit an aligned pair stands for. */
export function editOf(word: AlignedWord): Edit {
  if (word.reference === null) return 'insertion';
  if (word.hypothesis === null) return 'deletion';
  return word.reference === word.hypothesis ? 'same' : 'substitution';
}

/**
 * The edits of an alignment in words, without saying any of its words.
 *
 * @example describeEdits([{ reference: 'a', hypothesis: null }]) // '1 error in 1 word: 1 deletion'
 */
export function describeEdits(aligned: readonly AlignedWord[]): string {
  const counts = { same: 0, substitution: 0, deletion: 0, insertion: 0 };
  for (const word of aligned) counts[editOf(word)]++;
  const parts = (['substitution', 'deletion', 'insertion'] as const)
    .filter((edit) => counts[edit] > 0)
    .map((edit) => counted(counts[edit], edit));
  const words = counted(counts.same + counts.substitution + counts.deletion, 'word');
  if (parts.length === 0) return `no error in ${words}`;
  return `${counts.substitution + counts.deletion + counts.insertion} errors in ${words}: ${parts.join(', ')}`.replace(
    /^1 errors/,
    '1 error',
  );
}

/** The words that were said, from an alignment. */
export function referenceWords(aligned: readonly AlignedWord[]): readonly string[] {
  return aligned.flatMap((word) => (word.reference === null ? [] : [word.reference]));
}

/**
 * The report without a word of what was said: examples keep their counts of errors, columns marked as transcripts are
 * left out, and so is `data`, in which words cannot be told from the rest.
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
    data: null,
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

/** A note without what a program says of its failure, which may hold names and what was said. */
export function kindOfFailure(note: string): string {
  return note.replace(/^(failed \([^)]*\)):[\s\S]*/, '$1');
}

function quietExample(example: Example): Example {
  return {
    ...example,
    transcripts: example.transcripts.map(({ label, aligned, note }) => ({
      label,
      aligned: null,
      note: aligned ? describeEdits(aligned) : note === undefined ? 'failed' : kindOfFailure(note),
    })),
  };
}
