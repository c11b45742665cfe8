import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { removeUnfinished, unfinishedName } from '../../base/abandoned.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { putInPlace } from '../../base/on-disk.ts';
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
      `${target}: expected a new file, but it already exists; choose another name or move it away`,
    );
  }
  const half = unfinishedName(target);
  removeUnfinished(dirname(target));
  const opened = openDatabase(path, { readonly: true });
  try {
    opened.database.prepare('VACUUM INTO ?').run(half);
  } catch (error) {
    throw asStoreError(error, target);
  } finally {
    opened.close();
  }
  try {
    keepOnly(half, runId);
    putInPlace(half, target);
  } catch (error) {
    // Half cleaned, it would still hold what was not to be given away.
    rmSync(half, { force: true });
    throw asStoreError(error, target);
  }
}

function keepOnly(target: string, runId: string | null): void {
  const copy = openFile(target, { readonly: false });
  try {
    copy.exec('DELETE FROM files; DELETE FROM run_outputs; DELETE FROM chores');
    if (runId !== null) {
      copy.pragma('foreign_keys = ON');
      copy.prepare('DELETE FROM attempts WHERE run <> (SELECT number FROM runs WHERE id = ?)').run(runId);
      copy.prepare('DELETE FROM runs WHERE id <> ?').run(runId);
      copy.exec(
        `DELETE FROM observations WHERE number NOT IN (SELECT observation FROM run_trials WHERE observation IS NOT NULL);
         DELETE FROM sounds WHERE hash NOT IN (
           SELECT sound FROM clips JOIN run_trials ON key = clips.hash AND recognizer IS NULL
           UNION SELECT hash FROM sounds AS s JOIN run_utterances AS u ON u.id = s.utterance_id AND u.speaker IS s.speaker);
         DELETE FROM clips WHERE sound NOT IN (SELECT hash FROM sounds);
         DELETE FROM measurements WHERE clip NOT IN (SELECT hash FROM clips);
         DELETE FROM qualities WHERE clip NOT IN (SELECT hash FROM clips);
         DELETE FROM quality_sets WHERE hash NOT IN (SELECT quality FROM run_trials WHERE quality IS NOT NULL);
         DELETE FROM materials WHERE hash NOT IN (SELECT hash FROM run_materials);
         DELETE FROM similarities WHERE key NOT IN (SELECT key FROM run_trials WHERE similarity);
         DELETE FROM predictions WHERE key NOT IN (SELECT key FROM run_trials WHERE asks = 'prediction');
         DELETE FROM elapsed WHERE key NOT IN (SELECT key FROM run_trials WHERE asks = 'elapsed');`,
      );
    }
    copy.exec('VACUUM');
  } finally {
    copy.close();
  }
}
