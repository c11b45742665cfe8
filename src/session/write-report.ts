import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { unfinishedName } from '../base/abandoned.ts';
import { EarwitnessError } from '../base/errors.ts';
import { fileProblem } from '../base/file-problem.ts';
import { makeFolder, syncFolder } from '../base/on-disk.ts';
import type { RunReport } from '../model/run.ts';
import { renderCsv } from '../report/csv/render-csv.ts';
import { renderHtml } from '../report/html/render-html.ts';
import { renderJson } from '../report/json/render-json.ts';
import { renderMarkdown } from '../report/markdown/render-markdown.ts';
import { reasonsTable } from '../report/prepare/failure-reasons.ts';
import type { TrialForm } from './config/config.ts';
import { type Excerpt, excerptKey } from './excerpts.ts';
import type { TrialTable } from './trials/trial-table.ts';
import { writeTrials } from './trials/write-trials.ts';

/** What a report may hold. */
export interface ReportChoice {
  readonly sound: boolean;
  readonly transcripts: boolean;
  /** Every trial of the run, and the forms in which it is written; absent where there is no run. */
  readonly trials?: { readonly table: TrialTable; readonly forms: readonly TrialForm[] };
}

/** Where a report was written. */
export interface ReportFiles {
  readonly html: string;
  readonly json: string;
  readonly markdown: string;
  /** Every table as CSV. */
  readonly tables: string;
}

/**
 * Writes a report in every form, each file put in place whole.
 *
 * @param folder is made where it does not exist
 * @throws EarwitnessError `bad-input` where it cannot be written
 * @example
 * const { report, excerpts } = await run(config, { sound: true });
 * const { html } = await writeReport(report, excerpts, 'earwitness-report', { sound: true, transcripts: true });
 */
export async function writeReport(
  report: RunReport,
  excerpts: ReadonlyMap<string, Excerpt>,
  folder: string,
  { sound, transcripts, trials }: ReportChoice,
): Promise<ReportFiles> {
  const files: ReportFiles = {
    html: resolve(folder, 'report.html'),
    json: resolve(folder, 'report.json'),
    markdown: resolve(folder, 'report.md'),
    tables: resolve(folder, 'tables'),
  };
  const clips = (utteranceId: string, conditionName: string, draw: number) =>
    excerpts.get(excerptKey({ utteranceId, conditionName, draw })) ?? null;
  try {
    makeFolder(files.tables);
    await put(files.html, renderHtml(report, { transcripts, sound, clips }));
    await put(files.json, renderJson(report, { transcripts }));
    await put(files.markdown, renderMarkdown(report, { transcripts }));
    if (trials) await writeTrials(trials.table, resolve(folder), trials.forms, transcripts);
    const fileNamed = distinctFiles();
    if (report.failures.length > 0)
      await put(join(files.tables, fileNamed('failures')), renderCsv(reasonsTable(report.failures)));
    for (const { study, name = study.name, sections, timing } of report.findings) {
      for (const table of [...sections, ...(timing?.sections ?? [])].flatMap((section) => section.tables ?? [])) {
        const part = table.id.startsWith(`${study.name}-`) ? table.id.slice(study.name.length + 1) : table.id;
        const file = fileNamed(part === study.name ? name : `${name}-${part}`);
        await put(join(files.tables, file), renderCsv(table, { transcripts }));
      }
    }
    for (const place of [files.tables, resolve(folder)]) syncFolder(place);
  } catch (error) {
    if (error instanceof EarwitnessError) throw error;
    throw new EarwitnessError(
      'bad-input',
      `${folder}: the report cannot be written there (${fileProblem(error)}); the run is stored: \`earwitness report --out FOLDER\` writes it elsewhere`,
      { cause: error },
    );
  }
  return files;
}

/** Names of CSV files that no other has, letter case aside; what no file may be called is replaced. */
function distinctFiles(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    const plain = wanted.replace(/[^\w.-]/g, '-');
    let name = plain;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${plain}-${number}`;
    taken.add(name.toLowerCase());
    return `${name}.csv`;
  };
}

async function put(file: string, text: string): Promise<void> {
  const half = unfinishedName(file);
  await writeFile(half, text, { flush: true });
  await rename(half, file);
}
