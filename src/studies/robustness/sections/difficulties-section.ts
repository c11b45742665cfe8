import type { Section } from '../../../model/finding.ts';
import { conditionColumn } from '../../shared/columns.ts';
import type { Design } from '../design.ts';

/** What was measured of the scenarios' sounds and made difficulties of; null where that was not asked for. */
export function difficultiesSection({ measured, conditions, survey }: Design): Section | null {
  if (measured === null) return null;
  const several = survey.datasets.length > 1;
  return {
    id: 'robustness-difficulties',
    title: 'How hard the scenarios are',
    text: [
      `NWER and NWERD divide by difficulties from ${measured.about}, on the scale of Speech Robust Bench: more points are harder. Intervals of NWER and NWERD take the points as they are.`,
    ],
    tables: [
      {
        id: 'robustness-difficulties',
        title: 'Measured difficulties',
        columns: [
          conditionColumn,
          ...(several
            ? [
                { key: 'corpus', label: 'Corpus', kind: 'text' as const },
                { key: 'language', label: 'Language', kind: 'text' as const },
              ]
            : []),
          { key: 'points', label: 'Difficulty', kind: 'number' },
          { key: 'dnsmos', label: 'DNSMOS (P.808)', kind: 'number', help: 'Mean over clips; less is worse.' },
          { key: 'pesq', label: 'PESQ', kind: 'number', help: 'Wide-band, against the clean clip; less is worse.' },
        ],
        rows: measured.rows.map(({ condition, dataset, points, dnsmos, pesq }) => {
          const { corpus, language } = survey.datasets[dataset]!;
          return {
            condition: conditions[condition]!.name,
            ...(several ? { corpus: corpus ?? 'unnamed', language } : {}),
            points,
            dnsmos,
            pesq,
          };
        }),
      },
    ],
  };
}
