// The entry of the threads and processes of the viewer: pages stay quick whatever is scored, compared or made here.
import { parentPort, workerData } from 'node:worker_threads';
import { badInput, messageOf } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { html, markupText, type Ways } from '../report/html/markup.ts';
import { findingInWords } from '../report/prepare/in-words.ts';
import { namedFindings } from '../report/prepare/named-findings.ts';
import { runWarnings } from '../session/stored/report-of.ts';
import type { RunRecord, Store } from '../store/contract.ts';
import { openStore } from '../store/open-store.ts';
import { buildIndex } from './build-index.ts';
import type { ClipPair, RunClips, WantedClip } from './clips.ts';
import type { IndexOf } from './index-columns.ts';
import { createIndexWriter } from './index-file.ts';
import { served } from './links.ts';
import { findingsMarkup, runPage, waysOf } from './run-page.ts';
import { type RunSummary, summarizeRun } from './run-summary.ts';
import { normalizerOfFindings, partsOf, shownFindings } from './stored-run.ts';
import {
  keepValue,
  keptValue,
  removeOldComparisons,
  removeViewFilesIn,
  type ViewFileKind,
  viewFile,
} from './view-files.ts';
import type { FolderOptions, WrittenFolder } from './write-folder.ts';

/** Two runs, or recognizers of runs, as `compareRuns` takes them: by whole ids. */
export interface Sides {
  readonly before: string;
  readonly after: string;
}

/** What a thread or process is started for. `clips` stays and is asked; the others end with their answer. */
export type WebJob =
  | {
      readonly job: 'keep';
      readonly store: string;
      /** Where it is kept. */
      readonly folder: string;
      readonly of: IndexOf;
      readonly kind: ViewFileKind;
      /** Of a comparison. */
      readonly sides?: Sides;
    }
  | {
      readonly job: 'folder';
      readonly store: string;
      readonly runs: readonly string[];
      readonly options: Omit<FolderOptions, 'store' | 'runs' | 'tell'>;
    }
  | { readonly job: 'clips'; readonly store: string; readonly run: string };

export type WebAnswer =
  | { readonly say: 'progress'; readonly done: number }
  | { readonly say: 'done' }
  | { readonly say: 'folder progress'; readonly what: string; readonly done: number; readonly of: number }
  | { readonly say: 'written'; readonly folder: WrittenFolder }
  | { readonly say: 'clip'; readonly id: number; readonly clip: ClipPair }
  | { readonly say: 'failed'; readonly id?: number; readonly message: string };

export interface WantedMessage {
  readonly id: number;
  readonly wanted: WantedClip;
}

/** A thread's; where this is a process of its own, there is none. */
const port = parentPort;
function tell(answer: WebAnswer): void {
  if (port === null) process.send!(answer);
  else port.postMessage(answer);
}
const job: WebJob = port === null ? JSON.parse(process.argv[2]!) : workerData;
// Who asked has ended, or is told everything.
if (port === null) process.on('disconnect', () => process.exit());

/** What only some jobs need is loaded by them: a process that scores trials takes half the memory without the rest. */
async function work(): Promise<void> {
  if (job.job === 'clips') return answerClips(job.store, job.run);
  using store = openStore(job.store, { readonly: true });
  if (job.job === 'folder') return tell({ say: 'written', folder: await folder(store, job) });
  if (job.sides === undefined) await keep(store, job.folder, job.of, job.kind);
  else await keepComparison(store, job.folder, job.of, job.sides);
  tell({ say: 'done' });
}

async function folder(store: Store, { runs, options }: WebJob & { readonly job: 'folder' }): Promise<WrittenFolder> {
  const { writeFolder } = await import('./write-folder.ts');
  const records = runs.flatMap((id) => store.run(id) ?? []);
  const tell = progressTeller();
  return writeFolder({ ...options, store, runs: records, tell });
}

/** Of a million clips not each is told. */
function progressTeller(): FolderOptions['tell'] {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (what, done, of) => {
    const ms = performance.now();
    if (ms - toldMs < 100 && done < of) return;
    toldMs = ms;
    tell({ say: 'folder progress', what, done, of });
  };
}

