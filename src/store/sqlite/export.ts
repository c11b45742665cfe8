import { existsSync } from 'node:fs';
import { EarwitnessError } from '../../base/errors.ts';
import { openFile } from './database.ts';
import { asStoreError, openDatabase } from './open-database.ts';

/**
 * Writes the store into one new file that another earwitness can merge: all of it, or one run with its answers. What
 * only this machine needs (paths and times of files) stays behind.
 *
 * @throws EarwitnessError `store` where the file exists already
 */
export function exportStore(path: string, target: string, runId: string | null): void {
  if (existsSync(target)) {
    throw new EarwitnessError(
      'store',
      `${target}: expected a new file, but it exists already; give another name or move it away`,
    );
  }
  const opened = openDatabase(path, { readonly: true });
  try {
    opened.database.prepare('VACUUM INTO ?').run(target);
  } catch (error) {
    throw asStoreError(error, target);
  } finally {
    opened.close();
  }
  const copy = openFile(target, { readonly: false });
  try {
    copy.exec('DELETE FROM files');
    if (runId !== null) {
      copy.pragma('foreign_keys = ON');
      copy.prepare('DELETE FROM attempts WHERE run <> (SELECT number FROM runs WHERE id = ?)').run(runId);
      copy.prepare('DELETE FROM runs WHERE id <> ?').run(runId);
      copy.exec(
        'DELETE FROM observations WHERE number NOT IN (SELECT observation FROM run_trials WHERE observation IS NOT NULL)',
      );
    }
    copy.exec('VACUUM');
  } finally {
    copy.close();
  }
}
