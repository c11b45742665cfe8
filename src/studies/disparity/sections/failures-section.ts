import type { Section } from '../../../model/finding.ts';
import { groupColumn, recognizerColumn, verdictColumn } from '../../shared/columns.ts';
import { failuresSection as sectionOf } from '../../shared/failures-section.ts';
import type { DisparityFinding } from '../finding.ts';
import { namedTrials } from '../named-trials.ts';
import { groupLabel } from '../wording.ts';
import { chanceColumn } from './columns.ts';

/** Trials without a transcript, and whether they hit some groups more than others. */
export function failuresSection({ design, tally, results }: DisparityFinding): Section {
  const { recognizers } = design;
  const section = sectionOf(
    'disparity',
    'A failed trial is no empty transcript: it is left out of its rate, and in a comparison of recognizers out of both sides. A recognizer that gives up on a group more often than on others is unequal all the same: gaps in failures are tested as gaps in errors are.',
    namedTrials({ design, tally }),
  );
  if (results.failures.length === 0) return section;
  return {
    ...section,
    tables: [
      ...(section.tables ?? []),
      {
        id: 'disparity-group-failures',
        title: 'Failures by group',
        columns: [
          groupColumn,
          recognizerColumn,
          { key: 'failed', label: 'Failed', kind: 'count' },
          { key: 'asked', label: 'Trials', kind: 'count' },
          { key: 'share', label: 'Share', kind: 'rate' },
          { key: 'gap', label: 'Gap to everybody', kind: 'difference', help: 'Above zero: more failures.' },
          chanceColumn,
          verdictColumn,
        ],
        rows: results.failures.map(({ group, recognizer, failed, asked, gap }) => ({
          group: groupLabel(group),
          recognizer: recognizers[recognizer]!.name,
          failed,
          asked,
          share: asked === 0 ? null : failed / asked,
          gap,
          adjustedPValue: gap.adjustedPValue,
          verdict: gap.verdict,
        })),
      },
    ],
  };
}
