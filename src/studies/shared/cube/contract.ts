import type { Chart, Column, ColumnKind, Comparison, Estimate, Table } from '../../../model/finding.ts';
import type { Observation, Transcript } from '../../../model/observation.ts';
import type { Trial } from '../../../model/trial.ts';
import { attributeOf, type Utterance } from '../../../model/utterance.ts';
import type { Answer } from '../../contract.ts';
import type { ComparisonSettings } from '../comparisons.ts';
import type { TrialRow } from '../failures.ts';
import { attributeColumn, groupColumn } from '../tables.ts';

/** What is added up of each fact; a column of every table, unless `hidden`. */
export interface Count<Fact> extends Pick<Column, 'label' | 'help'> {
  readonly of: (fact: Fact) => number;
  readonly hidden?: true;
}

/** One count over another, with its interval; a column of every table, before the counts. */
export interface Ratio<Counts extends string> extends Pick<Column, 'label' | 'help'> {
  readonly kind: ColumnKind;
  readonly over: readonly [numerator: Counts, denominator: Counts];
  /** Each fact adds at most as much to the numerator as to the denominator, and nothing below 0. */
  readonly proportion?: true;
  /** Why there is no number where the denominator is 0. */
  readonly empty?: string;
}

/** How facts are divided: into cells with a name for each column. */
export interface Slice<Fact> {
  readonly columns: readonly Column[];
  /** The cells that a fact belongs to. */
  readonly of: (fact: Fact, utterance: Utterance) => readonly (readonly string[])[];
  /** Of the first names; as they came if absent, by code units where it says so. */
  readonly order?: readonly string[] | 'sorted';
  /** Its names are attributes and their values: those with too many values are let go of. */
  readonly attributes?: true;
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
  /** What is resampled: speakers, or recordings where nobody speaks. */
  readonly unit: 'speaker' | 'recording';
  /** Of which denominator sample sizes tell the sum as words; none if absent. */
  readonly words?: NoInfer<Counts>;
  readonly settings: ComparisonSettings;
}

/** The one cell that holds everything. */
export const whole: Slice<unknown> = { columns: [], of: () => [[]] };

/**
 * Each utterance under every attribute that it has: the groups whose gaps are of interest. An attribute with more than 100 values makes none.
 *
 * @example slices: { all: whole, group: groupsOf(['sex', 'accent']) } // then cube.gaps('wer', 'group')
 */
export function groupsOf(attributes: readonly string[]): Slice<unknown> {
  return {
    columns: [attributeColumn, groupColumn],
    order: 'sorted',
    attributes: true,
    of: (_, utterance) =>
      attributes.flatMap((attribute) => {
        const value = attributeOf(utterance, attribute);
        return value === undefined ? [] : [[attribute, value]];
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
   */
  fill(answers: AsyncIterable<Answer>, factOf: (heard: Heard) => Fact | null): Promise<void>;
  /** What was added, cell by cell, series innermost; cells that nothing was added to are left out. */
  rows(slice: Slices): readonly Row<Counts, Ratios>[];
  /** The rows as a table: columns of the slice, the series, ratios, counts that are not hidden. */
  table(slice: Slices, id: string, title: string): Table;
  /** A line for each series over the cells of a slice of one column, in its order. */
  chart(slice: Slices, ratio: Ratios, title: string): Chart;
  /** Every pair of series on what both answered, tested together. */
  pairs(ratio: Ratios): readonly Pair[];
  /** Every pair of values of each attribute of a slice by `groupsOf`, for every series, tested together. */
  gaps(ratio: Ratios, slice: Slices): readonly Gap[];
  /** What became of the trials, by condition, series innermost. */
  readonly trials: readonly TrialRow[];
  /** Attributes that have more values than are kept apart, in the order of their code units. */
  readonly manyValued: readonly string[];
  /** Speakers or recordings that are resampled; of more than 2,000 some share a unit. */
  readonly units: { readonly count: number; readonly merged: boolean };
}
