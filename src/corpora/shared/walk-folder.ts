import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { listFolder } from './list-folder.ts';

/** A folder with the names of the files in it, sorted by code unit. */
export interface WalkedFolder {
  /** Path inside of the root with `/`, '' for the root itself. */
  readonly path: string;
  readonly files: readonly string[];
}

/** What was passed over on the way. */
export interface PassedOver {
  /** Symbolic links to folders, to files outside, and to nothing. */
  links: number;
}

/** Deeper folders are taken for a mistake. */
const deepest = 64;

/**
 * All folders inside of one, in the order of their names by code unit: a folder's own files first. Links are treated as
 * `listFolder` says.
 *
 * @throws EarwitnessError `bad-input`: a folder cannot be read, or lies deeper than 64
 */
export async function* walkFolder(
  root: string,
  shownName: string,
  allowOutside: boolean,
  passedOver: PassedOver,
): AsyncGenerator<WalkedFolder> {
  const realRoot = await realpath(root).catch(() => root);

  async function* walk(path: string, depth: number): AsyncGenerator<WalkedFolder> {
    const shown = path === '' ? shownName : `${shownName}/${path}`;
    if (depth > deepest) {
      throw new EarwitnessError(
        'bad-input',
        `${shown}: expected at most ${deepest} folders in each other, but there are more; name a folder further in`,
      );
    }
    const { files, folders, links } = await listFolder(join(root, path), realRoot, shown, allowOutside);
    passedOver.links += links;
    yield { path, files };
    for (const name of folders) yield* walk(path === '' ? name : `${path}/${name}`, depth + 1);
  }

  yield* walk('', 0);
}
