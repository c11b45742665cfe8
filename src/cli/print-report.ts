import { resolve } from 'node:path';
import type { RunReport } from '../model/run.ts';
import { renderJson } from '../report/json/render-json.ts';
import { renderText } from '../report/text/render-text.ts';
import { type ReportChoice, writeReport } from '../session/write-report.ts';
import { print, printLine, say, terminalWidth } from './output.ts';

/** How a report is to be shown. */
export interface ReportFlags {
  /** Folder in which it is written too, in every form. */
  readonly out?: string;
  readonly transcripts: boolean;
  readonly verbose?: true;
  readonly json?: true;
}

/** Whether what goes to stdout may have colours. */
export function wantsColor(): boolean {
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}

/** Prints a report that was made from the store, and writes it where that is asked for, without sound. */
export async function printReport(
  report: RunReport,
  { out, transcripts, verbose, json }: ReportFlags,
  trials?: ReportChoice['trials'],
): Promise<void> {
  const terminal = { width: terminalWidth(), color: wantsColor() };
  if (json) await print(renderJson(report, { transcripts }));
  else await printLine(renderText(report, { ...terminal, transcripts, verbose: verbose === true }).trimEnd());
  if (out !== undefined) {
    const files = await writeReport(report, new Map(), resolve(out), {
      sound: false,
      transcripts,
      ...(trials && { trials }),
    });
    say(`report: ${files.html}`);
  }
}
