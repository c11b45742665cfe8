import { capitalized, counted } from '../../base/wording.ts';
import type { BarChart, Section, Statement, Table } from '../../model/finding.ts';
import type { ClipMeasurement } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import {
  attributeCombinations,
  type Coverage,
  type CoverageItem,
  type CoverageOptions,
  intersectionalCoverage,
} from '../../statistics/intersectional-coverage.ts';
import { attributeReader } from '../shared/attributes.ts';
import { column, groupColumn, tableOf } from '../shared/tables.ts';
import { listed, named, percent } from '../shared/wording.ts';
import type { CoverageStudyOptions } from './options.ts';

/** How one combination of attributes is covered, counted in all three ways. */
export interface CombinationCoverage {
  /** Counted as asked, with its minimum. */
  readonly asked: Coverage;
  readonly counted: Readonly<Record<CoverageOptions['by'], Coverage>>;
}

/** Adds up what the corpus has of each combination. Memory grows with speakers and combinations that occur. */
export interface CoverageCount {
  addUtterance(utterance: Utterance): void;
  addSound(utterance: Utterance, measurement: ClipMeasurement): void;
  /** @throws RangeError more than a million combinations */
  combinations(): readonly CombinationCoverage[];
  /** Clips whose speaker nobody knows: they are not counted where speakers are. */
  readonly withoutSpeaker: number;
}

interface Added {
  readonly attributes: Readonly<Record<string, string>>;
  readonly speaker: string | null;
  clips: number;
  seconds: number;
}

/** Counts for one corpus. */
export function createCoverageCount(options: CoverageStudyOptions): CoverageCount {
  const { attributes, ways = Math.min(2, attributes.length), by, minimum, bins = {}, values } = options;
  const read = attributeReader(bins);
  const added = new Map<string, Added>();
  let withoutSpeaker = 0;

  const placeOf = (utterance: Utterance): Added => {
    const own = attributes.flatMap((name): [string, string][] => {
      const value = read(utterance, name);
      return value === null ? [] : [[name, value]];
    });
    const speaker = utterance.speaker ?? null;
    const key = JSON.stringify([own, speaker]);
    let place = added.get(key);
    if (place === undefined) {
      place = { attributes: Object.fromEntries(own), speaker, clips: 0, seconds: 0 };
      added.set(key, place);
    }
    return place;
  };

  const coverageOf = (combination: readonly string[], counted: CoverageOptions['by']): Coverage => {
    const items: CoverageItem[] = [];
    for (const { seconds, ...item } of added.values()) {
      if (counted !== 'speakers' || item.speaker !== null) items.push({ ...item, durationSeconds: seconds });
    }
    return intersectionalCoverage(items, {
      attributes: combination,
      by: counted,
      minimum,
      ...(values !== undefined && { values }),
    });
  };

  return {
    addUtterance(utterance) {
      if (utterance.speaker === undefined) withoutSpeaker++;
      placeOf(utterance).clips++;
    },
    addSound(utterance, { durationSeconds }) {
      placeOf(utterance).seconds += durationSeconds;
    },
    combinations: () =>
      attributeCombinations(attributes, ways).map((combination) => {
        const counted = {
          clips: coverageOf(combination, 'clips'),
          speakers: coverageOf(combination, 'speakers'),
          hours: coverageOf(combination, 'hours'),
        };
        return { asked: counted[by], counted };
      }),
    get withoutSpeaker() {
      return withoutSpeaker;
    },
  };
}

/** Combinations named as those to record next, over all attributes together. */
const needsListed = 30;

/** Cells of one combination of attributes that are kept. */
const cellsKept = 10_000;

/** What the finding says of coverage. */
interface CoverageReport {
  readonly section: Section;
  readonly answer: readonly Statement[];
}

/** How one corpus covers a combination; `corpus` is null where all are one. */
interface Row extends CombinationCoverage {
  readonly corpus: string | null;
}

/** Combinations whose distribution is drawn, and groups of each. */
const chartsDrawn = 12;
const barsDrawn = 80;

/**
 * Puts the coverage of a corpus, or of several side by side, into sentences, charts and tables (FairLENS, "data quality" and its Fig.
 * 2, 6 and 7, with its minimum stated).
 */
export function coverageReport(
  counts: ReadonlyMap<string | null, CoverageCount>,
  { by, minimum }: CoverageStudyOptions,
): CoverageReport {
  const rows = [...counts].flatMap(([corpus, count]) => count.combinations().map((one): Row => ({ corpus, ...one })));
  const answer = rows
    .filter(({ asked }) => asked.cells.length > 0)
    .map(({ corpus, asked }) => ({
      text: `${corpus === null ? 'Of' : `${named(corpus)}: of`} ${counted(asked.cells.length, 'combination')} of ${listed(asked.attributes)}, ${asked.covered} (${percent(asked.covered, asked.cells.length)}) ${asked.covered === 1 ? 'has' : 'have'} at least ${minimum} ${by}.`,
    }));
  const withoutSpeaker = [...counts.values()].reduce((sum, count) => sum + count.withoutSpeaker, 0);
  const several = rows.some(({ corpus }) => corpus !== null);
  return {
    section: {
      id: 'corpus-coverage',
      title: 'Coverage of groups',
      text: [
        ...answer.map(({ text }) => text),
        ...(by === 'speakers' && withoutSpeaker > 0
          ? [
              `${counted(withoutSpeaker, 'clip')} without a known speaker ${withoutSpeaker === 1 ? 'is' : 'are'} not counted.`,
            ]
          : []),
      ],
      bars: [...(several ? besideEachOther(rows, by) : []), ...distributions(rows, by, minimum)],
      tables: [coverageTable(rows, several, by, minimum), cellsTable(rows, several, by), needsTable(rows, several, by)],
    },
    answer: answer.slice(0, 3),
  };
}

