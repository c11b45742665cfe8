import { minuteInUtc } from '../base/clock.ts';
import { formatFixed, moneyText } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { Estimate, Finding, Verdict } from '../model/finding.ts';
import { formatEstimate } from '../report/format/cell.ts';
import { html, type Markup, verdictMark } from '../report/html/markup.ts';
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
  /** How often each verdict stands in the answers of its findings; null while it is not finished. */
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>> | null;
  /** The first row of its first table: who makes the fewest errors; null where there is none. */
  readonly first: { readonly name: string; readonly rate: Estimate; readonly measure: string } | null;
  /** Whether some of its findings are not told here. */
  readonly withheld?: boolean;
}

/**
 * Counts a run.
 *
 * @param findings whose verdicts are counted; null while it is not finished
 */
export function summarizeRun(
  store: Pick<RunReader, 'tally' | 'batches' | 'progress' | 'spent' | 'failureKinds' | 'findings'>,
  run: RunRecord,
  findings: readonly Finding[] | null = run.finishedAtMs === null ? null : store.findings(run.id),
): RunSummary {
  const { answered, failed } = store.tally(run.id);
  const verdicts: Partial<Record<Verdict, number>> = {};
  for (const { verdict, comparison } of (findings ?? []).flatMap(({ answer }) => answer)) {
    const reached = verdict ?? comparison?.verdict;
    if (reached !== undefined) verdicts[reached] = (verdicts[reached] ?? 0) + 1;
  }
  const batches = store.batches(run.id);
  return {
    settled: batches.reduce((sum, { batch }) => sum + store.progress(run.id, batch).answered, 0),
    ...{ answered, failed, planned: batches.reduce((sum, { size }) => sum + size, 0) },
    money: store.spent(run.id).money,
    reasons: store.failureKinds(run.id),
    verdicts: findings === null ? null : verdicts,
    first: firstRow(findings ?? []),
  };
}

function firstRow(findings: readonly Finding[]): RunSummary['first'] {
  for (const finding of findings) {
    const { measure, ranks, rows = [] } = resultTableOf(finding) ?? {};
    const rate = rows[0]?.cells[ranks ?? 0]?.estimate;
    if (rate !== undefined) return { name: rows[0]!.name, rate, measure: measure! };
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
  return html`<div class="scroll" role="region" tabindex="0" aria-labelledby="runs-caption"><table>
<caption id="runs-caption">Runs, newest first</caption>
<thead><tr><th scope="col">Run</th><th scope="col">Begun (UTC)</th><th scope="col">Fewest errors</th><th scope="col">Verdicts</th><th scope="col" class="right">Trials</th><th scope="col" class="right">Failed</th><th scope="col">Price</th><th scope="col">Look</th></tr></thead>
<tbody>${lines.map((line) => runRow(line, links))}</tbody></table></div>
${links.compare !== null && html`<p><a class="button" href="${links.compare}">Compare two runs</a></p>`}
${pages > 1 && pageLinks(links.runs, [], page, pages)}`;
}

function runRow({ run, summary }: RunLine, links: Links): Markup {
  const number = (value: number | undefined) => (value === undefined ? '…' : formatFixed(value, 0));
  return html`<tr><th scope="row"><a href="${links.run(run.id)}"><bdi>${limitText(run.name, 120)}</bdi></a><br><span class="small quiet number">${run.id}</span></th>
<td class="number">${minuteInUtc(run.startedAtMs)}</td>
<td>${summary?.first && fewest(summary.first)}</td>
<td>${summary === null ? '…' : summary.verdicts === null ? html`<span class="quiet">not finished, ${formatFixed(shareDone(summary), 0)} %</span>` : strip(summary.verdicts, summary.withheld === true)}</td>
<td class="right number">${number(summary ? summary.answered + summary.failed : undefined)}</td>
<td class="right number">${number(summary?.failed)}</td>
<td class="number">${summary === null ? '…' : moneyText(summary.money)}</td>
<td><a href="${links.trials(run.id)}">trials</a>${
    run.parent !== null &&
    links.compare !== null &&
    html` · <a href="${href(links.compare, [
      ['a', run.parent],
      ['b', run.id],
    ])}">against ${run.parent}</a>`
  }</td></tr>
`;
}

function fewest({ name, rate, measure }: NonNullable<RunSummary['first']>): Markup {
  const { main, interval } = formatEstimate(rate, 'rate');
  return html`<bdi>${limitText(name, 60)}</bdi> <span class="number">${main} ${measure}</span>${interval !== null && html` <span class="interval">${interval}</span>`}`;
}

function shareDone({ settled, planned }: RunSummary): number {
  return planned === 0 ? 0 : 100 * Math.min(1, settled / planned);
}

function strip(verdicts: NonNullable<RunSummary['verdicts']>, withheld: boolean): Markup {
  const kinds = (['worse', 'better', 'cannot tell'] as const).filter((kind) => (verdicts[kind] ?? 0) > 0);
  if (kinds.length === 0) return html`<span class="quiet">${withheld ? 'withheld' : 'nothing was compared'}</span>`;
  return html`<span class="strip">${kinds.map((kind) => html`<span>${verdictMark(kind)} <span class="small number">× ${verdicts[kind]!}</span></span>`)}</span>`;
}
