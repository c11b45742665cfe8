import type { Example } from '../../model/finding.ts';
import type { FailureKind } from '../../model/observation.ts';
import { alignedTranscript, worstStretch } from '../shared/aligned-transcript.ts';
import { keepBest } from '../shared/best-kept.ts';
import { named } from '../shared/wording.ts';
import type { AnswerPair } from './answer-pair.ts';

/** What became of the trials of one condition, or of all. Trials with two transcripts, then those with a failure. */
export interface ChangeCounts {
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
  failuresCame: number;
  failuresWent: number;
  failedTwice: number;
}

/** The counts of nothing. */
export function noChanges(): ChangeCounts {
  return {
    pairs: 0,
    otherTranscript: 0,
    rose: 0,
    fell: 0,
    broken: 0,
    fixed: 0,
    failuresCame: 0,
    failuresWent: 0,
    failedTwice: 0,
  };
}

/** A pair that both sides answered, scored. */
export interface ScoredPair {
  readonly pair: AnswerPair;
  readonly reference: readonly string[];
  readonly errorsBefore: number;
  readonly errorsAfter: number;
}

/** Adds one pair to counts. */
export function countChange(counts: ChangeCounts, { pair, errorsBefore, errorsAfter }: ScoredPair): void {
  counts.pairs++;
  if (pair.before.transcript?.text !== pair.after.transcript?.text) counts.otherTranscript++;
  if (errorsAfter > errorsBefore) counts.rose++;
  if (errorsAfter < errorsBefore) counts.fell++;
  if (errorsBefore === 0 && errorsAfter > 0) counts.broken++;
  if (errorsBefore > 0 && errorsAfter === 0) counts.fixed++;
}

/** Failures by kind, on each side. */
export type FailuresByKind = Map<FailureKind, { before: number; after: number }>;

/** Keeps the utterances that changed most, each once. */
export interface ChangeWatch {
  see(scored: ScoredPair): void;
  /** The pairs of one utterance have been seen. */
  leave(): void;
  readonly broken: () => readonly Example[];
  readonly fixed: () => readonly Example[];
  /** Utterances with a trial that was right and is wrong now, and the other way round. */
  readonly utterances: { broken: number; fixed: number };
}

/** What was right and is wrong comes before what was wrong and is more so; then by the share of words. */
export function watchChanges(
  labels: { readonly before: string; readonly after: string },
  words: (text: string, language: string) => string[],
  most: number,
): ChangeWatch {
  const lists = { broken: keepBest<Example>(most), fixed: keepBest<Example>(most) };
  const utterances = { broken: 0, fixed: 0 };
  type Kind = keyof typeof lists;
  let best: { [kind in Kind]?: { readonly rank: readonly number[]; readonly scored: ScoredPair } } = {};

  const consider = (kind: Kind, right: number, wrong: number, scored: ScoredPair) => {
    if (wrong <= right) return;
    const length = Math.max(1, scored.reference.length);
    const rank = [right === 0 ? 1 : 0, Math.min(1, wrong / length) - Math.min(1, right / length), wrong - right];
    const before = best[kind]?.rank;
    if (before === undefined || higher(rank, before)) best[kind] = { rank, scored };
  };
  return {
    see(scored) {
      consider('broken', scored.errorsBefore, scored.errorsAfter, scored);
      consider('fixed', scored.errorsAfter, scored.errorsBefore, scored);
    },
    leave() {
      for (const kind of ['broken', 'fixed'] as const) {
        const found = best[kind];
        if (found === undefined) continue;
        if (found.rank[0] === 1) utterances[kind]++;
        if (lists[kind].wants(found.rank)) lists[kind].offer(found.rank, exampleOf(found.scored, labels, words));
      }
      best = {};
    },
    broken: () => lists.broken.items(),
    fixed: () => lists.fixed.items(),
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
