import type { Example } from '../model/finding.ts';
import type { FailureKind, Observation } from '../model/observation.ts';
import type { Utterance } from '../model/utterance.ts';
import { countEdits } from '../scoring/alignment/align.ts';
import { errors } from '../scoring/edit-counts.ts';
import { alignedTranscript, keepBest, worstStretch } from '../studies/shared/examples.ts';
import { SlicedCounts } from '../studies/shared/sliced-counts.ts';
import { named } from '../studies/shared/wording.ts';
import { BrokenWords } from './broken-words.ts';

/** The same question answered twice: by two runs, or by two recognizers of one. */
export interface AnswerPair {
  readonly utterance: Utterance;
  readonly conditionName: string;
  readonly draw: number;
  readonly repeat: number;
  readonly before: Observation;
  readonly after: Observation;
}

/** What became of the trials of one condition, or of all. Trials with two transcripts, then those with a failure. */
export interface PairedTrialCounts {
  /** Answered on both sides. */
  pairs: number;
  /** Of these: the transcript is another, letter by letter. */
  otherTranscript: number;
  rose: number;
  fell: number;
  /** Every word was right, and now some are wrong. */
  broken: number;
  /** Some words were wrong, and now all are right. */
  fixed: number;
  /** Some words were wrong, and some are. */
  stillBroken: number;
  failuresCame: number;
  failuresWent: number;
  failedTwice: number;
}

/** Examples of each kind that are shown; all are counted. */
const maxExamples = 20;

/** Everything that was counted. */
export interface PairTally {
  readonly slices: SlicedCounts;
  /** In the order in which they came. */
  readonly conditions: readonly { readonly name: string; readonly changes: PairedTrialCounts }[];
  readonly all: PairedTrialCounts;
  readonly failures: FailuresByKind;
  readonly watch: ReturnType<typeof watchChanges>;
  readonly broken: BrokenWords;
  /** Clips that both sides were asked about twice, by speaker: see `againSeries`. */
  readonly again: SlicedCounts;
  readonly utterances: number;
  readonly withoutReference: number;
  readonly withoutSpeaker: number;
}

/** Numbers of the series: both sides over all conditions, then both sides of each condition. Differences are watched, and not counted. */
export const pairSeries = {
  allDifference: -1,
  difference: (condition: number) => -2 - condition,
  allBefore: 0,
  allAfter: 1,
  before: (condition: number) => 2 + 2 * condition,
  after: (condition: number) => 3 + 2 * condition,
};

/**
 * Numbers of the series of `again`. Each clip that was asked twice of both counts once, with the share of its pairs of answers that
 * are not the same: the two of before, the two of after, the mean of these, and the four of one of each.
 */
export const againSeries = { before: 0, after: 1, within: 2, between: 3 };

