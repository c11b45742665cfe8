import { EarwitnessError } from '../../base/errors.ts';
import type { PredictorServices } from '../contract.ts';
import { parsePronunciations } from './parse-pronunciations.ts';
import { readOptionFile } from './read-option-file.ts';

/** A pronouncing dictionary with the hash of its file. */
export interface Pronunciations {
  readonly phonemes: ReadonlyMap<string, string>;
  readonly hash: string;
}

/** @throws EarwitnessError `bad-config` for a file that cannot be read or holds no pronunciation */
export async function readPronunciations(dictionary: string, services: PredictorServices): Promise<Pronunciations> {
  const { content, hash, shown } = await readOptionFile(
    { option: 'dictionary', file: dictionary, expected: 'a pronouncing dictionary' },
    services,
  );
  const phonemes = parsePronunciations(content);
  if (phonemes.size === 0) {
    throw new EarwitnessError(
      'bad-config',
      `expected a word and its phonemes on each line of ${shown}, as in "vote V OW T", but no line is so; name a dictionary in the format of PocketSphinx`,
    );
  }
  return { phonemes, hash };
}
