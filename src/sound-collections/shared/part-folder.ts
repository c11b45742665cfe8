import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';

/** A folder that was found, and how errors name it. */
export interface FoundFolder {
  readonly folder: string;
  readonly shownName: string;
}

/**
 * A part of a data set, whichever of its folders was given: the one it unpacks to, the one that this lies in, or the part
 * itself.
 *
 * @param given the option, meant from `baseFolder`
 * @param ways from what may have been given to the part, the most exact first
 * @throws EarwitnessError `bad-input` where there is none of them
 * @example await partFolder('musan', baseFolder, ['musan/noise', 'noise'], 'MUSAN')
 */
export async function partFolder(
  given: string,
  baseFolder: string,
  ways: readonly string[],
  dataSet: string,
): Promise<FoundFolder> {
  for (const way of ways) {
    const folder = join(resolve(baseFolder, given), way);
    const about = await stat(folder).catch(() => null);
    if (about?.isDirectory()) return { folder, shownName: join(given, way) };
  }
  throw new EarwitnessError(
    'bad-input',
    `${printable(given)}: expected the folder of ${dataSet} with ${ways.map((way) => JSON.stringify(way)).join(' or ')} in it, but there is none; check the path`,
  );
}
