import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { badUsage, EarwitnessError } from '../../base/errors.ts';
import { counted } from '../../base/wording.ts';
import type { Finding } from '../../model/finding.ts';

import { normalizerOfFinding } from '../../scoring/normalizers/normalizers.ts';
import { type TrialForm, trialForms } from '../../session/config/config.ts';
import { withClaimExamples } from '../../session/run/claim-examples.ts';
import { excerptsOfRun } from '../../session/run/excerpts.ts';
import { trialTable } from '../../session/run/trial-table.ts';
import { withTrialsTold } from '../../session/run/trials-told.ts';
import { writeTrials } from '../../session/run/write-report.ts';
import { historyForReport } from '../../session/stored/history-of.ts';
import { reportOf, runWarnings, withLanguages } from '../../session/stored/report-of.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import { noteOutputs } from '../../store/maintenance.ts';
import { openStore } from '../../store/open-store.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { namedStore, outFlag, runStoreFlags } from '../options.ts';
import { sayWrapped } from '../output.ts';
import { printReport, runSteps } from '../print-report.ts';
import { createProgressDisplay } from '../progress/progress-line.ts';

const flags = [
  ...runStoreFlags,
  outFlag,
  ['--trials <forms...>', 'with --out: formats in which all trials are written', { choices: [...trialForms, 'none'] }],
  ['--no-sound', 'with --out: write it without audio'],
  ['--no-transcripts', 'leave out transcripts and references'],
  ['--full', 'print all of it: every claim, table and example'],
  ['--verbose', 'also print the id of the run'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `report [RUN]` */
export const report: CliCommand = {
  examples: ['report', 'report --full', 'report 20261121T1406 --out elsewhere', 'report last --json'],
  notes:
    'Prints what a finished run found, as the run did at its end, from the store alone: neither recordings nor recognizers are needed. Of one that is not finished (a budget stopped it) --out writes the answers that are there, as a table. With --out the report is written again in every format, with the audio of its examples where the recordings are still there; what needs a module or a program of the config is made by `resume` alone.',
  flags,
  configure(command: Command) {
    command.argument('[run]', 'run id, its beginning, or "last"', 'last').action(run);
  },
};

async function run(wanted: string, options: Options): Promise<void> {
  const { file, find } = await namedStore(options);
  using store = openStore(file, { readonly: true });
  const record = await find(store, wanted);
  const findings = store.findings(record.id);
  if (findings === null) return await writeAnswers(store, file, record, options);
  const forms = formsOf(options);
  // No code that a store names is run: errors by a normalizer of the user's own are counted when the run is made.
  const normalizerOf = async (name: string, module: string | null) =>
    module === null ? normalizerOfFinding(name) : null;
  const { known, warnings } = await withHistory(store, record, findings);
  const report = reportOf(store, record, known, [...runWarnings(store, record.id), ...warnings], null);
  const display = createProgressDisplay(process.stderr);
  const told = (what: string) => withTrialsTold(store, what, systemClock, display.on);
  const looked = told('looking for examples in the answers');
  const made = withLanguages(store, record.id, await withClaimExamples(looked, record, report, normalizerOf));
  display.end();
  const table = await trialTable(told('writing the trials'), record, findings, normalizerOf);
  const { config } = record.config as { readonly config?: { readonly report?: { readonly sound?: boolean } } };
  const sounding = options.sound && config?.report?.sound !== false;
  const excerpts = sounding ? () => excerptsOfRun(store, record, file, made.findings) : null;
  const shown = options.full
    ? options
    : { ...options, brief: runSteps({ config: options.config, store: options.store }) };
  const rows = function* () {
    yield* table.rows();
    display.end();
  };
  await printReport(made, shown, { table: { ...table, rows }, forms }, writtenPage(store, record.id), excerpts);
  if (options.out !== undefined) noteOutputs(file, [{ run: record.id, kind: 'report', path: resolve(options.out) }]);
}

/** A history that would need code which a store names is left out, and said to be. */
async function withHistory(store: Store, record: RunRecord, findings: readonly Finding[]) {
  try {
    return { known: [...findings, ...(await historyForReport(store, record))], warnings: [] };
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    return { known: findings, warnings: [`The history of the run is left out: ${error.message}.`] };
  }
}

function formsOf({ trials = ['csv'] }: Options): TrialForm[] {
  return trials.filter((form) => form !== 'none');
}

/**
 * Of a run that has not come to its end, the trials that are answered: a study concludes nothing from a part of its answers.
 *
 * @throws EarwitnessError `bad-usage` where they are not to be written
 */
async function writeAnswers(store: Store, file: string, record: RunRecord, options: Options): Promise<void> {
  const { trials, answered, failed } = store.tally(record.id);
  const count = `${(answered + failed).toLocaleString('en')} of the ${counted(trials, 'trial')} that it has planned`;
  const forms = formsOf(options);
  if (options.out === undefined || forms.length === 0) {
    throw badUsage(
      `run ${record.id} is not finished, so there is nothing to report yet; continue it: earwitness resume ${record.id}, or write the answers that are there (${count}): earwitness report ${record.id} --out FOLDER`,
    );
  }
  const table = await trialTable(store, record, [], async () => null);
  const files = await writeTrials(table, resolve(options.out), forms, options.transcripts);
  noteOutputs(file, [{ run: record.id, kind: 'report', path: resolve(options.out) }]);
  sayWrapped(
    `Run ${record.id} is not finished: ${files.join(' and ')} ${files.length === 1 ? 'has' : 'have'} ${count}. Rates of a part may mislead; continue the run: earwitness resume ${record.id}`,
  );
}

/** The page of a run that is still where it was written; null: there is none. */
function writtenPage(store: Pick<Store, 'outputs'>, run: string): string | null {
  const reports = store.outputs(true).filter((output) => output.run === run && output.kind === 'report');
  return reports.map(({ path }) => join(path, 'report.html')).find((page) => existsSync(page)) ?? null;
}
