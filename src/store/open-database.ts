import { existsSync } from 'node:fs';
import type { OpenOptions } from './contract.ts';
import type { OpenedDatabase } from './database.ts';
import type { CheckedStore } from './parts/check-rows.ts';
import { checkServer, isStoreAt, isWrittenBy, openPostgres } from './postgres/open-postgres.ts';
import { checkFile } from './sqlite/check.ts';
import { isFileWritten, openFileDatabase } from './sqlite/open-file-database.ts';
import { isServer } from './store-place.ts';

/** Whether there is a store, of whichever version. */
export function hasStore(store: string): boolean {
  return isServer(store) ? isStoreAt(store) : existsSync(store);
}

/** Whether a program writes to a store at this moment. Null where that cannot be looked at. */
export function isWritten(store: string): boolean | null {
  return isServer(store) ? isWrittenBy(store) : isFileWritten(store);
}

/**
 * Reads every row of a store and says which are what was written.
 *
 * @throws EarwitnessError `store` where it is of another version, cannot be reached, or is so damaged that nothing of it can be read
 */
export function checkStore(store: string): CheckedStore {
  return isServer(store) ? checkServer(store) : checkFile(store);
}

/** Opens the database of a store, wherever it is: see `openFileDatabase` and `openPostgres`. */
export function openDatabase(store: string, options: OpenOptions = {}): OpenedDatabase {
  return isServer(store) ? openPostgres(store, options) : openFileDatabase(store, options);
}
