import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { PredictorServices } from '../contract.ts';
import { parsePronunciations } from './parse-pronunciations.ts';

/** A pronouncing dictionary with the hash of its file. */
export interface Pronunciations {
  readonly phonemes: ReadonlyMap<string, string>;
  readonly hash: string;
}

/** @throws EarwitnessError `bad-config` for a file that cannot be read or holds no pronunciation */
export async function readPronunciations(
  dictionary: string,
  { baseFolder, fileHash }: PredictorServices,
): Promise<Pronunciations> {
  const path = resolve(baseFolder, dictionary);
  const shown = printable(dictionary);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new EarwitnessError(
      'bad-config',
      `expected a pronouncing dictionary at ${shown}, but it cannot be read (${printable(messageOf(cause))}); correct the path or leave the option dictionary out`,
      { cause },
    );
  }
  const phonemes = parsePronunciations(text);
  if (phonemes.size === 0) {
    throw new EarwitnessError(
      'bad-config',
      `expected a word and its phonemes on each line of ${shown}, as in "vote V OW T", but no line is so; name a dictionary in the format of PocketSphinx`,
    );
  }
  return { phonemes, hash: await fileHash(path) };
}
