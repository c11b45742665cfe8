import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { SqliteDatabase } from './database.ts';
import { asStoreError, openDatabase } from './open-database.ts';

/** What was removed of a person. */
export interface Forgotten {
  readonly utterances: number;
  readonly observations: number;
  readonly sounds: number;
  /** Runs whose findings were removed, because they may quote the person. */
  readonly runs: readonly string[];
}

/**
 * Removes a speaker's sounds, transcripts and measurements from every run, and overwrites the places where they stood.
 * What was only counted, pooled with others, stays; findings of the runs concerned go, for they may quote.
 *
 * @throws EarwitnessError `bad-usage` where the store knows no such speaker
 */
export function forgetSpeaker(path: string, speaker: string): Forgotten {
  const opened = openDatabase(path);
  try {
    const { database } = opened;
    const known = database
      .prepare(
        'SELECT DISTINCT speaker FROM run_utterances WHERE speaker IS NOT NULL UNION SELECT DISTINCT speaker FROM observations WHERE speaker IS NOT NULL',
      )
      .pluck()
      .all() as string[];
    if (!known.includes(speaker)) {
      const near = nearestName(speaker, known);
      throw new EarwitnessError(
        'bad-usage',
        `expected a speaker of this store, but it knows no ${JSON.stringify(speaker)}${near ? `; did you mean ${JSON.stringify(near)}?` : ''}`,
      );
    }
    database.pragma('secure_delete = ON');
    const forgotten = database.transaction(() => remove(database, speaker))();
    // Only a rewritten file and an emptied log hold nothing of what was deleted.
    database.exec('VACUUM');
    database.pragma('wal_checkpoint(TRUNCATE)');
    return forgotten;
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    opened.close();
  }
}

function remove(database: SqliteDatabase, speaker: string): Forgotten {
  const execute = (sql: string, ...values: string[]) => database.prepare(sql).run(...values).changes;
  const theirs =
    'SELECT * FROM run_trials WHERE (run, utterance) IN (SELECT run, position FROM run_utterances WHERE speaker = ?)';
  // A sound is stored under the name it had first: what a run with another name for it took over is the same person's.
  execute('CREATE TEMP TABLE gone_observations (number INTEGER PRIMARY KEY)');
  execute(
    `INSERT INTO gone_observations SELECT number FROM observations WHERE speaker = ?
     UNION SELECT observation FROM (${theirs}) WHERE observation IS NOT NULL`,
    speaker,
    speaker,
  );
  execute('CREATE TEMP TABLE gone_sounds (hash BLOB PRIMARY KEY)');
  execute(
    `INSERT INTO gone_sounds SELECT hash FROM sounds WHERE speaker = ?
     UNION SELECT sound FROM clips JOIN (${theirs}) AS t ON t.recognizer IS NULL AND t.key = clips.hash`,
    speaker,
    speaker,
  );
  const concerned = database
    .prepare(
      `SELECT number, id FROM runs WHERE number IN (SELECT run FROM run_utterances WHERE speaker = ?)
         OR number IN (SELECT run FROM run_trials WHERE observation IN (SELECT number FROM gone_observations))`,
    )
    .all(speaker) as { number: number; id: string }[];
  execute(`DELETE FROM similarities WHERE key IN (SELECT key FROM (${theirs}) WHERE similarity)`, speaker);
  const unfinish = database.prepare('UPDATE runs SET findings = NULL WHERE number = ?');
  // What studies read beside the corpus may be about the person too.
  const unread = database.prepare("DELETE FROM run_materials WHERE run = ? AND kind = 'text'");
  for (const { number } of concerned) {
    unfinish.run(number);
    unread.run(number);
  }
  execute('DELETE FROM materials WHERE hash NOT IN (SELECT hash FROM run_materials)');
  execute(
    'DELETE FROM run_sounds WHERE (run, utterance) IN (SELECT run, position FROM run_utterances WHERE speaker = ?)',
    speaker,
  );
  execute(
    'DELETE FROM run_trials WHERE (run, utterance) IN (SELECT run, position FROM run_utterances WHERE speaker = ?)',
    speaker,
  );
  // Numbers are given again: a question must never point to what another will get.
  execute(
    'UPDATE run_trials SET observation = NULL, reused = 0 WHERE observation IN (SELECT number FROM gone_observations)',
  );
  const observations = execute('DELETE FROM observations WHERE number IN (SELECT number FROM gone_observations)');
  for (const table of ['measurements', 'qualities']) {
    execute(
      `DELETE FROM ${table} WHERE clip IN (SELECT hash FROM clips WHERE sound IN (SELECT hash FROM gone_sounds))`,
    );
  }
  execute('DELETE FROM clips WHERE sound IN (SELECT hash FROM gone_sounds)');
  const sounds = execute('DELETE FROM sounds WHERE hash IN (SELECT hash FROM gone_sounds)');
  // The places stay, so that the others keep theirs.
  const utterances = database
    .prepare(
      `UPDATE run_utterances SET id = 'forgotten-' || position, speaker = NULL,
              utterance = json_object('id', 'forgotten-' || position, 'language', 'und', 'attributes', json('{}'), 'tags', json('[]'))
       WHERE speaker = ?`,
    )
    .run(speaker).changes;
  return { utterances, observations, sounds, runs: concerned.map(({ id }) => id) };
}
