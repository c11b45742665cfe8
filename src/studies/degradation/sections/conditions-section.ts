import type { Section } from '../../../model/finding.ts';
import { conditionColumn } from '../../shared/columns.ts';
import type { Known } from '../known.ts';
import { kindColumn } from './columns.ts';

/** Which conditions count and which are left out, with the mean that decides. */
export function conditionsSection({ results, design, options }: Known): Section {
  const left = results.kept.filter(({ kept }) => !kept).length;
  const rule =
    options.profile === 'aequevox'
      ? 'the two slowest rates are left out by name, as AequeVox did'
      : `left out is what has a mean above ${options.ceiling}`;
  return {
    id: 'degradation-conditions',
    title: 'Conditions that count',
    text: [`${left} of ${results.kept.length} are left out: ${rule}.`],
    tables: [
      {
        id: 'degradation-conditions',
        title: 'Everybody, condition by condition',
        columns: [
          conditionColumn,
          { key: 'severity', label: 'Severity', kind: 'text' },
          kindColumn,
          {
            key: 'mean',
            label: 'Mean',
            kind: 'rate',
            help: 'Over the recognizers or pairs, each pooled over everybody.',
          },
          { key: 'kept', label: 'Counts', kind: 'text' },
        ],
        rows: results.kept.map(({ kind, condition, mean, kept, reason }) => ({
          condition: design.conditions[condition]!.name,
          severity: design.conditions[condition]!.rung?.label ?? '',
          kind,
          mean,
          kept: kept ? 'yes' : `no: ${reason}`,
        })),
      },
    ],
  };
}
