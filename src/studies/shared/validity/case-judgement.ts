import type { Json } from '../../../base/json.ts';
import type { Condition } from '../../../model/condition.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { ConditionValidity } from './condition-validity.ts';
import type { RatingMean } from './ratings.ts';

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
