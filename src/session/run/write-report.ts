import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { badInput, EarwitnessError, fileProblem, missingProgram } from '../../base/errors.ts';
import {
  keepPersonal,
  makeDurableFolder,
  personal,
  putInPlace,
  syncFolder,
  unfinishedName,
} from '../../base/on-disk.ts';
import type { RunReport } from '../../model/run.ts';
import { csvLine, renderCsv } from '../../report/csv/render-csv.ts';
import type { ClipSource } from '../../report/html/sounds.ts';
import { renderJson } from '../../report/json/render-json.ts';
import { renderMarkdown } from '../../report/markdown/render-markdown.ts';
import { reasonsTable } from '../../report/prepare/report-parts.ts';
import type { TrialForm } from '../config/config.ts';
import { numberElement, textElement } from '../export/parquet-form.ts';
import { renderHtml } from '../render-html.ts';
import { packageVersion } from '../version.ts';
import { type Excerpt, excerptKey } from './excerpts.ts';
import type { TrialColumn, TrialTable, TrialValue } from './trial-table.ts';

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
  const clips: ClipSource = (utteranceId, conditionName, draw, startSeconds) =>
    excerpts.get(excerptKey({ utteranceId, conditionName, draw, startSeconds })) ?? null;
  try {
    makeDurableFolder(files.tables, personal.folder);
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
    throw unwritable(folder, error);
  }
  return files;
}

function unwritable(folder: string, error: unknown): EarwitnessError {
  if (error instanceof EarwitnessError) return error;
  return badInput(
    `${folder}: the report cannot be written there (${fileProblem(error)}); the run is stored: \`earwitness report --out FOLDER\` writes it elsewhere`,
    { cause: error },
  );
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
  try {
    await writeFile(half, text, { flush: true, mode: personal.file });
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true }).catch(() => {});
    throw error;
  }
}

const rowsTogether = 5000;

/** A file of Parquet has a table of contents that grows with it, and is read by several at once where it is several files. */
const maxRowsOfFile = 1_000_000;

/** One form under way, in as many files as were begun. */
interface TrialFile {
  write(rows: readonly (readonly TrialValue[])[]): Promise<void>;
  finish(): Promise<void>;
}

/**
 * Writes the trials of a run as `trials.csv`, `trials.jsonl` and `trials.parquet`, each put in place whole. More than a million trials are a
 * set of Parquet files, `trials-00000-of-00010.parquet` and so on, as Hugging Face names them.
 *
 * @param transcripts whether columns of words that were said are written
 * @param folder is made where it does not exist
 * @returns the files
 * @throws EarwitnessError `bad-input` where it cannot be written; `missing-program` for Parquet without the package hyparquet-writer
 */
export async function writeTrials(
  { columns: all, rows }: TrialTable,
  folder: string,
  forms: readonly TrialForm[],
  transcripts: boolean,
): Promise<readonly string[]> {
  if (forms.length === 0) return [];
  const places = all.flatMap((column, place) => (transcripts || !column.transcript ? [place] : []));
  const columns = places.map((place) => all[place]!);
  const halves = new Map(forms.map((form) => [form, [] as string[]]));
  const files: TrialFile[] = [];
  try {
    makeDurableFolder(folder, personal.folder);
    for (const [form, own] of halves) {
      const begin = () => {
        const half = unfinishedName(join(folder, `trials.${form}`));
        keepPersonal(half);
        own.push(half);
        return half;
      };
      files.push(await openers[form](begin, columns));
    }
    let waiting: (readonly TrialValue[])[] = [];
    const flush = async () => {
      for (const file of files) await file.write(waiting);
      waiting = [];
    };
    for (const row of rows()) {
      waiting.push(places.map((place) => row[place]!));
      if (waiting.length === rowsTogether) await flush();
    }
    await flush();
    for (const file of files) await file.finish();
    const written = [...halves].flatMap(([form, own]) =>
      own.map((half, part) => {
        const path = join(folder, nameOfPart(form, part, own.length));
        putInPlace(half, path);
        return path;
      }),
    );
    if (halves.has('parquet')) await removeOtherParts(folder, written);
    return written;
  } catch (error) {
    for (const half of [...halves.values()].flat()) await rm(half, { force: true }).catch(() => {});
    throw unwritable(folder, error);
  }
}

function nameOfPart(form: TrialForm, part: number, parts: number): string {
  const five = (number: number) => String(number).padStart(5, '0');
  return parts === 1 ? `trials.${form}` : `trials-${five(part)}-of-${five(parts)}.${form}`;
}

/** What an earlier report of more or fewer trials left would be read as trials of this one. */
async function removeOtherParts(folder: string, written: readonly string[]): Promise<void> {
  for (const name of await readdir(folder)) {
    const isPart = /^trials(-\d+-of-\d+)?\.parquet$/.test(name);
    if (isPart && !written.includes(join(folder, name))) await rm(join(folder, name), { force: true });
  }
}

/** @param begin gives the name of a file to be written, which is put in place when all are whole */
type Opener = (begin: () => string, columns: readonly TrialColumn[]) => TrialFile | Promise<TrialFile>;

const openers: Readonly<Record<TrialForm, Opener>> = {
  csv(begin, columns) {
    const file = openText(begin());
    const header = csvLine(columns.map(({ name }) => name));
    let begun = false;
    return {
      async write(rows) {
        await file.write(
          (begun ? '' : header) + rows.map((row) => csvLine(row, (place) => columns[place]!.shown === true)).join(''),
        );
        begun = true;
      },
      finish: file.finish,
    };
  },
  jsonl(begin, columns) {
    const file = openText(begin());
    const line = (row: readonly TrialValue[]) =>
      `${JSON.stringify(Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])))}\n`;
    return { write: (rows) => file.write(rows.map(line).join('')), finish: file.finish };
  },
  async parquet(begin, columns) {
    const library = await import('hyparquet-writer').catch((error: unknown) => {
      throw missingProgram(
        'expected the package hyparquet-writer for trials in Parquet, but it is not installed; npm install hyparquet-writer',
        { cause: error },
      );
    });
    const open = () =>
      new library.ParquetWriter({
        writer: library.fileWriter(begin()),
        schema: [
          { name: 'schema', num_children: columns.length },
          ...columns.map(({ name, type }) => (type === 'string' ? textElement(name) : numberElement(name, type))),
        ],
        codec: 'SNAPPY',
        createdBy: `earwitness ${packageVersion()}`,
      });
    let writer = open();
    let rowsOfFile = 0;
    return {
      async write(rows) {
        if (rows.length === 0) return;
        if (rowsOfFile + rows.length > maxRowsOfFile) {
          await writer.finish();
          writer = open();
          rowsOfFile = 0;
        }
        rowsOfFile += rows.length;
        const columnData = columns.map(({ name, type }, place) => ({
          name,
          data: rows.map((row) => {
            const value = row[place]!;
            return type === 'int64' && value !== null ? BigInt(value) : value;
          }),
        }));
        await writer.write({ columnData, rowGroupSize: rows.length });
      },
      async finish() {
        await writer.finish();
      },
    };
  },
};

function openText(path: string): { write(text: string): Promise<void>; finish(): Promise<void> } {
  const stream = createWriteStream(path);
  const ended = finished(stream);
  // Told by whoever waits next.
  ended.catch(() => {});
  return {
    async write(text) {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), ended]);
    },
    async finish() {
      stream.end();
      await ended;
    },
  };
}
