import { EarwitnessError } from '../../base/errors.ts';
import type { DataSetFolder } from '../shared/data-set-folder.ts';

/**
 * The sentence in a `.TXT` of TIMIT: first and last sample, then the words (`0 46797 She had your dark suit …`).
 *
 * @throws EarwitnessError `bad-input`: another form
 */
export async function sentenceOf(folder: DataSetFolder, path: string): Promise<string> {
  for await (const { text, number } of folder.lines(path)) {
    if (text.trim() === '') continue;
    const words = /^\s*\d+\s+\d+\s+(\S.*)$/.exec(text)?.[1];
    if (words !== undefined) return words.trim();
    throw new EarwitnessError(
      'bad-input',
      `${folder.shown(path)}:${number}:1: expected two sample numbers and a sentence, but found ${JSON.stringify(text.slice(0, 60))}; is it another file?`,
    );
  }
  throw new EarwitnessError(
    'bad-input',
    `${folder.shown(path)}: expected two sample numbers and a sentence, but it is empty; copy it again`,
  );
}
