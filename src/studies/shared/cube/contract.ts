import type { Chart, Column, ColumnKind, Comparison, Estimate, SampleSize, Table } from '../../../model/finding.ts';
import type { Observation, Transcript } from '../../../model/observation.ts';
import type { Reason } from '../../../model/reason.ts';
import type { Trial } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { ClusteredCounts } from '../../../statistics/bootstrap/clustered-counts.ts';
import type { Answer } from '../../contract.ts';
import type { ReadAttribute } from '../attributes.ts';
import type { ComparisonSettings } from '../comparisons.ts';
import type { Decisive } from '../decisive.ts';
import type { TrialRow } from '../failures.ts';
import type { GroupSide } from '../group-pairs.ts';
import type { SpeakerClusters } from '../speaker-clusters.ts';
import { attributeColumn, type Given, groupColumn } from '../tables.ts';

/** What is added up of each fact; a column of every table, unless `hidden`. */
export interface Count<Fact> extends Pick<Column, 'label' | 'help'> {
  readonly of: (fact: Fact) => number;
  readonly hidden?: true;
}

/**
 * Counts of facts that have them under their own names, 0 where they have none.
 *
 * @param shown how those are called that are columns
 * @example countsNamed(['errors', 'words', 'characters'], { words: { label: 'Words said' } })
 */
export function countsNamed<Name extends string>(
  names: readonly Name[],
  shown?: Readonly<Partial<Record<NoInfer<Name>, Pick<Column, 'label' | 'help'>>>>,
) {
  const count = (name: Name): Count<Readonly<Partial<Record<Name, number>>>> => ({
    ...(shown?.[name] ?? { label: name, hidden: true }),
    of: (fact) => fact[name] ?? 0,
  });
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Readonly<
    Record<Name, ReturnType<typeof count>>
  >;
}

/** One count over another, with its interval; a column of every table, before the counts. */
export interface Ratio<Counts extends string> extends Pick<Column, 'label' | 'help'> {
  readonly kind: ColumnKind;
  readonly over: readonly [numerator: Counts, denominator: Counts];
  /** Each fact adds at most as much to the numerator as to the denominator, and nothing below 0. */
  readonly proportion?: true;
  /** What is told is what this lacks of 1. */
  readonly complement?: true;
  /** What the denominator counts: sizes tell its sum, and count only units that have any of it. All that was answered if absent. */
  readonly counted?: 'pairs' | 'words' | 'utterances';
  /** Why there is no number where the denominator is 0. */
  readonly empty?: Reason;
  /** `decisive` tells which cells one utterance or one speaker decides; of proportions none does. */
  readonly watched?: true;
}

/** How facts are divided: into cells with a name for each column. */
export interface Slice<Fact> {
  readonly columns: readonly Column[];
  /** The cells that a fact belongs to. */
  readonly of: (fact: Fact, utterance: Utterance) => readonly (readonly string[])[];
  /** Of the first names; as they came if absent. */
  readonly order?: readonly string[];
  /**
   * Each cell is there once for every group of these attributes, and its names stand behind the attribute and its value; null: every attribute
   * with 2 to 8 values.
   */
  readonly groupBy?: readonly string[] | null;
  /** What one series answered and another did not is kept by cell, so that pairs can be told over some of the cells. */
  readonly paired?: true;
  /** Cells of other first names have no utterance in common: a language. */
  readonly apart?: true;
}

/** What a study counts, of what, and how sure that is. */
export interface CubeDesign<Fact, Counts extends string, Ratios extends string, Slices extends string> {
  /** Whose answers are added up apart: recognizers. */
  readonly series: readonly string[];
  /** Names of the conditions, for failures. */
  readonly conditions: readonly string[];
  readonly counts: Readonly<Record<Counts, Count<Fact>>>;
  readonly ratios: Readonly<Record<Ratios, Ratio<NoInfer<Counts>>>>;
  readonly slices: Readonly<Record<Slices, Slice<Fact>>>;
  /** What is resampled: speakers, recordings where nobody speaks, or what a study has numbered itself (a speaker under one profile of attributes). */
  readonly unit: 'speaker' | 'recording' | SpeakerClusters;
  /** Of which denominator sample sizes tell the sum as words; none if absent. */
  readonly words?: NoInfer<Counts>;
  /** The words of the transcript, to tell loops of watched ratios. */
  readonly heard?: (fact: Fact) => readonly string[];
  /** False: series are not compared with each other, and nothing is kept for that. */
  readonly paired?: false;
  readonly settings: ComparisonSettings;
}

