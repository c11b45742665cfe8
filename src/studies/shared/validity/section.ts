import type { Section } from '../../../model/finding.ts';
import { conditionColumn } from '../columns.ts';
import { counted } from '../wording.ts';
import type { Validity } from './condition-validity.ts';

/**
 * What the gate kept and dropped, for a finding.
 *
 * @param study its name; names the section and its table
 * @example sections.push(validitySection('robustness', gate.judge(options)))
 */
export function validitySection(study: string, { conditions, rule }: Pick<Validity, 'conditions' | 'rule'>): Section {
  const dropped = conditions.filter(({ kept }) => !kept).length;
  const excluded = conditions.reduce((sum, condition) => sum + condition.excluded, 0);
  return {
    id: `${study}-validity`,
    title: 'Sounds that count',
    text: [
      `${counted(dropped, 'condition')} of ${conditions.length} and ${counted(excluded, 'changed sound')} are left out: kept is what has ${rule}.`,
    ],
    tables: [
      {
        id: `${study}-validity`,
        title: 'Kept and left out',
        columns: [
          conditionColumn,
          { key: 'kept', label: 'Kept', kind: 'text' },
          { key: 'mean', label: 'Mean', kind: 'number', help: `What decides: ${rule}.` },
          { key: 'cases', label: 'Sounds', kind: 'count', help: 'Changed sounds that were measured.' },
          { key: 'excluded', label: 'Left out', kind: 'count' },
          {
            key: 'unjudged',
            label: 'Not judged',
            kind: 'count',
            help: 'Sounds for which the measure has no value; they are kept.',
          },
        ],
        rows: conditions.map(({ condition, kept, mean, cases, excluded, unjudged }) => ({
          condition,
          kept: kept ? 'yes' : 'no',
          mean,
          cases,
          excluded,
          unjudged,
        })),
      },
    ],
  };
}
