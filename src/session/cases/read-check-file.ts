import { open } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { badInput, badUsage } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { limitText, printable } from '../../base/printable.ts';
import { caseId, synthesizerOfVoice } from '../../cases/sample-cases.ts';
import { answers, type CheckedCase, type CheckedRow, type VerificationAnswer } from '../../cases/summarize-verdicts.ts';
import { withFormula } from '../../report/csv/render-csv.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { type RowFormat, readRows, rowFormatOf } from '../../system/read-rows.ts';
import {
  type CheckCells,
  type CheckColumn,
  caseCell,
  caseColumns,
  checkColumns,
  filledColumns,
} from './write-check-file.ts';

/** What people write for the three answers. */
const written: Readonly<Record<string, VerificationAnswer>> = {
  ...{ yes: 'yes', y: 'yes', true: 'yes', '1': 'yes', x: 'yes' },
  ...{ no: 'no', n: 'no', false: 'no', '0': 'no' },
  ...{ unsure: 'unsure', u: 'unsure', '?': 'unsure', maybe: 'unsure', both: 'unsure' },
};

/**
 * Reads a check file that somebody filled in, wholly or in part. Spreadsheets may have written it: a semicolon may part the fields of
 * CSV, or tabs, rows without anything in them may follow, and the apostrophe before what they take for a formula is taken away, in TSV as well.
 *
 * @param shown how errors name the file
 * @throws EarwitnessError `bad-input` with file, line and column: columns missing, a case that was edited or stands there twice, an
 * answer that is none
 */
export async function readCheckFile(file: string, shown: string = file): Promise<CheckedRow[]> {
  return (await readWhole(file, shown)).map(({ checked, person, verdict }) => ({ checked, person, verdict }));
}

/** A case of a check file, with its row. */
export interface CheckCase {
  readonly checked: CheckedCase;
  readonly cells: CheckCells;
}

/**
 * Reads a check file that nobody filled in yet, as `cases sample` wrote it.
 *
 * @throws EarwitnessError `bad-input` as `readCheckFile`, and where somebody filled it in or a case has no clip
 */
export async function readUnfilledCheckFile(file: string): Promise<CheckCase[]> {
  const refuseOtherSample = sampleCheck();
  return (await readWhole(file, file)).map(({ checked, cells, place }) => {
    refuseOtherSample(file, checked);
    const filled = filledColumns.find((column) => cells[column] !== '');
    if (filled !== undefined) {
      throw badInput(
        `${place(filled)}: expected a table that nobody filled in, but ${filled} has ${JSON.stringify(printable(cells[filled], 40))}; take the one that cases sample wrote`,
      );
    }
    if (cells.sound === '') {
      throw badInput(
        `${place('sound')}: expected a clip for each case, but there is none; write the sample again without --no-sound`,
      );
    }
    return { checked, cells };
  });
}

/**
 * How many rows of a check file somebody filled in.
 *
 * @throws EarwitnessError `bad-input` as `readCheckFile`
 */
export async function filledRows(file: string): Promise<number> {
  const rows = await readWhole(file, file);
  return rows.filter(({ cells }) => filledColumns.some((column) => cells[column] !== '')).length;
}

type WholeRow = CheckedRow & CheckCase & { place(column: CheckColumn): string };

async function readWhole(file: string, shown: string): Promise<WholeRow[]> {
  const format = rowFormatOf(file);
  const rows: WholeRow[] = [];
  const lines = new Map<string, number>();
  const delimiter = format === 'csv' ? await otherDelimiter(file) : null;
  for await (const row of readRows(file, shown, { format, ...(delimiter !== null && { delimiter }) })) {
    if (row.names.every((name) => (row.text(name) ?? '').trim() === '')) continue;
    const checked = checkedRow(row, format, basename(shown, extname(shown)));
    const key = JSON.stringify([checked.checked.id, checked.person]);
    const earlier = lines.get(key);
    if (earlier !== undefined) {
      throw badInput(
        `${row.place('case')}: expected each case once for each person, but line ${earlier} has it too; take one of the two rows out, or name the person`,
      );
    }
    lines.set(key, row.line);
    rows.push(checked);
  }
  if (rows.length === 0) {
    throw badInput(
      `${shown}: expected a check file with cases, but it has none; make one: earwitness cases sample -o check.csv`,
    );
  }
  return rows;
}

