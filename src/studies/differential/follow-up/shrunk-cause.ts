import type { FailureCause } from '../../../scoring/analysis/cluster-failures.ts';
import type { FailedCase } from './contract.ts';

/** The shortest text found in which the cause still breaks for a recognizer where another gets the text right. */
export interface ShortestFailure {
  readonly text: string;
  /** As the recognizer wrote it then, normalized. */
  readonly transcript: string;
  readonly recognizer: string;
  readonly voice: string;
  readonly conditionName: string;
  readonly draw: number;
  /** Of the text as it was spoken; the collected one's where nothing could be left out. */
  readonly utteranceId: string;
  readonly words: number;
  /** Words and id of the collected text that it was cut from. */
  readonly wordsBefore: number;
  readonly textId: string;
  /** Whether no single word more can be left out; false where the budget ended the search. */
  readonly minimal: boolean;
  /** Texts that were spoken for it. */
  readonly texts: number;
}

/** One cause of failures, with a text in which little else is left. */
export interface ShrunkCause {
  readonly cause: FailureCause<FailedCase>;
  /** Null where none of its examples is spoken by a synthesizer and heard by its recognizer. */
  readonly shortest: ShortestFailure | null;
}
