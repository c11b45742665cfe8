import type { Utterance } from '../model/utterance.ts';
import type { Asking } from './asking.ts';
import type { ClipMaker } from './clips.ts';
import type { ConditionBook } from './conditions.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Budget } from './limits.ts';
import type { MakingMeter } from './making-meter.ts';
import type { RunSetup } from './setup.ts';

/** What the lanes of a batch share. */
export interface LaneContext {
  readonly setup: RunSetup;
  readonly batch: number;
  /** How each recognizer of the run is asked, in their order. */
  readonly askings: readonly Asking[];
  readonly clips: ClipMaker;
  readonly conditions: ConditionBook;
  /** How long sounds still take that are made slowly. */
  readonly making: Pick<MakingMeter, 'secondsLeft'>;
  readonly commit: GroupCommit;
  readonly budget: Budget;
  utterance(position: number): Utterance;
  /** How long the run has been at work, over all its sessions. */
  elapsedSeconds(): number;
  /** Questions that are being asked, by key: recognizers of one identity under two names share their answers. */
  readonly inFlight: Map<string, Promise<boolean>>;
  /** Told of every question as it is settled. */
  settled(recognizer: number | null, failed: boolean): void;
  /** Stops every lane at once: something is wrong that no trial is to blame for. What is in flight is kept. */
  breakOff(error: unknown): void;
  /** Aborted when any lane meets an error that no trial is to blame for, or the user stops the run. */
  readonly stop: AbortSignal;
}

/** What the batches of a run share. */
export type RunContext = Omit<LaneContext, 'settled' | 'breakOff' | 'stop' | 'batch' | 'inFlight'>;