/** The one cell that holds everything. */
export const whole: Slice<unknown> = { columns: [], of: () => [[]] };

/**
 * Each utterance under every attribute that it has: the groups whose gaps are of interest. An attribute with more than 100 values makes none.
 *
 * @param attributes null: every attribute with 2 to 8 values
 * @param within what each group is divided into
 * @example slices: { all: whole, group: groupsOf(['sex', 'accent']) } // then cube.gaps('wer', 'group')
 */
export function groupsOf<Fact = unknown>(
  attributes: readonly string[] | null,
  within: Slice<Fact> = whole,
): Slice<Fact> {
  return { ...within, columns: [attributeColumn, groupColumn, ...within.columns], groupBy: attributes };
}

/** The same groups as cells of one slice, by attribute and value, for rates alone: who is in which is not kept. */
export function cellsOfGroups(attributes: readonly string[], read: ReadAttribute): Slice<unknown> {
  return {
    columns: [attributeColumn, groupColumn],
    of: (_, utterance) =>
      attributes.flatMap((name) => {
        const value = read(utterance, name);
        return value === null ? [] : [[name, value]];
      }),
  };
}

/** A cell of a slice, of one series. */
export interface Row<Counts extends string, Ratios extends string> {
  readonly series: string;
  /** A name for each column of the slice. */
  readonly path: readonly string[];
  readonly counts: Readonly<Record<Counts, number>>;
  readonly ratios: Readonly<Record<Ratios, Estimate>>;
}

/** A ratio that is watched, in a cell that one utterance or one speaker decides. */
export interface DecidedCell {
  readonly series: string;
  readonly path: readonly string[];
  readonly decisive: Decisive;
}

/** Cells of a slice that are counted together; a study gives them names of its own. */
export interface CellSet {
  readonly cells: readonly (readonly string[])[];
}

/** Some cells together, of one series. */
export type SetRow<Set extends CellSet, Counts extends string, Ratios extends string> = Omit<
  Row<Counts, Ratios>,
  'path'
> & { readonly set: Set };

/** Two series on what both answered: second less first. */
export interface Pair {
  readonly first: string;
  readonly second: string;
  readonly comparison: Comparison;
}

/** Two values of an attribute, for one series: second less first. */
export interface Gap {
  readonly series: string;
  readonly attribute: string;
  readonly first: string;
  readonly second: string;
  readonly comparison: Comparison;
}

/** A ratio of one series in one cell. */
export interface Place<Ratios extends string> {
  /** Its place among the series. */
  readonly series: number;
  /** The names of the cell, without those of a group. */
  readonly path: readonly string[];
  readonly ratio: Ratios;
  /** Of a slice that is `paired`: of what this series answered too. */
  readonly also?: number;
}

/** What was added to some cells, for a statistic of one's own. */
export interface Gathered<Counts extends string> {
  /** Sums by unit of the cube; 0 where nothing was added. */
  readonly counts: Readonly<Record<Counts, Float64Array>>;
  readonly n: Required<Pick<SampleSize, 'utterances' | 'speakers' | 'pairs'>>;
}

/** Everybody, or one group: what was added of them. */
export interface Part<Counts extends string, Ratios extends string> {
  readonly group: { readonly attribute: string; readonly value: string } | null;
  /** Numbers of the units that are in it, as they came. */
  readonly units: readonly number[];
  /** Sums of a cell; 0 where nothing was added. */
  counts(series: number, path: readonly string[]): Readonly<Record<Counts, number>>;
  /** A ratio by unit, as tests of groups take it. */
  side(place: Place<Ratios>): GroupSide;
  /** The counts of one that is watched, where of an odd utterance no more errors count than it has words (`withoutLoops`). */
  withoutLoops(place: Omit<Place<Ratios>, 'also'>): ClusteredCounts;
  /**
   * A weighted sum of ratios as one (`combineRates`): a mean over conditions, what is lost beside a baseline. Its size is the greatest of those
   * with weights above 0. Null where a cell has nothing to divide by, or there are none.
   */
  weighted(terms: readonly (Place<Ratios> & { readonly weight: number })[]): GroupSide | null;
  /** With its interval. */
  estimate(side: GroupSide): Estimate;
  /** Second less first, by how the same units differ; as large as the second. */
  difference(first: GroupSide, second: GroupSide): Estimate;
}

