import type { Utterance } from '../../model/utterance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import { SlicedCounts } from '../shared/sliced-counts.ts';
import type { AnswerPair } from './answer-pair.ts';
import { type ChangeCounts, countChange, type FailuresByKind, noChanges, watchChanges } from './changes.ts';

/** Examples of each kind that are shown; all are counted. */
const maxExamples = 20;

/** Everything that was counted. */
export interface PairTally {
  readonly slices: SlicedCounts;
  /** In the order in which they came. */
  readonly conditions: readonly { readonly name: string; readonly changes: ChangeCounts }[];
  readonly all: ChangeCounts;
  readonly failures: FailuresByKind;
  readonly watch: ReturnType<typeof watchChanges>;
  readonly utterances: number;
  readonly withoutReference: number;
  readonly withoutSpeaker: number;
}

/** Numbers of the series: both sides over all conditions, then both sides of each condition. */
export const pairSeries = {
  allBefore: 0,
  allAfter: 1,
  before: (condition: number) => 2 + 2 * condition,
  after: (condition: number) => 3 + 2 * condition,
};

/** Scores and counts the pairs as they come. */
export async function tallyPairs(
  pairs: AsyncIterable<AnswerPair>,
  labels: { readonly before: string; readonly after: string },
  words: (text: string, language: string) => string[],
): Promise<PairTally> {
  const slices = new SlicedCounts(null);
  const watch = watchChanges(labels, words, maxExamples);
  const numbers = new Map<string, number>();
  const conditions: { readonly name: string; readonly changes: ChangeCounts; lastUtterance: number }[] = [];
  const all = noChanges();
  const failures: FailuresByKind = new Map();
  const seen = { utterances: 0, withoutReference: 0, withoutSpeaker: 0 };
  let current: { readonly id: string; readonly reference: readonly string[] | null; answered: boolean } | null = null;

  const enter = (utterance: Utterance) => {
    watch.leave();
    const reference = utterance.reference === undefined ? null : words(utterance.reference, utterance.language);
    if (reference === null) seen.withoutReference++;
    else {
      seen.utterances++;
      if (utterance.speaker === undefined) seen.withoutSpeaker++;
      slices.enter(utterance);
    }
    return { id: utterance.id, reference, answered: false };
  };
  const conditionNamed = (name: string): number => {
    let number = numbers.get(name);
    if (number === undefined) {
      number = conditions.push({ name, changes: noChanges(), lastUtterance: 0 }) - 1;
      numbers.set(name, number);
    }
    return number;
  };

  for await (const pair of pairs) {
    if (current === null || current.id !== pair.utterance.id) current = enter(pair.utterance);
    const { reference } = current;
    if (reference === null) continue;
    const { language } = pair.utterance;
    const number = conditionNamed(pair.conditionName);
    const condition = conditions[number]!;
    if (pair.before.failure || pair.after.failure) {
      countFailure(condition.changes, all, failures, pair);
      continue;
    }
    const errorsBefore = errors(countEdits(reference, words(pair.before.transcript.text, language)));
    const errorsAfter = errors(countEdits(reference, words(pair.after.transcript.text, language)));
    const scored = { pair, reference, errorsBefore, errorsAfter };
    countChange(condition.changes, scored);
    countChange(all, scored);
    watch.see(scored);

    const first = current.answered ? 0 : 1;
    const firstHere = condition.lastUtterance === seen.utterances ? 0 : 1;
    current.answered = true;
    condition.lastUtterance = seen.utterances;
    slices.add(pairSeries.allBefore, errorsBefore, reference.length, 1, first);
    slices.add(pairSeries.allAfter, errorsAfter, reference.length, 1, first);
    slices.addToWhole(pairSeries.before(number), errorsBefore, reference.length, 1, firstHere);
    slices.addToWhole(pairSeries.after(number), errorsAfter, reference.length, 1, firstHere);
  }
  watch.leave();
  return { slices, conditions, all, failures, watch, ...seen };
}

function countFailure(
  condition: ChangeCounts,
  all: ChangeCounts,
  failures: FailuresByKind,
  { before, after }: AnswerPair,
): void {
  for (const counts of [condition, all]) {
    if (before.failure && after.failure) counts.failedTwice++;
    else if (after.failure) counts.failuresCame++;
    else counts.failuresWent++;
  }
  for (const side of ['before', 'after'] as const) {
    const kind = (side === 'before' ? before : after).failure?.kind;
    if (kind === undefined) continue;
    const counts = failures.get(kind) ?? { before: 0, after: 0 };
    counts[side]++;
    failures.set(kind, counts);
  }
}
