import { Worker } from 'node:worker_threads';
import { EarwitnessError, type ErrorCode } from '../../base/errors.ts';
import type { PerturbationJob, PerturbationTask, PerturbedSound, TaskAnswer } from './perturbation-job.ts';
import type { SoundMaker } from './sound-maker.ts';
import type { NumberedTask } from './worker.ts';
import { removeUnfinished } from './write-whole.ts';

interface Waiting {
  readonly numbered: NumberedTask;
  readonly resolve: (sounds: PerturbedSound[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Threads that make sounds as one maker would. Random numbers belong to sound and step, so the sounds are the same for any
 * number of threads. A thread has one task at a time; the others wait for whichever is free first.
 *
 * @param count of threads, at least 1
 */
export function openSoundWorkers(job: PerturbationJob, count: number): SoundMaker {
  const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
  const queue: Waiting[] = [];
  const under = new Map<Worker, Waiting>();
  const idle: Worker[] = [];
  let ended: Error | null = null;
  let tasks = 0;

  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of [...under.values(), ...queue.splice(0)]) reject(ended);
  };
  const next = () => {
    while (idle.length > 0 && queue.length > 0) {
      const worker = idle.pop()!;
      const waiting = queue.shift()!;
      under.set(worker, waiting);
      worker.postMessage(waiting.numbered);
    }
  };
  const exits: Promise<void>[] = [];
  const workers = Array.from({ length: count }, () => {
    const worker = new Worker(entry, { workerData: job, resourceLimits: { maxYoungGenerationSizeMb: 8 } });
    worker.on('message', (answer: TaskAnswer) => {
      const waiting = under.get(worker);
      under.delete(worker);
      idle.push(worker);
      if ('fatal' in answer) waiting?.reject(errorOf(answer.fatal));
      else waiting?.resolve([...answer.sounds]);
      next();
    });
    worker.on('error', (error) => end(error as Error));
    const { promise, resolve } = Promise.withResolvers<void>();
    exits.push(promise);
    worker.on('exit', () => {
      resolve();
      end(new Error('a perturbation thread has ended'));
    });
    idle.push(worker);
    return worker;
  });
  return {
    make(task: PerturbationTask) {
      if (ended) return Promise.reject(ended);
      const { promise, resolve, reject } = Promise.withResolvers<PerturbedSound[]>();
      queue.push({ numbered: { id: tasks++, task }, resolve, reject });
      next();
      return promise;
    },
    async [Symbol.asyncDispose]() {
      ended ??= new Error('the perturbation threads were closed');
      const cut = [...under.values()].flatMap(({ numbered }) => numbered.task.wanted);
      for (const worker of workers) {
        // One that was never asked may still be loading.
        if (under.has(worker) || tasks === 0) void worker.terminate();
        else worker.postMessage('close');
      }
      await Promise.all(exits);
      for (const { output } of cut) if (output !== null) await removeUnfinished(output);
    },
  };
}

function errorOf({ code, message, stack }: { code: string | null; message: string; stack: string }): Error {
  if (code !== null) return new EarwitnessError(code as ErrorCode, message);
  const error = new Error(message);
  error.stack = stack;
  return error;
}
