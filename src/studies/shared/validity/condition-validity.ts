import type { Json } from '../../../base/json.ts';
import type { Condition } from '../../../model/condition.ts';
import type { Estimate } from '../../../model/finding.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Answer, Question } from '../../contract.ts';
import type { MeanOptions } from '../cluster-means.ts';
import type { RatingMean } from './ratings.ts';

/** What the gate says of a condition. */
export interface ConditionValidity {
  readonly condition: string;
  /** Whether any of its sounds counts. */
  readonly kept: boolean;
  /** Mean of what decides; null where nothing could be judged. */
  readonly mean: Estimate;
  /** Changed sounds: utterance, condition and draw. */
  readonly cases: number;
  /** Of these, without a value; they are kept, because nothing says that they are bad. */
  readonly unjudged: number;
  /** Of these, dropped. */
  readonly excluded: number;
}

/** The gate's judgement, when it has heard everything. */
export interface Validity {
  /** Whether a sound counts. Clean sound always does. */
  keeps(utterance: Pick<Utterance, 'id'>, condition: Pick<Condition, 'name' | 'steps'>, draw: number): boolean;
  /** Every changed condition, in their order. */
  readonly conditions: readonly ConditionValidity[];
  /** What was asked, for people: `dnsmos ovr at least 2.5, by condition`. */
  readonly rule: string;
}

/** A changed condition with its place in the list of the study. */
export interface NumberedCondition {
  readonly condition: Condition;
  readonly index: number;
}

/** Judges sounds as their measurements come. */
export interface ValidityGate {
  /** What has to be measured before; empty where the gate knows the scenarios by their names. To be asked as one batch. */
  questions(draws: (condition: number) => number): AsyncGenerator<Question>;
  /** Told of every answer to `questions`; of others it takes no notice. */
  see(answer: Answer): void;
  /** @param options how the intervals of the means are made; they decide nothing */
  judge(options: Omit<MeanOptions, 'random'>): Validity;
}

/** Whether a changed clip counts: kept, excluded, or not rated at all (which does not count either). */
export type Judgement = 'kept' | 'excluded' | 'unrated';

/** Says of every changed clip whether its results count. */
export interface CaseValidity {
  judge(utterance: Utterance, condition: Condition, draw: number): Judgement;
  /** For the finding: what was asked, in words. */
  readonly rule: string;
  /** For the settings. */
  readonly identity: Json;
  /** What decided about whole conditions; null where a table of ratings was looked up. */
  readonly conditions: readonly ConditionValidity[] | null;
  /** What the table of ratings says; null where there is none. */
  readonly ratings: readonly RatingMean[] | null;
}

/** How ratings name what they are about. */
export interface CaseGroups {
  /** What a rating that names these is about, and what a condition belongs to; null: nothing that is judged. */
  groupOf(condition: string | null, relation: string | null): string | null;
  /** The attribute that names the corpus of an utterance. */
  readonly corpusBy: string;
}
