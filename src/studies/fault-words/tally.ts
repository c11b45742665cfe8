import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts } from '../shared/failure-counts.ts';
import { createBinning } from '../shared/numeric-bins.ts';
import type { Design } from './design.ts';
import { createGroups, type Group } from './groups.ts';
import type { FaultWordsOptions } from './options.ts';
import { WordCells } from './word-cells.ts';

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

export interface Tally {
  readonly groups: readonly Group[];
  counts(group: number, recognizer: number, transformation: number): CountedWords;
  /** By recognizer x conditions + condition. */
  readonly trials: FailureCounts;
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
  const { recognizers, conditions, transformations } = design;
  const groups = createGroups(options.groupBy);
  const cells = new WordCells();
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const numbers = new Map(recognizers.map((name, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, number) => [name, number]));
  const bins = Object.entries(options.bins).map(([attribute, chosen]) => [attribute, createBinning(chosen)] as const);
  // Of a group, recognizer and transformation: what was said, what to look at, the baseline, then each of its conditions.
  const width = transformations.reduce((sum, one) => sum + 3 + one.conditions.length, 0);
  const starts = transformations.map((_, place) =>
    transformations.slice(0, place).reduce((sum, one) => sum + 3 + one.conditions.length, 0),
  );
  const cellOf = (group: number, recognizer: number, transformation: number, of: number) =>
    (group * recognizers.length + recognizer) * width + starts[transformation]! + of;
  const utterancesIn = new Map<number, number>();
  const seen = { utterances: 0, withReference: 0 };

  let current = null as Utterance | null;
  let heard: (readonly string[] | null)[] = [];
  const addAll = (cell: number, words: readonly string[]) => {
    for (const word of words) cells.add(cell, word);
  };
  const leave = (utterance: Utterance) => {
    seen.utterances++;
    const reference = utterance.reference === undefined ? null : normalizer.words(utterance.reference);
    if (reference !== null) seen.withReference++;
    const attributes = { ...utterance.attributes };
    for (const [attribute, bin] of bins) {
      if (Object.hasOwn(attributes, attribute)) attributes[attribute] = bin(attributes[attribute]!);
    }
    const own = groups.of({ ...utterance, attributes });
    for (const recognizer of recognizers.keys()) {
      const said = (condition: number) => heard[recognizer * conditions.length + condition] ?? null;
      const baseline = said(0);
      for (const [number, transformation] of transformations.entries()) {
        const transcripts = transformation.conditions.map(said);
        if (baseline === null || transcripts.includes(null)) continue;
        for (const group of own) {
          const cell = (of: number) => cellOf(group, recognizer, number, of);
          utterancesIn.set(cell(0), (utterancesIn.get(cell(0)) ?? 0) + 1);
          if (reference !== null) addAll(cell(0), reference);
          addAll(cell(1), reference ?? baseline);
          addAll(cell(2), baseline);
          transcripts.forEach((words, place) => {
            addAll(cell(3 + place), words!);
          });
        }
      }
    }
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { trial, observation } = answer;
    if (current === null || current.id !== trial.utterance.id) {
      if (current !== null) leave(current);
      current = trial.utterance;
      heard = [];
    }
    const place = numbers.get(trial.recognizer)! * conditions.length + places.get(trial.condition.name)!;
    const { failure } = observation;
    if (failure !== undefined) trials.addFailure(place, failure.kind);
    else {
      trials.addAnswer(place);
      heard[place] = normalizer.words(observation.transcript.text);
    }
  }
  if (current !== null) leave(current);
  return {
    groups: groups.found(),
    counts: (group, recognizer, transformation) => {
      const cell = (of: number) => cells.counts(cellOf(group, recognizer, transformation, of));
      return {
        said: cell(0),
        words: [...cell(1).keys()].sort(),
        original: cell(2),
        transformed: transformations[transformation]!.conditions.map((_, place) => cell(3 + place)),
        utterances: utterancesIn.get(cellOf(group, recognizer, transformation, 0)) ?? 0,
      };
    },
    trials,
    ...seen,
    overflowed: cells.overflowed,
    manyValued: groups.manyValued(),
  };
}
