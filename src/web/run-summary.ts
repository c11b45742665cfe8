import type { Finding, Verdict } from '../model/finding.ts';
import type { RunRecord, Store } from '../store/contract.ts';

/** What the list of runs tells of one. Counting takes seconds for a million trials. */
export interface RunSummary {
  readonly answered: number;
  readonly failed: number;
  /** Questions that were planned, what several studies ask counted for each; more may come. */
  readonly planned: number;
  /** Of these, settled. */
  readonly settled: number;
  readonly money: Readonly<Record<string, number>>;
  /** The most frequent reason of each recognizer with failed trials. */
  readonly reasons: readonly { readonly recognizer: string; readonly kind: string; readonly count: number }[];
  /** How often each verdict stands in the answers of its findings; null while it is not finished. */
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>> | null;
  /** Whether some of its findings are not told here. */
  readonly withheld?: boolean;
}

/**
 * Counts a run.
 *
 * @param findings whose verdicts are counted; null while it is not finished
 */
export function summarizeRun(
  store: Pick<Store, 'tally' | 'batches' | 'progress' | 'spent' | 'failures' | 'findings'>,
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
    reasons: store
      .failures(run.id)
      .flatMap(({ recognizer, reasons: [most] }) => (most ? [{ recognizer, kind: most.kind, count: most.count }] : [])),
    verdicts: findings === null ? null : verdicts,
  };
}
