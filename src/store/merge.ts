import { existsSync, realpathSync } from 'node:fs';
import { EarwitnessError } from '../base/errors.ts';
import { checkStore, openDatabase } from './open-database.ts';
import { damageSentence } from './parts/check-rows.ts';
import { copyRuns, type Merged } from './parts/copy-runs.ts';
import { isServer, storeAt } from './store-place.ts';

/**
 * Copies the runs and answers of another store into this one. Runs that are here already are passed over, so that
 * merging twice changes nothing. The other store is only read.
 *
 * @param only the id of the one run that is wanted
 * @throws EarwitnessError `store` where either cannot be opened, or the other is of another version
 */
export function mergeStore(path: string, otherPath: string, only?: string): Merged {
  if (
    path === otherPath ||
    (existsSync(path) && existsSync(otherPath) && realpathSync(path) === realpathSync(otherPath))
  )
    throw new EarwitnessError('store', `${otherPath}: expected another store to merge, but it is the same one`);
  if (isServer(storeAt('', otherPath))) return copyBetween(otherPath, path, only);
  if (!existsSync(otherPath))
    throw new EarwitnessError('store', `${otherPath}: expected a store to merge, but there is no such file`);
  return copyBetween(otherPath, path, only);
}

/** Copies runs from one store to another, which is made if it does not exist. */
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
