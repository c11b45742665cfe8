import type { Section } from '../../../model/finding.ts';
import type { Design } from '../design.ts';
import type { Results } from '../results.ts';
import { subjectCells, subjectColumns } from './columns.ts';

/** Where words were added, and who was wrong by the references. */
export function errorsSections({ sets }: Results, design: Design): Section[] {
  const rows = sets.filter(({ set }) => set.kind === 'relation' || set.kind === 'condition');
  const languages = new Set(sets.map(({ language }) => language)).size;
  const sections: Section[] = [
    {
      id: 'metamorphic-extra-words',
      title: 'Words added by the change',
      text: ['Words (or characters) of the changed clip that the clean clip does not have, by where they stand.'],
      tables: [
        {
          id: 'metamorphic-extra-words',
          title: 'Extra words by position',
          columns: [
            ...subjectColumns('condition', languages),
            { key: 'before', label: 'Before', kind: 'count', help: 'Before the first word that was expected.' },
            { key: 'inside', label: 'Inside', kind: 'count' },
            { key: 'after', label: 'After', kind: 'count', help: 'After the last word that was expected.' },
            {
              key: 'alone',
              label: 'Where nothing was expected',
              kind: 'count',
              help: 'The transcript of the clean clip is empty.',
            },
            { key: 'words', label: 'Words expected', kind: 'count' },
          ],
          rows: rows.map((row) => ({
            ...subjectCells(row, design),
            before: row.cases.total('extraBefore'),
            inside: row.cases.total('extraInside'),
            after: row.cases.total('extraAfter'),
            alone: row.cases.total('extraAlone'),
            words: row.cases.total('tokens'),
          })),
        },
      ],
    },
  ];
  if (rows.some(({ cases }) => cases.total('referencePairs') > 0)) {
    sections.push({
      id: 'metamorphic-wrong',
      title: 'Who is wrong',
      text: [
        'Without a reference a violation says only that one of two transcripts is wrong. Where references are known, this says which; and how many cases hold because both transcripts have the same error, which no relation can see.',
      ],
      tables: [
        {
          id: 'metamorphic-wrong',
          title: 'Violations and passes by the references',
          columns: [
            ...subjectColumns('condition', languages),
            { key: 'violations', label: 'Violations', kind: 'count' },
            { key: 'followUpWrong', label: 'Changed clip wrong', kind: 'count' },
            { key: 'sourceWrong', label: 'Clean clip wrong', kind: 'count', help: 'The change corrected an error.' },
            { key: 'bothWrong', label: 'Both wrong', kind: 'count' },
            {
              key: 'sameError',
              label: 'Holds, but wrong',
              kind: 'count',
              help: 'Both transcripts have the same error.',
            },
            { key: 'pairs', label: 'Cases with a reference', kind: 'count' },
          ],
          rows: rows.map((row) => ({
            ...subjectCells(row, design),
            violations: row.cases.total('referenceViolations'),
            followUpWrong: row.cases.total('followUpWrong'),
            sourceWrong: row.cases.total('sourceWrong'),
            bothWrong: row.cases.total('bothWrong'),
            sameError: row.cases.total('sameError'),
            pairs: row.cases.total('referencePairs'),
          })),
        },
      ],
    });
  }
  return sections;
}
