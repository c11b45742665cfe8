import { attributeOf, type Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { attributeReader, createBinning, maxGroupValues } from '../shared/attributes.ts';
import { createGroupTrials, FailureCounts, type GroupTrials } from '../shared/failures.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import type { Design, FaultWordsOptions } from './design.ts';

export interface Tally {
  readonly groups: readonly Group[];
  counts(group: number, recognizer: number, transformation: number): CountedWords;
  /** By recognizer x conditions + condition. */
  readonly trials: FailureCounts;
  readonly groupTrials: GroupTrials;
  readonly utterances: number;
  readonly withReference: number;
  readonly overflowed: boolean;
  readonly manyValued: readonly string[];
}

/** Counts words as answers come; memory follows groups, conditions and the vocabulary. */
export async function tallyWords(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: FaultWordsOptions,
  normalizer: Normalizer,
): Promise<Tally> {
  const { recognizers, conditions } = design;
  const groups = createGroups(options.groupBy);
  const words = openTransformationWords(design);
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const groupTrials = createGroupTrials(options.groupBy, attributeReader(options.bins));
  const numbers = new Map(recognizers.map((name, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, number) => [name, number]));
  const bins = Object.entries(options.bins).map(([attribute, chosen]) => [attribute, createBinning(chosen)] as const);
  const seen = { utterances: 0, withReference: 0 };

  let current = null as Utterance | null;
  let heard: (readonly string[] | null)[] = [];
  const leave = (utterance: Utterance) => {
    seen.utterances++;
    const reference =
      utterance.reference === undefined ? null : normalizer.words(utterance.reference, utterance.language);
    if (reference !== null) seen.withReference++;
    const attributes = { ...utterance.attributes };
    for (const [attribute, bin] of bins) {
      if (Object.hasOwn(attributes, attribute)) attributes[attribute] = bin(attributes[attribute]!);
    }
    const own = groups.of({ ...utterance, attributes });
    for (const recognizer of recognizers.keys()) {
      words.add(own, recognizer, (condition) => heard[recognizer * conditions.length + condition] ?? null, reference);
    }
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { trial, observation } = answer;
    if (current === null || current.id !== trial.utterance.id) {
      if (current !== null) leave(current);
      current = trial.utterance;
      groupTrials.enter(current);
      heard = [];
    }
    const place = numbers.get(trial.recognizer)! * conditions.length + places.get(trial.condition.name)!;
    const { failure } = observation;
    if (failure?.kind !== 'inapplicable') groupTrials.add(numbers.get(trial.recognizer)!, failure !== undefined);
    if (failure !== undefined) trials.addFailure(place, failure.kind);
    else {
      trials.addAnswer(place);
      heard[place] = normalizer.words(observation.transcript.text, trial.utterance.language);
    }
  }
  if (current !== null) leave(current);
  return {
    groups: groups.found(),
    counts: words.counts,
    trials,
    groupTrials,
    ...seen,
    overflowed: words.overflowed(),
    manyValued: groups.manyValued(),
  };
}

/** Word counts of a group, a recognizer and a transformation, over the utterances answered throughout. */
export interface CountedWords {
  /** How often each word was said; empty where no utterance has a reference. */
  readonly said: ReadonlyMap<string, number>;
  readonly original: ReadonlyMap<string, number>;
  /** By condition of the transformation. */
  readonly transformed: readonly ReadonlyMap<string, number>[];
  /** Words to be looked at: those that were said, and of utterances without a reference those that were heard. */
  readonly words: readonly string[];
  readonly utterances: number;
}

/** Words by group, recognizer and transformation. Memory follows these, and the vocabulary. */
interface TransformationWords {
  /**
   * Adds what a recognizer heard of an utterance, for each of its groups. Transformations of which it did not hear everything
   * are passed over.
   *
   * @param heard by condition; null: no answer
   * @param reference null: nobody has written it down
   */
  add(
    groups: readonly number[],
    recognizer: number,
    heard: (condition: number) => readonly string[] | null,
    reference: readonly string[] | null,
  ): void;
  counts(group: number, recognizer: number, transformation: number): CountedWords;
  overflowed(): boolean;
}

/** Counts of no words yet. */
function openTransformationWords({ recognizers, transformations }: Design): TransformationWords {
  const cells = new WordCells();
  const utterances = new Map<number, number>();
  // Of a group, recognizer and transformation: what was said, what to look at, the baseline, then each of its conditions.
  const widths = transformations.map(({ conditions }) => 3 + conditions.length);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const width = sum(widths);
  const starts = widths.map((_, place) => sum(widths.slice(0, place)));
  const firstCell = (group: number, recognizer: number, transformation: number) =>
    (group * recognizers.length + recognizer) * width + starts[transformation]!;
  const addAll = (cell: number, words: readonly string[]) => {
    for (const word of words) cells.add(cell, word);
  };
  return {
    add(groups, recognizer, heard, reference) {
      const baseline = heard(0);
      if (baseline === null) return;
      for (const [number, { conditions }] of transformations.entries()) {
        const transcripts = conditions.map(heard);
        if (transcripts.includes(null)) continue;
        for (const group of groups) {
          const first = firstCell(group, recognizer, number);
          utterances.set(first, (utterances.get(first) ?? 0) + 1);
          if (reference !== null) addAll(first, reference);
          addAll(first + 1, reference ?? baseline);
          addAll(first + 2, baseline);
          transcripts.forEach((words, place) => {
            addAll(first + 3 + place, words!);
          });
        }
      }
    },
    counts(group, recognizer, transformation) {
      const first = firstCell(group, recognizer, transformation);
      return {
        said: cells.counts(first),
        words: [...cells.counts(first + 1).keys()].sort(),
        original: cells.counts(first + 2),
        transformed: transformations[transformation]!.conditions.map((_, place) => cells.counts(first + 3 + place)),
        utterances: utterances.get(first) ?? 0,
      };
    },
    overflowed: () => cells.overflowed,
  };
}

/** Distinct words that are counted; transcripts of noise can hold any number of others. */
const maxWords = 100_000;

/**
 * How often each word occurs, in numbered cells. Words have numbers, so that a cell costs four bytes a word; words beyond the
 * first hundred thousand are not counted.
 */
class WordCells {
  readonly #numbers = new Map<string, number>();
  readonly #cells: Uint32Array[] = [];
  /** Whether words were left out. */
  overflowed = false;

  add(cell: number, word: string): void {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      if (this.#numbers.size === maxWords) {
        this.overflowed = true;
        return;
      }
      number = this.#numbers.size;
      this.#numbers.set(word, number);
    }
    while (this.#cells.length <= cell) this.#cells.push(new Uint32Array(0));
    let counts = this.#cells[cell]!;
    if (number >= counts.length) {
      const longer = new Uint32Array(Math.max(16, Math.ceil(1.5 * (number + 1))));
      longer.set(counts);
      counts = longer;
      this.#cells[cell] = counts;
    }
    counts[number]!++;
  }

  /** The words of a cell with their counts, in the order in which words were first met. */
  counts(cell: number): Map<string, number> {
    const counts = this.#cells[cell] ?? new Uint32Array(0);
    const found = new Map<string, number>();
    for (const [word, number] of this.#numbers) {
      const count = counts[number] ?? 0;
      if (count > 0) found.set(word, count);
    }
    return found;
  }
}

/** Everybody, or those with one value of an attribute. */
export interface Group {
  /** As it was numbered when it was first met. */
  readonly number: number;
  /** Null: everybody. */
  readonly group: { readonly attribute: string; readonly value: string } | null;
  /** Those that are known. */
  readonly speakers: number;
}

/** The groups of a corpus, numbered as they are met; everybody is 0. */
function createGroups(groupBy: readonly string[] | null) {
  const most = groupBy === null ? maxGroupValues.unasked : maxGroupValues.asked;
  const attributes = new Map<string, Map<string, { number: number; readonly speakers: Set<number> }>>();
  const everybody = new Set<number>();
  const many = new Set<string>();
  const clusters = createSpeakerClusters();
  let count = 1;
  return {
    /** Numbers of the groups that an utterance belongs to. */
    of(utterance: Utterance): number[] {
      const cluster = clusters.clusterOf(utterance);
      const isKnown = utterance.speaker !== undefined;
      if (isKnown) everybody.add(cluster);
      const numbers = [0];
      for (const attribute of groupBy ?? Object.keys(utterance.attributes)) {
        const value = attributeOf(utterance, attribute);
        if (value === undefined || many.has(attribute)) continue;
        const values = attributes.get(attribute) ?? new Map<string, { number: number; speakers: Set<number> }>();
        attributes.set(attribute, values);
        let group = values.get(value);
        if (group === undefined) {
          if (values.size === most) {
            many.add(attribute);
            continue;
          }
          group = { number: count++, speakers: new Set() };
          values.set(value, group);
        }
        if (isKnown) group.speakers.add(cluster);
        numbers.push(group.number);
      }
      return numbers;
    },
    /** Everybody, then attributes and their values in the order of their code units; attributes of one value make none. */
    found(): Group[] {
      const own = [...attributes]
        .filter(([attribute, values]) => values.size > 1 && !many.has(attribute))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([attribute, values]) =>
          [...values]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([value, { number, speakers }]) => ({ number, group: { attribute, value }, speakers: speakers.size })),
        );
      return [{ number: 0, group: null, speakers: everybody.size }, ...own];
    },
    manyValued: (): string[] => [...many].sort(),
  };
}
