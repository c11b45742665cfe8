import type { SampleSize } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { RowCounts } from './row-counts.ts';
import { createSpeakerClusters, type SpeakerClusters } from './speaker-clusters.ts';

/** A part of the corpus: all of it, or the utterances with one value of an attribute. One row for each speaker in it. */
export interface Part {
  /** Null: the whole corpus. */
  readonly group: { readonly attribute: string; readonly value: string } | null;
  readonly rows: readonly number[];
  counts(series: number): RowCounts | undefined;
  isSpeaker(row: number): boolean;
  /** The speaker (cluster) of a row: the same number in all parts of counts that share their clusters. */
  clusterOf(row: number): number;
}

/** Counts by cluster, ready for a statistic, and how much stands behind them. */
export interface Gathered {
  readonly counts: ClusteredCounts;
  readonly n: Required<Pick<SampleSize, 'utterances' | 'speakers' | 'words' | 'pairs'>>;
}

/** An attribute with more values divides a corpus into too many groups to be looked at unasked. */
const maxValues = 8;

/** Where somebody asked for the attribute. */
const maxWantedValues = 100;

/** Attributes that are looked at where nobody says which. */
const maxAttributes = 32;

interface Division {
  readonly attribute: string;
  readonly values: Map<string, number>;
  readonly most: number;
  /** Utterances that have the attribute. */
  known: number;
  /** Rows by cluster x `most` + value. */
  readonly rowNumbers: Map<number, number>;
  readonly rowClusters: number[];
  readonly rowValues: number[];
  readonly series: (RowCounts | undefined)[];
}

/**
 * Errors and words of any number of series (a recognizer in a condition is one), by speaker, for the whole corpus and for
 * every group of it at once. Which attributes make groups shows on the way: those with 2 to 8 values, or those that were
 * asked for; an attribute with more is let go of.
 */
export class SlicedCounts {
  readonly clusters: SpeakerClusters;
  /** Attributes that were asked for (or looked at) and have more values than are kept apart. */
  readonly manyValued = new Set<string>();
  /** Whether there were more attributes than are looked at unasked. */
  attributesLeftOut = false;
  readonly #wanted: readonly string[] | null;
  readonly #divisions = new Map<string, Division>();
  #entered = 0;
  readonly #whole: (RowCounts | undefined)[] = [];
  #cluster = 0;
  #rows: { readonly division: Division; readonly row: number }[] = [];

  /**
   * @param groupBy attributes that make groups; null: every attribute with 2 to 8 values
   * @param clusters shared with other counts of the same pass, so that their speakers have the same numbers
   */
  constructor(groupBy: readonly string[] | null, clusters: SpeakerClusters = createSpeakerClusters()) {
    this.#wanted = groupBy;
    this.clusters = clusters;
  }

