import { basename } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { CheckedRow } from '../../studies/differential/verification/summarize-verdicts.ts';
import { readCheckFile } from './read-check-file.ts';

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
    throw new EarwitnessError(
      'bad-usage',
      `expected files of different names, because a name stands for its person, but ${printable(twice, 100)} comes twice; rename one`,
    );
  }
  const rows: CheckedRow[] = [];
  const fileOf = new Map<string, string>();
  const sizes = new Map<string, number>();
  let sample: number | null = null;
  for (const file of files) {
    for (const row of await readCheckFile(file)) {
      const { id, synthesizer, recognizer, cellFailed, sampleSize } = row.checked;
      const key = JSON.stringify([id, row.person]);
      const other = fileOf.get(key);
      if (other !== undefined && other !== file) {
        throw new EarwitnessError(
          'bad-input',
          `${file}: expected each case once for each person, but ${other} has case ${id} of ${printable(row.person, 100)} too; leave one of the files out, or correct the column person`,
        );
      }
      fileOf.set(key, file);
      const cell = JSON.stringify([synthesizer, recognizer]);
      const size = sizes.get(cell) ?? cellFailed;
      if (size !== cellFailed) {
        throw new EarwitnessError(
          'bad-input',
          `${file}: expected files of one sample, but cell_failed of ${printable(synthesizer, 100)} and ${printable(recognizer, 100)} is ${cellFailed} here and ${size} before; read each sample by itself`,
        );
      }
      sizes.set(cell, size);
      sample ??= sampleSize;
      if (sample !== sampleSize) {
        throw new EarwitnessError(
          'bad-input',
          `${file}: expected files of one sample, but sample_size is ${sampleSize} here and ${sample} before; read each sample by itself`,
        );
      }
      rows.push(row);
    }
  }
  return rows;
}
