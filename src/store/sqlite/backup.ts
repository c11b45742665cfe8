import { existsSync, renameSync, rmSync } from 'node:fs';
import { EarwitnessError } from '../../base/errors.ts';
import { checkStore, damageSentence } from './check.ts';
import { asStoreError, openDatabase } from './open-database.ts';

/**
 * Copies a store into a new file, whole even while a run writes: SQLite's own backup. What comes out is checked row by row.
 *
 * @throws EarwitnessError `store` where the file exists, or the store is damaged
 */
export async function backUpStore(path: string, target: string): Promise<void> {
  if (existsSync(target)) {
    throw new EarwitnessError('store', `${target}: expected a new file, but it exists already; give another name`);
  }
  const half = `${target}.tmp`;
  rmSync(half, { force: true });
  const opened = openDatabase(path, { readonly: true });
  try {
    await opened.database.backup(half);
    const checked = checkStore(half);
    if (!checked.good) throw new EarwitnessError('store', damageSentence(path, checked));
    renameSync(half, target);
  } catch (error) {
    throw asStoreError(error, target);
  } finally {
    opened.close();
    for (const end of ['', '-wal', '-shm']) rmSync(half + end, { force: true });
  }
}