/** Scores and counts the pairs as they come. */
export async function tallyPairs(
  pairs: AsyncIterable<AnswerPair>,
  labels: { readonly before: string; readonly after: string },
  words: (text: string, language: string) => string[],
): Promise<PairTally> {
  const slices = new SlicedCounts(null);
  const watch = watchChanges(labels, words, maxExamples);
  const broken = new BrokenWords();
  const again = new SlicedCounts([]);
  const firstAnswers = new Map<string, readonly [string, string] | null>();
  const numbers = new Map<string, number>();
  const conditions: { readonly name: string; readonly changes: PairedTrialCounts }[] = [];
  const all = noChanges();
  const failures: FailuresByKind = new Map();
  const seen = { utterances: 0, withoutReference: 0, withoutSpeaker: 0 };
  let current: { readonly id: string; readonly reference: readonly string[] | null } | null = null;

  const enter = (utterance: Utterance) => {
    watch.leave();
    firstAnswers.clear();
    const reference = utterance.reference === undefined ? null : words(utterance.reference, utterance.language);
    if (reference === null) seen.withoutReference++;
    else {
      seen.utterances++;
      if (utterance.speaker === undefined) seen.withoutSpeaker++;
      slices.enter(utterance);
      again.enter(utterance);
    }
    return { id: utterance.id, reference };
  };
  const conditionNamed = (name: string): number => {
    let number = numbers.get(name);
    if (number === undefined) {
      number = conditions.push({ name, changes: noChanges() }) - 1;
      numbers.set(name, number);
    }
    return number;
  };

  for await (const pair of pairs) {
    if (current === null || current.id !== pair.utterance.id) current = enter(pair.utterance);
    const { reference } = current;
    // Nobody was asked what cannot be asked.
    const wasAsked = [pair.before, pair.after].every(({ failure }) => failure?.kind !== 'inapplicable');
    if (reference === null || !wasAsked) continue;
    const { language } = pair.utterance;
    const number = conditionNamed(pair.conditionName);
    const condition = conditions[number]!;
    if (pair.before.failure || pair.after.failure) {
      countFailure(condition.changes, all, failures, pair);
      continue;
    }
    const [heardBefore, heardAfter] = [pair.before, pair.after].map(({ transcript }) =>
      words(transcript!.text, language),
    );
    const errorsBefore = errors(countEdits(reference, heardBefore!));
    const errorsAfter = errors(countEdits(reference, heardAfter!));
    const scored = { pair, reference, errorsBefore, errorsAfter };
    countChange(condition.changes, scored);
    countChange(all, scored);
    watch.see(scored);
    const place = { utteranceId: pair.utterance.id, conditionName: pair.conditionName };
    broken.see(place, reference, heardBefore!, heardAfter!);
    countAgain(again, firstAnswers, pair, pair.before.transcript.text, pair.after.transcript.text);

    const count = (numbers: readonly number[], wrong: number, heard: readonly string[], isDifference = false) => {
      for (const series of numbers) {
        if (!isDifference) slices.add(series, wrong, reference.length);
        slices.watch(series, wrong, reference.length, () => heard);
      }
    };
    count([pairSeries.allBefore, pairSeries.before(number)], errorsBefore, heardBefore!);
    count([pairSeries.allAfter, pairSeries.after(number)], errorsAfter, heardAfter!);
    const differences = [pairSeries.allDifference, pairSeries.difference(number)];
    count(differences, errorsAfter - errorsBefore, heardAfter!, true);
  }
  watch.leave();
  return { slices, conditions, all, failures, watch, broken, again, ...seen };
}

/** @param first the first answers of this utterance, by condition and draw; null once a second pair has been counted */
function countAgain(
  again: SlicedCounts,
  first: Map<string, readonly [string, string] | null>,
  { conditionName, draw }: AnswerPair,
  before: string,
  after: string,
): void {
  const clip = JSON.stringify([conditionName, draw]);
  const earlier = first.get(clip);
  if (earlier === undefined) first.set(clip, [before, after]);
  if (earlier == null) return;
  first.set(clip, null);
  const other = (one: string, another: string) => (one === another ? 0 : 1);
  const [ofBefore, ofAfter] = [other(earlier[0], before), other(earlier[1], after)];
  const between =
    other(earlier[0], earlier[1]) + other(earlier[0], after) + other(before, earlier[1]) + other(before, after);
  // In quarters: counts are whole numbers.
  again.add(againSeries.before, 4 * ofBefore, 4);
  again.add(againSeries.after, 4 * ofAfter, 4);
  again.add(againSeries.within, 2 * (ofBefore + ofAfter), 4);
  again.add(againSeries.between, between, 4);
}

