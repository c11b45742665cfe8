import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { findRun } from '../../engine/open-run.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import type { DifferentialCase } from '../../studies/differential/case.ts';

/** What the study `differential` of a run found. */
export interface RunCases {
  readonly run: RunRecord;
  /** Every failed case, in the order of the finding. */
  readonly failed: readonly DifferentialCase[];
  /** The others that were kept. */
  readonly others: readonly DifferentialCase[];
  /** Rows that the finding left out, none of them failed. */
  readonly leftOut: number;
}

const status = z.enum(['success', 'failed', 'indeterminable']);

const caseShape = z.object({
  text: z.string(),
  textId: z.string(),
  voice: z.string(),
  recognizer: z.string(),
  transcript: z.string(),
  status,
  sound: z.object({ utteranceId: z.string(), conditionName: z.string(), draw: z.int().min(0) }),
  iteration: z.int().nullable(),
  otherwise: z.partialRecord(z.enum(['exact', 'tolerant', 'majority']), status),
});

const dataShape = z.looseObject({ cases: z.array(caseShape), casesLeftOut: z.int().min(0) });

/**
 * The cases of a finished run, from the store alone: of its first study `differential`, where it has several.
 *
 * @param wanted an id, the beginning of one, or `last`
 * @throws EarwitnessError `bad-usage` where there is no such run, it is not finished, had no study `differential`, or kept only a
 * part of its failed cases
 */
export function readRunCases(store: Store, wanted: string): RunCases {
  const run = findRun(store, wanted);
  const findings = store.findings(run.id);
  if (findings === null) {
    throw new EarwitnessError(
      'bad-usage',
      `expected a finished run, but ${run.id} is not; continue it: earwitness resume ${run.id}`,
    );
  }
  const finding = findings.find(({ study }) => study.name === 'differential');
  if (finding === undefined) {
    const studies = findings.map(({ study }) => study.name).join(', ');
    throw new EarwitnessError(
      'bad-usage',
      `expected a run with the study differential, but ${run.id} has ${studies || 'none'}; name another run (earwitness store list)`,
    );
  }
  const parsed = dataShape.safeParse(finding.data);
  if (!parsed.success) {
    throw new EarwitnessError(
      'bad-usage',
      `expected the finding of ${run.id} to hold its cases, but it was made by another version of earwitness; run its config again with --new: it reuses all answers`,
    );
  }
  const cases = parsed.data.cases as DifferentialCase[];
  const failed = cases.filter((row) => row.status === 'failed');
  // Failed ones are kept first: where something was left out and nothing else is there, some of them may be missing.
  if (parsed.data.casesLeftOut > 0 && failed.length === cases.length) {
    throw new EarwitnessError(
      'bad-usage',
      `expected every failed case of ${run.id}, but it kept only ${cases.length} rows; set maxCases of the study higher and run again: all answers are reused`,
    );
  }
  const others = cases.filter((row) => row.status !== 'failed');
  return { run, failed, others, leftOut: parsed.data.casesLeftOut };
}
