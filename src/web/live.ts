import { formatFixed, moneyText, timeLeft } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { ToldProgress } from '../browser/told.ts';
import { html, type Markup } from '../report/html/markup.ts';
import type { RunReader } from '../store/contract.ts';
import { isWritten } from '../store/open-database.ts';
import type { RunSummary } from './run-summary.ts';
import { indexOfRun } from './stored-run.ts';
import type { WebThreads } from './threads.ts';
import { untilNext } from './until-next.ts';
import { type Workers, workersSentence } from './workers-page.ts';

const rateOverMs = 60_000;
/** Failures and price are counted over all trials: less often. */
const summaryEveryMs = 10_000;

/**
 * Where a page shows how far a run is; its script fills it.
 *
 * @param hasWorkers whether others may make its calls, who have a page
 */
export function liveBox(run: string, hasWorkers: boolean): Markup {
  return html`<section class="live" data-live="/runs/${run}/events" aria-label="Progress"><progress aria-label="Questions that are answered"></progress>
<dl class="numbers"><div><dt>Done</dt><dd data-done>–</dd></div><div><dt>Failed</dt><dd data-failed>–</dd></div><div><dt>Price</dt><dd data-price>–</dd></div><div><dt>Left</dt><dd data-left>–</dd></div></dl>${hasWorkers && html`<p class="small"><span data-workers></span> <a href="/workers">Workers</a></p>`}<p class="small quiet" data-reasons></p><p role="status" data-stopped></p></section>`;
}

/** Questions to recognizers, what several studies ask counted for each; where a run has none, all its questions. */
function trialsIn(store: Pick<RunReader, 'batches' | 'progress'>, run: string): { planned: number; done: number } {
  const batches = store.batches(run).map(({ batch, size }) => ({ size, ...store.progress(run, batch) }));
  const total = (of: (batch: (typeof batches)[number]) => number) => batches.reduce((sum, one) => sum + of(one), 0);
  const planned = total(({ trials }) => trials.planned);
  if (planned > 0) return { planned, done: total(({ trials }) => trials.answered) };
  return { planned: total(({ size }) => size), done: total(({ answered }) => answered) };
}

interface Watched {
  readonly store: RunReader;
  readonly storeFile: string;
  readonly threads: Pick<WebThreads, 'summary'>;
  readonly workers: Workers;
}

/** Tells how far a run is, once a second, until it is finished or nobody listens; also that it was cut off, and that it goes on. */
export async function tellProgress(
  { store, storeFile, threads, workers }: Watched,
  runId: string,
  tell: (event: string, data: string) => void,
  ended: AbortSignal,
): Promise<void> {
  let seen: Seen[] = [];
  let texts: { readonly failed?: string; readonly price?: string; readonly reasons?: string } = {};
  let counted = Number.NEGATIVE_INFINITY;
  while (!ended.aborted) {
    // Looked at before the run is: whoever finishes it says so before they let go of the store.
    const isStopped = isWritten(storeFile) === false;
    const run = store.run(runId);
    if (run === null || run.finishedAtMs !== null) return tell('finished', '{}');
    const { planned, done } = trialsIn(store, runId);
    const ms = performance.now();
    seen = isStopped ? [] : [...seen, { ms, done }];
    while (seen.length > 2 && ms - seen[0]!.ms > rateOverMs) seen.shift();
    if (ms - counted > summaryEveryMs) {
      const { value: summary } = await threads.summary(indexOfRun(store, run, done));
      if (summary !== null) {
        counted = performance.now();
        texts = {
          failed: formatFixed(summary.failed, 0),
          price: moneyText(summary.money),
          reasons: reasonsText(summary.reasons),
        };
      }
    }
    const now = Date.now();
    const waits = isStopped ? [] : store.waits(runId, now);
    const makers = await workersSentence(workers, planned - done);
    const left = leftText(seen, planned - done);
    // Who waits is silent for a reason that is told; and nobody knows how long it takes until somebody makes the calls.
    const isUnknown = makers.working ? waits.length > 0 && left === silence : seen.at(-4)?.done === done;
    const told = {
      reasons: [
        ...waits.map(({ recognizer, untilMs }) => {
          const name = limitText(run.recognizers[recognizer]?.name ?? '', 60);
          return `${name} asks to be left alone for ${timeLeft((untilMs - now) / 1000)}`;
        }),
        ...(texts.reasons ? [texts.reasons] : []),
      ].join('; '),
      done: `${formatFixed(done, 0)} of ${formatFixed(planned, 0)} questions`,
      left: isUnknown ? '–' : left,
      workers: makers.text,
      stopped: isStopped
        ? `Nothing is being written: the run has stopped; \`earwitness resume ${runId}\` goes on with it.`
        : '',
    };
    tell('progress', JSON.stringify({ done, planned, texts: { ...texts, ...told } } satisfies ToldProgress));
    await untilNext(ended);
  }
}

function reasonsText(reasons: RunSummary['reasons']): string {
  const kinds = new Map<string, string[]>();
  for (const { recognizer, kind, count } of reasons)
    kinds.set(recognizer, [...(kinds.get(recognizer) ?? []), `${kind} × ${formatFixed(count, 0)}`]);
  return [...kinds].map(([recognizer, own]) => `${limitText(recognizer, 60)}: ${own.join(', ')}`).join('; ');
}

interface Seen {
  readonly ms: number;
  readonly done: number;
}

const silentMs = 20_000;

function leftText(seen: readonly Seen[], open: number): string {
  if (seen.length < 4) return '–';
  const [first, last] = [seen[0]!, seen.at(-1)!];
  const rate = (last.done - first.done) / (last.ms - first.ms);
  const idleMs = last.ms - seen.find(({ done }) => done === last.done)!.ms;
  // Another run may be what is written: this one is silent for much longer than its answers took.
  if (idleMs >= silentMs && idleMs * rate >= silentAnswers) return silence;
  if (rate === 0) return idleMs < silentMs ? '–' : silence;
  return `${timeLeft(open / rate / 1000)} for what is planned`;
}

const silence = 'nothing was answered for a while: is it still running?';
/** So many answers were to come in a time in which none came. */
const silentAnswers = 5;
