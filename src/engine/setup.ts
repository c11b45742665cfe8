import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { Corpus } from '../corpora/contract.ts';
import type { AssetServices, Ladder, Perturbation } from '../perturbations/contract.ts';
import type { Billing } from '../recognizers/contract.ts';
import type { Store } from '../store/contract.ts';
import type { Study, StudyContext, StudyRecognizer } from '../studies/contract.ts';
import type { KeptSounds } from './clips.ts';
import type { OnEvent } from './events.ts';
import type { Executor } from './executors/contract.ts';
import type { Budget, BudgetLimits, RateLimit } from './limits.ts';
import type { QualityMeters } from './quality.ts';
import type { Predictors, SimilarityMeters } from './text-models.ts';

/** How one recognizer may be called. */
export interface RecognizerLimits {
  /** Calls at once, over all its engines. */
  readonly concurrency: number;
  /** Calls that are computed together, and share one permit of the processor; absent: one. */
  readonly batch?: number;
  readonly rates: readonly RateLimit[];
  /** Max calls for one trial, the first included, when a failure may be temporary. */
  readonly attempts: number;
  /** For one answer; null: 300 s, or ten times as long as the sound where that is more. */
  readonly timeLimitSeconds: number | null;
  readonly openTimeLimitSeconds: number;
}

/** A recognizer of a run, described but not opened. */
export interface RecognizerSetup extends StudyRecognizer {
  /** Its identity with its epoch, where it has one: part of every key. */
  readonly identity: JsonObject;
  readonly epoch: string | null;
  readonly usesProcessor: boolean;
  /** Whether a call whose answer never came may have been paid. */
  readonly mayCost: boolean;
  /** What a call is billed for; absent: its sound. */
  readonly billing?: Billing;
  readonly limits: RecognizerLimits;
}

/** What of it studies are told. */
export function toldOf(recognizer: RecognizerSetup): StudyRecognizer {
  const { identity, epoch, usesProcessor, mayCost, billing, limits, ...told } = recognizer;
  return told;
}

/** Everything a run needs, put together by whoever starts it. */
export interface RunSetup {
  readonly store: Store;
  readonly runId: string;
  readonly seed: number;
  readonly corpus: Corpus;
  readonly recognizers: readonly RecognizerSetup[];
  readonly studies: readonly {
    readonly study: Study<unknown>;
    readonly options: unknown;
    /** What the config calls it; absent where it gives no name. */
    readonly name?: string;
    /** For one of the user's own: the path by which the config names it, and SHA-256 of its file. */
    readonly module?: { readonly path: string; readonly hash: string };
  }[];
  /** What runs them (versions of the program and of what it runs on), for the plan. */
  readonly program?: JsonObject;
  /** Ladders that conditions may name: the config's own first, then those that come with the program. */
  readonly ladders: readonly Ladder[];
  /** The rate in Hz at which steps are made that say none; absent: the usual one. */
  readonly perturbationRateHz?: number;
  /** A perturbation by its name. */
  perturbation(name: string): Promise<Perturbation>;
  /** What perturbations are given besides clips. */
  readonly assets: AssetServices;
  /** For studies: a normalizer by its name or path. */
  readonly normalizer?: NonNullable<StudyContext['normalizer']>;
  /** For studies: the text of a file by its path. */
  readonly readText?: NonNullable<StudyContext['readText']>;
  /** Measures of quality; absent where the config names none. */
  readonly quality?: QualityMeters;
  /** Embedders, for the similarity of texts; absent where the config names none. */
  readonly similarity?: SimilarityMeters;
  /** Failure predictors; absent where there is none. */
  readonly predictors?: Predictors;
  readonly executor: Executor;
  /** Whether each recognizer must answer a trial before the rest is asked. */
  readonly preflight: boolean;
  readonly budget: BudgetLimits;
  /** Of these limits, where others spend from it too (speech that is bought); absent: the run has it for itself. */
  readonly spending?: Budget;
  /** Recognitions on this machine's processor at once. */
  readonly workers: number;
  readonly clipCacheBytes: number;
  /** Sounds that took long to make; absent: each is made whenever it is wanted. */
  readonly keptSounds?: KeptSounds;
  readonly clock: Clock;
  readonly on: OnEvent;
  /** Stops the run: nothing new is asked, what is in flight is waited for. */
  readonly signal: AbortSignal;
  /** Ends what is in flight. */
  readonly abort: AbortSignal;
}
