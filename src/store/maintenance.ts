import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { EarwitnessError } from '../base/errors.ts';
import { keepPersonal, putInPlace, removeUnfinished, unfinishedName } from '../base/on-disk.ts';
import type { RunOutput } from './contract.ts';
import type { Database } from './database.ts';
import { copyBetween } from './merge.ts';
import { checkStore, openDatabase } from './open-database.ts';
import { damageSentence } from './parts/check-rows.ts';
import { newestFirst } from './parts/runs.ts';
import { schemaVersion } from './schema.ts';
import { openFile } from './sqlite/database.ts';
import { asStoreError, openFileDatabase, requireStore } from './sqlite/open-file-database.ts';
import { isServer, requireFile, storeAt } from './store-place.ts';

/**
 * Copies a store into a new file, whole even while a run writes: SQLite's own backup. What comes out is checked row by row.
 *
 * @throws EarwitnessError `store` where the file exists, or the store is damaged
 */
export async function backUpStore(path: string, target: string): Promise<void> {
  if (existsSync(target)) {
    throw new EarwitnessError('store', `${target}: expected a new file, but it already exists; choose another name`);
  }
  requireFile(path, 'of a server type: pg_dump --schema earwitness; or: earwitness store export');
  const half = unfinishedName(target);
  removeUnfinished(dirname(target));
  const opened = openFileDatabase(path, { readonly: true });
  try {
    keepPersonal(half);
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

/**
 * Writes the store into one new file that another earwitness can merge: all of it, or one run with its answers. What
 * only this machine needs (paths and times of files) stays behind.
 *
 * @throws EarwitnessError `store` where the file exists already
 */
export function exportStore(path: string, target: string, runId: string | null): void {
  requireFile(storeAt('', target), '`store merge` puts runs into one on a server');
  if (existsSync(target)) {
    throw new EarwitnessError(
      'store',
      `${target}: expected a new file, but it already exists; choose another name or move it away`,
    );
  }
  const half = unfinishedName(target);
  removeUnfinished(dirname(target));
  try {
    keepPersonal(half);
    if (isServer(path)) copyBetween(path, half);
    else copyFile(path, half);
    keepOnly(half, runId);
    putInPlace(half, target);
  } catch (error) {
    throw asStoreError(error, target);
  } finally {
    // Half cleaned, it would still hold what was not to be given away.
    for (const end of ['', '-journal', '-wal', '-shm', '.lock', '.lock-journal', '.last'])
      rmSync(half + end, { force: true });
  }
}

function copyFile(path: string, target: string): void {
  const opened = openFileDatabase(path, { readonly: true });
  try {
    opened.database.prepare('VACUUM INTO ?').run(target);
  } finally {
    opened.close();
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

/** What was removed. */
interface Pruned {
  readonly runs: number;
  readonly observations: number;
}

interface PruneOptions {
  /** How many of the newest runs stay. */
  readonly keep: number;
  /** Also removes answers that no remaining run refers to: they would have to be asked again. */
  readonly answers: boolean;
}

/** Removes old runs, and if wanted the answers that only they used, and gives the space back. */
export function pruneStore(path: string, { keep, answers }: PruneOptions): Pruned {
  if (!isServer(path)) requireStore(path);
  const opened = openDatabase(path, { alone: true });
  try {
    const { database, marker } = opened;
    // Numbers of what goes may be given again: until it is done nothing is promised.
    marker?.clear();
    const pruned = database.transaction((): Pruned => {
      const old = `SELECT number FROM runs WHERE number NOT IN (SELECT number FROM runs ORDER BY ${newestFirst} LIMIT ?)`;
      database.prepare(`DELETE FROM attempts WHERE run IN (${old})`).run(keep);
      const runs = database.prepare(`DELETE FROM runs WHERE number IN (${old})`).run(keep).changes;
      const asked = (what: string) => `SELECT key FROM run_trials WHERE asks = '${what}'`;
      database.exec(`DELETE FROM elapsed WHERE key NOT IN (${asked('elapsed')})`);
      database.exec('DELETE FROM materials WHERE hash NOT IN (SELECT hash FROM run_materials)');
      if (!answers) return { runs, observations: 0 };
      database.exec(`DELETE FROM predictions WHERE key NOT IN (${asked('prediction')})`);
      const used = 'SELECT observation FROM run_trials WHERE observation IS NOT NULL';
      const observations = database.prepare(`DELETE FROM observations WHERE number NOT IN (${used})`).run().changes;
      return { runs, observations };
    })();
    opened.giveBackSpace();
    marker?.restart();
    return pruned;
  } catch (error) {
    throw opened.asStoreError(error);
  } finally {
    opened.close();
  }
}

/**
 * Notes in a store what was written of its runs, so that it can be named when somebody is forgotten. A store that cannot be written
 * or is of another version stays as it is: what was asked for has been written all the same.
 *
 * @param written false before it is written, so that the next run removes what a kill leaves of it
 */
export function noteOutputs(path: string, outputs: readonly RunOutput[], written = true): void {
  let database: Database | null = null;
  try {
    if (isServer(path)) {
      database = openDatabase(path).database;
    } else {
      const file = openFile(path, { readonly: false });
      database = file;
      if (file.pragma('user_version') !== schemaVersion) return;
      // A run that is at work keeps the lock; it lets one more row in between.
      file.pragma('busy_timeout = 1000');
    }
    const insert = database.prepare(
      `INSERT INTO run_outputs (run, path, kind, written) SELECT number, ?, ?, CAST(? AS bigint) FROM runs WHERE runs.id = ?
       ON CONFLICT (run, path) DO ${written ? 'UPDATE SET kind = excluded.kind, written = excluded.written' : 'NOTHING'}`,
    );
    for (const { run, kind, path: place } of outputs) insert.run(place, kind, written ? 1 : 0, run);
  } catch {
    // As said above.
  } finally {
    database?.close();
  }
}
