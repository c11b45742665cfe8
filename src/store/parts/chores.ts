import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import { syncFolder } from '../../base/on-disk.ts';
import type { Database } from '../database.ts';
import { folderBeside } from '../store-place.ts';

/**
 * Removes the files that stand in the store to be removed, which a kill may have prevented.
 *
 * @param store what lies beside it was made for it
 * @returns whether anything was left to do
 */
export function removeListedFiles(database: Database, store: string): boolean {
  const chores = database.prepare('SELECT chore, detail FROM chores').all() as { chore: string; detail: string }[];
  for (const { chore, detail } of chores) {
    if (chore !== 'remove' || !isOurs(detail, store)) continue;
    rmSync(detail, { force: true });
    syncFolder(dirname(detail));
  }
  return chores.length > 0;
}

/** Whether a file is one that was made beside the store, or a recorded exchange: a store of somebody else's might name any file of this machine. */
function isOurs(file: string, store: string): boolean {
  const name = basename(file);
  const inside = resolve(file).startsWith(`${folderBeside(store)}${sep}`);
  if (inside && /^[0-9a-f]{64}(\.wav|\.sound|\.fit|\.json|(-\d+)?\.part)$/.test(name)) return true;
  if (!/^\d{4}-\d\d-\d\dT[\d.-]+Z-\d{6}-[0-9a-f]{8}\.json$/.test(name)) return false;
  try {
    const { service, trial, answer } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return typeof service === 'string' && typeof trial === 'string' && typeof answer === 'object';
  } catch {
    return false;
  }
}
