import { rmSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import { syncFolder } from '../../base/on-disk.ts';
import type { SqliteDatabase } from './database.ts';

/**
 * Does what is left to do after something was deleted for good: removes files, rewrites the database and empties its log. It
 * stands in the store until it is done, so that the next program that writes does what a kill (or a reader) prevented.
 *
 * @param path of the store
 */
export function finishChores(database: SqliteDatabase, path: string): void {
  const chores = database.prepare('SELECT chore, detail FROM chores').all() as { chore: string; detail: string }[];
  if (chores.length === 0) return;
  for (const { chore, detail } of chores) {
    if (chore !== 'remove' || !isCachedSpeech(detail, path)) continue;
    rmSync(detail, { force: true });
    syncFolder(dirname(detail));
  }
  database.pragma('secure_delete = ON');
  // A temporary file would leave on the disk what is to be gone.
  database.pragma('temp_store = MEMORY');
  database.exec('VACUUM');
  const blocked = database.pragma('wal_checkpoint(TRUNCATE)') !== 0;
  if (blocked) return;
  database.exec('DELETE FROM chores');
  database.pragma('wal_checkpoint(TRUNCATE)');
}

/** Whether a file is speech that is cached beside the store: one of somebody else's might name any file of this machine. */
function isCachedSpeech(file: string, store: string): boolean {
  const inside = resolve(file).startsWith(`${dirname(resolve(store))}${sep}`);
  return inside && /^[0-9a-f]{64}(\.wav|\.sound|\.fit|(-\d+)?\.part)$/.test(basename(file));
}
