import type { Cell, Column, Section, Table } from '../../model/finding.ts';
import {
  attributeColumn,
  conditionColumn,
  groupColumn,
  speakersColumn,
  verdictCells,
  verdictColumns,
} from '../shared/columns.ts';
import { familiesInWords } from '../shared/comparisons.ts';
import type { ChangeCounts } from './changes.ts';
import { type Change, type ComparisonResults, changeFamilies } from './comparison-results.ts';
import type { PairTally } from './tally-pairs.ts';

type Labels = { readonly before: string; readonly after: string };

/** The parts of a comparison, in the order in which a reader wants them. */
export function comparisonSections(
  results: ComparisonResults,
  tally: PairTally,
  labels: Labels,
  level: number,
): Section[] {
  const name = (condition: number | null) => (condition === null ? 'all' : tally.conditions[condition]!.name);
  const sections: Section[] = [
    {
      id: 'comparison-conditions',
      title: 'By condition',
      text: [familiesInWords(changeFamilies, level)],
      tables: [
        {
          id: 'comparison-conditions',
          title: 'Word error rates on the trials that both answered',
          columns: [conditionColumn, ...changeColumns(labels)],
          rows: [results.overall, ...results.conditions].map((change) => ({
            condition: name(change.condition),
            ...changeCells(change),
          })),
          note: 'A verdict is given only where interval and corrected test agree.',
        },
        changesTable(tally),
      ],
    },
  ];
  if (results.groups.length > 0) {
    sections.push({
      id: 'comparison-groups',
      title: 'By group of speakers, all conditions',
      tables: [
        {
          id: 'comparison-groups',
          title: 'Word error rates on the trials that both answered',
          columns: [attributeColumn, groupColumn, ...changeColumns(labels)],
          rows: results.groups.map((change) => ({
            attribute: change.group!.attribute,
            group: change.group!.value,
            ...changeCells(change),
          })),
        },
      ],
    });
  }
  if (tally.failures.size > 0) sections.push(failuresSection(tally, labels));
  const broken = tally.watch.broken();
  const fixed = tally.watch.fixed();
  if (broken.length > 0) {
    sections.push({ id: 'comparison-broken', title: 'Newly broken', text: [order], examples: broken });
  }
  if (fixed.length > 0) sections.push({ id: 'comparison-fixed', title: 'Fixed', text: [order], examples: fixed });
  return sections;
}

const order =
  'Utterances that were all right on one side come first, then those with fewer errors there, by the share of their words that changed.';

function changeColumns({ before, after }: Labels): Column[] {
  return [
    { key: 'before', label: before, kind: 'rate' },
    { key: 'after', label: after, kind: 'rate' },
    { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer errors than before.' },
    ...verdictColumns('From swapping the two sides speaker by speaker'),
    { key: 'pairs', label: 'Trials', kind: 'count' },
    speakersColumn,
  ];
}

function changeCells({ before, after, comparison }: Change): Record<string, Cell> {
  return {
    before,
    after,
    difference: comparison,
    ...verdictCells(comparison),
    pairs: comparison.difference.n.pairs ?? null,
    speakers: comparison.difference.n.speakers,
  };
}

const counts: readonly { readonly key: keyof ChangeCounts; readonly label: string; readonly help?: string }[] = [
  { key: 'pairs', label: 'Both answered' },
  { key: 'otherTranscript', label: 'Another transcript' },
  { key: 'rose', label: 'More errors' },
  { key: 'fell', label: 'Fewer errors' },
  { key: 'broken', label: 'Newly broken', help: 'Every word was right, and now some are wrong.' },
  { key: 'fixed', label: 'Fixed', help: 'Some words were wrong, and now all are right.' },
  { key: 'failuresCame', label: 'Fails now' },
  { key: 'failuresWent', label: 'Failed before' },
  { key: 'failedTwice', label: 'Fails as before' },
];

function changesTable({ conditions, all }: PairTally): Table {
  const rows = conditions.map(({ name, changes }) => ({ condition: name, ...changes }));
  return {
    id: 'comparison-changes',
    title: 'What became of the trials',
    columns: [conditionColumn, ...counts.map((column): Column => ({ ...column, kind: 'count' }))],
    rows: conditions.length === 1 ? rows : [{ condition: 'all', ...all }, ...rows],
  };
}

function failuresSection({ failures }: PairTally, { before, after }: Labels): Section {
  return {
    id: 'comparison-failures',
    title: 'Failures',
    text: ['A trial that failed on one side is left out of both rates.'],
    tables: [
      {
        id: 'comparison-failures',
        title: 'Failures by kind',
        columns: [
          { key: 'kind', label: 'Kind', kind: 'text' },
          { key: 'before', label: before, kind: 'count' },
          { key: 'after', label: after, kind: 'count' },
        ],
        rows: [...failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, sides]) => ({ kind, ...sides })),
      },
    ],
  };
}
