import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { attributeReader, createBinning } from '../shared/attributes.ts';
import { createGroupTrials, FailureCounts, type GroupTrials } from '../shared/failures.ts';
import type { Design } from './design.ts';
import { createGroups, type Group } from './groups.ts';
import type { FaultWordsOptions } from './options.ts';
import { type CountedWords, openTransformationWords } from './transformation-words.ts';

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
    groupTrials.add(numbers.get(trial.recognizer)!, failure !== undefined);
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