/** Coverage and unevenness of corpora, combination by combination. */
function besideEachOther(rows: readonly Row[], by: CoverageStudyOptions['by']): BarChart[] {
  const corpora = [...new Set(rows.map(({ corpus }) => corpus!))];
  const combinations = Map.groupBy(rows, ({ asked }) => asked.attributes.join(' × '));
  const chart = (title: string, label: string, kind: BarChart['kind'], read: (row: Row) => number | null) => ({
    title,
    label,
    kind,
    series: corpora,
    rows: [...combinations].map(([name, own]) => ({
      name,
      values: corpora.map((corpus) => {
        const row = own.find((one) => one.corpus === corpus);
        return row === undefined ? null : read(row);
      }),
    })),
  });
  return [
    chart('Combinations covered, by corpus', 'Share of combinations', 'rate', ({ asked }) => asked.share),
    chart(
      'Unevenness, by corpus',
      `Divergence from equal shares of ${by} (nats)`,
      'number',
      ({ counted }) => counted[by].klToUniform,
    ),
  ];
}

/** What each group has, and the minimum that it should have. */
function distributions(rows: readonly Row[], by: CoverageStudyOptions['by'], minimum: number): BarChart[] {
  return rows
    .filter(({ asked }) => asked.cells.length > 0)
    .slice(0, chartsDrawn)
    .map(({ corpus, asked }) => ({
      title: `${asked.attributes.join(' × ')}${corpus === null ? '' : `, ${corpus}`}`,
      label: capitalized(by),
      kind: by === 'hours' ? 'number' : 'count',
      series: [by],
      rows: asked.cells
        .slice(0, barsDrawn)
        .map(({ values, amount }) => ({ name: values.join(', '), values: [amount] })),
      means: [{ name: 'minimum', value: minimum }],
    }));
}

const corpusColumn = { key: 'corpus', label: 'Corpus', kind: 'text' } as const;
const pairingColumn = column('attributes', 'Attributes', 'text', ({ asked }: Pick<Row, 'asked'>) =>
  asked.attributes.join(' × '),
);

function coverageTable(rows: readonly Row[], several: boolean, by: string, minimum: number): Table {
  const table = tableOf('corpus-coverage', 'Coverage', rows, [
    several && corpusColumn,
    pairingColumn,
    column('combinations', 'Combinations', 'count', ({ asked }) => asked.cells.length),
    column('covered', `With at least ${minimum} ${by}`, 'count', ({ asked }) => asked.covered),
    column('share', 'Share', 'rate', ({ asked }) => asked.share),
    {
      ...column('klClips', 'Unevenness by clips', 'number', ({ counted }) => counted.clips.klToUniform),
      help: 'Kullback-Leibler divergence from equal shares, in nats: 0 if all combinations have equally many; none if all are empty.',
    },
    column('klSpeakers', 'By speakers', 'number', ({ counted }) => counted.speakers.klToUniform),
    column('klHours', 'By hours', 'number', ({ counted }) => counted.hours.klToUniform),
    column('leftOut', 'Clips without one of the attributes', 'count', ({ asked }) => asked.leftOut),
  ]);
  return {
    ...table,
    note: `Combinations are all pairings of the values that occur${several ? ' in the corpus' : ''} (or should), including empty ones.`,
  };
}

function cellsTable(rows: readonly Row[], several: boolean, by: string): Table {
  const cells = rows.flatMap(({ corpus, asked }) =>
    asked.cells.slice(0, cellsKept).map(({ values, amount }) => ({ corpus, asked, values, amount })),
  );
  return tableOf('corpus-distribution', 'Clips, speakers and hours by group', cells, [
    several && corpusColumn,
    pairingColumn,
    { ...groupColumn, of: ({ values }) => values.join(', ') },
    { key: 'amount', label: `Has (${by})`, kind: by === 'hours' ? 'number' : 'count' },
  ]);
}

function needsTable(rows: readonly Row[], several: boolean, by: string): Table {
  const needs = rows.flatMap(({ corpus, asked }) =>
    asked.toCollect.map((cell, rank) => ({ corpus, attributes: asked.attributes, cell, rank })),
  );
  // The neediest of each pairing of attributes first, so that none fills the list alone.
  needs.sort((a, b) => a.rank - b.rank || b.cell.missing - a.cell.missing);
  const kind = by === 'hours' ? 'number' : 'count';
  const groupOf = ({ attributes, cell }: (typeof needs)[number]) =>
    attributes.map((name, index) => `${name}: ${cell.values[index]}`).join(', ');
  const table = tableOf('corpus-collect-next', 'What to record next', needs.slice(0, needsListed), [
    several && corpusColumn,
    { ...groupColumn, of: groupOf },
    column('amount', `Has (${by})`, kind, ({ cell }) => cell.amount),
    column('missing', `Lacks (${by})`, kind, ({ cell }) => cell.missing),
  ]);
  return {
    ...table,
    note:
      needs.length > needsListed
        ? `${needsListed} of ${needs.length} groups below the minimum.`
        : 'Largest shortfall first; ties by rarest values.',
  };
}
