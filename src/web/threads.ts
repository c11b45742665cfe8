import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { EarwitnessError } from '../base/errors.ts';
import type { Finding } from '../model/finding.ts';
import type { RunRecord } from '../store/contract.ts';
import { indexFile, readIndex } from './build-index.ts';
import type { ClipFile, ClipPair, WantedClip } from './clips.ts';
import type { RunSummary } from './run-summary.ts';
import { createTrialIndex, type IndexOf, type TrialIndex } from './trial-index.ts';
import type { WantedMessage, WebAnswer, WebJob } from './worker.ts';

/** What threads do for pages. */
export interface WebThreads extends AsyncDisposable {
  /**
   * The index of a run's trials as they are now. Where it has to be made, that begins, and what there is comes back: an index that
   * is a little older, or how far the new one is.
   */
  index(run: RunRecord, of: IndexOf): Promise<IndexState>;
  /** Counts of a run; null where counting takes long, and goes on. Of a finished run they are kept. */
  summary(run: RunRecord): Promise<RunSummary | null>;
  compare(before: string, after: string, normalizer: string): Promise<readonly Finding[]>;
  /** @throws EarwitnessError `bad-input` where the audio cannot be made */
  clip(run: string, wanted: WantedClip): Promise<ClipPair>;
  /** @throws EarwitnessError `bad-input` where the audio cannot be made */
  clipFile(run: string, wanted: WantedClip): Promise<ClipFile>;
}

export interface IndexState {
  readonly index: TrialIndex | null;
  /** Trials done of the one that is being made; null: none is. */
  readonly making: number | null;
  /** Why it could not be made. */
  readonly failed: string | null;
}

interface KnownSummary {
  readonly state: string;
  summary: RunSummary | null;
  work: Promise<void> | null;
}

const summaryWaitMs = 2000;
/** The index of a run with more trials is made by a process of its own. */
const answeredInThread = 50_000;
/** So many runs are kept in memory. */
const keptIndexes = 2;

const keptComparisons = 8;
const keptCorpora = 2;

/** Starts threads as they are needed, for one store. */
export function createWebThreads(storeFile: string): WebThreads {
  const indexes = new Map<
    string,
    { index: TrialIndex | null; making: number | null; failed: string | null; work: Promise<void> | null }
  >();
  const summaries = new Map<string, KnownSummary>();
  const comparisons = new Map<string, Promise<readonly Finding[]>>();
  const corpora = new Map<string, ClipThread>();
  const workers = new Set<Worker>();
  const processes = new Set<ChildProcess>();
  const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

  const start = (job: WebJob): Worker => {
    const worker = new Worker(entry, { workerData: job, resourceLimits: { maxYoungGenerationSizeMb: 8 } });
    workers.add(worker);
    worker.on('exit', () => workers.delete(worker));
    return worker;
  };
  const startProcess = (job: WebJob): ChildProcess => {
    const child = fork(fileURLToPath(entry), [JSON.stringify(job)], { stdio: 'ignore' });
    processes.add(child);
    child.on('exit', () => processes.delete(child));
    return child;
  };
  const once = (job: WebJob, progress: (done: number) => void = () => {}) =>
    new Promise<WebAnswer & { readonly say: 'done' }>((resolve, reject) => {
      // What the memory of a large one grew to comes back only with the end of a process.
      const isLarge = job.job === 'index' && job.of.answered > answeredInThread;
      const worker = isLarge ? startProcess(job) : start(job);
      worker.on('message', (answer: WebAnswer) => {
        if (answer.say === 'progress') progress(answer.done);
        else if (answer.say === 'done') resolve(answer);
        else if (answer.say === 'failed') reject(new EarwitnessError('bad-input', answer.message));
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('the thread ended without an answer')));
    });
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

  return {
    async index(run, of) {
      const state = indexes.get(run.id) ?? { index: null, making: null, failed: null, work: null };
      indexes.delete(run.id);
      indexes.set(run.id, state);
      keepFew(indexes, keptIndexes);
      const isCurrent = () => JSON.stringify(state.index?.header.of) === JSON.stringify(of);
      if (!isCurrent() && state.work === null) {
        const file = indexFile(storeFile, run.id);
        const load = async () => {
          const read = await readIndex(file, of);
          if (read !== null) state.index = createTrialIndex(read.header, read.columns);
          return read !== null;
        };
        if (!(await load())) {
          state.making = 0;
          state.failed = null;
          state.work = once({ job: 'index', store: storeFile, of }, (done) => {
            state.making = done;
          })
            .then(async () => void (await load()))
            .catch((error: Error) => {
              state.failed = error.message;
            })
            .finally(() => {
              state.making = null;
              state.work = null;
            });
        }
      }
      // A small one is there before anybody could read that it is being made.
      if (state.work !== null && !isCurrent())
        await Promise.race([state.work, pause(state.index === null ? 1500 : 150)]);
      return { index: state.index, making: state.making, failed: state.failed };
    },
    async summary(run) {
      const state = `${run.finishedAtMs} ${run.forgottenAtMs}`;
      let known = summaries.get(run.id);
      if (known === undefined || known.state !== state || (run.finishedAtMs === null && known.work === null)) {
        const work = once({ job: 'summary', store: storeFile, run: run.id }).then(({ summary }) => {
          entry.summary = summary ?? null;
          entry.work = null;
        });
        work.catch(() => summaries.delete(run.id));
        const entry: KnownSummary = { state, summary: known?.summary ?? null, work };
        known = entry;
        summaries.set(run.id, known);
      }
      if (known.work !== null) await Promise.race([known.work.catch(() => {}), pause(summaryWaitMs)]);
      return known.summary;
    },
    compare(before, after, normalizer) {
      const key = JSON.stringify([before, after, normalizer]);
      const known =
        comparisons.get(key) ??
        once({ job: 'compare', store: storeFile, before, after, normalizer }).then(({ findings = [] }) => findings);
      comparisons.set(key, known);
      known.catch(() => comparisons.delete(key));
      keepFew(comparisons, keptComparisons);
      return known;
    },
    clip: async (run, wanted) => (await clipsOf(run).make(wanted, 'pair')) as ClipPair,
    clipFile: async (run, wanted) => (await clipsOf(run).make(wanted, 'file')) as ClipFile,
    async [Symbol.asyncDispose]() {
      for (const child of processes) child.kill('SIGKILL');
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface ClipThread {
  readonly worker: Worker;
  make(wanted: WantedClip, as: WantedMessage['as']): Promise<ClipPair | ClipFile>;
}

function clipThread(worker: Worker): ClipThread {
  const waiting = new Map<number, { resolve(clip: ClipPair | ClipFile): void; reject(error: Error): void }>();
  let next = 0;
  worker.unref();
  worker.on('message', (answer: WebAnswer) => {
    if (answer.say === 'clip') waiting.get(answer.id)?.resolve(answer.clip);
    else if (answer.say === 'failed')
      waiting.get(answer.id ?? -1)?.reject(new EarwitnessError('bad-input', answer.message));
  });
  const end = () => {
    for (const { reject } of waiting.values())
      reject(new EarwitnessError('bad-input', 'making the audio ended unexpectedly'));
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', end);
  return {
    worker,
    make(wanted, as) {
      const id = next++;
      return new Promise<ClipPair | ClipFile>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, wanted, as } satisfies WantedMessage);
      }).finally(() => waiting.delete(id));
    },
  };
}
