// The entry of a thread that changes sounds: tasks in, sounds out.
import { workerData } from 'node:worker_threads';
import { serveTasks } from '../../system/thread-pool.ts';
import type { PerturbationJob, PerturbationTask, PerturbedSound } from './perturbation-job.ts';
import { openSoundMaker } from './sound-maker.ts';

async function serve(job: PerturbationJob) {
  const maker = await openSoundMaker(job);
  return {
    answer: (task: PerturbationTask) => maker.make(task),
    [Symbol.asyncDispose]: () => maker[Symbol.asyncDispose](),
  };
}

serveTasks<PerturbationTask, readonly PerturbedSound[]>(serve(workerData as PerturbationJob), (sounds) =>
  sounds.flatMap((sound) => (sound.failure === undefined && sound.bytes ? [sound.bytes.buffer] : [])),
);
