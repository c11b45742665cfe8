import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { PredictorServices } from '../contract.ts';

/** A file that an option names. */
export interface OptionFile {
  readonly content: string;
  readonly hash: string;
  /** Its path as the config has it, fit to be printed. */
  readonly shown: string;
}

/**
 * @param expected what is in it: `a pronouncing dictionary`
 * @throws EarwitnessError `bad-config` for a file that cannot be read
 */
export async function readOptionFile(
  { option, file, expected }: { readonly option: string; readonly file: string; readonly expected: string },
  { baseFolder, fileHash }: Pick<PredictorServices, 'baseFolder' | 'fileHash'>,
): Promise<OptionFile> {
  const path = resolve(baseFolder, file);
  const shown = printable(file);
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (cause) {
    throw new EarwitnessError(
      'bad-config',
      `expected ${expected} at ${shown}, but it cannot be read (${printable(messageOf(cause))}); correct the path or leave the option ${option} out`,
      { cause },
    );
  }
  return { content, hash: await fileHash(path), shown };
}
