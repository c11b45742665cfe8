import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { putInPlace, syncFile } from '../../base/on-disk.ts';
import { refuseOtherVersion } from './check.ts';
import { type CoveredTable, checksumTriggers, covered, verified } from './checksums.ts';
import { openFile, type SqliteDatabase } from './database.ts';
import { migrations } from './migrations/migrations.ts';
import { takeLock } from './open-database.ts';

/** What became of a store that was damaged. */
export interface Repaired {
  /** The file as it was. */
  readonly damaged: string;
  readonly kept: { readonly runs: number; readonly answers: number };
  /** Runs that cannot go on, because parts of what they were to ask are lost. Their answers stay, and a new run takes them over. */
  readonly removedRuns: readonly string[];
}

/** Tables without checksums: nothing that is told depends on them. */
const bare = { quality_sets: ['hash', 'measure'], run_outputs: ['run', 'path', 'kind', 'written'] };

/**
 * Writes every row that is what was written into a new file, and puts that in the place of the store. The damaged file stays beside it.
 *
 * @throws EarwitnessError `store` where nothing of it can be read, or nothing can be written; `store-busy` where a run is at work
 */
export function repairStore(path: string): Repaired {
  if (!existsSync(path)) throw new EarwitnessError('store', `${path}: expected a store, but there is none`);
  const lock = takeLock(path);
  const half = `${path}.repaired`;
  for (const end of ['', '-journal']) rmSync(half + end, { force: true });
  let from: SqliteDatabase | null = null;
  let to: SqliteDatabase | null = null;
  try {
    from = openFile(path, { readonly: true });
    refuseOtherVersion(from, path);
    to = openFile(half, { readonly: false });
    for (const migration of migrations) to.exec(migration);
    to.pragma(`user_version = ${migrations.length}`);
    to.exec(checksumTriggers);
    const [source, target] = [from, to];
    to.transaction(() => {
      for (const [table, columns] of Object.entries(covered)) copyTable(source, target, table, columns, true);
      for (const [table, columns] of Object.entries(bare)) copyTable(source, target, table, columns, false);
    })();
    const removedRuns = to.transaction(() => removeBroken(target))();
    const count = (table: string) => target.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    const kept = { runs: count('runs'), answers: count('observations') };
    to.close();
    from.close();
    [from, to] = [null, null];
    return { damaged: exchange(path, half), kept, removedRuns };
  } catch (error) {
    to?.close();
    from?.close();
    rmSync(half, { force: true });
    if (error instanceof EarwitnessError) throw error;
    throw new EarwitnessError('store', `${path}: it cannot be repaired (${messageOf(error)}); restore a copy of it`, {
      cause: error,
    });
  } finally {
    lock.close();
  }
}

/** From both ends, because a broken page stands in the way of all that comes behind it. */
function copyTable(
  from: SqliteDatabase,
  to: SqliteDatabase,
  table: string,
  columns: readonly string[],
  checked: boolean,
): void {
  const insert = to.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const key = columns[0]!;
  const condition = checked ? `WHERE ${verified(table as CoveredTable)}` : '';
  for (const order of ['', `ORDER BY ${key} DESC`]) {
    try {
      const rows = from
        .prepare(`SELECT ${columns.join(', ')} FROM ${table} NOT INDEXED ${condition} ${order}`)
        .iterate();
      for (const row of rows) insert.run(...(Object.values(row as object) as never[]));
      return;
    } catch {
      // What stands behind the broken place is read from the other end.
    }
  }
}

/** What points to nothing, and runs that cannot go on. */
function removeBroken(database: SqliteDatabase): string[] {
  const children = ['run_utterances', 'run_conditions', 'run_batches', 'run_trials', 'attempts', 'run_plans'];
  for (const table of [...children, 'run_materials', 'run_sounds', 'run_outputs'])
    database.exec(`DELETE FROM ${table} WHERE run NOT IN (SELECT number FROM runs)`);
  database.exec(`
    UPDATE observations SET run = NULL WHERE run NOT IN (SELECT number FROM runs);
    UPDATE run_trials SET observation = NULL, reused = 0
      WHERE observation IS NOT NULL AND observation NOT IN (SELECT number FROM observations);
    DELETE FROM run_materials WHERE hash NOT IN (SELECT hash FROM materials);`);
  const gaps = (table: string, place: string) =>
    `SELECT run FROM ${table} GROUP BY run HAVING count(*) <> max(${place}) + 1`;
  // A finished run has its findings; only one that is to go on needs every question.
  const broken = database
    .prepare(
      `SELECT number, id FROM runs WHERE finished_at_ms IS NULL AND forgotten_at_ms IS NULL AND (
         number IN (${gaps('run_utterances', 'position')}) OR number IN (${gaps('run_conditions', 'position')})
         OR number IN (${gaps('run_batches', 'batch')})
         OR (utterances_complete AND number NOT IN (SELECT run FROM run_utterances))
         OR number IN (SELECT b.run FROM run_batches AS b WHERE keys_hash IS NOT NULL AND size <>
           (SELECT count(*) FROM run_trials AS t WHERE t.run = b.run AND t.batch = b.batch)))`,
    )
    .all() as { number: number; id: string }[];
  for (const { number } of broken) {
    database.prepare('UPDATE observations SET run = NULL WHERE run = ?').run(number);
    for (const table of [...children, 'run_materials', 'run_sounds', 'run_outputs'])
      database.prepare(`DELETE FROM ${table} WHERE run = ?`).run(number);
    database.prepare('DELETE FROM runs WHERE number = ?').run(number);
  }
  return broken.map(({ id }) => id);
}

/** The log goes first: beside another file it would be taken for that one's. A kill in between is a log that is missing, which is told. */
function exchange(path: string, repaired: string): string {
  let damaged = `${path}.damaged`;
  for (let number = 2; existsSync(damaged); number++) damaged = `${path}.damaged-${number}`;
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${damaged}-wal`);
  rmSync(`${path}-shm`, { force: true });
  copyFileSync(path, damaged);
  syncFile(damaged);
  putInPlace(repaired, path);
  rmSync(`${path}.last`, { force: true });
  return damaged;
}