async function told(done: number): Promise<void> {
  tell({ say: 'progress', done });
  // Here is heard that who asked has ended.
  await new Promise((resolve) => setImmediate(resolve));
}

/** Somebody may have been forgotten meanwhile: what was read before must not stay. */
function removeForgotten(store: Store, folder: string, runs: readonly RunRecord[]): void {
  if (runs.some(({ id, forgottenAtMs }) => store.run(id)?.forgottenAtMs !== forgottenAtMs)) removeViewFilesIn(folder);
}

async function keepComparison(store: Store, folder: string, of: IndexOf, sides: Sides): Promise<void> {
  const { before, after } = sides;
  const { comparisonLead } = await import('./comparison-lead.ts');
  const { compareRuns, groupsBeside } = await import('../session/stored/compare-runs.ts');
  const runs = [before, after].flatMap((side) => store.run(side.split(':', 1)[0]!) ?? []);
  const findings = await compareRuns(store, before, after, { told });
  const shown = namedFindings(findings, []).map(findingInWords);
  const ways = comparisonWays(store, runs.at(-1)!, sides);
  const groups = groupsBeside(store, before, after);
  const page = markupText(html`${comparisonLead(shown, groups, ways)}${findingsMarkup(shown, ways)}`);
  keepValue(viewFile(folder, of.run, 'comparison'), of, page);
  removeOldComparisons(folder);
  removeForgotten(store, folder, runs);
}

async function keep(store: Store, folder: string, of: IndexOf, kind: ViewFileKind): Promise<void> {
  const run = store.run(of.run);
  if (run === null) throw badInput(`run ${of.run} is not in the store any more`);
  const file = (kind: ViewFileKind) => viewFile(folder, of.run, kind);
  if (kind === 'index') {
    using writer = createIndexWriter(file(kind));
    const normalizer = normalizerOfFindings(store.findings(of.run));
    writer.finish(await buildIndex(store, run, of, { normalizer, putText: writer.putText, told }));
  } else {
    const summary = (keptValue(file('summary'), of) as RunSummary | null) ?? summarizeRun(store, run);
    keepValue(file('summary'), of, summary as never as Json);
    if (kind === 'page') keepValue(file(kind), of, finishedPage(store, run, summary));
  }
  removeForgotten(store, folder, [run]);
}

/**
 * From examples to their clips, and from rows and claims to the trials of the side after that they are about, of both sides where these are
 * recognizers of one run. Numbers have no ways: they are counted on what both sides answered, which no list of trials is.
 */
function comparisonWays(store: Store, run: RunRecord, { before, after }: Sides): Ways {
  const recognizers = [before, after].flatMap((side) => {
    const [id, ...name] = side.split(':');
    return id === run.id && name.length > 0 ? [name.join(':')] : [];
  });
  const { toRow, toClaim, toTrial } = waysOf(runParts(store, run));
  return {
    toTrials: () => null,
    toRow: (texts, utteranceId) => toRow([...texts, ...recognizers], utteranceId),
    toClaim,
    toTrial,
  };
}

function runParts(store: Store, run: RunRecord) {
  const clip = (utterance: string, condition: string, draw: number) => served.clip(run.id, utterance, condition, draw);
  return { ...partsOf(store, run), trials: served.trials(run.id), clip, confusions: true };
}

/** What the page of a finished run shows: with thousands of numbers it takes seconds to write. */
function finishedPage(store: Store, run: RunRecord, summary: RunSummary): string {
  const parts = runParts(store, run);
  const [findings, warnings] = [shownFindings(store, run), runWarnings(store, run.id)];
  return markupText(runPage({ run, findings, summary, warnings, parts, links: served }));
}

/** One clip after the other; the corpus is opened with the first. */
function answerClips(storeFile: string, run: string): Promise<void> {
  const store = openStore(storeFile, { readonly: true });
  let opening: Promise<RunClips> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  port!.on('message', ({ id, wanted }: WantedMessage) => {
    last = last.then(async () => {
      try {
        opening ??= import('./clips.ts').then(({ openRunClips }) => openRunClips(store, storeFile, run));
        const clips = await opening;
        tell({ say: 'clip', id, clip: await clips.make(wanted) });
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
