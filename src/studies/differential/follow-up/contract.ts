import type { JsonObject } from '../../../base/json.ts';
import type { Condition } from '../../../model/condition.ts';
import type { Section, Statement } from '../../../model/finding.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Normalizer } from '../../../scoring/normalizers/normalizer.ts';
import type { StudyContext } from '../../contract.ts';
import type { CaseRule, DifferentialCase } from '../case.ts';
import type { SaysText } from '../tolerant-rule.ts';
import type { FollowUpOptions } from './options.ts';

/** A text of the corpus as one voice says it. */
export interface CollectedText {
  /** Normalized words with single blanks between them. */
  readonly text: string;
  readonly utterance: Utterance;
}

/** What the search hands over. */
export interface FollowUpInput {
  readonly context: StudyContext;
  readonly options: FollowUpOptions;
  /** Every row, in the order in which it was tried. */
  readonly cases: readonly DifferentialCase[];
  /** Every text that may be spoken, tried or not. */
  readonly collected: readonly CollectedText[];
  readonly conditions: readonly Condition[];
  /** How transcripts are compared with texts: as in the search. */
  readonly rule: CaseRule;
  readonly normalizer: Normalizer;
  readonly tolerant: SaysText;
  /** Name of the predictor of the search; null where it had none. */
  readonly predictor: string | null;
  /** Confidence level of intervals, .95 for 95 %. */
  readonly level: number;
  readonly resamples: number;
}

/** What the finding of the study gains. */
export interface FollowUp {
  readonly answer: readonly Statement[];
  readonly sections: readonly Section[];
  readonly warnings: readonly string[];
  /** Goes into the finding's `data` as it is. */
  readonly data: JsonObject;
}

/** Nothing asked and nothing to say. */
export const noFollowUp: FollowUp = { answer: [], sections: [], warnings: [], data: {} };
