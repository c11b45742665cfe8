import { resolve } from 'node:path';
import type { Finding } from '../model/finding.ts';
import type { RunReport } from '../model/run.ts';
import { renderJson } from '../report/json/render-json.ts';
import { renderFirstScreen } from '../report/text/first-screen.ts';
import { renderText } from '../report/text/render-text.ts';
import { inFullReport } from '../report/text/text-table.ts';
import type { Excerpt } from '../session/run/excerpts.ts';
import { type ReportChoice, writeReport } from '../session/run/write-report.ts';
import { packageVersion } from '../session/version.ts';
import { namedCommand, print, printLine, say, terminalWidth, wantsColor } from './output.ts';

/** How a report is to be shown. */
export interface ReportFlags {
  /** Folder in which it is written too, in every form. */
  readonly out?: string;
  readonly transcripts: boolean;
  readonly verbose?: true;
  readonly json?: true;
  /** One screen alone, with the steps that follow. All of it if absent. */
  readonly brief?: readonly Step[];
  /** Every row, column and example. */
  readonly full?: true;
  /** With `brief`: ids of sections that are shown all the same. */
  readonly sections?: readonly string[];
}

/** What to do next, and its command. */
export type Step = readonly [what: string, command: string];

/** Where a run is looked at, and where all of it is read, of the config and the store that were named on the command line. */
export const runSteps = (given: Parameters<typeof namedCommand>[1]): readonly Step[] => [
  ['Look', namedCommand('view', given)],
  ['All tables', namedCommand('report', given, ['--full'])],
];

/**
 * What to do next, at the end of a first screen: in one line where there is room.
 *
 * @param page where the report is; null: it was not written
 */
export function nextSteps(page: string | null, steps: readonly Step[]): string {
  const told = steps.map(([what, command]) => `${what}: ${command}`);
  const line = told.join('   ');
  return [...(line.length < terminalWidth() ? [line] : told), ...(page === null ? [] : [`Report: ${page}`])].join('\n');
}

/**
 * Prints a report that was made from the store, and writes it where that is asked for.
 *
 * @param written the page of it that is there already; null: there is none
 * @param excerpts makes the audio of its examples, where it is written; null: it is written without
 */
export async function printReport(
  report: RunReport,
  { out, transcripts, verbose, json, brief, full, sections = [] }: ReportFlags,
  trials?: ReportChoice['trials'],
  written: string | null = null,
  excerpts: (() => Promise<ReadonlyMap<string, Excerpt>>) | null = null,
): Promise<void> {
  const terminal = {
    width: terminalWidth(),
    color: wantsColor(),
    transcripts,
    full: full === true,
    verbose: verbose === true,
  };
  if (json) await print(renderJson(report, { transcripts }));
  else {
    const text = (
      brief ? renderFirstScreen(report, { ...terminal, sections }) : renderText(report, terminal)
    ).trimEnd();
    const next = brief === undefined ? whereFull(text, written, out) : nextSteps(written, brief);
    // The steps of a run stand in the last part of its screen.
    await printLine(next === '' ? text : `${text}${brief === undefined || written === null ? '\n\n' : '\n'}${next}`);
  }
  if (out !== undefined) {
    const files = await writeReport(report, (await excerpts?.()) ?? new Map(), resolve(out), {
      sound: excerpts !== null,
      transcripts,
      ...(trials && { trials }),
    });
    say(`report: ${files.html}`);
  }
}

/** Where the full report is to which a text refers; nothing where none was left out of it, or it is being written. */
function whereFull(text: string, written: string | null, out: string | undefined): string {
  if (out !== undefined) return '';
  if (written !== null) return `Report: ${written}`;
  return text.includes(inFullReport) ? 'The full report is written with --out FOLDER.' : '';
}

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
