import type { Finding } from '../model/finding.ts';
import type { RunReport, RunTally } from '../model/run.ts';
import type { RunRecord } from '../store/contract.ts';
import { packageVersion } from './version.ts';

/**
 * What is reported of a run. What differs between two runs of the same stands in `timing`.
 *
 * @param seconds how long it took; null where nobody knows
 */
export function reportOf(
  run: RunRecord,
  findings: readonly Finding[],
  tally: RunTally,
  warnings: readonly string[],
  seconds: number | null,
): RunReport {
  return {
    earwitness: packageVersion(),
    run: { name: run.name, seed: run.seed },
    recognizers: run.recognizers.map(({ name, identity }) => ({ name, identity })),
    tally,
    findings,
    warnings,
    timing: {
      run: run.id,
      started: new Date(run.startedAtMs).toISOString(),
      finished: run.finishedAtMs === null ? null : new Date(run.finishedAtMs).toISOString(),
      epochs: Object.fromEntries(run.recognizers.map(({ name, epoch }) => [name, epoch])),
      seconds,
    },
  };
}
