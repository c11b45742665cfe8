import { Worker } from 'node:worker_threads';
import { EarwitnessError, type ErrorCode } from '../../base/errors.ts';
import type { OpenedQuality, QualityMeters } from '../../engine/quality.ts';
import type { ClipQuality } from '../../model/trial.ts';
import type { FromQualityWorker, QualityJob, QualityTask } from './worker.ts';

interface Waiting {
  readonly task: QualityTask;
  readonly resolve: (results: readonly ClipQuality[]) => void;
  readonly reject: (error: Error) => void;
}

/** Measures in threads, for as long as they are open. */
export interface QualityWorkers extends QualityMeters {
  /** Ends the threads; what is under way fails. */
  close(): Promise<void>;
}

/**
 * Threads that measure the quality of clips. A value depends on its clip alone, so that their number changes nothing. One is
 * started at once, to tell what the measures are; the others when there is work for them.
 *
 * @param most threads, at least 1
 * @throws EarwitnessError as `openMeasures`
 */
export async function openQualityWorkers(job: QualityJob, most: number): Promise<QualityWorkers> {
  const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
  const queue: Waiting[] = [];
  const under = new Map<Worker, Waiting>();
  const idle: Worker[] = [];
  const threads = new Set<Worker>();
  let ended: Error | null = null;

  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of [...under.values(), ...queue.splice(0)]) reject(ended);
    under.clear();
  };
  const next = () => {
    while (queue.length > 0 && idle.length > 0) {
      const worker = idle.pop()!;
      const waiting = queue.shift()!;
      under.set(worker, waiting);
      worker.postMessage(waiting.task);
    }
    if (queue.length > 0 && ended === null && threads.size < most) start().catch(end);
  };
  const start = (): Promise<readonly OpenedQuality[]> => {
    const worker = new Worker(entry, { workerData: job });
    threads.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<readonly OpenedQuality[]>();
    worker.on('message', (message: FromQualityWorker) => {
      if ('failed' in message) {
        const error = errorOf(message.failed);
        (under.get(worker) ?? { reject }).reject(error);
      } else if ('opened' in message) resolve(message.opened);
      else under.get(worker)?.resolve(message.results);
      under.delete(worker);
      idle.push(worker);
      next();
    });
    worker.on('error', (error) => {
      reject(error);
      end(error as Error);
    });
    worker.on('exit', () => {
      const error = new Error('a thread that measures quality has ended');
      reject(error);
      end(error);
    });
    return promise;
  };

  const close = async () => {
    ended ??= new Error('the threads that measure quality were closed');
    const exits = [...threads].map((worker) => new Promise((done) => worker.once('exit', done)));
    for (const worker of threads) {
      if (under.has(worker)) void worker.terminate();
      else worker.postMessage('close');
    }
    await Promise.all(exits);
  };
  let measures: readonly OpenedQuality[];
  try {
    measures = await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    measures,
    measure(names, clip, clean) {
      if (ended) return Promise.reject(ended);
      const { promise, resolve, reject } = Promise.withResolvers<readonly ClipQuality[]>();
      queue.push({ task: { names, clip, clean }, resolve, reject });
      next();
      return promise;
    },
    close,
  };
}

function errorOf({ code, message, stack }: { code: string | null; message: string; stack: string }): Error {
  if (code !== null) return new EarwitnessError(code as ErrorCode, message);
  const error = new Error(message);
  error.stack = stack;
  return error;
}
