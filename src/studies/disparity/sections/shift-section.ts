import type { Section } from '../../../model/finding.ts';
import { groupColumn, recognizerColumn, verdictColumn } from '../../shared/columns.ts';
import { listed } from '../../shared/wording.ts';
import type { DisparityFinding } from '../finding.ts';
import { groupLabel } from '../wording.ts';
import { chanceColumn, speakersColumn } from './columns.ts';

/** What groups lose from one recording or condition to another, beside what all lose. */
export function shiftSection({ design, shifts }: DisparityFinding): Section | null {
  const { domains, recognizers } = design;
  if (domains.length === 0) return null;
  return {
    id: 'disparity-shift',
    title: `From ${domains[0]} to ${listed(domains.slice(1))}`,
    text: [
      'The change of each group’s word error rate, and by how much it exceeds that of everybody. A group with an excess above zero loses more than others where recordings get harder.',
    ],
    tables: [
      {
        id: 'disparity-shift',
        title: 'Change by group',
        columns: [
          { key: 'domain', label: 'To', kind: 'text' },
          groupColumn,
          recognizerColumn,
          speakersColumn,
          { key: 'before', label: `In ${domains[0]}`, kind: 'rate' },
          { key: 'after', label: 'There', kind: 'rate' },
          { key: 'change', label: 'Change', kind: 'difference' },
          { key: 'excess', label: 'More than everybody', kind: 'difference' },
          chanceColumn,
          verdictColumn,
        ],
        rows: shifts.map(({ domain, group, recognizer, wordErrorRates, change, excess }) => ({
          domain: domains[domain]!,
          group: group === null ? 'everybody' : groupLabel(group),
          recognizer: recognizers[recognizer]!.name,
          speakers: group?.speakers ?? change.n.speakers,
          before: wordErrorRates[0],
          after: wordErrorRates[1],
          change,
          excess,
          adjustedPValue: excess?.adjustedPValue ?? null,
          verdict: excess?.verdict ?? null,
        })),
        note: 'Rates are of the trials answered in each.',
      },
    ],
  };
}
