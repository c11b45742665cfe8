import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { PredictorServices } from '../contract.ts';

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
  { baseFolder, fileHash }: Pick<PredictorServices, 'baseFolder' | 'fileHash'>,
): Promise<FurtherTexts> {
  const path = resolve(baseFolder, file);
  const shown = printable(file);
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (cause) {
    throw new EarwitnessError(
      'bad-config',
      `expected texts at ${shown}, but it cannot be read (${printable(messageOf(cause))}); correct the path or leave the option texts out`,
      { cause },
    );
  }
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
  return { texts, hash: await fileHash(path) };
}
