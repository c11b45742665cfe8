import type { Executor } from './contract.ts';

/** Sends the calls of some recognizers to one executor and of the rest to another. */
export function dividedExecutor(apart: Executor, here: Executor, isApart: (recognizer: string) => boolean): Executor {
  return {
    run: (job, clip, signal) => (isApart(job.recognizer) ? apart : here).run(job, clip, signal),
    async close() {
      await Promise.all([apart.close(), here.close()]);
    },
  };
}
