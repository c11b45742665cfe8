import type { RunOutput } from '../contract.ts';
import { openFile, type SqliteDatabase } from './database.ts';
import { migrations } from './migrations/migrations.ts';

/**
 * Notes in a store what was written of its runs, so that it can be named when somebody is forgotten. A store that cannot be written
 * or is of another version stays as it is: what was asked for has been written all the same.
 *
 * @param written false before it is written, so that the next run removes what a kill leaves of it
 */
export function noteOutputs(path: string, outputs: readonly RunOutput[], written = true): void {
  let database: SqliteDatabase | null = null;
  try {
    database = openFile(path, { readonly: false });
    if (database.pragma('user_version') !== migrations.length) return;
    // A run that is at work keeps the lock; it lets one more row in between.
    database.pragma('busy_timeout = 1000');
    const insert = database.prepare(
      `INSERT OR ${written ? 'REPLACE' : 'IGNORE'} INTO run_outputs SELECT number, ?, ?, ? FROM runs WHERE runs.id = ?`,
    );
    for (const { run, kind, path: place } of outputs) insert.run(place, kind, written ? 1 : 0, run);
  } catch {
    // As said above.
  } finally {
    database?.close();
  }
}
