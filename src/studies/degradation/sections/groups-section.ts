import type { Section } from '../../../model/finding.ts';
import { attributeColumn, groupColumn, speakersColumn, utterancesColumn } from '../../shared/columns.ts';
import type { Known } from '../known.ts';
import { comparisonTable, kindColumn } from './columns.ts';

/** What the groups lose over everything, and whether they differ; null where there are no groups. */
export function groupsSection({ results, design, options }: Known): Section | null {
  const own = results.degradations.filter(({ measure, family }) => measure === null && family === null);
  if (own.length === 0) return null;
  return {
    id: 'degradation-groups',
    title: 'What disturbed sound costs each group',
    text: [
      `Degradation is the rate in disturbed sound less that in ${design.conditions[0]!.name}, on utterances answered in both: first averaged over the conditions of a family, then over families.`,
      `Speakers are resampled whole for intervals and dealt anew to the groups for tests. Something is claimed only where the ${Math.round(100 * options.level)} % interval leaves out 0 and the corrected test agrees.`,
    ],
    tables: [
      {
        id: 'degradation-groups',
        title: 'Groups, over all conditions',
        columns: [
          attributeColumn,
          groupColumn,
          kindColumn,
          { key: 'baseline', label: 'Before', kind: 'rate' },
          {
            key: 'degradation',
            label: 'Degradation',
            kind: 'difference',
            help: 'After less before; below zero: better than before.',
          },
          speakersColumn,
          utterancesColumn,
          { key: 'words', label: 'Words', kind: 'count', help: 'In the condition that has most of them.' },
        ],
        rows: own.map(({ attribute, group, kind, baseline, degradation }) => ({
          attribute,
          group,
          kind,
          baseline,
          degradation,
          speakers: degradation.n.speakers,
          utterances: degradation.n.utterances,
          words: degradation.n.words ?? null,
        })),
      },
      comparisonTable('degradation-comparisons', 'Which groups lose more', results.overall, design),
    ],
  };
}
