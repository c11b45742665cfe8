import { mkdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { encodeWav } from '../../audio/encode-wav.ts';
import { messageOf } from '../../base/errors.ts';
import { rowFormatOf } from '../../corpora/shared/read-rows.ts';
import { renderCsv, withoutFormula } from '../../report/csv/render-csv.ts';
import type { CaseSample } from '../../studies/differential/verification/sample-cases.ts';
import { writeWhole } from '../export/write-whole.ts';
import { type CheckColumn, checkColumns, checkReadme, checkTableColumns } from './check-columns.ts';
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
 * cannot be made again is told and does not stop the others; its row is written without one.
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
  const rows: Record<CheckColumn, string>[] = [];
  if (sounds !== null) await mkdir(soundFolder, { recursive: true });
  for (const [place, { id, row, cellFailed }] of sample.cases.entries()) {
    let sound = '';
    if (sounds !== null) {
      tell(place, sample.cases.length);
      // Numbers, so that the name tells nothing of what is heard.
      const name = `${String(place + 1).padStart(digits, '0')}.wav`;
      try {
        await writeWhole(join(soundFolder, name), encodeWav(await sounds.clip(row.sound), { format: 's16' }));
        sound = `${basename(soundFolder)}/${name}`;
        written++;
      } catch (error) {
        failures.push(messageOf(error));
      }
    }
    rows.push({
      ...{ case: id, sound, heard: '', sound_says_text: '', sound_says_transcript: '', person: '', note: '' },
      ...{ text: row.text, transcript: row.transcript, recognizer: row.recognizer, voice: row.voice },
      ...{ condition: row.sound.conditionName, draw: String(row.sound.draw) },
      ...{ sample_size: String(sample.cases.length), cell_failed: String(cellFailed) },
    });
  }
  await writeWhole(readme, checkReadme(basename(file), sounds === null ? null : basename(soundFolder)));
  await writeWhole(file, rendered(rows, format));
  return { file, readme, soundFolder: sounds === null ? null : soundFolder, sounds: written, failures };
}

function rendered(rows: readonly Record<CheckColumn, string>[], format: 'csv' | 'tsv' | 'jsonl'): string {
  if (format === 'csv') return renderCsv({ id: 'check', title: 'check', columns: checkTableColumns, rows });
  if (format === 'jsonl') return rows.map((row) => `${JSON.stringify(inOrder(row))}\n`).join('');
  // Spreadsheets run formulas from TSV too.
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => withoutFormula(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')}\n`;
  return [checkColumns, ...rows.map((row) => checkColumns.map((column) => row[column]))].map(line).join('');
}

function inOrder(row: Record<CheckColumn, string>): Record<string, string> {
  return Object.fromEntries(checkColumns.map((column) => [column, row[column]]));
}
