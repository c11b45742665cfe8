import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ResamplingPlan } from '../../statistics/bootstrap/resampler.ts';
import type { ResamplingAnswer, ResamplingTask } from './worker.ts';

/** Threads that resample, for as long as they are open. */
export interface ResamplingWorkers extends AsyncDisposable {
  /** To be given to `rateIntervalWith` and its like. Plans may be given while others are under way. */
  readonly resample: (plan: ResamplingPlan) => Promise<Float64Array>;
  /** Ends the threads; plans under way fail. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (sums: Float64Array) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Opens threads that share the resampling of bootstrap intervals. Each resample has a seed of its own, so that the intervals
 * are the same for any number of threads, and the same as without. A thread takes some 30 ms to start: keep them open for
 * several intervals. They keep the process alive only while they work.
 *
 * @param count of threads; as many as the machine runs at once by default
 * @throws RangeError for a count that is not a whole number above 0
 * @example
 * await using workers = openResamplingWorkers(2);
 * const interval = await rateIntervalWith(workers.resample, counts, { resamples: 10_000, random: createRandom(7) });
 */
export function openResamplingWorkers(count: number = availableParallelism()): ResamplingWorkers {
  if (!(Number.isInteger(count) && count > 0)) {
    throw new RangeError(`expected a whole number of threads above 0, but got ${count}`);
  }
  const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
  const waiting = new Map<number, Waiting>();
  let tasks = 0;
  let ended: Error | null = null;
  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  const threads = Array.from({ length: count }, () => {
    const worker = new Worker(entry);
    let busy = 0;
    worker.unref();
    worker.on('message', ({ id, sums }: ResamplingAnswer) => {
      if (--busy === 0) worker.unref();
      waiting.get(id)?.resolve(sums);
      waiting.delete(id);
    });
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the resampling threads were closed')));
    return {
      worker,
      ask(plan: ResamplingPlan): Promise<Float64Array> {
        if (ended) return Promise.reject(ended);
        const id = tasks++;
        if (busy++ === 0) worker.ref();
        const { promise, resolve, reject } = Promise.withResolvers<Float64Array>();
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, plan } satisfies ResamplingTask);
        return promise;
      },
    };
  });

  const close = async () => {
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  };
  return {
    async resample(plan) {
      const resamples = plan.seeds.length / 2;
      const parts = await Promise.all(
        threads.map(({ ask }, index) => {
          const from = Math.floor((resamples * index) / count);
          const to = Math.floor((resamples * (index + 1)) / count);
          return ask({ ...plan, seeds: plan.seeds.slice(2 * from, 2 * to) });
        }),
      );
      const sums = new Float64Array(resamples * plan.width);
      let place = 0;
      for (const part of parts) {
        sums.set(part, place);
        place += part.length;
      }
      return sums;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
