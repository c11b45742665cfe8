import type { Utterance } from '../../model/utterance.ts';
import type { PairedAnswers, Store } from '../contract.ts';
import type { Database } from '../database.ts';
import { DamagedRowError, intactRowSql } from './checksums.ts';
import { answerReader, type ObservationRow, partsOf } from './rows.ts';
import type { RunNumber } from './runs.ts';

const pageSize = 500;
const same = 'USING (utterance_id, condition_name, draw, repeat)';

interface PairRow {
  readonly place: number;
  readonly condition_name: string;
  readonly draw: number;
  readonly repeat: number;
  /** Of its utterance in the run before. */
  readonly position: number;
  readonly before: number;
  readonly after: number;
}

/** Answers of two runs (or of two recognizers of one) to the same questions, side by side. */
export function pairPart(database: Database, numberOf: RunNumber): Pick<Store, 'pairs'> {
  // Which rows, before whether they are intact: SQLite puts a value that a column must equal in the column's place everywhere.
  const side = (which: string) => `
    SELECT run_trials.observation AS number, run_utterances.id AS utterance_id,
           json_extract(run_conditions.condition, '$.name') AS condition_name, draw, repeat, run_trials.utterance
    FROM run_trials
    JOIN run_utterances ON run_utterances.run = run_trials.run AND run_utterances.position = run_trials.utterance
    JOIN run_conditions ON run_conditions.run = run_trials.run AND run_conditions.position = run_trials.condition
    WHERE ${which} AND observation IS NOT NULL AND ${intactRowSql('run_trials')} AND ${intactRowSql('run_utterances')} AND ${intactRowSql('run_conditions')}`;

  return {
    pairs(before, after) {
      database.exec('DROP TABLE IF EXISTS temp.before; DROP TABLE IF EXISTS temp.after');
      for (const [name, { run, recognizer }] of [
        ['before', before],
        ['after', after],
      ] as const) {
        // A question that two studies of a run asked counts once.
        database.exec(
          `CREATE TEMP TABLE ${name} (place INTEGER PRIMARY KEY, number INTEGER, utterance_id TEXT, condition_name TEXT, draw INTEGER, repeat INTEGER, utterance INTEGER,
             UNIQUE (utterance_id, condition_name, draw, repeat))`,
        );
        const asked = { condition: 'run_trials.run = ? AND recognizer = ?', values: [numberOf(run), recognizer] };
        for (const { condition, values } of partsOf(
          database,
          'run_trials',
          'run_trials.batch, run_trials.position',
          asked,
        )) {
          database
            .prepare(
              `INSERT INTO temp.${name} (number, utterance_id, condition_name, draw, repeat, utterance)
               ${side(condition)} ORDER BY batch, run_trials.position ON CONFLICT DO NOTHING`,
            )
            .run(...values);
        }
      }
      const unpaired = { onlyBefore: 0, onlyAfter: 0 };
      const conditions = new Map<string, { onlyBefore: number; onlyAfter: number; utterances: string[] }>();
      for (const [side, one, other] of [
        ['onlyBefore', 'before', 'after'],
        ['onlyAfter', 'after', 'before'],
      ] as const) {
        const alone = database
          .prepare(
            `SELECT condition_name, utterance_id FROM temp.${one} AS one
             WHERE NOT EXISTS (SELECT 1 FROM temp.${other} AS o WHERE o.utterance_id = one.utterance_id
               AND o.condition_name = one.condition_name AND o.draw = one.draw AND o.repeat = one.repeat) ORDER BY one.place`,
          )
          .iterate() as Iterable<{ readonly condition_name: string; readonly utterance_id: string }>;
        for (const { condition_name: name, utterance_id: id } of alone) {
          const counts = conditions.get(name) ?? { onlyBefore: 0, onlyAfter: 0, utterances: [] };
          conditions.set(name, counts);
          unpaired[side]++;
          counts[side]++;
          if (counts.utterances.length < 4 && !counts.utterances.includes(id)) counts.utterances.push(id);
        }
      }
      return {
        unpaired: { ...unpaired, conditions: [...conditions].map(([condition, counts]) => ({ condition, ...counts })) },
        pairs: readPairs(database, numberOf(before.run)),
      };
    },
  };
}

function* readPairs(database: Database, run: number): Generator<PairedAnswers> {
  const page = database.prepare(
    `SELECT b.place, b.number AS before, a.number AS after, condition_name, draw, repeat, b.utterance AS position
     FROM temp.before AS b JOIN temp.after AS a ${same} WHERE b.place > ? ORDER BY b.place LIMIT ?`,
  );
  const observation = database.prepare(
    `SELECT transcript, extra, failure_kind, failure_message, sound_seconds, seconds, calls FROM observations WHERE number = ? AND ${intactRowSql('observations')}`,
  );
  const readAnswer = answerReader(database);
  const read = (number: number) => {
    const row = observation.get(number) as ObservationRow | undefined;
    if (row === undefined) throw new DamagedRowError('observations');
    return readAnswer(number, row);
  };
  const utterances = database.prepare('SELECT utterance FROM run_utterances WHERE run = ? AND position = ?').pluck();
  let last = { position: -1, utterance: null as Utterance | null };
  let place = 0;
  for (;;) {
    const rows = page.all(place, pageSize) as PairRow[];
    for (const row of rows) {
      place = row.place;
      if (last.position !== row.position) {
        const utterance = JSON.parse(utterances.get(run, row.position) as string) as Utterance;
        last = { position: row.position, utterance };
      }
      yield {
        utterance: last.utterance!,
        conditionName: row.condition_name,
        draw: row.draw,
        repeat: row.repeat,
        before: read(row.before),
        after: read(row.after),
      };
    }
    if (rows.length < pageSize) return;
  }
}
