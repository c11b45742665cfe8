import { parentPort, Worker } from 'node:worker_threads';
import { receivedError, type SentError, sentError } from '../base/errors.ts';

/** Threads that answer tasks, one each at a time; others wait for whichever is free first. */
export interface ThreadPool<Task, Answer> {
  /** @throws what the thread threw; an Error where a thread has ended or all were closed */
  ask(task: Task): Promise<Answer>;
  /**
   * Ends the threads; what is under way fails.
   *
   * @returns the tasks that were under way
   */
  close(): Promise<readonly Task[]>;
}

interface Waiting<Task, Answer> {
  readonly task: Task;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

type Said<Answer> = { readonly answer: Answer } | { readonly failed: SentError };

/**
 * Opens threads whose entry serves tasks (`serveTasks`).
 *
 * @param job what each is started with
 * @param most threads, at least 1
 * @param atOnce so many are started before anything is asked, the others when there is work for them
 * @param what the threads are, in errors: `threads that measure quality`
 */
export function openThreadPool<Task, Answer>(
  entry: URL,
  job: unknown,
  { most, atOnce, what }: { readonly most: number; readonly atOnce: number; readonly what: string },
): ThreadPool<Task, Answer> {
  const queue: Waiting<Task, Answer>[] = [];
  const under = new Map<Worker, Waiting<Task, Answer>>();
  const idle: Worker[] = [];
  const asked = new Set<Worker>();
  const exits = new Map<Worker, Promise<unknown>>();
  let ended: Error | null = null;

  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of [...under.values(), ...queue.splice(0)]) reject(ended);
  };
  const start = () => {
    const worker = new Worker(entry, { workerData: job, resourceLimits: { maxYoungGenerationSizeMb: 8 } });
    exits.set(worker, new Promise((done) => worker.once('exit', done)));
    worker.on('message', (said: Said<Answer>) => {
      const waiting = under.get(worker);
      under.delete(worker);
      idle.push(worker);
      if ('failed' in said) waiting?.reject(receivedError(said.failed));
      else waiting?.resolve(said.answer);
      next();
    });
    worker.on('error', (error) => end(error as Error));
    worker.on('exit', () => end(new Error(`one of the ${what} has ended`)));
    return worker;
  };
  const next = () => {
    while (queue.length > 0) {
      const worker = idle.pop() ?? (ended === null && exits.size < most ? start() : undefined);
      if (worker === undefined) return;
      const waiting = queue.shift()!;
      under.set(worker, waiting);
      asked.add(worker);
      worker.postMessage({ task: waiting.task });
    }
  };
  while (exits.size < atOnce) idle.push(start());
  return {
    ask(task) {
      if (ended) return Promise.reject(ended);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      queue.push({ task, resolve, reject });
      next();
      return promise;
    },
    async close() {
      ended ??= new Error(`the ${what} were closed`);
      const cut = [...under.values()].map(({ task }) => task);
      for (const worker of exits.keys()) {
        // One that was never asked may still be loading.
        if (under.has(worker) || !asked.has(worker)) void worker.terminate();
        else worker.postMessage('close');
      }
      await Promise.all(exits.values());
      return cut;
    },
  };
}

/**
 * Answers tasks in a thread of `openThreadPool`.
 *
 * @param opening what answers; where it cannot be opened, each task fails with why
 * @param moved what of an answer goes over without a copy
 */
export function serveTasks<Task, Answer>(
  opening: Promise<AsyncDisposable & { answer(task: Task): Promise<Answer> }>,
  moved: (answer: Answer) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort!;
  opening.catch(() => {});
  port.on('message', async (message: { readonly task: Task } | 'close') => {
    if (message === 'close') {
      await (await opening.catch(() => null))?.[Symbol.asyncDispose]();
      port.close();
      return;
    }
    try {
      const answer = await (await opening).answer(message.task);
      port.postMessage({ answer } satisfies Said<Answer>, moved(answer));
    } catch (error) {
      port.postMessage({ failed: sentError(error) } satisfies Said<Answer>);
    }
  });
}
