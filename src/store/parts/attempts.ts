import type { RunTally } from '../../model/run.ts';
import { type Spent, type Store, speechPlace, type Wait } from '../contract.ts';
import type { Database, KeptMarker } from '../database.ts';
import { intactRowSql } from './checksums.ts';
import { blob, toRow } from './rows.ts';
import type { RunNumber } from './runs.ts';

type AttemptPart = Pick<
  Store,
  'record' | 'openAttempts' | 'recallAttempts' | 'loseAttempts' | 'spent' | 'tally' | 'waits'
>;

/** Every call, journaled before it is made, and what it gave. */
export function attemptPart(database: Database, numberOf: RunNumber, marker: KeptMarker | null): AttemptPart {
  const begin = database.prepare(
    `INSERT INTO attempts (run, batch, position, key, sent_at_ms, state, seconds, price, currency)
     VALUES (?, ?, ?, ?, ?, 'sent', ?, ?, ?)`,
  );
  const end = database.prepare(
    `UPDATE attempts SET state = ?, price = coalesce(?, price), currency = coalesce(?, currency), seconds = CASE WHEN ? = 1 THEN 0 ELSE seconds END,
       again_at_ms = ? WHERE number = ?`,
  );
  const keep = database.prepare(
    `INSERT INTO observations (run, key, utterance_id, speaker, transcript, extra, failure_kind, failure_message, sound_seconds, seconds, calls)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // The number of what was kept just before, which would have to be waited for.
  const link = database.prepare(
    'UPDATE run_trials SET observation = last_insert_rowid() WHERE run = ? AND batch = ? AND position = ?',
  );

  const record = database.transaction((runId: string, entries: Parameters<Store['record']>[1]) => {
    const run = numberOf(runId);
    for (const { state, price, attempt, unheard = false, againAtMs = null } of entries.end ?? []) {
      end.run(state, price?.amount ?? null, price?.currency ?? null, unheard ? 1 : 0, againAtMs, attempt);
    }
    const kept = (entries.answers ?? []).map(({ place, key, utteranceId, speaker, observation }) => {
      const row = toRow(observation);
      const number = keep.insert(
        run,
        blob(key),
        utteranceId,
        speaker,
        row.transcript,
        row.extra,
        row.failure_kind,
        row.failure_message,
        row.sound_seconds,
        row.seconds,
        row.calls,
      );
      link.run(run, place.batch, place.position);
      return number;
    });
    const begun = (entries.begin ?? []).map(({ place, key, sentAtMs, reservedSeconds, reservedPrice }) =>
      begin.insert(
        run,
        place.batch,
        place.position,
        blob(key),
        sentAtMs,
        reservedSeconds,
        reservedPrice?.amount ?? null,
        reservedPrice?.currency ?? null,
      ),
    );
    return { kept, begun };
  });

  return {
    record(runId, entries) {
      const { kept, begun } = record(runId, entries);
      const numbers = begun.map((number) => number());
      if (marker !== null && kept.length + begun.length > 0)
        marker.note({ observation: kept.at(-1)?.() ?? 0, attempt: numbers.at(-1) ?? 0 });
      return numbers;
    },
    openAttempts: (runId) =>
      database
        .prepare("SELECT number FROM attempts WHERE run = ? AND state = 'sent'")
        .pluck()
        .all(numberOf(runId)) as number[],
    recallAttempts: database.transaction((runId: string, unmade: readonly number[]) => {
      const run = numberOf(runId);
      const recall = database.prepare(
        "UPDATE attempts SET state = 'recalled', price = 0 * price, seconds = 0 WHERE run = ? AND state = 'sent' AND number = ?",
      );
      for (const number of unmade) recall.run(run, number);
    }),
    loseAttempts: database.transaction((runId: string, mayCost: readonly boolean[]) => {
      const run = numberOf(runId);
      const free = database.prepare(
        `UPDATE attempts SET state = 'cut off' WHERE run = @run AND state = 'sent' AND EXISTS (
           SELECT 1 FROM run_trials WHERE run_trials.run = @run AND run_trials.batch = attempts.batch
             AND run_trials.position = attempts.position AND recognizer = @recognizer)`,
      );
      mayCost.forEach((may, recognizer) => {
        if (!may) free.run({ run, recognizer });
      });
      return database.prepare("UPDATE attempts SET state = 'lost' WHERE run = ? AND state = 'sent'").run(run).changes;
    }),
    spent(runId): Spent {
      const run = numberOf(runId);
      const total = { calls: 0, audioSeconds: 0 };
      const calls = database
        .prepare(
          `SELECT seconds FROM attempts WHERE run = ? AND batch <> ? AND state <> 'recalled' AND ${intactRowSql('attempts')}`,
        )
        .iterate(run, speechPlace.batch);
      for (const { seconds } of calls as Iterable<{ seconds: number }>) {
        total.calls++;
        total.audioSeconds += seconds;
      }
      const amounts = database
        .prepare(
          `SELECT currency, sum(price) AS amount, coalesce(sum(price) FILTER (WHERE batch = @batch), 0) AS speech FROM attempts
           WHERE run = @run AND currency IS NOT NULL GROUP BY currency`,
        )
        .all({ run, batch: speechPlace.batch }) as { currency: string; amount: number; speech: number }[];
      return {
        ...total,
        money: Object.fromEntries(amounts.map(({ currency, amount }) => [currency, amount])),
        speech: Object.fromEntries(
          amounts.filter(({ speech }) => speech > 0).map(({ currency, speech }) => [currency, speech]),
        ),
      };
    },
    waits(runId, nowMs) {
      const rows = database
        .prepare(
          `SELECT recognizer, max(again_at_ms) AS "untilMs" FROM attempts JOIN run_trials USING (run, batch, position)
           WHERE run = ? AND state = 'again' AND again_at_ms > ? AND recognizer IS NOT NULL GROUP BY recognizer`,
        )
        .all(numberOf(runId), nowMs) as Wait[];
      return rows.map(({ recognizer, untilMs }) => ({ recognizer, untilMs }));
    },
    tally(runId): RunTally {
      const run = numberOf(runId);
      const trials = database
        .prepare(
          // What several studies ask is one trial; what this run answered was not stored before, however often it was taken over.
          `SELECT CASE WHEN observations.run <> @run THEN 1 ELSE 0 END AS reused, transcript IS NOT NULL AS answered, failure_kind AS kind
           FROM (SELECT max(observation) AS found FROM run_trials WHERE run = @run AND recognizer IS NOT NULL
                 GROUP BY recognizer, utterance, condition, draw, repeat) AS trials
           LEFT JOIN observations ON observations.number = found AND ${intactRowSql('observations')}`,
        )
        .iterate({ run }) as Iterable<{ reused: number; answered: number; kind: string | null }>;
      const counts = { trials: 0, answered: 0, reused: 0, failed: 0 };
      const kinds = new Map<string, number>();
      for (const { reused, answered, kind } of trials) {
        counts.trials++;
        counts.answered += answered;
        counts.reused += reused;
        // Nobody was asked what cannot be asked: that is told of the condition.
        if (kind === null || kind === 'inapplicable') continue;
        counts.failed++;
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      const lost = database
        .prepare("SELECT count(*) FROM attempts WHERE run = ? AND state = 'lost'")
        .pluck()
        .get(run) as number;
      return {
        ...counts,
        failures: Object.fromEntries([...kinds].sort(([a], [b]) => (a < b ? -1 : 1))),
        possiblyPaid: lost,
      };
    },
  };
}
