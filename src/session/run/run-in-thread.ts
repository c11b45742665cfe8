import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { EarwitnessError, receivedError } from '../../base/errors.ts';
import type { OnEvent } from '../../engine/events.ts';
import {
  type FromWorker,
  stopped,
  type ToWorker,
  type Work,
  type WorkerJob,
  type WorkerResult,
} from './worker-messages.ts';

/** A run in a thread of its own. */
export interface ThreadedRun {
  readonly result: Promise<WorkerResult>;
  /**
   * The first time: nothing new is asked, what is in flight is waited for. The second time: that is ended too. Where nothing is in
   * flight, what is being computed is not waited for.
   *
   * @returns whether something is in flight
   */
  stop(): boolean;
}

/** How long the thread may take to hear of a stop while it computes. */
const deafMs = 1000;
/** How long calls may take to end when they are told to, their processes' grace included. */
const endingMs = 3000;

const entry = new URL(import.meta.url.endsWith('.ts') ? '../../worker.ts' : '../../worker.js', import.meta.url);

/** The same without a thread: for profilers, and for tests that run many small runs and would load the thread's modules each time. */
function runHere(job: WorkerJob, on: OnEvent): ThreadedRun {
  const stop = new AbortController();
  const abort = new AbortController();
  const run = async (): Promise<WorkerResult> => {
    const { work } = (await import(entry.href)) as { readonly work: Work };
    return work(job, (message) => message.say === 'event' && on(message.event), stop.signal, abort.signal);
  };
  return {
    result: run(),
    stop() {
      if (stop.signal.aborted) abort.abort(stopped());
      stop.abort(stopped());
      return true;
    },
  };
}

/**
 * Starts a run in a thread of its own.
 *
 * @param on is told what happens
 */
export function runInThread(job: WorkerJob, on: OnEvent): ThreadedRun {
  if (process.env.EARWITNESS_ONE_THREAD === '1') return runHere(job, on);
  // A million trials make much short-lived garbage: V8 would rather grow by hundreds of megabytes than collect it.
  setFlagsFromString('--heap-growing-percent=50');
  const worker = new Worker(entry, { workerData: job, resourceLimits: { maxYoungGenerationSizeMb: 8 } });
  let stops = 0;
  /** Whether calls may be in flight: all else is kept already, and can be computed again. */
  let asking = false;

  const run = async (): Promise<WorkerResult> => {
    let last: FromWorker | null = null;
    worker.on('message', (message: FromWorker) => {
      if (message.say === 'event') {
        const { type } = message.event;
        if (type === 'progress' || type === 'batch') asking = true;
        else if (type === 'analysing' || type === 'computing') asking = false;
        on(message.event);
      } else {
        last = message;
        // What an engine left behind in the thread (a timer, a socket) must not keep the command from its end.
        void worker.terminate();
      }
    });
    await once(worker, 'exit');
    // Assigned in the listener above, which the compiler cannot see.
    const end = last as FromWorker | null;
    if (end?.say === 'done') return end.result;
    if (end?.say === 'failed') throw receivedError(end.error);
    throw new EarwitnessError(
      'interrupted',
      'stopped at once; everything recognized so far is kept: the same command continues from here',
    );
  };
  return {
    result: run(),
    stop() {
      stops++;
      const terminate = () => void worker.terminate();
      if (stops > 2 || (stops === 2 && !asking)) {
        terminate();
        return asking;
      }
      worker.postMessage((stops === 1 ? 'stop' : 'abort') satisfies ToWorker);
      if (stops === 2) setTimeout(terminate, endingMs).unref();
      else setTimeout(() => asking || terminate(), deafMs).unref();
      return asking;
    },
  };
}
