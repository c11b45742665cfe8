import { hashJson } from '../../base/hash.ts';
import type { TextSimilarity } from '../../model/text-services.ts';
import type { ClipMeasurement, ClipQuality } from '../../model/trial.ts';
import type { AnsweredQuestion, BatchRecord, PlannedQuestion, Store } from '../contract.ts';
import type { Database } from '../database.ts';
import { DamagedRowError, intactRowSql } from './checksums.ts';
import { answerReader, blob, hex, maxAtOnce, type ObservationRow, type PredictionRow, predictionOf } from './rows.ts';
import type { RunNumber } from './runs.ts';

interface QuestionRow {
  readonly position: number;
  readonly key: Uint8Array;
  readonly utterance: number;
  readonly condition: number;
  readonly draw: number;
  readonly recognizer: number | null;
  readonly repeat: number;
  readonly twin: number;
  readonly quality: Uint8Array | null;
  readonly similarity: number;
  readonly asks: 'prediction' | 'elapsed' | null;
}

interface AnswerRow extends QuestionRow, ObservationRow, PredictionRow {
  readonly observation: number | null;
  readonly answered_by: number | null;
  readonly measurement: string | null;
  readonly similarity_stored: number;
  readonly similarity_value: number | null;
  readonly similarity_reason: string | null;
  readonly elapsed_seconds: number | null;
}

/** Whether everything that a question to no recognizer wants to know is stored. */
const measured = `(CASE WHEN run_trials.similarity = 1 THEN EXISTS (SELECT 1 FROM similarities WHERE similarities.key = run_trials.key)
  WHEN run_trials.asks = 'prediction' THEN EXISTS (SELECT 1 FROM predictions WHERE predictions.key = run_trials.key)
  WHEN run_trials.asks = 'elapsed' THEN EXISTS (SELECT 1 FROM elapsed WHERE elapsed.key = run_trials.key)
  ELSE EXISTS (SELECT 1 FROM measurements WHERE clip = run_trials.key)
  AND NOT EXISTS (SELECT 1 FROM quality_sets AS wanted WHERE wanted.hash = run_trials.quality
    AND NOT EXISTS (SELECT 1 FROM qualities AS q WHERE q.clip = run_trials.key AND q.measure = wanted.measure)) END)`;

function toQuestion(row: QuestionRow, sets: QualitySets): PlannedQuestion {
  return {
    position: row.position,
    key: hex(row.key),
    utterance: row.utterance,
    condition: row.condition,
    draw: row.draw,
    recognizer: row.recognizer,
    repeat: row.repeat,
    twin: row.twin === 1,
    ...(row.quality === null ? {} : { quality: sets.keysOf(row.quality) }),
    ...(row.similarity === 1 ? { asks: 'similarity' as const } : {}),
    ...(row.asks === null ? {} : { asks: row.asks }),
  };
}

/** What is stored of a clip, with the quality that the question asked for. */
function withQuality(row: AnswerRow, sets: QualitySets): ClipMeasurement {
  const measurement = JSON.parse(row.measurement!) as ClipMeasurement;
  return row.quality === null ? measurement : { ...measurement, quality: sets.qualityOf(row.key, row.quality) };
}

function similarityOf(row: AnswerRow): TextSimilarity | null {
  if (row.similarity_stored === 0) return null;
  const { similarity_value: value, similarity_reason: reason } = row;
  return { value, ...(reason === null ? {} : { reason }) };
}

type JournalPart = Pick<
  Store,
  | 'batches'
  | 'beginBatch'
  | 'plan'
  | 'completeBatch'
  | 'open'
  | 'countOpen'
  | 'countOpenRecognitions'
  | 'progress'
  | 'answers'
  | 'linkBatch'
  | 'linkStored'
>;

