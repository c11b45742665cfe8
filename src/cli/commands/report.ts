import { resolve } from 'node:path';
import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { findRun } from '../../engine/open-run.ts';
import { renderJson } from '../../report/json/render-json.ts';
import { renderText } from '../../report/text/render-text.ts';
import { reportOf } from '../../session/report-of.ts';
import { writeReport } from '../../session/write-report.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import type { CliCommand } from '../command.ts';
import { print, printLine, say, terminalWidth } from '../output.ts';
import { addStoreOption, storeFile } from '../store-option.ts';

interface Options {
  readonly store?: string;
  readonly out?: string;
  readonly transcripts: boolean;
  readonly json?: true;
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

async function run(wanted: string, { store: given, out, transcripts, json }: Options): Promise<void> {
  using store = openStore(await storeFile(given), { readonly: true });
  const record = findRun(store, wanted);
  const findings = store.findings(record.id);
  if (findings === null) {
    throw new EarwitnessError(
      'bad-usage',
      `run ${record.id} is not finished, so there is nothing to report yet; go on with it: earwitness resume ${record.id}`,
    );
  }
  const made = reportOf(record, findings, store.tally(record.id), [], null);
  if (json) await print(renderJson(made, { transcripts }));
  else {
    const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
    await printLine(renderText(made, { width: terminalWidth(), color, transcripts }).trimEnd());
  }
  if (out !== undefined) {
    const files = await writeReport(made, new Map(), resolve(out), { sound: false, transcripts });
    say(`report: ${files.html}`);
  }
}
