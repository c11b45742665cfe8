import { join } from 'node:path';
import type { ExportForm } from './export-form.ts';

/**
 * Sounds as WAV files: one file, a folder, or a folder with one for each condition.
 *
 * @param folders of the conditions; null where there is but one condition, whose sounds lie in the output itself
 * @param file the one file to write; null where the output is a folder
 */
export function soundFilesForm(output: string, folders: readonly string[] | null, file: string | null): ExportForm {
  return {
    wantsBytes: false,
    files: [],
    output: (name, condition) =>
      file ?? join(output, ...(folders === null ? [] : [folders[condition]!]), `${name}.wav`),
    async add() {},
    async finish() {},
    async abandon() {},
  };
}

/** Everything is made and nothing is written. */
export const discardForm: ExportForm = {
  wantsBytes: false,
  files: [],
  output: () => null,
  async add() {},
  async finish() {},
  async abandon() {},
};
