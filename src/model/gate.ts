import type { Estimate } from './finding.ts';
import type { Reason } from './reason.ts';

/** What a limit is set to. Shares are from 0 to 1, differences too: .01 is one point. */
export const gateMeasures = [
  'wer',
  'worseBy',
  'gap',
  'thresholdDb',
  'hallucinatedWordsPerMinute',
  'failures',
  'collapsed',
  'realTimeFactor',
  'pricePerMinute',
] as const;

/** One of `gateMeasures`. */
export type GateMeasure = (typeof gateMeasures)[number];

/** A limit as the config has it: one measure, and where it holds. */
export type GateLimit = { readonly [measure in GateMeasure]?: number | undefined } & {
  readonly recognizer?: string | undefined;
  /** `all`: all together. */
  readonly condition?: string | undefined;
  readonly by?: string | undefined;
  readonly group?: Readonly<Record<string, string>> | undefined;
};

/** `gate` of a config, checked. */
export interface GateOptions {
  /** Path of the file, from the config's folder. */
  readonly baseline?: string | undefined;
  readonly level: number;
  readonly ifInconclusive: 'block' | 'warn';
  readonly minimumSpeakers: number;
  /** Absent: a run asks everything. */
  readonly askUntil?: 'verdict' | 'limits' | undefined;
  readonly limits: readonly GateLimit[];
}

/** `inconclusive`: these data do not say on which side of the limit the truth is. */
export type GateVerdict = 'pass' | 'fail' | 'inconclusive';

/** One limit at one place: a recognizer, a condition or all of them, everybody or a group. */
export interface GateCheck {
  readonly measure: GateMeasure;
  readonly limit: number;
  readonly recognizer: string;
  /** Null: all conditions. */
  readonly condition: string | null;
  /** `female` of `sex`; for a gap the two that are farthest apart. Null: everybody. */
  readonly group: { readonly attribute: string; readonly value: string; readonly other?: string } | null;
  readonly value: Estimate;
  /** What the value was in the baseline, where it is compared with that. */
  readonly before?: number;
  readonly verdict: GateVerdict;
  /** The bound that decided a pass, or did not: with the probability of the level the truth lies below it. Null: a count, or there is none. */
  readonly upperBound: number | null;
  /** Of a fail, corrected for all limits. Null where there is no test. */
  readonly pValue: number | null;
  /** Why it is inconclusive. */
  readonly why?: Reason;
  /** Who is not in it, and for whom others stand: of whom nobody knows the speaker, or the group. */
  readonly notes?: readonly string[];
  /** About how many more speakers would decide, were they like these; null where nobody can say. */
  readonly moreSpeakers?: number | null;
  /** Where a run was judged as it went on: after how many looks this was certain. */
  readonly decidedAtLook?: number;
}

/** An utterance with more errors than in the baseline. */
export interface WorseUtterance {
  readonly recognizer: string;
  readonly utterance: string;
  readonly condition: string;
  readonly errorsBefore: number;
  readonly errorsAfter: number;
  readonly words: number;
}

/** What a gate says of a run. */
export interface GateResult {
  readonly earwitness: string;
  readonly run: string;
  readonly runName: string;
  /** When it was begun, by the clock of its machine; null where its store has no time there. */
  readonly runBegun: string | null;
  /** The worst of the checks' verdicts: fail before inconclusive before pass. */
  readonly verdict: GateVerdict;
  readonly ifInconclusive: 'block' | 'warn';
  readonly level: number;
  readonly normalizer: { readonly name: string; readonly version: number };
  readonly baseline: {
    readonly name: string;
    readonly run: string;
    readonly compared: number;
    readonly of: number;
  } | null;
  /** How much was asked of how much, and why no more; absent where everything was asked at once. */
  readonly asking?: string;
  readonly checks: readonly GateCheck[];
  /** What people call conditions, by their names: `noise, 10 dB`. */
  readonly conditionNames: Readonly<Record<string, string>>;
  /** What must be known before the verdict is believed: another corpus, other versions, what only one side has. */
  readonly notes: readonly string[];
  /** Those with the most new errors first, a few. */
  readonly worseUtterances: readonly WorseUtterance[];
}
