import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { badInput } from '../base/errors.ts';
import type { ClipPair, WantedClip } from './clips.ts';
import type { IndexOf } from './index-columns.ts';
import { openIndex } from './index-file.ts';
import type { RunSummary } from './run-summary.ts';
import { createTrialIndex, type TrialIndex } from './trial-index.ts';
import { keptValue, openViewFolder, type ViewFileKind, viewFile } from './view-files.ts';
import type { Sides, WantedMessage, WebAnswer, WebJob } from './worker.ts';
import type { FolderOptions, WrittenFolder } from './write-folder.ts';

/** What threads and processes do for pages. */
export interface WebThreads extends AsyncDisposable {
  /**
   * The index of a run's trials as they are now. Where it has to be made, that begins, and what there is comes back: an index that
   * is a little older, or how far the new one is.
   */
  index(of: IndexOf): Promise<Made<TrialIndex>>;
  /** Counts of a run, likewise. */
  summary(of: IndexOf): Promise<Made<RunSummary>>;
  /** The page of a finished run, as HTML, likewise. */
  page(of: IndexOf): Promise<Made<string>>;
  /** What two sides differ in, as HTML, likewise. */
  comparison(of: IndexOf, sides: Sides): Promise<Made<string>>;
  /** @throws EarwitnessError `bad-input` where the audio cannot be made */
  clip(run: string, wanted: WantedClip): Promise<ClipPair>;
  /** @throws EarwitnessError `bad-input` where the audio cannot be made */
}

/** Something that is kept beside the store. */
export interface Made<Value> {
  readonly value: Value | null;
  /** Trials done of the one that is being made; null: none is. */
  readonly making: number | null;
  /** Why it could not be made. */
  readonly failed: string | null;
}

/** Of so many runs each is kept in memory: an index of a million trials takes 40 MB, a page a few. */
const keptInMemory: Readonly<Record<ViewFileKind, number>> = { index: 2, page: 1, summary: 1000, comparison: 8 };
/** Rather little memory than the last tenth of speed. */
const littleMemory: string[] = ['--optimize-for-size', '--max-semi-space-size=4'];
/** So long a page waits for what is made for the first time (by a thread; by a process, which takes long, hardly), and for what is made anew. */
const waitMs = { thread: 60_000, process: 20, anew: 100 };
/** To start a process takes this one some time: so long it waits first, and the page that asked is answered. */
const beforeProcessMs = 40;
const keptCorpora = 2;

const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/** A process for one job, which answers in messages. */
function startJob(job: WebJob): ChildProcess {
  return fork(fileURLToPath(entry), [JSON.stringify(job)], { stdio: 'ignore', execArgv: littleMemory });
}

/**
 * `writeFolder` in a process of its own, which gives memory back sooner than this one does.
 *
 * @throws EarwitnessError `bad-input` as `writeFolder`
 */
export function writeFolderApart({ store: _, runs, tell, ...plain }: FolderOptions): Promise<WrittenFolder> {
  return new Promise((resolve, reject) => {
    const child = startJob({ job: 'folder', runs: runs.map(({ id }) => id), store: plain.storeFile, options: plain });
    child.on('message', (answer: WebAnswer) => {
      if (answer.say === 'written') resolve(answer.folder);
      else if (answer.say === 'folder progress') tell(answer.what, answer.done, answer.of);
      else if (answer.say === 'failed') reject(badInput(answer.message));
    });
    child.on('error', reject);
    child.on('disconnect', () =>
      reject(badInput('writing the pages ended without an answer; is there too little memory?')),
    );
  });
}

interface WebThreadsOptions {
  /** What runs with more trials need is made by processes of their own, one after the other. Default: 10,000. */
  readonly answeredInThread?: number;
  /** Is told now and then how many trials of a run are scored, and at its end. */
  readonly scored?: ((done: number, of: number) => void) | undefined;
}

