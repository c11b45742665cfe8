import { resolve } from 'node:path';
import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { findRun } from '../../engine/open-run.ts';
import { reportOf } from '../../session/report-of.ts';
import { noteOutputs } from '../../store/sqlite/note-outputs.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import type { CliCommand } from '../command.ts';
import { printReport, type ReportFlags } from '../print-report.ts';
import { addStoreOption, storeFile } from '../store-option.ts';

interface Options extends ReportFlags {
  readonly store?: string;
}

/** `report [RUN]` */
export const report: CliCommand = {
  examples: ['report', 'report 20261121T1406 --out elsewhere', 'report last --json'],
  notes:
    'Prints everything that a finished run found, from the store alone: neither recordings nor recognizers are needed. With --out it is written again in every form, without sound; `resume` writes it with sound.',
  configure(command: Command) {
    addStoreOption(command)
      .argument('[run]', 'its id, the beginning of it, or "last"', 'last')
      .option('--out <folder>', 'also write it there as HTML, JSON, Markdown and CSV')
      .option('--no-transcripts', 'leave out what was said')
      .action(run);
  },
};

async function run(wanted: string, options: Options): Promise<void> {
  const file = await storeFile(options.store);
  using store = openStore(file, { readonly: true });
  const record = findRun(store, wanted);
  const findings = store.findings(record.id);
  if (findings === null) {
    throw new EarwitnessError(
      'bad-usage',
      `run ${record.id} is not finished, so there is nothing to report yet; go on with it: earwitness resume ${record.id}`,
    );
  }
  const made = reportOf(store, record, findings, [], null);
  await printReport(made, options);
  if (options.out !== undefined) noteOutputs(file, [{ run: record.id, kind: 'report', path: resolve(options.out) }]);
}