/** What a run has asked, in order, and which observation answers each question. */
export function journalPart(database: Database, numberOf: RunNumber): JournalPart {
  const sets = qualitySets(database);
  const isFresh = database.prepare(`SELECT fresh FROM runs WHERE number = ? AND ${intactRowSql('runs')}`).pluck();
  // A later answer to the same question is the better one (a fresh run), so the newest is taken. Failures are final in
  // their own run, and nothing in another.
  const usable = (key: string, run: string, fresh: string) =>
    `FROM observations WHERE observations.key = ${key} AND (observations.run = ${run} OR (transcript IS NOT NULL AND ${fresh} = 0))`;
  const newest = (from: string) => `(SELECT max(number) ${from} AND ${intactRowSql('observations')})`;
  // By names alone: older versions of Node.js know no numbers of places.
  const stored = `${usable('@key', '@run', '@fresh')} AND CAST(@recognizer AS bigint) IS NOT NULL`;
  const insert = database.prepare(
    `INSERT INTO run_trials (run, batch, position, key, utterance, condition, draw, recognizer, repeat, twin, quality, similarity, asks, observation, reused)
     VALUES (@run, @batch, @position, @key, @utterance, @condition, @draw, @recognizer, @repeat, @twin, @quality, @similarity, @asks, ${newest(stored)},
       CASE WHEN EXISTS (SELECT 1 ${stored}) THEN 1 ELSE 0 END)`,
  );
  const usableTo = usable('run_trials.key', '@run', '@fresh');
  const link = database.prepare(
    `UPDATE run_trials SET observation = ${newest(usableTo)}, reused = @reused
     WHERE run = @run AND batch = @batch AND position >= @from AND position < @end AND recognizer IS NOT NULL
       AND observation IS NULL AND EXISTS (SELECT 1 ${usableTo})`,
  );
  const columns = 'position, key, utterance, condition, draw, recognizer, repeat, twin, quality, similarity, asks';
  const openTrials = database.prepare(
    `SELECT ${columns} FROM run_trials
     WHERE run = ? AND batch = ? AND position > ? AND recognizer = ? AND observation IS NULL
       AND ${intactRowSql('run_trials')} ORDER BY position LIMIT ?`,
  );
  const openMeasurements = database.prepare(
    `SELECT ${columns} FROM run_trials
     WHERE run = ? AND batch = ? AND position > ? AND recognizer IS NULL AND observation IS NULL
       AND NOT ${measured} AND ${intactRowSql('run_trials')} ORDER BY position LIMIT ?`,
  );
  const answered = database.prepare(
    `SELECT run_trials.position, run_trials.key, run_trials.utterance, run_trials.condition, run_trials.draw,
            run_trials.recognizer, run_trials.repeat, run_trials.twin, run_trials.quality, run_trials.similarity, run_trials.asks,
            run_trials.observation, observations.number AS answered_by,
            transcript, extra, failure_kind, failure_message, sound_seconds, observations.seconds AS seconds, calls,
            CASE WHEN recognizer IS NULL THEN (SELECT measurement FROM measurements
              WHERE clip = run_trials.key AND ${intactRowSql('measurements')}) END AS measurement,
            similarities.key IS NOT NULL AS similarity_stored, similarities.value AS similarity_value,
            similarities.reason AS similarity_reason, predictions.determinable AS prediction_determinable,
            predictions.failing AS prediction_failing, predictions.seconds AS prediction_seconds, elapsed.seconds AS elapsed_seconds
     FROM run_trials LEFT JOIN observations ON observations.number = run_trials.observation AND observations.key = run_trials.key
       AND ${intactRowSql('observations')}
     LEFT JOIN similarities ON run_trials.similarity = 1 AND similarities.key = run_trials.key AND ${intactRowSql('similarities')}
     LEFT JOIN predictions ON run_trials.asks = 'prediction' AND predictions.key = run_trials.key AND ${intactRowSql('predictions')}
     LEFT JOIN elapsed ON run_trials.asks = 'elapsed' AND elapsed.key = run_trials.key AND ${intactRowSql('elapsed')}
     WHERE run_trials.run = ? AND run_trials.batch = ? AND run_trials.position >= ? AND ${intactRowSql('run_trials')} ORDER BY run_trials.position LIMIT ?`,
  );
  // Its row holds the whole config: it is checked once.
  const freshRuns = new Map<number, boolean>();
  const freshOf = (run: number): boolean => {
    const fresh = freshRuns.get(run) ?? isFresh.get(run) === 1;
    freshRuns.set(run, fresh);
    return fresh;
  };
  const readAnswer = answerReader(database);
  const lastPosition = database.prepare('SELECT max(position) FROM run_trials WHERE run = ? AND batch = ?').pluck();
  const wholeSize = database
    .prepare(
      `SELECT CASE WHEN keys_hash IS NOT NULL AND forgotten_at_ms IS NULL THEN size END
       FROM run_batches JOIN runs ON runs.number = run WHERE run = ? AND batch = ? AND ${intactRowSql('run_batches')}`,
    )
    .pluck();

  const linkFrom = (run: number, batch: number, from: number, end: number, reused: 0 | 1) =>
    link.run({ run, batch, from, end, reused, fresh: freshOf(run) ? 1 : 0 }).changes;

  return {
    batches: (runId) =>
      (
        database
          .prepare(
            `SELECT batch, study, keys_hash AS "keysHash", size FROM run_batches
             WHERE run = ? AND ${intactRowSql('run_batches')} ORDER BY batch`,
          )
          .all(numberOf(runId)) as BatchRecord[]
      ).map((record) => ({ ...record })),
    beginBatch: database.transaction((runId: string, batch: number, study: string) => {
      const run = numberOf(runId);
      database.prepare('DELETE FROM run_trials WHERE run = ? AND batch = ?').run(run, batch);
      database
        .prepare(`INSERT INTO run_batches (run, batch, study) VALUES (?, ?, ?)
           ON CONFLICT (run, batch) DO UPDATE SET study = excluded.study, size = 0, keys_hash = NULL`)
        .run(run, batch, study);
    }),
    plan: database.transaction((runId: string, batch: number, questions: readonly PlannedQuestion[]) => {
      const run = numberOf(runId);
      const fresh = freshOf(run) ? 1 : 0;
      for (const question of questions) {
        const { position, utterance, condition, draw, recognizer, repeat, asks } = question;
        insert.run({
          ...{ run, batch, position, utterance, condition, draw, recognizer, repeat, fresh },
          key: blob(question.key),
          twin: question.twin ? 1 : 0,
          quality: sets.keep(question.quality),
          similarity: asks === 'similarity' ? 1 : 0,
          asks: asks === 'prediction' || asks === 'elapsed' ? asks : null,
        });
      }
    }),
    completeBatch(runId, batch, keysHash, size) {
      database
        .prepare('UPDATE run_batches SET keys_hash = ?, size = ? WHERE run = ? AND batch = ?')
        .run(keysHash, size, numberOf(runId), batch);
    },
    open(runId, batch, { recognizer, after, limit }) {
      const run = numberOf(runId);
      const rows =
        recognizer === null
          ? openMeasurements.all(run, batch, after, limit)
          : openTrials.all(run, batch, after, recognizer, limit);
      return (rows as QuestionRow[]).map((row) => toQuestion(row, sets));
    },
    countOpen(runId, batch, recognizer) {
      const run = numberOf(runId);
      const from = 'SELECT count(*) FROM run_trials WHERE run = ? AND batch = ?';
      const count =
        recognizer === null
          ? database
              .prepare(`${from} AND recognizer IS NULL AND observation IS NULL AND NOT ${measured}`)
              .pluck()
              .get(run, batch)
          : database.prepare(`${from} AND recognizer = ? AND observation IS NULL`).pluck().get(run, batch, recognizer);
      return count as number;
    },
    countOpenRecognitions(runId, recognizer) {
      return database
        .prepare('SELECT count(DISTINCT key) FROM run_trials WHERE run = ? AND recognizer = ? AND observation IS NULL')
        .pluck()
        .get(numberOf(runId), recognizer) as number;
    },
    progress(runId, batch) {
      const counts = database
        .prepare(
          `SELECT count(*) FILTER (WHERE observation IS NOT NULL OR (recognizer IS NULL AND ${measured})) AS answered,
                  coalesce(sum(reused), 0) AS reused,
                  count(recognizer) AS trials,
                  count(*) FILTER (WHERE recognizer IS NOT NULL AND observation IS NOT NULL) AS "answeredTrials"
           FROM run_trials WHERE run = ? AND batch = ?`,
        )
        .get(numberOf(runId), batch) as { answered: number; reused: number; trials: number; answeredTrials: number };
      const { answered, reused, trials: planned, answeredTrials } = counts;
      return { answered, reused, trials: { planned, answered: answeredTrials } };
    },
    answers(runId, batch, { from, limit }) {
      const run = numberOf(runId);
      const rows = answered.all(run, batch, from, limit) as AnswerRow[];
      // Where a person was forgotten, there are gaps.
      const size = wholeSize.get(run, batch) as number | null | undefined;
      if (typeof size === 'number' && rows.length < Math.min(limit, size - from))
        throw new DamagedRowError('run_trials');
      return rows.map((row, index): AnsweredQuestion => {
        if (typeof size === 'number' && row.position !== from + index) throw new DamagedRowError('run_trials');
        // The answer to another question, or none where there was one.
        if (row.observation !== row.answered_by) throw new DamagedRowError('observations');
        return {
          ...toQuestion(row, sets),
          observation: row.observation === null ? null : readAnswer(row.observation, row),
          measurement: row.measurement === null ? null : withQuality(row, sets),
          similarity: similarityOf(row),
          prediction: predictionOf(row),
          elapsedSeconds: row.elapsed_seconds,
        };
      });
    },
    linkBatch(runId, batch) {
      const run = numberOf(runId);
      const last = lastPosition.get(run, batch) as number | null;
      for (let from = 0; from <= (last ?? -1); from += maxAtOnce) {
        linkFrom(run, batch, from, from + maxAtOnce, 1);
      }
    },
    linkStored: (runId, { batch, position }) => linkFrom(numberOf(runId), batch, position, position + 1, 0) === 1,
  };
}

