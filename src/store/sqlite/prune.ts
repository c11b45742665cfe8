import { asStoreError, openDatabase } from './open-database.ts';
import { newestFirst } from './runs.ts';

/** What was removed. */
export interface Pruned {
  readonly runs: number;
  readonly observations: number;
}

export interface PruneOptions {
  /** How many of the newest runs stay. */
  readonly keep: number;
  /** Also removes answers that no remaining run refers to: they would have to be asked again. */
  readonly answers: boolean;
}

/** Removes old runs, and if wanted the answers that only they used, and gives the space back. */
export function pruneStore(path: string, { keep, answers }: PruneOptions): Pruned {
  const opened = openDatabase(path);
  try {
    const { database, marker } = opened;
    // Numbers of what goes may be given again: until it is done nothing is promised.
    marker?.clear();
    const pruned = database.transaction((): Pruned => {
      const old = `SELECT number FROM runs ORDER BY ${newestFirst} LIMIT -1 OFFSET ?`;
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
    database.exec('VACUUM');
    database.pragma('wal_checkpoint(TRUNCATE)');
    marker?.restart();
    return pruned;
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    opened.close();
  }
}
