import { formatFixed, moneyText, timeLeft } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import { html, type Markup } from '../report/html/markup.ts';
import type { Store } from '../store/contract.ts';
import { indexOfRun } from './stored-run.ts';
import type { WebThreads } from './threads.ts';

const everyMs = 1000;
const rateOverMs = 60_000;
/** Failures and price are counted over all trials: less often. */
const summaryEveryMs = 10_000;

/** Where a page shows how far a run is; its script fills it. */
export function liveBox(run: string): Markup {
  return html`<section class="live" data-live="/runs/${run}/events" aria-label="Progress"><progress aria-label="Trials that are answered"></progress>
<dl class="numbers"><div><dt>Done</dt><dd data-done>–</dd></div><div><dt>Failed</dt><dd data-failed>–</dd></div><div><dt>Price</dt><dd data-price>–</dd></div><div><dt>Left</dt><dd data-left>–</dd></div></dl><p class="small quiet" data-reasons></p></section>`;
}

/** Trials alone, as people count them; where a run has none, all its questions. */
function trialsIn(store: Pick<Store, 'batches' | 'progress'>, run: string): { planned: number; done: number } {
  const batches = store.batches(run).map(({ batch, size }) => ({ size, ...store.progress(run, batch) }));
  const total = (of: (batch: (typeof batches)[number]) => number) => batches.reduce((sum, one) => sum + of(one), 0);
  const planned = total(({ trials }) => trials.planned);
  if (planned > 0) return { planned, done: total(({ trials }) => trials.answered) };
  return { planned: total(({ size }) => size), done: total(({ answered }) => answered) };
}

/** Tells how far a run is, once a second, until it is finished or nobody listens. */
export async function tellProgress(
  store: Store,
  threads: Pick<WebThreads, 'summary'>,
  runId: string,
  tell: (event: string, data: string) => void,
  ended: AbortSignal,
): Promise<void> {
  const seen: { readonly ms: number; readonly done: number }[] = [];
  let texts: Record<string, string> = {};
  let counted = Number.NEGATIVE_INFINITY;
  while (!ended.aborted) {
    const run = store.run(runId);
    if (run === null || run.finishedAtMs !== null) return tell('finished', '{}');
    const { planned, done } = trialsIn(store, runId);
    const ms = performance.now();
    seen.push({ ms, done });
    while (seen.length > 2 && ms - seen[0]!.ms > rateOverMs) seen.shift();
    if (ms - counted > summaryEveryMs) {
      const { value: summary } = await threads.summary(indexOfRun(store, run, done));
      if (summary !== null) {
        counted = performance.now();
        const reasons = summary.reasons.map(
          ({ recognizer, kind, count }) => `${limitText(recognizer, 60)}: ${kind} × ${formatFixed(count, 0)}`,
        );
        texts = {
          failed: formatFixed(summary.failed, 0),
          price: moneyText(summary.money),
          reasons: reasons.join('; '),
        };
      }
    }
    const left = leftText(seen, planned - done);
    const doneText = `${formatFixed(done, 0)} of ${formatFixed(planned, 0)}`;
    tell('progress', JSON.stringify({ done, planned, texts: { ...texts, done: doneText, left } }));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      ended.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    });
  }
}

function leftText(seen: readonly { readonly ms: number; readonly done: number }[], open: number): string {
  const [first, last] = [seen[0]!, seen.at(-1)!];
  if (seen.length < 4) return '–';
  const rate = (last.done - first.done) / (last.ms - first.ms);
  if (rate === 0) return seen.length < 20 ? '–' : 'nothing was answered for a while: is it still running?';
  return `${timeLeft(open / rate / 1000)} for what is planned`;
}
