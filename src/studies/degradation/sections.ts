import type { Cell, Column, Section, Table } from '../../model/finding.ts';
import { violationExcess } from '../../scoring/agreement/aequevox.ts';
import {
  attributeColumn,
  comparedWithColumn,
  groupColumn,
  namedColumns,
  speakersColumn,
  utterancesColumn,
} from '../shared/tables.ts';
import type { Design } from './design.ts';
import type { GroupComparison } from './group-findings.ts';
import { kindInWords, scopeInWords } from './report.ts';
import type { Known, PublishedCounts } from './results.ts';

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

export const kindColumn: Column = {
  key: 'kind',
  label: 'Measured by',
  kind: 'text',
  help: 'Distance: words in which two recognizers differ, as a share of the words of the longer transcript. It needs no reference.',
};
export const scopeColumn: Column = {
  key: 'scope',
  label: 'Over',
  kind: 'text',
  help: 'A pair of recognizers (or one), or a family of conditions; all: the mean over families, all measures alike.',
};
const differenceColumn: Column = {
  key: 'comparison',
  label: 'Difference',
  kind: 'difference',
  help: 'Of the group, less that of the one it is compared with.',
};

/** The columns and rows of some comparisons. */
export function comparisonTable(
  id: string,
  title: string,
  comparisons: readonly GroupComparison[],
  design: Design,
): Table {
  const scoped = comparisons.some(({ measure, family, recognizer }) => (measure ?? family ?? recognizer) !== null);
  return {
    id,
    title,
    columns: [
      attributeColumn,
      groupColumn,
      comparedWithColumn,
      kindColumn,
      ...(scoped ? [scopeColumn] : []),
      differenceColumn,
    ],
    rows: comparisons.map((one) => ({
      attribute: one.attribute,
      group: one.group,
      comparedWith: one.comparedWith,
      kind: one.kind ?? 'share of failed trials',
      ...(scoped
        ? { scope: one.recognizer === null ? scopeInWords(one, design) : design.recognizers[one.recognizer]!.name }
        : {}),
      comparison: one.comparison,
    })),
  };
}
