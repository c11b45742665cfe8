import { errorRate, errors } from '../../scoring/edit-counts.ts';
import type { AlignedNetworkWord } from '../../scoring/reference-network/align-network.ts';
import type { ScoredPair, ScoringPair } from './scoring-pair.ts';

/** An utterance worth reading. */
export interface WorstPair {
  readonly id: string | null;
  /** Its place among the pairs, from 1. */
  readonly place: number;
  readonly errors: number;
  readonly wer: number | null;
  readonly aligned: readonly AlignedNetworkWord[];
}

/** Keeps the utterances with the most errors; of equally many the first. */
export function watchWorstPairs(most: number): {
  see(pair: ScoringPair, scored: ScoredPair): void;
  readonly worst: readonly WorstPair[];
} {
  const worst: WorstPair[] = [];
  let place = 0;
  return {
    worst,
    see(pair, scored) {
      place++;
      const count = errors(scored.words);
      if (count === 0 || (worst.length === most && count <= worst.at(-1)!.errors)) return;
      const index = worst.findIndex((other) => other.errors < count);
      const entry = { id: pair.id, place, errors: count, wer: errorRate(scored.words), aligned: scored.aligned() };
      worst.splice(index === -1 ? worst.length : index, 0, entry);
      if (worst.length > most) worst.pop();
    },
  };
}

/**
 * The places of an alignment where something differs, each with a word before and after; `…` stands for what is left out.
 *
 * @param most so many places at the most
 */
export function excerptOf(aligned: readonly AlignedNetworkWord[], most: number): AlignedNetworkWord[] {
  const gap: AlignedNetworkWord = { reference: '…', hypothesis: '…' };
  const differs = (word: AlignedNetworkWord | undefined) =>
    word !== undefined && word.reference !== word.hypothesis && !word.leftOut;
  const excerpt: AlignedNetworkWord[] = [];
  let lastShown = -1;
  for (let index = 0; index < aligned.length; index++) {
    if (!differs(aligned[index]) && !differs(aligned[index - 1]) && !differs(aligned[index + 1])) continue;
    if (excerpt.length >= most) break;
    if (index > lastShown + 1) excerpt.push(gap);
    excerpt.push(aligned[index]!);
    lastShown = index;
  }
  if (lastShown < aligned.length - 1) excerpt.push(gap);
  return excerpt;
}
