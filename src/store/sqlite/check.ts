import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { type CheckedStore, checkTables } from '../parts/check-rows.ts';
import { refuseOtherVersion } from '../schema.ts';
import type { SqliteDatabase } from './database.ts';
import { missingOf } from './last-kept.ts';
import { openAnywhere } from './open-anywhere.ts';

/**
 * Reads every row of a store and says which are what was written.
 *
 * @throws EarwitnessError `store` where it is of another version, or so damaged that nothing of it can be read
 */
export function checkFile(path: string): CheckedStore {
  let opened: ReturnType<typeof openAnywhere> | null = null;
  try {
    opened = openAnywhere(path);
    refuseOtherVersion(opened.database.pragma('user_version') as number, path);
    return checkRows(opened.database, path);
  } catch (error) {
    if (error instanceof EarwitnessError) throw error;
    throw new EarwitnessError(
      'store',
      `${path}: nothing of it can be read (${messageOf(error)}); restore a copy of it`,
      {
        cause: error,
      },
    );
  } finally {
    opened?.database.close();
    opened?.removeCopy();
  }
}

export function checkRows(database: SqliteDatabase, path: string): CheckedStore {
  const tables = checkTables(database, 'NOT INDEXED');
  const structure = structureFaults(database);
  const missing = missingOf(database, path);
  const good =
    structure.length === 0 &&
    tables.every(({ damaged, torn }) => damaged === 0 && !torn) &&
    missing.answers + missing.calls === 0;
  return { good, tables, structure, missing };
}

function structureFaults(database: SqliteDatabase): string[] {
  try {
    const said = database.prepare('PRAGMA integrity_check(20)').pluck().all() as string[];
    return said.filter((line) => line !== 'ok');
  } catch (error) {
    return [messageOf(error)];
  }
}
