import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';

/** The same question answered twice: by two runs, or by two recognizers of one. */
export interface AnswerPair {
  readonly utterance: Utterance;
  readonly conditionName: string;
  readonly draw: number;
  readonly repeat: number;
  readonly before: Observation;
  readonly after: Observation;
}

export interface CompareOptions {
  /** What the two sides are called: `last night`, `narrow beams`. */
  readonly beforeLabel: string;
  readonly afterLabel: string;
  /** What makes words of references and transcripts. */
  readonly normalizer: Normalizer;
  /** Confidence level; .95 by default. */
  readonly level?: number;
  /** 2000 by default. */
  readonly resamples?: number;
  /** With fewer speakers nothing is claimed; as `rateInterval` by default. */
  readonly minimumSpeakers?: number;
  readonly seed: number;
  /** Questions that only one side was asked: they take no part. */
  readonly unpaired: { readonly onlyBefore: number; readonly onlyAfter: number };
}
