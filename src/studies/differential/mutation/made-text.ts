import type { MadeVerdict } from '../follow-up/ask-made.ts';
import type { Candidate } from './candidates.ts';

/** How made texts were chosen among the candidates. */
export const arms = ['predicted', 'random'] as const;

export type Arm = (typeof arms)[number];

/** A made text that was spoken and recognized. */
export interface MadeText extends Candidate {
  readonly utteranceId: string;
  /** By recognizer; without those that gave no transcript. */
  readonly verdicts: ReadonlyMap<string, MadeVerdict>;
}

/** What was made for one voice in one condition. */
export interface MutatedPool {
  /** As in cases: `<synthesizer>:<voice>`. */
  readonly voice: string;
  readonly conditionName: string;
  readonly candidates: number;
  /** A text may be in both. `predicted` is empty without a predictor. */
  readonly chosen: Readonly<Record<Arm, readonly MadeText[]>>;
}
