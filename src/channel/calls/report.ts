import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import type { RunReport } from '../../model/run.ts';
import { withNumbersOfCells } from '../../report/json/each-number-once.ts';
import { reportSchema } from '../../report/json/report-schema.ts';
import { defineCall } from '../call.ts';
import { toldTables } from '../told-report.ts';

/** The result tables of a report that was written before (`report.json`). */
export const report = defineCall(z.object({ report: z.unknown() }), ({ report }) => {
  const { data, error } = reportSchema.safeParse(report);
  if (error) {
    const [{ path, message } = { path: [], message: '' }] = error.issues;
    throw badInput(
      `expected a report.json as this version of Earwitness writes it, but ${path.join('.') || 'it'} is none of it (${message}); make it anew with earwitness report --out FOLDER`,
    );
  }
  const read = data as unknown as RunReport;
  return { value: toldTables({ ...read, findings: read.findings.map(withNumbersOfCells) }) };
});
