import type { Finding } from '../../model/finding.ts';
import { packageVersion } from '../../session/version.ts';
import { printReport, type ReportFlags } from '../print-report.ts';

/** Prints one finding that belongs to no run, and writes it where `--out` says. */
export async function reportFinding(finding: Finding, name: string, flags: ReportFlags): Promise<void> {
  await printReport(
    {
      ...{ earwitness: packageVersion(), run: { name, seed: 0 }, recognizers: [], findings: [finding], warnings: [] },
      tally: { trials: 0, answered: 0, failed: 0, reused: 0, failures: {}, possiblyPaid: 0 },
      timing: {},
    },
    flags,
  );
}