  /** What is added from here on belongs to this utterance. */
  enter(utterance: Utterance): void {
    this.#entered++;
    this.#cluster = this.clusters.clusterOf(utterance);
    this.#rows = [];
    const attributes = this.#wanted ?? Object.keys(utterance.attributes);
    for (const attribute of attributes) {
      const value = Object.hasOwn(utterance.attributes, attribute) ? utterance.attributes[attribute] : undefined;
      const division = value === undefined ? undefined : this.#division(attribute);
      if (value === undefined || division === undefined) continue;
      division.known++;
      let number = division.values.get(value);
      if (number === undefined) {
        number = division.values.size;
        if (number === division.most) {
          this.manyValued.add(attribute);
          this.#divisions.delete(attribute);
          continue;
        }
        division.values.set(value, number);
      }
      const place = this.#cluster * division.most + number;
      let row = division.rowNumbers.get(place);
      if (row === undefined) {
        row = division.rowClusters.push(this.#cluster) - 1;
        division.rowValues.push(number);
        division.rowNumbers.set(place, row);
      }
      this.#rows.push({ division, row });
    }
  }

  /** Adds to the whole corpus and to each group of the utterance that was entered last. */
  add(series: number, errors: number, words: number, trials: number, utterances: number): void {
    this.addToWhole(series, errors, words, trials, utterances);
    for (const { division, row } of this.#rows) {
      countsOf(division.series, series).add(row, errors, words, trials, utterances);
    }
  }

  /** For what is not asked of groups. */
  addToWhole(series: number, errors: number, words: number, trials: number, utterances: number): void {
    countsOf(this.#whole, series).add(this.#cluster, errors, words, trials, utterances);
  }

  /** All of the corpus. */
  whole(): Part {
    return {
      group: null,
      rows: Array.from({ length: this.clusters.count }, (_, cluster) => cluster),
      counts: (series) => this.#whole[series],
      isSpeaker: (row) => this.clusters.isSpeaker(row),
      clusterOf: (row) => row,
    };
  }

  /** Every group, attributes and values in the order of their code units. Attributes with one value make none. */
  groups(): Part[] {
    return [...this.#divisions.values()]
      .filter(({ values }) => values.size > 1)
      .sort((a, b) => byCodeUnit(a.attribute, b.attribute))
      .flatMap((division) =>
        [...division.values]
          .sort(([a], [b]) => byCodeUnit(a, b))
          .map(([value, number]) => ({
            group: { attribute: division.attribute, value },
            rows: division.rowValues.flatMap((rowValue, row) => (rowValue === number ? [row] : [])),
            counts: (series: number) => division.series[series],
            isSpeaker: (row: number) => this.clusters.isSpeaker(division.rowClusters[row]!),
            clusterOf: (row: number) => division.rowClusters[row]!,
          })),
      );
  }

  /** Attributes that make groups, and how many utterances are in none of their groups. */
  missing(): { readonly attribute: string; readonly utterances: number }[] {
    return [...this.#divisions.values()]
      .filter(({ values }) => values.size > 1)
      .map(({ attribute, known }) => ({ attribute, utterances: this.#entered - known }))
      .sort((a, b) => byCodeUnit(a.attribute, b.attribute));
  }

  #division(attribute: string): Division | undefined {
    const known = this.#divisions.get(attribute);
    if (known || this.manyValued.has(attribute)) return known;
    if (this.#wanted === null && this.#divisions.size + this.manyValued.size >= maxAttributes) {
      this.attributesLeftOut = true;
      return undefined;
    }
    const division: Division = {
      attribute,
      values: new Map(),
      most: this.#wanted === null ? maxValues : maxWantedValues,
      known: 0,
      rowNumbers: new Map(),
      rowClusters: [],
      rowValues: [],
      series: [],
    };
    this.#divisions.set(attribute, division);
    return division;
  }
}

/**
 * The counts of a series in a part, times a factor, less those of another series: what is left when some trials are taken
 * out.
 */
export function gather(part: Part, series: number, out?: number, times = 1): Gathered {
  const counts = part.counts(series);
  const less = out === undefined ? undefined : part.counts(out);
  const numerators = new Float64Array(part.rows.length);
  const denominators = new Float64Array(part.rows.length);
  const n = { utterances: 0, speakers: 0, words: 0, pairs: 0 };
  part.rows.forEach((row, place) => {
    const words = times * (counts?.words(row) ?? 0) - (less?.words(row) ?? 0);
    numerators[place] = times * (counts?.errors(row) ?? 0) - (less?.errors(row) ?? 0);
    denominators[place] = words;
    const utterances = (counts?.utterances(row) ?? 0) - (less?.utterances(row) ?? 0);
    n.utterances += utterances;
    n.words += words;
    n.pairs += times * (counts?.trials(row) ?? 0) - (less?.trials(row) ?? 0);
    if (utterances > 0 && part.isSpeaker(row)) n.speakers++;
  });
  return { counts: { numerators, denominators }, n };
}

function countsOf(all: (RowCounts | undefined)[], series: number): RowCounts {
  let counts = all[series];
  if (counts === undefined) {
    // Filled up in order, so that the engine keeps a plain array.
    while (all.length <= series) all.push(undefined);
    counts = new RowCounts();
    all[series] = counts;
  }
  return counts;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
