// The entry of a thread that listens to clips: tasks in, what the measures say out.
import { workerData } from 'node:worker_threads';
import type { Clip } from '../../audio/clip.ts';
import type { OpenedQuality } from '../../engine/quality.ts';
import type { ClipQuality } from '../../model/trial.ts';
import { serveTasks } from '../../system/thread-pool.ts';
import type { ConfiguredMember } from '../config/config.ts';
import { openMeasures } from './open-measures.ts';

/** What a thread is started with. */
export interface QualityJob {
  readonly measures: readonly ConfiguredMember[];
  readonly baseFolder: string;
}

/** One clip and who is to listen to it; or what the measures are. */
export type QualityTask =
  | 'measures'
  | {
      readonly names: readonly string[];
      readonly clip: Clip;
      readonly clean: Clip | { readonly reason: string };
    };

async function serve({ measures, baseFolder }: QualityJob) {
  const opened = await openMeasures(measures, baseFolder);
  return {
    answer: async (task: QualityTask): Promise<readonly OpenedQuality[] | readonly ClipQuality[]> =>
      task === 'measures' ? opened.measures : opened.measure(task.names, task.clip, task.clean),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

serveTasks(serve(workerData as QualityJob));
