import type { Utterance } from '../../model/utterance.ts';
import type { FailureCounts } from '../shared/failures.ts';
import type { SpeakerClusters } from '../shared/speaker-clusters.ts';
import type { ClusterSums, Field, IdentityField, JointField } from './cluster-sums.ts';
import type { Unit } from './tokens.ts';
import type { WorstCaseWatch } from './worst-cases.ts';

/** A case whose similarity of meaning is to be asked for. */
export interface SimilarityCase {
  readonly utterance: Utterance;
  readonly reference: string;
  readonly hypothesis: string;
  /** Where the answer is added. */
  readonly cluster: number;
  readonly sums: readonly ClusterSums<Field>[];
}

/** The cases of one language, by `place(recognizer, condition)`. */
export interface LanguageTally {
  /** Primary subtag: `en`. */
  readonly language: string;
  readonly unit: Unit;
  readonly all: readonly ClusterSums<Field>[];
  /** Of the cases that a validity gate keeps; null without one. */
  readonly valid: readonly ClusterSums<Field>[] | null;
  /** By recognizer. */
  readonly identity: readonly ClusterSums<IdentityField>[];
}

/** What was counted in one pass; its size follows recognizers, conditions and speakers. */
export interface Tally {
  readonly clusters: SpeakerClusters;
  /** In the order in which they came. */
  readonly languages: readonly LanguageTally[];
  /** By `joint(first, second, condition)`. */
  readonly joint: readonly ClusterSums<JointField>[];
  /** By `trialPlace`. */
  readonly trials: FailureCounts;
  readonly worst: WorstCaseWatch;
  readonly similarityCases: readonly SimilarityCase[];
  /** By condition: changed clips (once for each recognizer) that the gate did not keep. */
  readonly excluded: Float64Array;
  readonly unrated: Float64Array;
  readonly utterances: number;
  readonly withoutSpeaker: number;
}
