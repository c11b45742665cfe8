import type { BarChart, Section } from '../../../model/finding.ts';
import { groupColumn, recognizerColumn, verdictColumn } from '../../shared/columns.ts';
import { listed } from '../../shared/wording.ts';
import type { DisparityFinding } from '../finding.ts';
import { groupLabel } from '../wording.ts';
import { chanceColumn, speakersColumn } from './columns.ts';

/** Groups that are drawn, those first that lose most beside everybody; the table has all. */
const barsDrawn = 40;

/** What groups lose from one recording or condition to another, beside what all lose. */
export function shiftSection({ design, shifts }: DisparityFinding): Section | null {
  const { domains, recognizers } = design;
  if (domains.length === 0) return null;
  const bars = domains.slice(1).flatMap((domain, offset) =>
    recognizers.map(({ name }, recognizer): BarChart => {
      const own = shifts.filter((shift) => shift.domain === offset + 1 && shift.recognizer === recognizer);
      const everybody = own.find(({ group }) => group === null);
      return {
        title: `${name}: ${domains[0]} and ${domain}`,
        label: 'Word error rate',
        kind: 'rate',
        series: [domains[0]!, domain],
        rows: own
          .filter(
            ({ group, wordErrorRates }) => group?.counted === true && wordErrorRates.every((rate) => rate !== null),
          )
          .toSorted((a, b) => (b.excess?.difference.value ?? 0) - (a.excess?.difference.value ?? 0))
          .slice(0, barsDrawn)
          .map(({ group, wordErrorRates }) => ({ name: groupLabel(group!), values: wordErrorRates })),
        means: [domains[0]!, domain].flatMap((name, place) => {
          const value = everybody?.wordErrorRates[place] ?? null;
          return value === null ? [] : [{ name: `everybody, ${name}:`, value }];
        }),
      };
    }),
  );
  return {
    id: 'disparity-shift',
    title: `From ${domains[0]} to ${listed(domains.slice(1))}`,
    text: [
      'The change of each group’s word error rate, and by how much it exceeds that of everybody. A group with an excess above zero loses more than others where recordings get harder.',
    ],
    bars: bars.filter(({ rows }) => rows.length > 0),
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
