// The entry of a thread that resamples: parts of plans in, sums out.
import { parentPort } from 'node:worker_threads';
import { type ResamplingPlan, resamplePart } from '../../statistics/bootstrap/resampler.ts';

/** A plan with the seeds of one part alone. */
export interface ResamplingTask {
  readonly id: number;
  readonly plan: ResamplingPlan;
}

export interface ResamplingAnswer {
  readonly id: number;
  readonly sums: Float64Array<ArrayBuffer>;
}

const port = parentPort!;
port.on('message', ({ id, plan }: ResamplingTask) => {
  const sums = resamplePart(plan, 0, plan.seeds.length / 2);
  port.postMessage({ id, sums } satisfies ResamplingAnswer, [sums.buffer]);
});
