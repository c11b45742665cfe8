import type { Finding } from '../model/finding.ts';
import { packageVersion } from '../session/version.ts';
import { printReport, type ReportFlags } from './print-report.ts';

/**
 * Prints one finding that belongs to no run, and writes it where `--out` says.
 *
 * @param seed what was drawn was drawn by it; 0 where nothing was
 */
export async function reportFinding(finding: Finding, name: string, flags: ReportFlags, seed = 0): Promise<void> {
  await printReport(
    {
      ...{ earwitness: packageVersion(), run: { name, seed }, recognizers: [], findings: [finding], warnings: [] },
      tally: { trials: 0, answered: 0, failed: 0, reused: 0, failures: {}, possiblyPaid: 0 },
      failures: [],
      timing: {},
    },
    flags,
  );
}
