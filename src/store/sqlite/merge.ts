import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { makeFolder, ownedName, personal } from '../../base/on-disk.ts';
import { checkStore, damageSentence } from './check.ts';
import type { SqliteDatabase } from './database.ts';
import { asStoreError, copyUpToDate, openDatabase } from './open-database.ts';
import { partsOf } from './rows.ts';

/** What came over from another store. */
export interface Merged {
  readonly runs: number;
  readonly observations: number;
}

const runColumns =
  'id, name, purpose, config, seed, fresh, parent, recognizers, started_at_ms, finished_at_ms, findings, warnings, utterances_complete, forgotten_at_ms';
const observationColumns =
  'key, utterance_id, speaker, transcript, extra, failure_kind, failure_message, sound_seconds, seconds, calls';

/** What belongs to no run, each with what tells its rows. */
const sharedTables = {
  sounds: 'hash',
  clips: 'hash',
  measurements: 'clip',
  qualities: 'clip, measure',
  quality_sets: 'hash, measure',
  similarities: 'key',
  predictions: 'key',
  elapsed: 'key',
  materials: 'hash',
};

/** What belongs to a run, each with what tells its rows within it, and the columns that are copied. */
const runTables = [
  ['run_utterances', 'position', 'position, id, speaker, utterance, made'],
  ['run_conditions', 'position', 'position, condition'],
  ['run_batches', 'batch', 'batch, study, size, keys_hash'],
  [
    ...['run_trials', 'batch, position'],
    'batch, position, key, utterance, condition, draw, recognizer, repeat, twin, quality, similarity, asks, reused',
  ],
  ['run_plans', 'run', 'hash, plan, frozen_at_ms'],
  ['run_materials', 'kind, name', 'kind, name, hash'],
  ['run_sounds', 'utterance', 'utterance, identity'],
  ['attempts', 'number', 'batch, position, key, sent_at_ms, state, seconds, price, currency'],
] as const;

/**
 * Copies the runs and answers of another store into this one. Runs that are here already are passed over, so that
 * merging twice changes nothing. The other store is only read: of an older one a copy is brought up to date first.
 *
 * @param only the id of the one run that is wanted
 * @throws EarwitnessError `store` where either cannot be opened, or the other is of a newer version
 */
export function mergeStore(path: string, otherPath: string, only?: string): Merged {
  if (!existsSync(otherPath)) {
    throw new EarwitnessError('store', `${otherPath}: expected a store to merge, but there is no such file`);
  }
  if (existsSync(path) && realpathSync(path) === realpathSync(otherPath)) {
    throw new EarwitnessError('store', `${otherPath}: expected another store to merge, but it is the same one`);
  }
  let folder: string | null = null;
  try {
    let copy: string | null = null;
    // It is looked at first: where it is no store that is known here, none is made for it.
    copyUpToDate(
      otherPath,
      () => {
        // Beside the store, where there must be room for what comes in.
        makeFolder(dirname(path), personal.folder);
        folder = join(dirname(path), ownedName('.merge-'));
        mkdirSync(folder, { mode: personal.folder });
        copy = join(folder, 'store.sqlite');
        return copy;
      },
      true,
    );
    const checked = checkStore(copy ?? otherPath);
    if (!checked.good) throw new EarwitnessError('store', damageSentence(otherPath, checked));
    return mergeCurrent(path, copy ?? otherPath, only);
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

function mergeCurrent(path: string, otherPath: string, only?: string): Merged {
  const opened = openDatabase(path);
  try {
    opened.database.prepare('ATTACH ? AS other').run(otherPath);
    const merged = opened.database.transaction(() => copyAll(opened.database, only))();
    opened.marker?.restart();
    return merged;
  } finally {
    opened.close();
  }
}

function copyAll(database: SqliteDatabase, only?: string): Merged {
  const missing = (
    database
      .prepare('SELECT number, id FROM other.runs WHERE id NOT IN (SELECT id FROM main.runs) ORDER BY number')
      .all() as { number: number; id: string }[]
  ).filter(({ id }) => only === undefined || id === only);
  let observations = 0;
  for (const run of missing) observations += copyRun(database, run.number);
  if (only !== undefined) return { runs: missing.length, observations };
  // Answers of runs that were pruned there are answers still.
  for (const { condition, values } of partsOf(database, 'other.observations', 'number')) {
    observations += database
      .prepare(
        `INSERT INTO main.observations (run, ${observationColumns})
         SELECT NULL, ${observationColumns} FROM other.observations AS o
         WHERE ${condition} AND transcript IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.observations AS m WHERE m.key = o.key)`,
      )
      .run(...values).changes;
  }
  for (const [table, key] of Object.entries(sharedTables)) {
    for (const { condition, values } of partsOf(database, `other.${table}`, key)) {
      database
        .prepare(`INSERT OR IGNORE INTO main.${table} SELECT * FROM other.${table} WHERE ${condition}`)
        .run(...values);
    }
  }
  return { runs: missing.length, observations };
}

/** Numbers are this database's own, so every reference to one is made anew. */
function copyRun(database: SqliteDatabase, from: number): number {
  const run = Number(
    database
      .prepare(`INSERT INTO main.runs (${runColumns}, merged) SELECT ${runColumns}, 1 FROM other.runs WHERE number = ?`)
      .run(from).lastInsertRowid,
  );
  for (const [table, key, columns] of runTables) {
    for (const { condition, values } of partsOf(database, `other.${table}`, key, {
      condition: 'run = ?',
      values: [from],
    })) {
      database
        .prepare(
          `INSERT INTO main.${table} (run, ${columns}) SELECT ?, ${columns} FROM other.${table} WHERE ${condition}`,
        )
        .run(run, ...values);
    }
  }
  const insert = database.prepare(
    `INSERT INTO main.observations (run, ${observationColumns})
     SELECT (SELECT m.number FROM main.runs AS m JOIN other.runs AS o USING (id) WHERE o.number = other.observations.run),
            ${observationColumns}
     FROM other.observations WHERE number = ?`,
  );
  const link = database.prepare(
    'UPDATE main.run_trials SET observation = ? WHERE run = ? AND batch = ? AND position = ?',
  );
  const same = database
    .prepare(
      `SELECT m.number FROM main.observations AS m JOIN other.observations AS o ON o.number = ? AND m.key = o.key
         AND m.transcript IS o.transcript AND m.failure_kind IS o.failure_kind AND m.seconds = o.seconds LIMIT 1`,
    )
    .pluck();
  const links = database
    .prepare('SELECT batch, position, observation FROM other.run_trials WHERE run = ? AND observation IS NOT NULL')
    .iterate(from) as Iterable<{ batch: number; position: number; observation: number }>;
  let copied = 0;
  for (const { batch, position, observation } of links) {
    let number = same.get(observation) as number | bigint | undefined;
    if (number === undefined) {
      // It stays that of the run that asked it, or of none: others took it over.
      number = insert.run(observation).lastInsertRowid;
      copied++;
    }
    link.run(number, run, batch, position);
  }
  return copied;
}
