import { basename, dirname, extname, join } from 'node:path';
import { encodeWav } from '../../audio/encode-wav.ts';
import { sha256 } from '../../base/hash.ts';
import type { CaseSample } from '../../cases/sample-cases.ts';
import type { Column } from '../../model/finding.ts';
import { renderCsv, withoutFormula } from '../../report/csv/render-csv.ts';
import { rowFormatOf } from '../../system/read-rows.ts';
import { makeOutputFolder, removeEarlier, whyUnmade, writePersonal } from '../export/write-whole.ts';
import type { RunSounds } from './run-sounds.ts';

/** What was written. */
export interface WrittenCheck {
  readonly file: string;
  readonly readme: string;
  /** Null where no sounds were wanted. */
  readonly soundFolder: string | null;
  readonly sounds: number;
  /** Why some sounds are missing. */
  readonly failures: readonly string[];
}

/**
 * Files that a check consists of, by the name of its table.
 *
 * @example checkFiles('check.csv') // { soundFolder: 'check-sounds', readme: 'check-README.txt' }
 */
export function checkFiles(file: string): { readonly soundFolder: string; readonly readme: string } {
  const stem = join(dirname(file), basename(file, extname(file)));
  return { soundFolder: `${stem}-sounds`, readme: `${stem}-README.txt` };
}

/**
 * Writes a table for people to fill in, its sounds as WAV in a folder beside it, and a README that explains the columns. A sound that
 * cannot be made again is told and does not stop the others; its row is written without one. The table comes last: where it is, all else is.
 *
 * @param file `.csv`, `.tsv` or `.jsonl`
 * @param sounds null: none are written
 * @param tell how many of how many sounds are done
 * @throws EarwitnessError `bad-config` for another ending, `bad-input` where it cannot be written
 */
export async function writeCheckFile(
  file: string,
  sample: CaseSample,
  sounds: RunSounds | null,
  tell: (done: number, of: number) => void,
): Promise<WrittenCheck> {
  const format = rowFormatOf(file);
  const { soundFolder, readme } = checkFiles(file);
  const failures: string[] = [];
  const digits = String(sample.cases.length).length;
  let written = 0;
  const rows: CheckCells[] = [];
  // The clips of an earlier one are written over.
  await removeEarlier(file);
  if (sounds !== null) makeOutputFolder(soundFolder);
  for (const [place, { id, row, cellFailed }] of sample.cases.entries()) {
    let sound = '';
    if (sounds !== null) {
      tell(place, sample.cases.length);
      // Numbers, so that the name tells nothing of what is heard.
      const name = `${String(place + 1).padStart(digits, '0')}.wav`;
      const clip = await sounds.clip(row.sound).catch(whyUnmade);
      if (typeof clip === 'string') failures.push(clip);
      else {
        await writePersonal(join(soundFolder, name), encodeWav(clip, { format: 's16' }));
        sound = `${basename(soundFolder)}/${name}`;
        written++;
      }
    }
    rows.push({
      ...{
        case: caseCell({ id, sound, sampleSize: sample.cases.length, cellFailed }),
        sound,
        heard: '',
        sound_says_text: '',
        sound_says_transcript: '',
        person: '',
        note: '',
      },
      ...{ text: row.text, transcript: row.transcript, recognizer: row.recognizer, voice: row.voice },
      ...{ condition: row.sound.conditionName, draw: String(row.sound.draw) },
      ...{ sample_size: String(sample.cases.length), cell_failed: String(cellFailed) },
    });
  }
  await writePersonal(readme, checkReadme(basename(file), sounds === null ? null : basename(soundFolder)));
  await writePersonal(file, rendered(rows, format));
  return { file, readme, soundFolder: sounds === null ? null : soundFolder, sounds: written, failures };
}

/** A row of a check file, by its columns. */
export type CheckCells = Readonly<Record<CheckColumn, string>>;

