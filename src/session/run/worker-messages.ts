import { EarwitnessError, type SentError } from '../../base/errors.ts';
import type { EngineEvent } from '../../engine/events.ts';
import type { RecognizerFailures, RunTally } from '../../model/run.ts';
import type { LoadedConfig, TrialForm } from '../config/config.ts';
import type { PreviewPrice } from '../open/price-rest.ts';
import type { SessionRequest } from './run-session.ts';
import type { ReportChoice, ReportFiles } from './write-report.ts';

/** What the thread of a run is started with. */
export interface WorkerJob {
  readonly loaded: LoadedConfig;
  readonly request: SessionRequest;
  /** The run's own folder is made in it. */
  readonly reportFolder: string;
  readonly choice: Omit<ReportChoice, 'trials'>;
  readonly trials: readonly TrialForm[];
  readonly terminal: { readonly width: number; readonly color: boolean; readonly verbose: boolean };
}

/** What the main thread tells it later. `stop`: ask nothing new. `abort`: end what is in flight. */
export type ToWorker = 'stop' | 'abort';

export interface WorkerResult {
  readonly run: string;
  readonly text: string;
  readonly json: string;
  readonly files: ReportFiles;
  readonly tally: RunTally;
  /** What the rest will take; absent where it was no preview. */
  readonly rest?: PreviewPrice;
  /** What the run has spent, in a sentence; null: nothing. */
  readonly spent: string | null;
  readonly failures: readonly RecognizerFailures[];
}

export type FromWorker =
  | { readonly say: 'event'; readonly event: EngineEvent }
  | { readonly say: 'done'; readonly result: WorkerResult }
  | { readonly say: 'failed'; readonly error: SentError };

/** The work of `src/worker.ts`, which its thread does, or who loads it. */
export type Work = (
  job: WorkerJob,
  tell: (message: FromWorker) => void,
  stop: AbortSignal,
  abort: AbortSignal,
) => Promise<WorkerResult>;

/** Why a run that was told to stop ends. */
export function stopped(): EarwitnessError {
  return new EarwitnessError(
    'interrupted',
    'stopped; everything recognized so far is kept: the same command goes on from here',
  );
}
