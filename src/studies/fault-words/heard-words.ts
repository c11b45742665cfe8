import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { binning } from '../shared/attributes.ts';
import type { ComparisonSettings } from '../shared/comparisons.ts';
import { openFailedTrials } from '../shared/cube/failed-trials.ts';
import { soundsOf } from '../shared/cube/sounds.ts';
import type { FailuresByGroup } from '../shared/failure-gaps.ts';
import { FailureCounts, namedTrials, type TrialRow } from '../shared/failures.ts';
import type { AskedWords, FaultWordsOptions } from './design.ts';

/** What was heard, word by word, of whom. */
export interface HeardWords {
  /** Everybody, then attributes and their values in the order of their code units; attributes of one value make none. */
  readonly groups: readonly Group[];
  counts(group: number, recognizer: number, transformation: number): CountedWords;
  readonly trials: readonly TrialRow[];
  readonly failures: FailuresByGroup;
  /** Attributes that make groups, and how many utterances are in none of these. */
  readonly missing: readonly { readonly attribute: string; readonly utterances: number }[];
  readonly utterances: number;
  readonly withReference: number;
  readonly overflowed: boolean;
  readonly manyValued: readonly string[];
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

/** Counts words as answers come; memory follows groups, conditions and the vocabulary. */
export async function countWords(
  answers: AsyncIterable<Answer>,
  plan: AskedWords,
  { groupBy, bins }: FaultWordsOptions,
  normalizer: Normalizer,
  settings: ComparisonSettings,
): Promise<HeardWords> {
  const { recognizers, conditions } = plan;
  const names = recognizers.map((name) => ({ name }));
  const cube = openFailedTrials(recognizers, groupBy, settings);
  const words = openTransformationWords(plan);
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const numbers = new Map(recognizers.map((name, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, number) => [name, number]));
  const binned = binning(bins);
  const groupNumbers = new Map<Group['group'], number>();
  const numberOf = (group: Group['group']): number => {
    const number = groupNumbers.get(group) ?? groupNumbers.size;
    groupNumbers.set(group, number);
    return number;
  };
  const seen = { utterances: 0, withReference: 0 };

  let current = null as Utterance | null;
  let heard: (readonly string[] | null)[] = [];
  const leave = ({ reference: text, language }: Utterance) => {
    seen.utterances++;
    const reference = text === undefined ? null : normalizer.words(text, language);
    if (reference !== null) seen.withReference++;
    const own = [null, ...cube.groupsHere('group')].map(numberOf);
    for (const recognizer of recognizers.keys()) {
      words.add(own, recognizer, (condition) => heard[recognizer * conditions.length + condition] ?? null, reference);
    }
  };

  for await (const sound of soundsOf(answers)) {
    const { utterance, condition } = sound[0].trial;
    if (current?.id !== utterance.id) {
      if (current !== null) leave(current);
      current = binned(utterance);
      heard = [];
    }
    const failed = recognizers.map((): { readonly failed: boolean } | null => null);
    for (const { trial, observation } of sound) {
      const recognizer = numbers.get(trial.recognizer)!;
      const place = recognizer * conditions.length + places.get(condition.name)!;
      const { failure } = observation;
      if (failure?.kind !== 'inapplicable') failed[recognizer] = { failed: failure !== undefined };
      if (observation.failure) trials.addFailure(place, observation.failure.kind);
      else {
        trials.addAnswer(place);
        heard[place] = normalizer.words(observation.transcript.text, utterance.language);
      }
    }
    cube.add(current, failed);
  }
  if (current !== null) leave(current);
  const { clusters, groups, missing } = cube.groupsIn('group');
  const known = (units: readonly number[]) => units.filter((unit) => clusters.isSpeaker(unit)).length;
  const parts = groups().flatMap((part) => (part.group === null ? [] : [{ part, group: part.group }]));
  return {
    groups: [
      { number: 0, group: null, speakers: known(Array.from({ length: clusters.count }, (_, unit) => unit)) },
      ...parts.map(({ part, group }) => ({ number: numberOf(group), group, speakers: known(part.units) })),
    ],
    counts: words.counts,
    trials: namedTrials({ tally: { trials }, design: { recognizers: names, conditions } }),
    failures: {
      clusters,
      groups: () =>
        parts.map(({ part, group }) => ({
          group,
          side: (series) => part.side({ series, path: [], ratio: 'share' }),
        })),
    },
    missing: missing(),
    ...seen,
    overflowed: words.overflowed(),
    manyValued: cube.manyValued,
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
function openTransformationWords({ recognizers, transformations }: AskedWords): TransformationWords {
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