function countFailure(
  condition: PairedTrialCounts,
  all: PairedTrialCounts,
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

/** The counts of nothing. */
function noChanges(): PairedTrialCounts {
  return {
    pairs: 0,
    otherTranscript: 0,
    rose: 0,
    fell: 0,
    broken: 0,
    fixed: 0,
    stillBroken: 0,
    failuresCame: 0,
    failuresWent: 0,
    failedTwice: 0,
  };
}

/** A pair that both sides answered, scored. */
interface ScoredPair {
  readonly pair: AnswerPair;
  readonly reference: readonly string[];
  readonly errorsBefore: number;
  readonly errorsAfter: number;
}

/** Adds one pair to counts. */
function countChange(counts: PairedTrialCounts, { pair, errorsBefore, errorsAfter }: ScoredPair): void {
  counts.pairs++;
  if (pair.before.transcript?.text !== pair.after.transcript?.text) counts.otherTranscript++;
  if (errorsAfter > errorsBefore) counts.rose++;
  if (errorsAfter < errorsBefore) counts.fell++;
  if (errorsBefore === 0 && errorsAfter > 0) counts.broken++;
  if (errorsBefore > 0 && errorsAfter === 0) counts.fixed++;
  if (errorsBefore > 0 && errorsAfter > 0) counts.stillBroken++;
}

/** Failures by kind, on each side. */
type FailuresByKind = Map<FailureKind, { before: number; after: number }>;

/** Keeps the utterances that changed most, each once. */
interface ChangeWatch {
  see(scored: ScoredPair): void;
  /** The pairs of one utterance have been seen. */
  leave(): void;
  readonly moreErrors: () => readonly Example[];
  readonly fewerErrors: () => readonly Example[];
  readonly stillBroken: () => readonly Example[];
  /** Utterances with a trial that was right and is wrong now, and the other way round. */
  readonly utterances: { broken: number; fixed: number };
}

/** What was right and is wrong comes before what was wrong and is more so; then by the share of words. */
function watchChanges(
  labels: { readonly before: string; readonly after: string },
  words: (text: string, language: string) => string[],
  most: number,
): ChangeWatch {
  const lists = {
    moreErrors: keepBest<Example>(most),
    fewerErrors: keepBest<Example>(most),
    stillBroken: keepBest<Example>(most),
  };
  const utterances = { broken: 0, fixed: 0 };
  type Kind = keyof typeof lists;
  let best: { [kind in Kind]?: { readonly rank: readonly number[]; readonly scored: ScoredPair } } = {};

  const offer = (kind: Kind, rank: readonly number[], scored: ScoredPair) => {
    const before = best[kind]?.rank;
    if (before === undefined || higher(rank, before)) best[kind] = { rank, scored };
  };
  const share = (wrong: number, { reference }: ScoredPair) => Math.min(1, wrong / Math.max(1, reference.length));
  const consider = (kind: Kind, right: number, wrong: number, scored: ScoredPair) => {
    if (wrong <= right) return;
    offer(kind, [right === 0 ? 1 : 0, share(wrong, scored) - share(right, scored), wrong - right], scored);
  };
  return {
    see(scored) {
      consider('moreErrors', scored.errorsBefore, scored.errorsAfter, scored);
      consider('fewerErrors', scored.errorsAfter, scored.errorsBefore, scored);
      const still = Math.min(scored.errorsBefore, scored.errorsAfter);
      if (still > 0) offer('stillBroken', [share(still, scored), still], scored);
    },
    leave() {
      for (const kind of ['moreErrors', 'fewerErrors', 'stillBroken'] as const) {
        const found = best[kind];
        if (found === undefined) continue;
        if (kind === 'moreErrors' && found.rank[0] === 1) utterances.broken++;
        if (kind === 'fewerErrors' && found.rank[0] === 1) utterances.fixed++;
        if (lists[kind].wants(found.rank)) lists[kind].offer(found.rank, exampleOf(found.scored, labels, words));
      }
      best = {};
    },
    moreErrors: () => lists.moreErrors.items(),
    fewerErrors: () => lists.fewerErrors.items(),
    stillBroken: () => lists.stillBroken.items(),
    utterances,
  };
}

function higher(rank: readonly number[], before: readonly number[]): boolean {
  const place = rank.findIndex((value, index) => value !== before[index]);
  return place >= 0 && rank[place]! > before[place]!;
}

function exampleOf(
  { pair, reference }: ScoredPair,
  labels: { readonly before: string; readonly after: string },
  words: (text: string, language: string) => string[],
): Example {
  const { utterance, conditionName, draw } = pair;
  const heard = (text: string) => words(text, utterance.language);
  const before = alignedTranscript(labels.before, reference, pair.before, heard);
  const after = alignedTranscript(labels.after, reference, pair.after, heard);
  const startSeconds = worstStretch(after.aligned ?? [], pair.after.soundSeconds);
  const speaker = utterance.speaker === undefined ? '' : `, speaker ${named(utterance.speaker)}`;
  return {
    title: `${named(utterance.id)}${speaker}`,
    utteranceId: utterance.id,
    conditionName,
    draw,
    transcripts: [before, after],
    ...(startSeconds === undefined ? {} : { startSeconds }),
  };
}
