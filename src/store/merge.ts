import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EarwitnessError } from '../base/errors.ts';
import { makeFolder, ownedName, personal } from '../base/on-disk.ts';
import { checkStore, openDatabase } from './open-database.ts';
import { damageSentence } from './parts/check-rows.ts';
import { copyRuns, type Merged } from './parts/copy-runs.ts';
import { asStoreError, copyUpToDate } from './sqlite/open-file-database.ts';
import { isServer } from './store-place.ts';

/**
 * Copies the runs and answers of another store into this one. Runs that are here already are passed over, so that
 * merging twice changes nothing. The other store is only read: of an older one a copy is brought up to date first.
 *
 * @param only the id of the one run that is wanted
 * @throws EarwitnessError `store` where either cannot be opened, or the other is of a newer version
 */
export function mergeStore(path: string, otherPath: string, only?: string): Merged {
  if (
    path === otherPath ||
    (existsSync(path) && existsSync(otherPath) && realpathSync(path) === realpathSync(otherPath))
  )
    throw new EarwitnessError('store', `${otherPath}: expected another store to merge, but it is the same one`);
  if (isServer(otherPath)) return copyBetween(otherPath, path, only);
  if (!existsSync(otherPath))
    throw new EarwitnessError('store', `${otherPath}: expected a store to merge, but there is no such file`);
  let folder: string | null = null;
  try {
    let copy: string | null = null;
    // It is looked at first: where it is no store that is known here, none is made for it.
    copyUpToDate(
      otherPath,
      () => {
        // Beside the store, where there must be room for what comes in.
        const beside = isServer(path) ? tmpdir() : dirname(path);
        makeFolder(beside, personal.folder);
        folder = join(beside, ownedName('.merge-'));
        mkdirSync(folder, { mode: personal.folder });
        copy = join(folder, 'store.sqlite');
        return copy;
      },
      true,
    );
    return copyBetween(copy ?? otherPath, path, only);
  } catch (error) {
    throw isServer(path) ? error : asStoreError(error, path);
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies runs from one store that is up to date to another, which is made if it does not exist. */
export function copyBetween(from: string, to: string, only?: string): Merged {
  const checked = checkStore(from);
  if (!checked.good) throw new EarwitnessError('store', damageSentence(from, checked));
  const source = openDatabase(from, { readonly: true });
  try {
    const target = openDatabase(to);
    try {
      const merged = source.database.snapshot(() => copyRuns(source.database, target.database, only));
      target.marker?.restart();
      return merged;
    } catch (error) {
      throw target.asStoreError(source.asStoreError(error));
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}
