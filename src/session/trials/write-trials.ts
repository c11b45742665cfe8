import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { unfinishedName } from '../../base/abandoned.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { putInPlace } from '../../base/on-disk.ts';
import { csvLine } from '../../report/csv/render-csv.ts';
import type { TrialForm } from '../config/config.ts';
import { numberElement, textElement } from '../export/parquet-form.ts';
import { packageVersion } from '../version.ts';
import type { TrialColumn, TrialTable, TrialValue } from './trial-table.ts';

const rowsTogether = 5000;

/** One file under way. */
interface TrialFile {
  write(rows: readonly (readonly TrialValue[])[]): Promise<void>;
  finish(): Promise<void>;
}

/**
 * Writes the trials of a run as `trials.csv`, `trials.jsonl` and `trials.parquet`, each put in place whole.
 *
 * @param transcripts whether columns of words that were said are written
 * @throws EarwitnessError `missing-program` for Parquet without the package hyparquet-writer
 */
export async function writeTrials(
  { columns: all, rows }: TrialTable,
  folder: string,
  forms: readonly TrialForm[],
  transcripts: boolean,
): Promise<void> {
  if (forms.length === 0) return;
  const places = all.flatMap((column, place) => (transcripts || !column.transcript ? [place] : []));
  const columns = places.map((place) => all[place]!);
  const path = (form: TrialForm) => join(folder, `trials.${form}`);
  const halves = forms.map((form) => unfinishedName(path(form)));
  const files: TrialFile[] = [];
  try {
    for (const [index, form] of forms.entries()) files.push(await openers[form](halves[index]!, columns));
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
    for (const [index, form] of forms.entries()) putInPlace(halves[index]!, path(form));
  } catch (error) {
    for (const half of halves) await rm(half, { force: true });
    throw error;
  }
}

const openers: Readonly<
  Record<TrialForm, (path: string, columns: readonly TrialColumn[]) => TrialFile | Promise<TrialFile>>
> = {
  csv(path, columns) {
    const file = openText(path);
    const header = csvLine(columns.map(({ name }) => name));
    let begun = false;
    return {
      async write(rows) {
        await file.write((begun ? '' : header) + rows.map(csvLine).join(''));
        begun = true;
      },
      finish: file.finish,
    };
  },
  jsonl(path, columns) {
    const file = openText(path);
    const line = (row: readonly TrialValue[]) =>
      `${JSON.stringify(Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])))}\n`;
    return { write: (rows) => file.write(rows.map(line).join('')), finish: file.finish };
  },
  async parquet(path, columns) {
    const library = await import('hyparquet-writer').catch((error: unknown) => {
      throw new EarwitnessError(
        'missing-program',
        'expected the package hyparquet-writer for trials in Parquet, but it is not installed; npm install hyparquet-writer',
        { cause: error },
      );
    });
    const writer = new library.ParquetWriter({
      writer: library.fileWriter(path),
      schema: [
        { name: 'schema', num_children: columns.length },
        ...columns.map(({ name, type }) => (type === 'string' ? textElement(name) : numberElement(name, type))),
      ],
      codec: 'SNAPPY',
      createdBy: `earwitness ${packageVersion()}`,
    });
    return {
      async write(rows) {
        if (rows.length === 0) return;
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
