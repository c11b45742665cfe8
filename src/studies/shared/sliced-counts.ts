import type { SampleSize } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { type Cell, Groups, Members } from './cube/groups.ts';
import { Sums } from './cube/sums.ts';
import type { ShareWatch } from './share-watch.ts';
import { createSpeakerClusters } from './speaker-clusters.ts';

/** A part of the corpus: all of it, or the utterances with one value of an attribute. */
export interface Part {
  /** Null: the whole corpus. */
  readonly group: Members['group'];
  /** The speakers (clusters) in it, by the numbers that they have in all parts of the same counts; counts are in this order. */
  readonly units: readonly number[];
  /** By place among the units; undefined where nothing was added. */
  sums(series: number): Sums | undefined;
  /** Of a series whose utterances are watched. */
  watch(series: number): ShareWatch | undefined;
  isSpeaker(place: number): boolean;
}

/** Counts by cluster, ready for a statistic, and how much stands behind them. */
export interface Gathered {
  readonly counts: ClusteredCounts;
  readonly n: Required<Pick<SampleSize, 'utterances' | 'speakers' | 'words' | 'pairs'>>;
}

/** What is added, in the order of the fields of sums. */
const errorsField = 0;
const wordsField = 1;

/**
 * Errors and words of any number of series (a recognizer in a condition is one), by speaker, for the whole corpus and for
 * every group of it at once: a cube whose series are not known before they come. Which attributes make groups shows on the way (`Groups`).
 */
export class SlicedCounts {
  readonly clusters = createSpeakerClusters();
  readonly #everybody = new Members(null);
  readonly #groups: Groups;
  #entered = 0;
  #utterance = '';
  #cluster = 0;
  readonly #values = new Float64Array(2);
  #here: readonly { readonly cell: Cell; readonly place: number }[] = [];

  /** @param groupBy attributes that make groups; null: every attribute with 2 to 8 values */
  constructor(groupBy: readonly string[] | null) {
    this.#groups = new Groups(groupBy);
  }

  /** What is added from here on belongs to this utterance. */
  enter(utterance: Utterance): void {
    this.#entered++;
    this.#utterance = utterance.id;
    this.#cluster = this.clusters.clusterOf(utterance);
    const entered = [this.#everybody, ...this.#groups.enter(utterance, this.#cluster)];
    this.#here = entered.map((members) => ({ cell: cellOf(members), place: members.placeOf(this.#cluster) }));
  }

  /** Adds a trial to the whole corpus and to each group of the utterance that was entered last. */
  add(series: number, errors: number, words: number): void {
    this.#values[errorsField] = errors;
    this.#values[wordsField] = words;
    for (const { cell, place } of this.#here) {
      cell.sums[series] ??= new Sums(this.#values.length);
      cell.sums[series].add(place, this.#values, this.#entered);
    }
  }

  /**
   * What the utterance that was entered last has of a rate, or of a difference of two: the ones that move it most are kept (`ShareWatch`), of the whole
   * corpus and of each group.
   *
   * @param heard the words of the transcript
   */
  watch(series: number, errors: number, words: number, heard?: () => readonly string[]): void {
    const utterance = { id: this.#utterance, unit: this.#cluster };
    for (const { cell } of this.#here) cell.watched.of(series).add(utterance, errors, words, heard);
  }

  /** All of the corpus. */
  whole(): Part {
    return this.#partOf(this.#everybody);
  }

  /** Every group, attributes and values in the order of their code units. Attributes with one value make none. */
  groups(): Part[] {
    return this.#groups.groups().map((members) => this.#partOf(members));
  }

  #partOf(members: Members): Part {
    const { group, units } = members;
    const cell = cellOf(members);
    return {
      ...{ group, units },
      sums: (series) => cell.sums[series],
      watch: (series) => cell.watched.known(series),
      isSpeaker: (place) => this.clusters.isSpeaker(units[place]!),
    };
  }

  /** Attributes that have more values than are kept apart. */
  get manyValued(): ReadonlySet<string> {
    return this.#groups.manyValued;
  }

  /** Whether there were more attributes than are looked at unasked. */
  get attributesLeftOut(): boolean {
    return this.#groups.attributesLeftOut;
  }

  /** Attributes that make no groups because they have one value, with it, in the order of their code units. */
  undivided(): ReturnType<Groups['undivided']> {
    return this.#groups.undivided();
  }

  /** Attributes that make groups, and how many utterances are in none of their groups. */
  missing(): ReturnType<Groups['missing']> {
    return this.#groups.missing();
  }

  /** Utterances. */
  get entered(): number {
    return this.#entered;
  }
}

const cellOf = (members: Members) => members.cellAt([], 0);

/** Errors of words; null where there are no words. */
export function rateOf(part: Part, series: number): number | null {
  const { counts, n } = gather(part, series);
  return n.words === 0 ? null : counts.numerators.reduce((sum, errors) => sum + errors, 0) / n.words;
}

/** The counts of a series in a part. */
export function gather(part: Part, series: number): Gathered {
  const sums = part.sums(series);
  const counts = { numerators: new Float64Array(part.units.length), denominators: new Float64Array(part.units.length) };
  const n = { utterances: 0, speakers: 0, words: 0, pairs: sums?.facts ?? 0 };
  for (let place = 0; sums !== undefined && place < sums.length; place++) {
    const words = sums.at(place, wordsField);
    counts.numerators[place] = sums.at(place, errorsField);
    counts.denominators[place] = words;
    n.words += words;
    n.utterances += sums.utterancesOf(place);
    if (sums.factsOf(place) > 0 && part.isSpeaker(place)) n.speakers++;
  }
  return { counts, n };
}
