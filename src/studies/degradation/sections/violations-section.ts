import type { Cell, Section, Table } from '../../../model/finding.ts';
import { violationExcess } from '../../../scoring/agreement/violation-table.ts';
import { groupColumn, namedColumns } from '../../shared/columns.ts';
import type { Known } from '../known.ts';
import type { PublishedCounts } from '../published.ts';
import { kindInWords } from '../wording.ts';

/** What AequeVox counts, in the layout of its Table 4; null without groups. */
export function violationsSection({ results, options }: Known): Section | null {
  const counted = results.published.filter(({ violations }) => violations.compared > 0);
  if (counted.length === 0) return null;
  return {
    id: 'degradation-violations',
    title: 'Violations as AequeVox counts them',
    text: [
      `A violation against a group: its degradation exceeds that of another by more than the tolerance (${options.tolerances.join(', ')}), for one pair of recognizers in one condition. Every group is compared with every other; the sign counts.`,
      'These are counts of differences, not of findings: there is no test in them, the tolerances are nested, so that one wide gap counts several times, and few speakers make many by chance. Whether groups differ is what the comparisons of groups say.',
    ],
    tables: counted.flatMap(tablesOfViolations),
  };
}

/** Table 4, and what it comes to for each group. */
export function tablesOfViolations({ attribute, kind, violations }: PublishedCounts): Table[] {
  const { groups, rows, absolute, gapsBefore, compared, leftOut } = violations;
  const total = rows.find(({ by }) => by === 'total')!.counts;
  const columns = namedColumns(groups, 'count', ['row']);
  const about = `${attribute}, ${kindInWords(kind)}`;
  const left = leftOut === 0 ? '' : ` ${leftOut} more were left out, because a group has no words there.`;
  return [
    {
      id: `degradation-violations-${attribute}-${kind}`,
      title: `Violations against each group: ${about}`,
      columns: [{ key: 'row', label: 'Added up', kind: 'text' }, ...columns],
      rows: rows.map(({ by, name, counts }) => ({
        row: rowTitle(by, name),
        ...Object.fromEntries(counts.map((count, place) => [columns[place]!.key, count])),
      })),
      note: `Layout of AequeVox's Table 4. ${compared} comparisons were made.${left}`,
    },
    {
      id: `degradation-excess-${attribute}-${kind}`,
      title: `Each group and the others: ${about}`,
      columns: [
        groupColumn,
        { key: 'violations', label: 'Violations', kind: 'count' },
        { key: 'others', label: 'Mean of the others', kind: 'number' },
        {
          key: 'excess',
          label: 'Others exceed it by',
          kind: 'rate',
          help: 'The mean of the other groups, less this one’s count, as a share of that: AequeVox’s “109 % more errors”.',
        },
        {
          key: 'absolute',
          label: 'Without sign',
          kind: 'count',
          help: 'Gaps wider than the tolerance on either side (Equation 2 of the paper).',
        },
        {
          key: 'before',
          label: 'Before',
          kind: 'count',
          help: 'Gaps wider than the tolerance before anything is done to the sound (Equation 1).',
        },
      ],
      rows: groups.map((group, place): Record<string, Cell> => {
        const { reference, others, excess } = violationExcess(total, place);
        return { group, violations: reference, others, excess, absolute: absolute[place]!, before: gapsBefore[place]! };
      }),
    },
  ];
}

function rowTitle(by: PublishedCounts['violations']['rows'][number]['by'], name: string): string {
  if (by === 'total') return 'total';
  return by === 'tolerance' ? `tolerance ${name}` : name;
}