/** Who is in which group. */
export interface MetGroups<One = Pick<Part<never, never>, 'group' | 'units'>> {
  readonly clusters: Pick<SpeakerClusters, 'count' | 'merged' | 'isSpeaker'>;
  /** Attributes that have more values than are kept apart. */
  readonly manyValued: ReadonlySet<string>;
  /** Whether there were more attributes than are looked at unasked. */
  readonly attributesLeftOut: boolean;
  /** Those of attributes with two values or more, in the order of their code units. */
  groups(): readonly One[];
  /** Attributes that make groups, and how many utterances are in none of these. */
  missing(): readonly { readonly attribute: string; readonly utterances: number }[];
  /** Attributes that make no groups because they have one value, with it. */
  undivided(): readonly { readonly attribute: string; readonly value: string }[];
}

/** An answer that is no failure. */
export interface Heard {
  readonly trial: Trial;
  readonly observation: Observation & { readonly transcript: Transcript };
}

/** Facts added up by series, slice and unit as they come, and what follows from them. */
export interface Cube<Fact, Counts extends string, Ratios extends string, Slices extends string> {
  /**
   * Reads the answers of a batch, in which those about one sound come one after another.
   *
   * @param factOf what counts of an answer; null: nothing
   * @param meet is told every trial before its fact is asked for, failed ones too
   */
  fill(
    answers: AsyncIterable<Answer>,
    factOf: (heard: Heard) => Fact | null,
    meet?: (trial: Trial) => void,
  ): Promise<void>;
  /**
   * Adds what counts of one sound, for each series in order; null: nothing. Sounds of an utterance come one after another; who speaks in it is
   * counted among the units whatever is added.
   *
   * @param beside whether these are no answers: of several answers, or learned later
   */
  add(utterance: Utterance, facts: readonly (Fact | null)[], beside?: 'beside'): void;
  /** What was added, cell by cell, series innermost; cells that nothing was added to are left out. */
  rows(slice: Slices): readonly Row<Counts, Ratios>[];
  /** Of a ratio that is watched the cells that one utterance or one speaker decides, as `rows` has them. */
  decisive(slice: Slices, ratio: Ratios): readonly DecidedCell[];
  /** The rows as a table: columns of the slice, the series, ratios, counts that are not hidden. */
  table(slice: Slices, id: string, title: string): Table;
  /** A line for each series over the cells of a slice of one column, in its order. */
  chart(slice: Slices, ratio: Ratios, title: string): Chart;
  /** Cells counted together, set by set, series innermost, also where nothing was added. */
  over<Set extends CellSet>(slice: Slices, sets: readonly Set[]): readonly SetRow<Set, Counts, Ratios>[];
  /** In each row of `over` one ratio less another, all tested together: what a change does, beside what comes without it. */
  against(slice: Slices, sets: readonly CellSet[], ratio: Ratios, than: Ratios): readonly Comparison[];
  /** Columns of ratios and counts as they are declared, for tables of rows. */
  columns(...keys: readonly (Ratios | Counts)[]): readonly Given<Pick<Row<Counts, Ratios>, 'counts' | 'ratios'>>[];
  /** Every pair of series on what both answered, tested together. */
  pairs(ratio: Ratios): readonly Pair[];
  /** The same in each of some sets of a slice that is `paired`. */
  pairsOver<Set extends CellSet>(
    ratio: Ratios,
    slice: Slices,
    sets: readonly Set[],
  ): readonly (Pair & { readonly set: Set })[];
  /** Every pair of values of each attribute of a slice by `groupsOf`, for every series, tested together. */
  gaps(ratio: Ratios, slice: Slices): readonly Gap[];
  /** The groups of a slice by `groupsOf`, of attributes with two values or more; of another slice one part, everybody. */
  parts(slice: Slices): readonly Part<Counts, Ratios>[];
  /** The groups of a slice by `groupsOf` that the utterance is in to which anything was added last. */
  groupsHere(slice: Slices): readonly NonNullable<Part<Counts, Ratios>['group']>[];
  /** Who is in which group of a slice by `groupsOf`. */
  groupsIn(slice: Slices): MetGroups<Part<Counts, Ratios>>;
  /**
   * Cells of a slice without groups, counted together.
   *
   * @param also of a slice that is `paired`: of what this series answered too
   */
  gather(slice: Slices, cells: CellSet['cells'], series: number, also?: number): Gathered<Counts>;
  /** What became of the trials that `fill` read, by condition, series innermost. */
  readonly trials: readonly TrialRow[];
  /** Attributes that have more values than are kept apart, in the order of their code units. */
  readonly manyValued: readonly string[];
  /** Speakers or recordings that are resampled; of more than 2,000 some share a unit. */
  readonly units: Pick<SpeakerClusters, 'count' | 'merged' | 'isSpeaker'>;
}
