import { EarwitnessError } from '../../base/errors.ts';
import type { PredictorServices } from '../contract.ts';
import { readOptionFile } from './read-option-file.ts';

/** Texts that are only counted, with the hash of their file. */
export interface FurtherTexts {
  readonly texts: readonly string[];
  readonly hash: string;
}

/**
 * The texts of a file, one on each line, lower-case as those of a search are.
 *
 * @throws EarwitnessError `bad-config` for a file that cannot be read or has no text
 */
export async function readFurtherTexts(
  file: string,
  services: Pick<PredictorServices, 'baseFolder' | 'fileHash'>,
): Promise<FurtherTexts> {
  const { content, hash, shown } = await readOptionFile({ option: 'texts', file, expected: 'texts' }, services);
  const texts = content
    .split('\n')
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== '');
  if (texts.length === 0) {
    throw new EarwitnessError(
      'bad-config',
      `expected a text on each line of ${shown}, but it has none; name a file with texts like those that are searched`,
    );
  }
  return { texts, hash };
}
