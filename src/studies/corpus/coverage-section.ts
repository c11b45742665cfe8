import type { JsonObject } from '../../base/json.ts';
import type { Section, Statement, Table } from '../../model/finding.ts';
import { groupColumn } from '../shared/columns.ts';
import { counted, listed, percent } from '../shared/wording.ts';
import type { CombinationCoverage, CoverageCount } from './coverage.ts';
import type { CoverageStudyOptions } from './options.ts';

/** Combinations named as those to record next, over all attributes together. */
const needsListed = 30;

/** Cells of one combination of attributes that are kept in the data. */
const cellsKept = 10_000;

/** What the finding says of coverage. */
export interface CoverageReport {
  readonly section: Section;
  readonly answer: readonly Statement[];
  readonly data: JsonObject;
}

/** Puts the coverage of a corpus into sentences, tables and rows (FairLENS, "data quality", with its minimum stated). */
export function coverageReport(count: CoverageCount, { by, minimum }: CoverageStudyOptions): CoverageReport {
  const combinations = count.combinations();
  const answer = combinations
    .filter(({ asked }) => asked.cells.length > 0)
    .map(({ asked }) => ({
      text: `Of ${counted(asked.cells.length, 'combination')} of ${listed(asked.attributes)}, ${asked.covered} (${percent(asked.covered, asked.cells.length)}) ${asked.covered === 1 ? 'has' : 'have'} at least ${minimum} ${by}.`,
    }));
  return {
    section: {
      id: 'corpus-coverage',
      title: 'How well groups are covered',
      text: [
        ...answer.map(({ text }) => text),
        ...(by === 'speakers' && count.withoutSpeaker > 0
          ? [
              `${counted(count.withoutSpeaker, 'clip')} without a known speaker ${count.withoutSpeaker === 1 ? 'is' : 'are'} not counted.`,
            ]
          : []),
      ],
      tables: [coverageTable(combinations, by, minimum), needsTable(combinations, by)],
    },
    answer: answer.slice(0, 3),
    data: {
      by,
      minimum,
      combinations: combinations.map(({ asked, kl }) => ({
        attributes: asked.attributes,
        cells: asked.cells.slice(0, cellsKept).map((cell) => ({ ...cell })),
        cellCount: asked.cells.length,
        covered: asked.covered,
        share: asked.share,
        leftOut: asked.leftOut,
        klToUniform: { clips: { ...kl.clips }, speakers: { ...kl.speakers }, hours: { ...kl.hours } },
      })),
    },
  };
}

function coverageTable(combinations: readonly CombinationCoverage[], by: string, minimum: number): Table {
  return {
    id: 'corpus-coverage',
    title: 'Coverage',
    columns: [
      { key: 'attributes', label: 'Attributes', kind: 'text' },
      { key: 'combinations', label: 'Combinations', kind: 'count' },
      { key: 'covered', label: `With at least ${minimum} ${by}`, kind: 'count' },
      { key: 'share', label: 'Share', kind: 'rate' },
      {
        key: 'klClips',
        label: 'Unevenness by clips',
        kind: 'number',
        help: 'Kullback-Leibler divergence from equal shares, in nats: 0 where all combinations have as much.',
      },
      { key: 'klSpeakers', label: 'By speakers', kind: 'number' },
      { key: 'klHours', label: 'By hours', kind: 'number' },
      { key: 'leftOut', label: 'Clips without one of the attributes', kind: 'count' },
    ],
    rows: combinations.map(({ asked, kl }) => ({
      attributes: asked.attributes.join(' × '),
      combinations: asked.cells.length,
      covered: asked.covered,
      share: asked.share,
      klClips: kl.clips.value,
      klSpeakers: kl.speakers.value,
      klHours: kl.hours.value,
      leftOut: asked.leftOut,
    })),
    note: 'Combinations are all pairings of the values that occur (or should), also those that nobody has.',
  };
}

function needsTable(combinations: readonly CombinationCoverage[], by: string): Table {
  const needs = combinations.flatMap(({ asked }) =>
    asked.toCollect.map((cell, rank) => ({ attributes: asked.attributes, cell, rank })),
  );
  // The neediest of each pairing of attributes first, so that none fills the list alone.
  needs.sort((a, b) => a.rank - b.rank || b.cell.missing - a.cell.missing);
  return {
    id: 'corpus-collect-next',
    title: 'What to record next',
    columns: [
      groupColumn,
      { key: 'amount', label: `Has (${by})`, kind: by === 'hours' ? 'number' : 'count' },
      { key: 'missing', label: `Lacks (${by})`, kind: by === 'hours' ? 'number' : 'count' },
    ],
    rows: needs.slice(0, needsListed).map(({ attributes, cell }) => ({
      group: attributes.map((name, index) => `${name}: ${cell.values[index]}`).join(', '),
      amount: cell.amount,
      missing: cell.missing,
    })),
    note:
      needs.length > needsListed
        ? `${needsListed} of ${needs.length} groups that lack something.`
        : 'Most missing first; of those alike, the ones whose values are rarest in all.',
  };
}
