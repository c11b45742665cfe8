import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { findRun } from '../../engine/open-run.ts';
import { withPresentMembers } from '../../report/json/report-schema.ts';
import { normalizers } from '../../scoring/normalizers/normalizers.ts';
import { withClaimExamples } from '../../session/claim-examples.ts';
import { type TrialForm, trialForms } from '../../session/config/config.ts';
import { excerptsOfRun } from '../../session/excerpts.ts';
import { historyForReport } from '../../session/history-of.ts';
import { reportOf, runWarnings, withLanguages } from '../../session/report-of.ts';
import { trialTable } from '../../session/trials/trial-table.ts';
import type { Store } from '../../store/contract.ts';
import { noteOutputs } from '../../store/sqlite/maintenance.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import type { CliCommand } from '../command.ts';
import { addStoreOption, storeFile } from '../options.ts';
import { printReport, type ReportFlags } from '../print-report.ts';

interface Options extends ReportFlags {
  readonly store?: string;
  readonly trials?: readonly (TrialForm | 'none')[];
  readonly sound: boolean;
}

/** `report [RUN]` */
export const report: CliCommand = {
  examples: ['report', 'report 20261121T1406 --out elsewhere', 'report last --json'],
  notes:
    'Prints all findings of a finished run from the store alone: neither recordings nor recognizers are needed. With --out the report is written again in every format, with the audio of its examples where the recordings are still there; what needs a module or a program of the config is made by `resume` alone.',
  configure(command: Command) {
    addStoreOption(command)
      .argument('[run]', 'run id, its beginning, or "last"', 'last')
      .option('--out <folder>', 'also write the report to this folder, as HTML, JSON, Markdown and CSV')
      .addOption(
        new Option('--trials <forms...>', 'with --out: formats in which all trials are written').choices([
          ...trialForms,
          'none',
        ]),
      )
      .option('--no-sound', 'with --out: write it without audio')
      .option('--no-transcripts', 'leave out transcripts and references')
      .option('--verbose', 'also print the id of the run')
      .action(run);
  },
};

async function run(wanted: string, options: Options): Promise<void> {
  const file = await storeFile(options.store);
  using store = openStore(file, { readonly: true });
  const record = findRun(store, wanted);
  const kept = store.findings(record.id);
  if (kept === null) {
    throw new EarwitnessError(
      'bad-usage',
      `run ${record.id} is not finished, so there is nothing to report yet; continue it: earwitness resume ${record.id}`,
    );
  }
  const findings = withPresentMembers(kept);
  const forms = (options.trials ?? ['csv']).filter((form) => form !== 'none');
  // No code that a store names is run: errors by a normalizer of the user's own are counted when the run is made.
  const normalizerOf = async (name: string, module: string | null) =>
    module === null && Object.hasOwn(normalizers, name) ? normalizers[name]! : null;
  const told = [...findings, ...(await historyForReport(store, record))];
  const report = reportOf(store, record, told, runWarnings(store, record.id), null);
  const made = withLanguages(store, record.id, await withClaimExamples(store, record, report, normalizerOf));
  const table = await trialTable(store, record, findings, normalizerOf);
  const { config } = record.config as { readonly config?: { readonly report?: { readonly sound?: boolean } } };
  const sounding = options.sound && config?.report?.sound !== false;
  const excerpts = sounding ? () => excerptsOfRun(store, record, file, made.findings) : null;
  await printReport(made, options, { table, forms }, writtenPage(store, record.id), excerpts);
  if (options.out !== undefined) noteOutputs(file, [{ run: record.id, kind: 'report', path: resolve(options.out) }]);
}

/** The page of a run that is still where it was written; null: there is none. */
function writtenPage(store: Pick<Store, 'outputs'>, run: string): string | null {
  const reports = store.outputs(true).filter((output) => output.run === run && output.kind === 'report');
  return reports.map(({ path }) => join(path, 'report.html')).find((page) => existsSync(page)) ?? null;
}