function checkedRow(row: Row, format: RowFormat, fileName: string): WholeRow {
  for (const name of [...caseColumns, ...filledColumns] as readonly CheckColumn[]) {
    if (name === 'note' || row.names.includes(name)) continue;
    // JSON rows may leave out what nobody filled in.
    if (format === 'jsonl' && (filledColumns as readonly string[]).includes(name)) continue;
    const near = nearestName(name, row.names);
    throw badInput(
      `${row.place()}: expected a column ${name}, but there is none; ${near === null ? 'is this a check file?' : `rename ${JSON.stringify(printable(near, 100))} to it`}`,
    );
  }
  const raw = (name: CheckColumn) => row.text(name) ?? '';
  const read = (name: CheckColumn) => (format === 'jsonl' ? raw(name) : withFormula(raw(name)));
  const cell = read('case').trim();
  const [id] = /^case-[0-9a-f]{16}(?=-[0-9a-f]{8}$)/.exec(cell) ?? [cell];
  const sound = { utteranceId: '', conditionName: read('condition'), draw: wholeNumber(row, 'draw', 0) };
  const by = { recognizer: read('recognizer'), voice: read('voice') };
  // An apostrophe may be the text's own.
  const told = [read, raw]
    .flatMap((ofText) =>
      [read, raw].map((ofTranscript) => ({ text: ofText('text'), transcript: ofTranscript('transcript') })),
    )
    .find((texts) => caseId({ ...texts, ...by, sound }) === id);
  if (told === undefined) {
    throw badInput(
      `${row.place('case')}: expected the row as it was written, but its case, text, transcript, recognizer, voice, condition or draw was changed since; put back what cases sample wrote, and fill in only ${filledColumns.join(', ')}`,
    );
  }
  const sampleSize = wholeNumber(row, 'sample_size', 1);
  const cellFailed = wholeNumber(row, 'cell_failed', 1);
  // Tables of earlier versions have the identity alone.
  if (cell !== id && cell !== caseCell({ id, sound: read('sound'), sampleSize, cellFailed })) {
    throw badInput(
      `${row.place('case')}: expected the row as it was written, but its sound, sample_size or cell_failed was changed since; put back what cases sample wrote, and fill in only ${filledColumns.join(', ')}`,
    );
  }
  const heard = read('heard').trim();
  const person = read('person').trim();
  return {
    checked: {
      ...{ id, ...told, ...by, synthesizer: synthesizerOfVoice(by.voice) },
      ...{ sampleSize, cellFailed },
    },
    cells: { ...cellsOf(read), text: told.text, transcript: told.transcript },
    place: (column) => row.place(column),
    person: person === '' ? fileName : limitText(person, 100),
    verdict: {
      saysText: answerIn(row, 'sound_says_text'),
      saysTranscript: answerIn(row, 'sound_says_transcript'),
      heard: heard === '' ? null : heard,
    },
  };
}

function cellsOf(read: (column: CheckColumn) => string): CheckCells {
  return Object.fromEntries(checkColumns.map((column) => [column, read(column)])) as CheckCells;
}

function answerIn(row: Row, name: 'sound_says_text' | 'sound_says_transcript'): VerificationAnswer | null {
  const text = (row.text(name) ?? '')
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '');
  if (text === '') return null;
  const answer = Object.hasOwn(written, text) ? written[text] : undefined;
  if (answer !== undefined) return answer;
  throw badInput(
    `${row.place(name)}: expected ${answers.join(', ')} or nothing, but got ${JSON.stringify(printable(text, 40))}; correct it`,
  );
}

function wholeNumber(row: Row, name: 'draw' | 'sample_size' | 'cell_failed', least: number): number {
  const text = (row.text(name) ?? '').trim();
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && Number.isSafeInteger(number)) return number;
  throw badInput(
    `${row.place(name)}: expected a whole number of at least ${least}, but got ${JSON.stringify(printable(text, 40))}; put back what cases sample wrote`,
  );
}

/** What parts the names of the columns in place of commas; null where those do. */
async function otherDelimiter(file: string): Promise<';' | '\t' | null> {
  const handle = await open(file).catch(() => null);
  // The reader says what is wrong with the file.
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    const header = buffer.toString('utf8', 0, bytesRead).split('\n')[0]!;
    if (header.includes(',')) return null;
    return header.includes(';') ? ';' : header.includes('\t') ? '\t' : null;
  } finally {
    await handle.close();
  }
}

/**
 * Reads what several people filled in, one file after the other.
 *
 * @throws EarwitnessError `bad-usage` for two files of one name, `bad-input` as `readCheckFile`, or where files have the same case of
 * the same person, or come from different samples
 */
export async function readCheckFiles(files: readonly string[]): Promise<CheckedRow[]> {
  const names = files.map((file) => basename(file));
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) {
    throw badUsage(
      `expected files of different names, because a name stands for its person, but ${printable(twice, 100)} comes twice; rename one`,
    );
  }
  const rows: CheckedRow[] = [];
  const fileOf = new Map<string, string>();
  const refuseOtherSample = sampleCheck();
  for (const file of files) {
    for (const row of await readCheckFile(file)) {
      const { id } = row.checked;
      const key = JSON.stringify([id, row.person]);
      const other = fileOf.get(key);
      if (other !== undefined && other !== file) {
        throw badInput(
          `${file}: expected each case once for each person, but ${other} has case ${id} of ${printable(row.person, 100)} too; leave one of the files out, or correct the column person`,
        );
      }
      fileOf.set(key, file);
      refuseOtherSample(file, row.checked);
      rows.push(row);
    }
  }
  return rows;
}

/** Refuses rows whose sizes are not those of the rows before: the sizes of a sample and of its cells are one each. */
function sampleCheck(): (file: string, checked: CheckedCase) => void {
  const sizes = new Map<string, number>();
  let sample: number | null = null;
  return (file, { synthesizer, recognizer, cellFailed, sampleSize }) => {
    const cell = JSON.stringify([synthesizer, recognizer]);
    const size = sizes.get(cell) ?? cellFailed;
    if (size !== cellFailed) {
      throw badInput(
        `${file}: expected files of one sample, but cell_failed of ${printable(synthesizer, 100)} and ${printable(recognizer, 100)} is ${cellFailed} here and ${size} before; read each sample by itself`,
      );
    }
    sizes.set(cell, size);
    sample ??= sampleSize;
    if (sample !== sampleSize) {
      throw badInput(
        `${file}: expected files of one sample, but sample_size is ${sampleSize} here and ${sample} before; read each sample by itself`,
      );
    }
  };
}
