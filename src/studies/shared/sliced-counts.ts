import type { SampleSize } from '../../model/finding.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { maxGroupValues } from './attributes.ts';
import { type ShareWatch, WatchedRates } from './share-watch.ts';
import { createSpeakerClusters, type SpeakerClusters } from './speaker-clusters.ts';

/** What has been added to some rows. */
interface RowTotals {
  readonly errors: number;
  readonly words: number;
  readonly trials: number;
  readonly utterances: number;
}

/** Errors, words, trials, utterances. */
const fields = 4;

/**
 * Errors, reference words, trials and utterances by row (a row is a speaker, or a speaker within a group). Sixteen bytes a
 * row, so that memory follows the number of speakers and never the number of trials; rows that nothing is added to cost
 * nothing as long as they are many.
 */
export class RowCounts {
  #counts = new Uint32Array(8 * fields);
  /** Rows in the order in which they came; null once most rows have come, and places are rows. */
  #places: Map<number, number> | null = new Map();
  #highest = -1;

  add(row: number, errors: number, words: number, trials: number, utterances: number): void {
    const start = fields * this.#placeFor(row);
    this.#counts[start]! += errors;
    this.#counts[start + 1]! += words;
    this.#counts[start + 2]! += trials;
    this.#counts[start + 3]! += utterances;
  }

  /** Rows that nothing was added to are 0. */
  errors(row: number): number {
    return this.#at(row, 0);
  }

  words(row: number): number {
    return this.#at(row, 1);
  }

  trials(row: number): number {
    return this.#at(row, 2);
  }

  utterances(row: number): number {
    return this.#at(row, 3);
  }

  /** The sums over some rows. */
  totals(rows: readonly number[]): RowTotals {
    const totals = { errors: 0, words: 0, trials: 0, utterances: 0 };
    for (const row of rows) {
      totals.errors += this.errors(row);
      totals.words += this.words(row);
      totals.trials += this.trials(row);
      totals.utterances += this.utterances(row);
    }
    return totals;
  }

  #at(row: number, field: number): number {
    const place = this.#places === null ? row : this.#places.get(row);
    return place === undefined ? 0 : (this.#counts[fields * place + field] ?? 0);
  }

  #placeFor(row: number): number {
    if (this.#places === null) {
      if (fields * row >= this.#counts.length)
        this.#resize(Math.max(row + 1, Math.ceil((1.5 * this.#counts.length) / fields)));
      return row;
    }
    const known = this.#places.get(row);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#highest = Math.max(this.#highest, row);
    if (fields * place >= this.#counts.length) {
      // A row in a Map costs about as much as three more without one.
      if (4 * place > this.#highest) {
        this.#spread(this.#places);
        return row;
      }
      this.#resize(2 * place);
    }
    this.#places.set(row, place);
    return place;
  }

  #resize(rows: number): void {
    const counts = new Uint32Array(fields * rows);
    counts.set(this.#counts);
    this.#counts = counts;
  }

  /** Gives every row the place of its own number. */
  #spread(places: ReadonlyMap<number, number>): void {
    const counts = new Uint32Array(fields * Math.ceil(1.5 * (this.#highest + 1)));
    for (const [row, place] of places) {
      counts.set(this.#counts.subarray(fields * place, fields * (place + 1)), fields * row);
    }
    this.#counts = counts;
    this.#places = null;
  }
}

/** A part of the corpus: all of it, or the utterances with one value of an attribute. One row for each speaker in it. */
export interface Part {
  /** Null: the whole corpus. */
  readonly group: { readonly attribute: string; readonly value: string } | null;
  readonly rows: readonly number[];
  /** The speaker (cluster) of each row. */
  readonly units: readonly number[];
  counts(series: number): RowCounts | undefined;
  /** Of a series whose utterances are watched. */
  watch(series: number): ShareWatch | undefined;
  isSpeaker(row: number): boolean;
  /** The speaker (cluster) of a row: the same number in all parts of counts that share their clusters. */
  clusterOf(row: number): number;
}

/** Counts by cluster, ready for a statistic, and how much stands behind them. */
export interface Gathered {
  readonly counts: ClusteredCounts;
  readonly n: Required<Pick<SampleSize, 'utterances' | 'speakers' | 'words' | 'pairs'>>;
}

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
  /** By series x `most` + value. */
  readonly watched: WatchedRates;
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
  readonly #watched = new WatchedRates();
  #utterance = '';
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
    this.#utterance = utterance.id;
    this.#cluster = this.clusters.clusterOf(utterance);
    this.#rows = [];
    const attributes = this.#wanted ?? Object.keys(utterance.attributes);
    for (const attribute of attributes) {
      const value = attributeOf(utterance, attribute);
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

  /**
   * What the utterance that was entered last has of a rate, or of a difference of two: the ones that move it most are kept (`ShareWatch`), of the whole
   * corpus and of each group.
   *
   * @param heard the words of the transcript
   */
  watch(series: number, errors: number, words: number, heard?: () => readonly string[]): void {
    const utterance = { id: this.#utterance, unit: this.#cluster };
    this.#watched.of(series).add(utterance, errors, words, heard);
    for (const { division, row } of this.#rows) {
      const place = series * division.most + division.rowValues[row]!;
      division.watched.of(place).add(utterance, errors, words, heard);
    }
  }

  /** All of the corpus. */
  whole(): Part {
    const rows = Array.from({ length: this.clusters.count }, (_, cluster) => cluster);
    return {
      group: null,
      rows,
      units: rows,
      counts: (series) => this.#whole[series],
      watch: (series) => this.#watched.known(series),
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
          .map(([value, number]) => {
            const rows = division.rowValues.flatMap((rowValue, row) => (rowValue === number ? [row] : []));
            return {
              group: { attribute: division.attribute, value },
              rows,
              units: rows.map((row) => division.rowClusters[row]!),
              counts: (series: number) => division.series[series],
              watch: (series: number) => division.watched.known(series * division.most + number),
              isSpeaker: (row: number) => this.clusters.isSpeaker(division.rowClusters[row]!),
              clusterOf: (row: number) => division.rowClusters[row]!,
            };
          }),
      );
  }

  /** Attributes that make no groups because they have one value, with it, in the order of their code units. */
  undivided(): NonNullable<Part['group']>[] {
    return [...this.#divisions.values()]
      .filter(({ values }) => values.size === 1)
      .map(({ attribute, values }) => ({ attribute, value: [...values.keys()][0]! }))
      .sort((a, b) => byCodeUnit(a.attribute, b.attribute));
  }

  /** Utterances. */
  get entered(): number {
    return this.#entered;
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
      most: this.#wanted === null ? maxGroupValues.unasked : maxGroupValues.asked,
      known: 0,
      rowNumbers: new Map(),
      rowClusters: [],
      rowValues: [],
      series: [],
      watched: new WatchedRates(),
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
