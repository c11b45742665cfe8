import type { JsonObject } from '../base/json.ts';
import type { Finding } from './finding.ts';
import type { FailureKind } from './observation.ts';

/** A recognizer as it stood in a run. */
export interface RunRecognizer {
  /** Its name in the config. */
  readonly name: string;
  readonly identity: JsonObject;
  /** Where the identity has an epoch: which. */
  readonly epoch: string | null;
}

/** What became of the trials of a run. */
export interface RunTally {
  readonly trials: number;
  readonly answered: number;
  readonly failed: number;
  /** Of these, taken from answers that were stored before. */
  readonly reused: number;
  readonly failures: Readonly<Record<string, number>>;
  /** Calls that were journaled and sent, but whose answer never arrived (the program was killed). */
  readonly possiblyPaid: number;
}

/** Why trials failed, told by one of them. */
export interface FailureReason {
  readonly kind: FailureKind;
  /** Of the first. */
  readonly message: string;
  /** Trials that failed so. */
  readonly count: number;
  /** Whether the messages of the others differ in nothing but names, paths and times. */
  readonly varied: boolean;
}

/** What failed of one recognizer's trials. */
export interface RecognizerFailures {
  readonly recognizer: string;
  readonly trials: number;
  readonly failed: number;
  /** The most frequent first, at most five. */
  readonly reasons: readonly FailureReason[];
}

/** Everything a report is made from. */
export interface RunReport {
  /** Version of the program. */
  readonly earwitness: string;
  readonly run: { readonly name: string; readonly seed: number };
  readonly recognizers: readonly { readonly name: string; readonly identity: JsonObject }[];
  readonly tally: RunTally;
  /** Of recognizers with failed trials alone. */
  readonly failures: readonly RecognizerFailures[];
  readonly findings: readonly Finding[];
  /** Of what was said, where all utterances are in one (BCP 47). */
  readonly language?: string;
  readonly warnings: readonly string[];
  /** What differs between two runs of the same: the id of the run, dates, epochs, seconds. */
  readonly timing: JsonObject;
}
