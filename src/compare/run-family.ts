import type { Comparison, Estimate } from '../model/finding.ts';
import type { Observation } from '../model/observation.ts';
import type { Utterance } from '../model/utterance.ts';
import { countEdits } from '../scoring/alignment/align.ts';
import { errors } from '../scoring/edit-counts.ts';
import { SlicedCounts } from '../studies/shared/sliced-counts.ts';
import { pairSeries } from './tally-pairs.ts';

/** Who is compared, what and where: as a study of the run may have compared them already. */
export interface ComparedPlace {
  /** Null: all conditions, pooled. */
  readonly condition: string | null;
  /** Null: everybody. */
  readonly group: { readonly attribute: string; readonly value: string } | null;
}

/** Two recognizers of one run, or two files of outputs, among all others of it: whoever compares them has chosen them out of all pairs. */
export interface RunFamily {
  readonly recognizers: readonly string[];
  /** What made the comparisons that are known: of files the ranking, since there is no run. */
  readonly by: 'the run' | 'the ranking';
  /** How many studies compared them when the run ended. */
  readonly studies: number;
  /** Their own comparison of the two, where it was of these very trials; null: there is none. */
  known(place: ComparedPlace, difference: Estimate): Comparison | null;
  /** By what the run ranks: clean audio, or a mean over conditions; null: it does not. */
  readonly ranks: 'clean' | MeanInRun | null;
  readonly counts: FamilyCounts;
}

/** The means of two recognizers of a run over its conditions, and how far they are apart. */
export interface MeanInRun {
  /** `mean excl. clean` */
  readonly head: string;
  /** What the head leaves open. */
  readonly note: string | null;
  readonly before: Estimate;
  readonly after: Estimate;
  readonly comparison: Comparison;
}

/** Errors and words of every pair of recognizers on the trials that both answered. */
export interface FamilyCounts {
  readonly slices: SlicedCounts;
  /** In the order in which they came. */
  readonly conditions: readonly string[];
  /** Those that are looked at first. */
  readonly pairs: readonly (readonly [before: number, after: number])[];
  /** @param which as in `pairSeries` */
  series(pair: number, which: number): number;
}

/** A trial of the run. Those of one utterance come one after another, in each the recognizers. */
export interface FamilyTrial {
  readonly utterance: Utterance;
  readonly conditionName: string;
  readonly draw: number;
  readonly repeat: number;
  readonly recognizer: number;
  readonly observation: Observation;
}

/**
 * Counts all pairs of recognizers in one pass: each transcript is scored once.
 *
 * @param looked places of the two that are looked at, among so many recognizers
 */
export async function countFamily(
  trials: AsyncIterable<FamilyTrial>,
  recognizers: number,
  looked: readonly [before: number, after: number],
  words: (text: string, language: string) => string[],
): Promise<FamilyCounts> {
  const all = Array.from({ length: recognizers }, (_, place) => place);
  const others = all
    .flatMap((before) => all.slice(before + 1).map((after): readonly [number, number] => [before, after]))
    .filter((pair) => !looked.every((one) => pair.includes(one)));
  const pairs = [looked, ...others];
  const series = (pair: number, which: number) => which * pairs.length + pair;
  const slices = new SlicedCounts(null);
  const conditions: string[] = [];
  let current: { readonly utterance: Utterance; readonly reference: readonly string[] | null } | null = null;
  let question = '';
  /** Errors of the recognizers that have answered the question in hand. */
  let answered = new Map<number, number>();

  const settle = (condition: number) => {
    const length = current!.reference!.length;
    const add = (place: number, which: number, wrong: number) => slices.add(series(place, which), wrong, length);
    pairs.forEach(([before, after], place) => {
      const [one, other] = [answered.get(before), answered.get(after)];
      if (one === undefined || other === undefined) return;
      add(place, pairSeries.allBefore, one);
      add(place, pairSeries.allAfter, other);
      add(place, pairSeries.before(condition), one);
      add(place, pairSeries.after(condition), other);
    });
    answered = new Map();
  };

  let condition = -1;
  for await (const { utterance, conditionName, draw, repeat, recognizer, observation } of trials) {
    const asked = JSON.stringify([utterance.id, conditionName, draw, repeat]);
    if (asked !== question && answered.size > 0) settle(condition);
    question = asked;
    if (current?.utterance.id !== utterance.id) {
      const reference = utterance.reference === undefined ? null : words(utterance.reference, utterance.language);
      current = { utterance, reference };
      if (reference !== null) slices.enter(utterance);
    }
    if (current.reference === null) continue;
    condition = conditions.indexOf(conditionName);
    if (condition < 0) condition = conditions.push(conditionName) - 1;
    if (observation.failure) continue;
    answered.set(
      recognizer,
      errors(countEdits(current.reference, words(observation.transcript.text, utterance.language))),
    );
  }
  if (answered.size > 0) settle(condition);
  return { slices, conditions, pairs, series };
}
