import type { Cell, Column, Estimate, Section, Table } from '../model/finding.ts';
import { familiesInWords } from '../studies/shared/comparisons.ts';
import {
  attributeColumn,
  conditionColumn,
  groupColumn,
  speakersColumn,
  verdictCells,
  verdictColumns,
} from '../studies/shared/tables.ts';
import { listed, named } from '../studies/shared/wording.ts';
import { type Again, type Change, type ComparisonResults, changeFamilies } from './conclude-pairs.ts';
import type { RunFamily } from './run-family.ts';
import { type Sides, type SidesInWords, sidesInWords } from './sides-in-words.ts';
import type { PairedTrialCounts, PairTally } from './tally-pairs.ts';

/** A setting, version or identity that is not the same on both sides. */
export interface SideDifference {
  /** `earwitness`, `corpus.language`, `condition hiss` */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Questions that one of two sides was asked alone. */
export interface UnpairedQuestions {
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  readonly conditions?: readonly {
    readonly condition: string;
    readonly onlyBefore: number;
    readonly onlyAfter: number;
    /** Ids of the first few. */
    readonly utterances: readonly string[];
  }[];
}

type Labels = Pick<Sides, 'before' | 'after'>;

/** The parts of a comparison, in the order in which a reader wants them. */
export function comparisonSections(
  results: ComparisonResults,
  tally: PairTally,
  labels: Sides,
  {
    level,
    margin,
    unpaired,
    differing = [],
    family,
    counted,
    gaps = [],
  }: {
    readonly level: number;
    readonly family?: RunFamily;
    readonly counted?: string;
    /** How gaps between groups changed. */
    readonly gaps?: readonly Table[];
    readonly margin?: number;
    readonly unpaired: UnpairedQuestions;
    readonly differing?: readonly SideDifference[];
  },
): Section[] {
  const only = tally.conditions.length === 1 ? tally.conditions[0]!.name : 'all';
  const name = (condition: number | null) => (condition === null ? only : tally.conditions[condition]!.name);
  const among = family === undefined ? [] : [amongColumn];
  const words = sidesInWords(labels);
  const settings: Section[] = differing.length === 0 ? [] : [differencesSection(differing, labels)];
  const sections: Section[] = [
    ...settings,
    {
      id: 'comparison-conditions',
      title: 'By condition',
      text: [
        ...testedInWords(results, family),
        familiesInWords(changeFamilies, level),
        ...(counted === undefined ? [] : [counted]),
      ],
      tables: [
        {
          id: 'comparison-conditions',
          title: 'Word error rates on the trials that both answered',
          columns: [conditionColumn, ...changeColumns(labels, margin), ...among],
          rows: [results.overall, ...results.conditions].map((change) => ({
            condition: name(change.condition),
            ...changeCells(change, margin),
          })),
          note: 'A verdict is given only if the interval and the adjusted p agree.',
          leads: 'WER %',
          ...(labels.are === 'names' && { ofNames: true as const }),
        },
        changesTable(tally, labels, words),
        ...aboveCleanTable(results, labels, name),
      ],
    },
  ];
  const groupTable = (id: string, title: string, changes: readonly Change[], columns: readonly Column[]): Table => ({
    id,
    title,
    columns: [attributeColumn, groupColumn, ...columns, ...changeColumns(labels, margin), ...among],
    rows: changes.map((change) => ({
      attribute: change.group!.attribute,
      group: change.group!.value,
      condition: name(change.condition),
      ...changeCells(change, margin),
    })),
  });
  if (results.groups.length > 0) {
    const groups = groupTable('comparison-groups', 'Groups, all conditions together', results.groups, []);
    // Of two names, how far apart groups are for each of them is told beside this.
    const all = family === undefined ? { ...groups, leads: 'WER %' } : groups;
    const single = results.groupsInConditions;
    const apart = groupTable('comparison-groups-conditions', 'Groups, condition by condition', single, [
      conditionColumn,
    ]);
    sections.push({
      id: 'comparison-groups',
      title: 'By group of speakers',
      tables: [all, ...(single.length > 0 ? [apart] : []), ...gaps],
    });
  }
  if (results.again !== null) sections.push(againSection(results.again, labels));
  if (unpaired.conditions !== undefined && unpaired.conditions.length > 0) {
    sections.push(unpairedSection(unpaired.conditions, labels));
  }
  if (tally.failures.size > 0) sections.push(failuresSection(tally, labels));
  sections.push(...wordSections(results, tally, words, labels));
  const more = { id: 'comparison-more-errors', title: words.moreErrors, examples: tally.watch.moreErrors() };
  const fewer = { id: 'comparison-fewer-errors', title: words.fewerErrors, examples: tally.watch.fewerErrors() };
  // Of two names those come first in which the better one is worse.
  const both = results.leader === 'before' ? [fewer, more] : [more, fewer];
  sections.push(...both.flatMap((one) => (one.examples.length === 0 ? [] : [{ ...one, text: [order] }])));
  const still = tally.watch.stillBroken();
  if (still.length > 0) {
    const text = ['Those with the largest share of wrong words on the better of the two sides come first.'];
    sections.push({ id: 'comparison-still', title: words.outcomes.stillBroken, text, examples: still });
  }
  return sections;
}

/** Words that are newly wrong; and of two names those that the better one has wrong most often. */
function wordSections(
  { leader }: ComparisonResults,
  { broken }: PairTally,
  words: SidesInWords,
  labels: Sides,
): Section[] {
  const newly = broken.section(words);
  const wrong =
    labels.are === 'times' ? null : broken.wrong(leader, `Words most often wrong with ${named(labels[leader])}`);
  return [
    ...(newly === null ? [] : [newly]),
    ...(wrong === null ? [] : [{ id: wrong.id, title: wrong.title, tables: [wrong] }]),
  ];
}

const order =
  'Utterances without errors on one side come first, then those with fewer errors there, by the share of their words that changed.';

function changeColumns({ before, after }: Labels, margin: number | undefined): Column[] {
  const within: Column = {
    ...{ key: 'within', label: 'Same within (points)', kind: 'number' },
    help: 'Shown to be no further apart than this, either way (two one-sided tests).',
  };
  const same: readonly Column[] = margin === undefined ? [] : [{ key: 'same', label: 'Equivalence', kind: 'text' }];
  return [
    { key: 'before', label: before, kind: 'rate' },
    { key: 'after', label: after, kind: 'rate' },
    { key: 'difference', label: 'Difference', kind: 'difference', help: `Below zero: fewer errors than ${before}.` },
    ...verdictColumns('From exchanging the two sides speaker by speaker'),
    within,
    ...same,
    { key: 'pairs', label: 'Trials', kind: 'count' },
    speakersColumn,
  ];
}

const amongColumn: Column = {
  ...{ key: 'among', label: 'Corrected for', kind: 'text' },
  help: 'The comparisons that the run itself made, or the ranking of files; else all pairs of recognizers in what is compared here.',
};

/** Of what the two are a choice, and by which tests they are told apart; empty where they were none. */
function testedInWords(results: ComparisonResults, family: RunFamily | undefined): string[] {
  if (family === undefined) return [];
  const { recognizers, studies, counts, by } = family;
  const changes = [results.overall, ...results.conditions, ...results.groups, ...results.groupsInConditions];
  const known = changes.filter(({ among }) => among === by).length;
  const pairs = counts.pairs.length;
  const all = pairs === 1 ? 'the one pair that there is' : `all ${pairs} pairs`;
  const of = by === 'the run' ? 'recognizers of one run' : 'outputs';
  const chosen =
    recognizers.length === 2 ? `These are the two ${of}` : `These are two of the ${recognizers.length} ${of}`;
  if (studies === 0 || known === 0)
    return [`${chosen}, whoever chose them: what is compared here is corrected for ${all}.`];
  const rest = known === changes.length ? '' : `; the other places are tested here, and corrected for ${all}`;
  if (by === 'the ranking') return [`${chosen}, with the p and the verdict that they have in the ranking${rest}.`];
  const [have, own] = studies === 1 ? ['study robustness has', 'its'] : ['studies of robustness have', 'their'];
  return [
    `${chosen}. Where its ${have} compared them, this is ${own} own comparison, with its p and its verdict${rest}.`,
  ];
}

function changeCells(
  { before, after, comparison, within, among }: Change,
  margin: number | undefined,
): Record<string, Cell> {
  const { value } = within;
  return {
    before,
    after,
    difference: comparison,
    ...verdictCells(comparison),
    within: value === null ? null : Number((100 * value).toPrecision(3)),
    ...(margin !== undefined && { same: value !== null && value <= margin ? 'the same' : 'not shown' }),
    pairs: comparison.difference.n.pairs ?? null,
    speakers: comparison.difference.n.speakers,
    ...(among !== null && { among }),
  };
}

type Count = { readonly key: keyof PairedTrialCounts; readonly label: string; readonly help?: string };

const counts = ({ outcomes }: SidesInWords): readonly Count[] => [
  { key: 'pairs', label: 'Both answered' },
  { key: 'otherTranscript', label: 'Different transcript' },
  { key: 'rose', label: 'More errors' },
  { key: 'fell', label: 'Fewer errors' },
  {
    key: 'broken',
    label: outcomes.broken,
    help: 'Every word is right on the first side, and some are wrong on the other.',
  },
  {
    key: 'fixed',
    label: outcomes.fixed,
    help: 'Some words are wrong on the first side, and all are right on the other.',
  },
  { key: 'stillBroken', label: outcomes.stillBroken, help: 'Some words are wrong on both sides.' },
  { key: 'failuresCame', label: outcomes.came },
  { key: 'failuresWent', label: outcomes.went },
  { key: 'failedTwice', label: outcomes.twice },
];

/** How many trials failed on one side or both, of how many. */
export function failedTrials({ pairs, failuresCame, failuresWent, failedTwice }: PairedTrialCounts) {
  const failed = failuresCame + failuresWent + failedTwice;
  const trials = pairs + failed;
  return { trials, failed, failedShare: trials === 0 ? null : failed / trials };
}

function changesTable({ conditions, all, watch }: PairTally, { before, after }: Labels, words: SidesInWords): Table {
  const total = { brokenUtterances: watch.utterances.broken, fixedUtterances: watch.utterances.fixed };
  // They are counted over all conditions together.
  const own = conditions.length === 1 ? total : { brokenUtterances: null, fixedUtterances: null };
  const rows = conditions.map(({ name, changes }) => ({
    condition: name,
    ...changes,
    ...failedTrials(changes),
    ...own,
  }));
  return {
    id: 'comparison-changes',
    title: `Outcome of the trials, ${after} beside ${before}`,
    columns: [
      conditionColumn,
      ...counts(words).map((column): Column => ({ ...column, kind: 'count' })),
      { key: 'trials', label: 'Trials', kind: 'count' },
      { key: 'failed', label: 'Failed on either side', kind: 'count' },
      { key: 'failedShare', label: 'Share of trials', kind: 'rate' },
      { key: 'brokenUtterances', label: `${words.outcomes.broken}, utterances`, kind: 'count' },
      { key: 'fixedUtterances', label: `${words.outcomes.fixed}, utterances`, kind: 'count' },
    ],
    rows: conditions.length === 1 ? rows : [{ condition: 'all', ...all, ...failedTrials(all), ...total }, ...rows],
  };
}

/** How far the better of two names, or what is now, is above its clean audio; none where that is not asked. */
function aboveCleanTable(
  { aboveClean, leader }: ComparisonResults,
  labels: Labels,
  name: (condition: number) => string,
): Table[] {
  const rows = aboveClean.flatMap(({ condition, rate, above }) => [{ condition: name(condition), rate, above }]);
  if (rows.length === 0) return [];
  return [
    {
      id: 'comparison-above-clean',
      title: `${labels[leader]}, above clean audio`,
      columns: [
        conditionColumn,
        { key: 'rate', label: 'WER', kind: 'rate' },
        { key: 'above', label: 'Above clean', kind: 'points' },
      ],
      rows,
    },
  ];
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

function differencesSection(differing: readonly SideDifference[], { before, after }: Labels): Section {
  return {
    id: 'comparison-settings',
    title: 'What differs between the two runs',
    text: ['What else changed may be why answers did.'],
    tables: [
      {
        id: 'comparison-settings',
        title: 'Differences besides the answers',
        columns: [
          { key: 'what', label: 'What', kind: 'text' },
          { key: 'before', label: before, kind: 'text' },
          { key: 'after', label: after, kind: 'text' },
        ],
        rows: differing.map(({ what, before: old, after: now }) => ({ what, before: old, after: now })),
      },
    ],
  };
}

function againSection({ before, after, within, between, comparison }: Again, labels: Labels): Section {
  const row = (answers: string, other: Estimate) => ({ answers, other, clips: other.n.pairs ?? null });
  const cells = { difference: comparison, ...verdictCells(comparison) };
  return {
    id: 'comparison-again',
    title: 'Asked again',
    text: [
      'A recognizer that is not deterministic differs from itself. Of clips that both sides were asked about twice: how often two answers are not the same, letter by letter.',
    ],
    tables: [
      {
        id: 'comparison-again',
        title: 'Clips with two different transcripts',
        columns: [
          { key: 'answers', label: 'Two answers of', kind: 'text' },
          { key: 'other', label: 'Different transcripts', kind: 'rate' },
          { key: 'difference', label: 'Beyond one side alone', kind: 'difference' },
          ...verdictColumns('From exchanging the two shares speaker by speaker'),
          { key: 'clips', label: 'Clips', kind: 'count' },
        ],
        rows: [
          row(labels.before, before),
          row(labels.after, after),
          row('one side, mean', within),
          { ...row('one of each side', between), ...cells },
        ],
      },
    ],
  };
}

function unpairedSection(conditions: NonNullable<UnpairedQuestions['conditions']>, { before, after }: Labels): Section {
  return {
    id: 'comparison-unpaired',
    title: 'In one of the two alone',
    tables: [
      {
        id: 'comparison-unpaired',
        title: 'Questions that only one side was asked',
        columns: [
          conditionColumn,
          { key: 'before', label: before, kind: 'count' },
          { key: 'after', label: after, kind: 'count' },
          { key: 'utterances', label: 'Utterances', kind: 'text' },
        ],
        rows: conditions.map(({ condition, onlyBefore, onlyAfter, utterances }) => ({
          ...{ condition, before: onlyBefore, after: onlyAfter },
          utterances: `${listed(utterances, 4)}${onlyBefore + onlyAfter > utterances.length ? ', …' : ''}`,
        })),
      },
    ],
  };
}