/** Starts threads and processes as they are needed, for one store. */
export function createWebThreads(
  storeFile: string,
  { answeredInThread = 10_000, scored = () => {} }: WebThreadsOptions = {},
): WebThreads {
  const viewFolder = openViewFolder(storeFile);
  const corpora = new Map<string, ClipThread>();
  const workers = new Set<Worker>();
  const processes = new Set<ChildProcess>();
  let isEnding = false;
  const start = (job: WebJob): Worker => {
    const worker = new Worker(entry, { workerData: job, resourceLimits: { maxYoungGenerationSizeMb: 8 } });
    workers.add(worker);
    worker.on('exit', () => workers.delete(worker));
    return worker;
  };
  const startProcess = (job: WebJob): ChildProcess => {
    const child = startJob(job);
    processes.add(child);
    child.on('exit', () => processes.delete(child));
    return child;
  };
  let last: Promise<unknown> = Promise.resolve();
  /** What the memory of a process grew to comes back with its end, and with no thread's. */
  const once = (job: WebJob, isLarge: boolean, progress: (done: number) => void = () => {}) => {
    const work = () =>
      new Promise<WebAnswer & { readonly say: 'done' }>((resolve, reject) => {
        if (isEnding) return reject(new Error('the viewer ends'));
        const worker = isLarge ? startProcess(job) : start(job);
        worker.on('message', (answer: WebAnswer) => {
          if (answer.say === 'progress') progress(answer.done);
          else if (answer.say === 'done') resolve(answer);
          else if (answer.say === 'failed') reject(badInput(answer.message));
        });
        worker.on('error', reject);
        // Of a process the last word may come after its end, and before this.
        worker.on(isLarge ? 'disconnect' : 'exit', () =>
          reject(new Error(`it ended without an answer${isLarge ? '; is there too little memory?' : ''}`)),
        );
      });
    if (!isLarge) return work();
    const begin = () => new Promise((resolve) => setTimeout(resolve, beforeProcessMs)).then(work);
    const next = last.then(begin, begin);
    last = next.catch(() => {});
    return next;
  };
  const keepFew = <Value>(kept: Map<string, Value>, most: number, gone: (value: Value) => void = () => {}) => {
    for (const [key, value] of kept) {
      if (kept.size <= most) return;
      kept.delete(key);
      gone(value);
    }
  };

  const clipsOf = (run: string): ClipThread => {
    const known = corpora.get(run) ?? clipThread(start({ job: 'clips', store: storeFile, run }));
    corpora.delete(run);
    corpora.set(run, known);
    keepFew(corpora, keptCorpora, ({ worker }) => void worker.terminate());
    return known;
  };

  /** Reads what is kept, and has it made where it is not, or of something else. */
  const maker = <Value>(
    kind: ViewFileKind,
    read: (file: string, of: IndexOf) => Value | null,
    gone: (value: Value) => void = () => {},
  ) => {
    interface State {
      value: Value | null;
      /** What the value is of. */
      of: IndexOf | null;
      making: number | null;
      failed: string | null;
      work: Promise<void> | null;
    }
    const states = new Map<string, State>();
    return async (of: IndexOf, sides?: Sides): Promise<Made<Value>> => {
      const state: State = states.get(of.run) ?? { value: null, of: null, making: null, failed: null, work: null };
      states.delete(of.run);
      states.set(of.run, state);
      keepFew(states, keptInMemory[kind], ({ value }) => value !== null && gone(value));
      const isLarge = of.answered > answeredInThread;
      const put = (value: Value | null) => {
        if (state.value !== null) gone(state.value);
        [state.value, state.of] = [value, value === null ? null : of];
      };
      const load = () => {
        const value = read(viewFile(viewFolder.folder, of.run, kind), of);
        if (value !== null) put(value);
        return value !== null;
      };
      const isCurrent = () => JSON.stringify(state.of) === JSON.stringify(of);
      // With fewer answers it is still good to look at; of a run that forgot somebody it is not.
      if (state.of !== null && state.of.state !== of.state) put(null);
      if (!isCurrent() && state.work === null && !load()) {
        [state.making, state.failed] = [0, null];
        const done = (count: number) => {
          state.making = count;
          if (kind === 'index') scored(count, of.answered);
        };
        state.work = once(
          { job: 'keep', store: storeFile, folder: viewFolder.folder, of, kind, ...(sides && { sides }) },
          isLarge,
          done,
        )
          .then(() => {
            // A run that is not looked at any more is read when it is.
            if (states.get(of.run) === state) load();
          })
          .catch((error: Error) => {
            state.failed = error.message;
          })
          .finally(() => {
            [state.making, state.work] = [null, null];
            if (kind === 'index') scored(of.answered, of.answered);
          });
      }
      // A small one is there before anybody could read that it is being made.
      if (state.work !== null && !isCurrent())
        await Promise.race([state.work, pause(waitMs[state.value !== null ? 'anew' : isLarge ? 'process' : 'thread'])]);
      const { value, making, failed } = state;
      return { value, making, failed };
    };
  };

  return {
    index: maker(
      'index',
      (file, of) => {
        const opened = openIndex(file, of);
        return opened && { ...createTrialIndex(opened.header, opened.columns, opened.read), close: opened.close };
      },
      ({ close }) => close(),
    ),
    summary: maker('summary', (file, of) => keptValue(file, of) as RunSummary | null),
    page: maker('page', (file, of) => keptValue(file, of) as string | null),
    comparison: maker('comparison', (file, of) => keptValue(file, of) as string | null),
    clip: async (run, wanted) => clipsOf(run).make(wanted),
    async [Symbol.asyncDispose]() {
      isEnding = true;
      for (const child of processes) child.kill('SIGKILL');
      await Promise.all([...workers].map((worker) => worker.terminate()));
      viewFolder[Symbol.dispose]();
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

interface ClipThread {
  readonly worker: Worker;
  make(wanted: WantedClip): Promise<ClipPair>;
}

function clipThread(worker: Worker): ClipThread {
  const waiting = new Map<number, { resolve(clip: ClipPair): void; reject(error: Error): void }>();
  let next = 0;
  worker.unref();
  worker.on('message', (answer: WebAnswer) => {
    if (answer.say === 'clip') waiting.get(answer.id)?.resolve(answer.clip);
    else if (answer.say === 'failed') waiting.get(answer.id ?? -1)?.reject(badInput(answer.message));
  });
  const end = () => {
    for (const { reject } of waiting.values()) reject(badInput('making the audio ended unexpectedly'));
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', end);
  return {
    worker,
    make(wanted) {
      const id = next++;
      return new Promise<ClipPair>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, wanted } satisfies WantedMessage);
      }).finally(() => waiting.delete(id));
    },
  };
}
