import type { Column, Section } from '../../../model/finding.ts';
import type { Field } from '../cluster-sums.ts';
import type { Design } from '../design.ts';
import type { Results, SetResult } from '../results.ts';
import { subjectCells, subjectColumns } from './columns.ts';

/** A column of counts, and the sum that it shows. */
type CountColumn = readonly [key: string, label: string, field: Field, help?: string];

const extraWords: readonly CountColumn[] = [
  ['before', 'Before', 'extraBefore', 'Before the first word that was expected.'],
  ['inside', 'Inside', 'extraInside'],
  ['after', 'After', 'extraAfter', 'After the last word that was expected.'],
  ['alone', 'Where nothing was expected', 'extraAlone', 'The transcript of the clean clip is empty.'],
  ['words', 'Words expected', 'tokens'],
];

const whoIsWrong: readonly CountColumn[] = [
  ['violations', 'Violations', 'referenceViolations'],
  ['followUpWrong', 'Changed clip wrong', 'followUpWrong'],
  ['sourceWrong', 'Clean clip wrong', 'sourceWrong', 'The change corrected an error.'],
  ['bothWrong', 'Both wrong', 'bothWrong'],
  ['sameError', 'Holds, but wrong', 'sameError', 'Both transcripts have the same error.'],
  ['pairs', 'Cases with a reference', 'referencePairs'],
];

/** Where words were added, and who was wrong by the references. */
export function errorsSections({ sets }: Results, design: Design): Section[] {
  const rows = sets.filter(({ set }) => set.kind === 'relation' || set.kind === 'condition');
  const languages = new Set(sets.map(({ language }) => language)).size;
  const section = (
    { id, title, text, table }: { id: string; title: string; text: string; table: string },
    columns: readonly CountColumn[],
  ): Section => ({
    id,
    title,
    text: [text],
    tables: [
      {
        id,
        title: table,
        columns: [...subjectColumns('condition', languages), ...columns.map(asColumn)],
        rows: rows.map((row) => ({ ...subjectCells(row, design), ...totals(row, columns) })),
      },
    ],
  });
  const added = section(
    {
      id: 'metamorphic-extra-words',
      title: 'Words added by the change',
      text: 'Words (or characters) of the changed clip that the clean clip does not have, by where they stand.',
      table: 'Extra words by position',
    },
    extraWords,
  );
  if (!rows.some(({ cases }) => cases.total('referencePairs') > 0)) return [added];
  const wrong = section(
    {
      id: 'metamorphic-wrong',
      title: 'Who is wrong',
      text: 'Without a reference a violation says only that one of two transcripts is wrong. Where references are known, this says which; and how many cases hold because both transcripts have the same error, which no relation can see.',
      table: 'Violations and passes by the references',
    },
    whoIsWrong,
  );
  return [added, wrong];
}

function asColumn([key, label, , help]: CountColumn): Column {
  return { key, label, kind: 'count', ...(help !== undefined && { help }) };
}

function totals({ cases }: SetResult, columns: readonly CountColumn[]): Readonly<Record<string, number>> {
  return Object.fromEntries(columns.map(([key, , field]) => [key, cases.total(field)]));
}
