// The entry of a thread that changes sounds: tasks in, answers out.
import { parentPort, workerData } from 'node:worker_threads';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { PerturbationJob, PerturbationTask, TaskAnswer } from './perturbation-job.ts';
import { openSoundMaker } from './sound-maker.ts';

/** A task with a number by which its answer is known. */
export interface NumberedTask {
  readonly id: number;
  readonly task: PerturbationTask;
}

const port = parentPort!;
const maker = openSoundMaker(workerData as PerturbationJob);
maker.catch(() => {});
port.on('message', async (message: NumberedTask | 'close') => {
  if (message === 'close') {
    await (await maker.catch(() => null))?.[Symbol.asyncDispose]();
    port.close();
    return;
  }
  const { id, task } = message;
  try {
    const sounds = await (await maker).make(task);
    const buffers = sounds.flatMap((sound) => (sound.failure === undefined && sound.bytes ? [sound.bytes.buffer] : []));
    port.postMessage({ id, sounds } satisfies TaskAnswer, buffers);
  } catch (error) {
    const code = error instanceof EarwitnessError ? error.code : null;
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    port.postMessage({ id, fatal: { code, message: messageOf(error), stack } } satisfies TaskAnswer);
  }
});
