import type { Utterance } from '../../model/utterance.ts';
import type { Store, StoredTrial } from '../contract.ts';
import { intact } from './checksums.ts';
import type { SqliteDatabase } from './database.ts';
import { fromRow, type ObservationRow } from './rows.ts';
import type { RunNumber } from './runs.ts';

const pageSize = 500;

interface TrialRow extends ObservationRow {
  readonly place: number;
  readonly position: number;
  readonly utterance: string;
  readonly condition_name: string;
  readonly draw: number;
  readonly recognizer: number;
  readonly repeat: number;
}

/** The trials of a run, whichever batches asked them. */
export function trialPart(database: SqliteDatabase, numberOf: RunNumber): Pick<Store, 'trials'> {
  return {
    *trials(runId): Generator<StoredTrial> {
      const run = numberOf(runId);
      database.exec('DROP TABLE IF EXISTS temp.trials');
      // A question that two studies of a run asked counts once.
      database.exec(
        `CREATE TEMP TABLE trials (utterance INTEGER, condition INTEGER, draw INTEGER, repeat INTEGER, recognizer INTEGER,
           number INTEGER)`,
      );
      // Row by row, because what a function of ours is given of a row stays in memory until the step has ended.
      const whole = database.prepare(`SELECT 1 FROM run_trials WHERE run = ? AND ${intact('run_trials')}`);
      for (const _ of whole.iterate(run));
      database
        .prepare(
          `INSERT INTO temp.trials SELECT utterance, condition, draw, repeat, recognizer, min(observation) FROM run_trials
           WHERE run = ? AND recognizer IS NOT NULL AND observation IS NOT NULL
           GROUP BY utterance, condition, draw, repeat, recognizer ORDER BY utterance, condition, draw, repeat, recognizer`,
        )
        .run(run);
      const page = database.prepare(
        `SELECT t.rowid AS place, t.utterance AS position, u.utterance, json_extract(c.condition, '$.name') AS condition_name,
                draw, recognizer, repeat, transcript, extra, failure_kind, failure_message, sound_seconds, seconds, calls
         FROM temp.trials AS t
         JOIN run_utterances AS u ON u.run = ? AND u.position = t.utterance
         JOIN run_conditions AS c ON c.run = u.run AND c.position = t.condition
         JOIN observations AS o ON o.number = t.number
         WHERE t.rowid > ? AND ${intact('run_utterances', 'u')} AND ${intact('run_conditions', 'c')} AND ${intact('observations', 'o')}
         ORDER BY t.rowid LIMIT ?`,
      );
      let place = 0;
      let known = { position: -1, utterance: null as Utterance | null };
      for (;;) {
        const rows = page.all(run, place, pageSize) as TrialRow[];
        for (const row of rows) {
          const { position, draw, recognizer, repeat } = row;
          place = row.place;
          if (known.position !== position) known = { position, utterance: JSON.parse(row.utterance) as Utterance };
          const utterance = known.utterance!;
          yield { utterance, conditionName: row.condition_name, draw, recognizer, repeat, observation: fromRow(row) };
        }
        if (rows.length < pageSize) break;
      }
      database.exec('DROP TABLE IF EXISTS temp.trials');
    },
  };
}
