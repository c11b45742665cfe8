// The entry of the threads of the viewer: pages stay quick whatever is scored, compared or made here.
import { parentPort, workerData } from 'node:worker_threads';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import type { Finding } from '../model/finding.ts';
import { normalizers } from '../scoring/normalizers/normalizers.ts';
import { compareRuns } from '../session/compare-runs.ts';
import { openStore } from '../store/sqlite/sqlite-store.ts';
import { buildIndex, indexFile, removeIndexes, writeIndex } from './build-index.ts';
import { type ClipFile, type ClipPair, openRunClips, type RunClips, type WantedClip } from './clips.ts';
import { type RunSummary, summarizeRun } from './run-summary.ts';
import type { IndexOf } from './trial-index.ts';

/** What a thread is started for. `clips` stays and is asked; the others end with their answer. */
export type WebJob =
  | { readonly job: 'summary'; readonly store: string; readonly run: string }
  | { readonly job: 'index'; readonly store: string; readonly of: IndexOf }
  | {
      readonly job: 'compare';
      readonly store: string;
      readonly before: string;
      readonly after: string;
      readonly normalizer: string;
    }
  | { readonly job: 'clips'; readonly store: string; readonly run: string };

export type WebAnswer =
  | { readonly say: 'progress'; readonly done: number }
  | { readonly say: 'done'; readonly findings?: readonly Finding[]; readonly summary?: RunSummary }
  | { readonly say: 'clip'; readonly id: number; readonly clip: ClipPair | ClipFile }
  | { readonly say: 'failed'; readonly id?: number; readonly message: string };

export interface WantedMessage {
  readonly id: number;
  readonly wanted: WantedClip;
  /** Before and after, to be played; or the clip alone, as a file. */
  readonly as: 'pair' | 'file';
}

/** A thread's; where this is a process of its own, there is none. */
const port = parentPort;
function tell(answer: WebAnswer): void {
  if (port === null) process.send!(answer);
  else port.postMessage(answer);
}
const job: WebJob = port === null ? JSON.parse(process.argv[2]!) : workerData;
// Nobody is told any more.
if (port === null) process.on('disconnect', () => process.exit());

async function work(): Promise<void> {
  if (job.job === 'clips') return answerClips(job.store, job.run);
  using store = openStore(job.store, { readonly: true });
  if (job.job === 'compare') {
    const { before, after, normalizer } = job;
    const findings = await compareRuns(store, before, after, { normalizer, resamples: 2000 });
    return tell({ say: 'done', findings });
  }
  if (job.job === 'summary') {
    const run = store.run(job.run);
    return tell(run === null ? { say: 'done' } : { say: 'done', summary: summarizeRun(store, run) });
  }
  const { of } = job;
  const run = store.run(of.run);
  const [name] = of.normalizer.split('@');
  if (run === null) throw new EarwitnessError('bad-input', `run ${of.run} is not in the store any more`);
  const { header, columns } = buildIndex(store, run, of, normalizers[name!]!, (done) =>
    tell({ say: 'progress', done }),
  );
  await writeIndex(indexFile(job.store, of.run), header, columns);
  // Somebody may have been forgotten meanwhile: what was read before must not stay.
  if (store.run(of.run)?.forgottenAtMs !== of.forgottenAtMs) removeIndexes(job.store);
  tell({ say: 'done' });
}

/** One clip after the other; the corpus is opened with the first. */
function answerClips(storeFile: string, run: string): Promise<void> {
  const store = openStore(storeFile, { readonly: true });
  let opening: Promise<RunClips> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  port!.on('message', ({ id, wanted, as }: WantedMessage) => {
    last = last.then(async () => {
      try {
        opening ??= openRunClips(store, storeFile, run);
        const clips = await opening;
        tell({ say: 'clip', id, clip: await (as === 'pair' ? clips.make(wanted) : clips.file(wanted)) });
      } catch (error) {
        tell({ say: 'failed', id, message: messageOf(error) });
      }
    });
  });
  return new Promise(() => {});
}

work()
  .catch((error: unknown) => tell({ say: 'failed', message: messageOf(error) }))
  .finally(() => (port === null ? process.disconnect() : port.close()));