/** Sets of measures that questions ask for, each stored once and named by a hash of its keys. */
interface QualitySets {
  /** The name of a set, which is stored; null for none. */
  keep(keys: readonly string[] | undefined): Buffer | null;
  keysOf(set: Uint8Array): readonly string[];
  /** What the measures of a set said of a clip, by their names. */
  qualityOf(clip: Uint8Array, set: Uint8Array): Readonly<Record<string, ClipQuality>>;
}

function qualitySets(database: Database): QualitySets {
  const insert = database.prepare('INSERT INTO quality_sets VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = database.prepare('SELECT measure FROM quality_sets WHERE hash = ? ORDER BY measure').pluck();
  const results = database.prepare(
    `SELECT name, result FROM qualities JOIN quality_sets USING (measure)
     WHERE clip = ? AND quality_sets.hash = ? AND ${intactRowSql('qualities')} ORDER BY name`,
  );
  // A run asks for one set, or a few.
  const known = new Map<string, readonly string[]>();
  return {
    keep(keys = []) {
      if (keys.length === 0) return null;
      const set = blob(hashJson({ quality: [...keys].sort() }));
      for (const key of keys) insert.run(set, blob(key));
      return set;
    },
    keysOf(set) {
      const name = hex(set);
      let keys = known.get(name);
      if (keys === undefined) {
        keys = (select.all(set) as Uint8Array[]).map(hex);
        known.set(name, keys);
      }
      return keys;
    },
    qualityOf(clip, set) {
      const rows = results.all(clip, set) as { name: string; result: string }[];
      return Object.fromEntries(rows.map(({ name, result }) => [name, JSON.parse(result) as ClipQuality]));
    },
  };
}
