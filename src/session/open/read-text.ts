import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { badInput, EarwitnessError, fileProblem } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';

/** A table beside the corpus is small; what is larger is another file given by mistake. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The text of a file that a study's options name.
 *
 * @param path meant from `baseFolder`
 * @throws EarwitnessError `bad-input` where it cannot be read, is too large or no text in UTF-8
 */
export async function readText(path: string, baseFolder: string): Promise<string> {
  const shown = printable(path, 300);
  const file = resolve(baseFolder, path);
  const refuse = (problem: string, cause?: unknown) => badInput(`${shown}: ${problem}`, { cause });
  try {
    const { size } = await stat(file);
    if (size > maxBytes) throw refuse(`expected a table of at most 64 MB, but this has ${Math.round(size / 1e6)}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof EarwitnessError) throw error;
    if (error instanceof TypeError)
      throw refuse('expected text in UTF-8, but it has other bytes; save it as UTF-8', error);
    throw refuse(`the file cannot be read (${fileProblem(error)}); correct its path`, error);
  }
}
