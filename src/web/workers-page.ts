import { EarwitnessError, messageOf } from '../base/errors.ts';
import { limitText } from '../base/printable.ts';
import type { ToldProgress } from '../browser/told.ts';
import type { Table } from '../model/finding.ts';
import { makersOf } from '../queue/announced-workers.ts';
import type { SeenWorkers, WorkersWatch } from '../queue/watch-workers.ts';
import { workersText } from '../queue/workers-text.ts';
import { html, type Markup } from '../report/html/markup.ts';
import { shownRows } from '../report/prepare/shown-rows.ts';
import { workersTables } from '../session/stored/workers-tables.ts';
import { isServer } from '../store/store-place.ts';
import type { Answer } from './frame.ts';
import { untilNext } from './until-next.ts';

/** Who makes calls at a store; null: it is in a file, where nobody does. */
export type Workers = WorkersWatch | null;

/** Of the store at an address; `pg` is loaded when somebody looks first. */
export function createWorkersWatch(store: string): Workers {
  if (!isServer(store)) return null;
  let opening: Promise<WorkersWatch> | null = null;
  return {
    async look() {
      opening ??= import('../queue/watch-workers.ts').then(({ watchWorkers }) => watchWorkers(store));
      return await (await opening).look();
    },
    close: async () => void (await (await opening)?.close()),
  };
}

const maxRows = 1000;

const sumOf = ({ workers, queued }: SeenWorkers) => workersText(makersOf(workers), { queued });
const tablesOf = ({ workers }: SeenWorkers) => workersTables(workers).filter(({ rows }) => rows.length > 0);
const textsOf = (table: Table) => shownRows(table, maxRows).map((row) => row.map(({ main }) => limitText(main, 200)));
/** Which rows there are: with others the page is another. */
const rowsOf = ({ workers }: SeenWorkers) =>
  JSON.stringify(workers.map(({ name, sinceMs, about }) => [name, sinceMs, about?.recognizers.length]));

/** In a sentence, who makes the calls that a run waits for, where anybody does or should. */
export async function workersSentence(
  workers: Workers,
  open: number,
): Promise<{ readonly text: string; readonly working: boolean }> {
  const seen = await workers?.look().catch(() => null);
  if (seen == null || (seen.workers.length === 0 && seen.queued === 0)) return { text: '', working: true };
  const makers = makersOf(seen.workers);
  return { text: workersText(makers, { waiting: open - makers.inFlight }), working: makers.working > 0 };
}

/** Who makes calls, and goes on telling it. */
export async function workersAnswer(workers: WorkersWatch): Promise<Answer> {
  const page = { title: 'Workers', trail: [] };
  try {
    const seen = await workers.look();
    const content = html`<section class="live" data-live="/workers/events" data-rows="${rowsOf(seen)}" aria-label="Who makes calls"><p role="status" data-sum>${sumOf(seen)}</p>
${tablesOf(seen).map(tableMarkup)}</section>`;
    return { page: { ...page, scripts: ['live.js'] }, content };
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    return { page, content: html`<p class="text"><bdi>${limitText(messageOf(error), 1000)}</bdi></p>` };
  }
}

/** As `workersAnswer` shows it, once a second, until other rows are there or nobody listens. */
export async function tellWorkersSeen(
  workers: WorkersWatch,
  tell: (event: string, data: string) => void,
  ended: AbortSignal,
): Promise<void> {
  let rows: string | null = null;
  while (!ended.aborted) {
    const seen = await workers.look().catch(() => null);
    if (seen !== null) {
      rows ??= rowsOf(seen);
      if (rows !== rowsOf(seen)) return tell('finished', '{}');
      const told = { planned: 0, done: 0, texts: { sum: sumOf(seen) }, cells: tablesOf(seen).flatMap(textsOf).flat() };
      tell('progress', JSON.stringify(told satisfies ToldProgress));
    }
    await untilNext(ended);
  }
}

function tableMarkup(table: Table): Markup {
  const [head, ...others] = table.columns;
  const isRight = shownRows(table, 1)[0]!.map(({ numeric }) => numeric);
  const right = (at: number) => isRight[at] && html` class="right"`;
  const row = ([name, ...texts]: readonly string[]) =>
    html`<tr><th scope="row"><bdi data-cell>${name}</bdi></th>${texts.map((text, at) => html`<td data-label="${others[at]!.label}"${right(at + 1)}><bdi data-cell>${text}</bdi></td>`)}</tr>`;
  return html`<div class="scroll listed" role="region" tabindex="0" aria-labelledby="${table.id}-caption"><table class="trials">
<caption id="${table.id}-caption">${table.title}</caption>
<thead><tr><th scope="col">${head!.label}</th>${others.map(({ label }, at) => html`<th scope="col"${right(at + 1)}>${label}</th>`)}</tr></thead>
<tbody>${textsOf(table).map(row)}</tbody></table></div>`;
}