/**
 * What stands in the column case: the identity of a case, which covers its texts and who spoke and wrote them, and a checksum of the other columns
 * that must stay as they are.
 *
 * @example caseCell({ id: 'case-3f0c5a9e12b47d68', sound: 'check-sounds/01.wav', sampleSize: 15, cellFailed: 40 }) // 'case-3f0c5a9e12b47d68-1c5f2a9b'
 */
export function caseCell({
  id,
  sound,
  sampleSize,
  cellFailed,
}: {
  readonly id: string;
  readonly sound: string;
  readonly sampleSize: number;
  readonly cellFailed: number;
}): string {
  return `${id}-${sha256(JSON.stringify([id, sound, sampleSize, cellFailed])).slice(0, 8)}`;
}

/**
 * The text of a check file with these rows, as somebody filled them in.
 *
 * @throws EarwitnessError `bad-config` for another ending than .csv, .tsv and .jsonl
 */
export function checkText(file: string, rows: readonly CheckCells[]): string {
  return rendered(rows, rowFormatOf(file));
}

function rendered(rows: readonly CheckCells[], format: 'csv' | 'tsv' | 'jsonl'): string {
  if (format === 'csv') return renderCsv({ id: 'check', title: 'check', columns: checkTableColumns, rows });
  if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(inOrder(row))}\n`).join('');
  // Spreadsheets run formulas from TSV too.
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => withoutFormula(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')}\n`;
  return [checkColumns, ...rows.map((row) => checkColumns.map((column) => row[column]))].map(line).join('');
}

function inOrder(row: CheckCells): Record<string, string> {
  return Object.fromEntries(checkColumns.map((column) => [column, row[column]]));
}

/** Columns of a check file that a person fills in. */
export const filledColumns = ['heard', 'sound_says_text', 'sound_says_transcript', 'person', 'note'] as const;

/** Columns that tell the case, and must stay as they are. */
export const caseColumns = [
  'case',
  'sound',
  'text',
  'transcript',
  'recognizer',
  'voice',
  'condition',
  'draw',
  'sample_size',
  'cell_failed',
] as const;

/** A column of the table in which people judge cases. */
export type CheckColumn = (typeof filledColumns)[number] | (typeof caseColumns)[number];

/** In the order of the file: what is heard is asked before the texts are read. */
export const checkColumns: readonly CheckColumn[] = ['case', 'sound', ...filledColumns, ...caseColumns.slice(2)];

/** The same for the writer of CSV. */
const checkTableColumns: readonly Column[] = checkColumns.map((key) => ({ key, label: key, kind: 'text' }));

/** What stands beside a check file, for whoever fills it in. */
function checkReadme(file: string, soundFolder: string | null): string {
  return `${[
    `How to fill in ${file}`,
    '',
    'Each row is a case: a text that was spoken, and what a recognizer wrote. The question is whether the recognizer',
    'misheard, or the clip says something else. Please do one row after the other:',
    '',
    soundFolder === null
      ? '1. Find the sound of the case by the columns voice and text.'
      : `1. Play the sound (column sound, in the folder ${soundFolder}), as often as you like. Do not read on yet.`,
    '2. heard: write down what you hear, as well as you can.',
    '3. sound_says_text: does the sound say what stands in the column text? yes, no or unsure.',
    '4. sound_says_transcript: does the sound say what stands in the column transcript? yes, no or unsure.',
    '   "unsure" means that it could be heard either way. Case, punctuation and blanks do not matter.',
    '5. person: your name or any sign of you; the name of the file if you leave it empty. note: whatever you like.',
    '',
    'Rows may be left empty: they are counted as such. All other columns must stay as they are; they are checked.',
    'Several people: give each a copy of this file under another name, and read all of them together:',
    '',
    `    earwitness cases verdicts ${file} …`,
    '',
    'Columns: case (identity and checksum of the row), sound (its file), recognizer, voice, condition and draw (what was done to it),',
    'sample_size (cases of the whole sample, so that rows that got lost are seen), cell_failed (failed cases of this synthesizer',
    'and recognizer in the run, by which the row is weighted).',
    "In CSV and TSV a text that a spreadsheet would take for a formula has an apostrophe before it, which is taken away when it's read.",
  ].join('\n')}\n`;
}
