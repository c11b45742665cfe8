import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { removeUnfinished, unfinishedName } from '../../base/abandoned.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { putInPlace } from '../../base/on-disk.ts';
import { checkStore, damageSentence } from './check.ts';
import { asStoreError, openDatabase } from './open-database.ts';

/**
 * Copies a store into a new file, whole even while a run writes: SQLite's own backup. What comes out is checked row by row.
 *
 * @throws EarwitnessError `store` where the file exists, or the store is damaged
 */
export async function backUpStore(path: string, target: string): Promise<void> {
  if (existsSync(target)) {
    throw new EarwitnessError('store', `${target}: expected a new file, but it already exists; choose another name`);
  }
  const half = unfinishedName(target);
  removeUnfinished(dirname(target));
  const opened = openDatabase(path, { readonly: true });
  try {
    await opened.database.backup(half);
    const checked = checkStore(half);
    if (!checked.good) throw new EarwitnessError('store', damageSentence(path, checked));
    putInPlace(half, target);
  } catch (error) {
    throw asStoreError(error, target);
  } finally {
    opened.close();
    for (const end of ['', '-wal', '-shm']) rmSync(half + end, { force: true });
  }
}
