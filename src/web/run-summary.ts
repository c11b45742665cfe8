import { minuteText } from '../base/clock.ts';
import { formatFixed, moneyText } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { Finding } from '../model/finding.ts';
import { formatEstimate } from '../report/format/cell.ts';
import { html, type Markup } from '../report/html/markup.ts';
import { resultTableOf } from '../report/prepare/result-table.ts';
import type { FailuresOfKind, RunReader, RunRecord } from '../store/contract.ts';
import { href, type Links, pageLinks } from './links.ts';

/** What the list of runs tells of one. Counting takes seconds for a million trials. */
export interface RunSummary {
  readonly answered: number;
  readonly failed: number;
  /** Questions that were planned, what several studies ask counted for each; more may come. */
  readonly planned: number;
  /** Of these, settled. */
  readonly settled: number;
  readonly money: Readonly<Record<string, number>>;
  /** Why they failed, by recognizer: together they are `failed`. */
  readonly reasons: readonly FailuresOfKind[];
  /** Whether it has found all that it will. */
  readonly isFinished: boolean;
  /** The first row of its first table, by the heads of its columns, and what was found in words; null where there is none. */
  readonly first: {
    readonly name: string;
    readonly cells: readonly (readonly [head: string, number: string])[];
    readonly interval: string | null;
    readonly caption: string;
    readonly found: readonly string[];
  } | null;
  /** Whether some of its findings are not told here. */
  readonly withheld?: boolean;
}

/**
 * Counts a run.
 *
 * @param findings whose first table is told; null while it is not finished
 */
export function summarizeRun(
  store: Pick<RunReader, 'tally' | 'batches' | 'progress' | 'spent' | 'failureKinds' | 'findings'>,
  run: RunRecord,
  findings: readonly Finding[] | null = run.finishedAtMs === null ? null : store.findings(run.id),
): RunSummary {
  const { answered, failed } = store.tally(run.id);
  const batches = store.batches(run.id);
  return {
    settled: batches.reduce((sum, { batch }) => sum + store.progress(run.id, batch).answered, 0),
    ...{ answered, failed, planned: batches.reduce((sum, { size }) => sum + size, 0) },
    money: store.spent(run.id).money,
    reasons: store.failureKinds(run.id),
    isFinished: findings !== null,
    first: firstRow(findings ?? []),
  };
}

function firstRow(findings: readonly Finding[]): RunSummary['first'] {
  for (const finding of findings) {
    const table = resultTableOf(finding);
    const [row] = table?.rows ?? [];
    if (table === null || row === undefined) continue;
    const { columns, ranks, kind, caption, found } = table;
    const cells = columns.flatMap(({ head }, at): [string, string][] =>
      row.cells[at] == null ? [] : [[head.join(' '), row.cells[at].number]],
    );
    const ranked = row.cells[ranks]?.estimate;
    const interval = ranked === undefined ? null : formatEstimate(ranked, kind).interval;
    return { name: row.name, cells, interval, caption, found };
  }
  return null;
}

/** A run as the list of runs shows it; null while it is being counted. */
export interface RunLine {
  readonly run: RunRecord;
  readonly summary: RunSummary | null;
}

/** All runs of a store, newest first. */
export function runsPage(
  lines: readonly RunLine[],
  { page, pages, links }: { readonly page: number; readonly pages: number; readonly links: Links },
): Markup {
  if (lines.length === 0)
    return html`<p class="text">This store has no runs yet: <code>earwitness run</code> makes one.</p>`;
  const isPaid = lines.some(({ summary }) => Object.keys(summary?.money ?? {}).length > 0);
  return html`<div class="scroll listed" role="region" tabindex="0" aria-labelledby="runs-caption"><table class="trials">
<caption id="runs-caption">Runs, newest first</caption>
<thead><tr><th scope="col">Run</th><th scope="col">First of its table</th><th scope="col">Found</th><th scope="col" class="right">Trials</th><th scope="col" class="right">Failed</th>${isPaid && html`<th scope="col">Price</th>`}<th scope="col">Look</th></tr></thead>
<tbody>${lines.map((line) => runRow(line, links, isPaid))}</tbody></table></div>
${links.compare !== null && html`<p><a class="button" href="${links.compare}">Compare two runs</a></p>`}
${pages > 1 && pageLinks(links.runs, [], page, pages)}`;
}

function runRow({ run, summary }: RunLine, links: Links, isPaid: boolean): Markup {
  const number = (value: number | undefined) => (value === undefined ? '…' : formatFixed(value, 0));
  return html`<tr><th scope="row"><a href="${links.run(run.id)}"><bdi>${limitText(run.name, 120)}</bdi></a><br><span class="small quiet number">${run.id}<br>${minuteText(run.startedAtMs)}</span></th>
<td data-label="First of its table" class="wide">${summary?.first && firstOf(summary.first)}</td>
<td data-label="Found" class="wide">${summary === null ? '…' : summary.isFinished ? foundIn(summary) : html`<span class="quiet">not finished, ${formatFixed(shareDone(summary), 0)} %</span>`}</td>
<td data-label="Trials" class="right number">${number(summary ? summary.answered + summary.failed : undefined)}</td>
<td data-label="Failed" class="right number">${number(summary?.failed)}</td>
${isPaid && html`<td data-label="Price" class="number">${summary === null ? '…' : moneyText(summary.money)}</td>`}
<td data-label="Look"><a href="${links.trials(run.id)}">trials</a>${
    run.parent !== null &&
    links.compare !== null &&
    html` · <a href="${href(links.compare, [
      ['a', run.parent],
      ['b', run.id],
    ])}">against ${run.parent}</a>`
  }</td></tr>
`;
}

function firstOf({ name, cells, interval, caption }: NonNullable<RunSummary['first']>): Markup {
  return html`<strong><bdi>${limitText(name, 60)}</bdi></strong> <span class="small quiet">${caption}</span><br><span class="small">${cells.map(([head, number], at) => html`${at > 0 && ' · '}<span class="number"><bdi>${limitText(head, 40)}</bdi> <b>${number}</b></span>`)}</span>${interval !== null && html` <span class="interval">${interval}</span>`}`;
}

function shareDone({ settled, planned }: RunSummary): number {
  return planned === 0 ? 0 : 100 * Math.min(1, settled / planned);
}

function foundIn({ first, withheld }: RunSummary): Markup {
  const sentences = first?.found ?? [];
  if (sentences.length === 0) return html`<span class="quiet">${withheld ? 'withheld' : 'nothing was compared'}</span>`;
  return html`${sentences.map((sentence, at) => html`${at > 0 && html`<br>`}<bdi>${sentence}</bdi>`)}`;
}
