import { readTime } from '../base/clock.ts';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import { hashJson } from '../base/hash.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ClipMeasurement } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';
import type { FrozenPlan, Material, OpenOptions, Store, StoredTrial } from './contract.ts';
import type { Database, OpenedDatabase } from './database.ts';
import { openDatabase } from './open-database.ts';
import { attemptPart } from './parts/attempts.ts';
import { DamagedRowError, intactRowSql, repairHint } from './parts/checksums.ts';
import { failuresPart } from './parts/failures.ts';
import { journalPart } from './parts/journal.ts';
import { pairPart } from './parts/pairs.ts';
import { answerReader, blob, hex, type ObservationRow, predictionPart } from './parts/rows.ts';
import { type RunNumber, runNumbers, runPart } from './parts/runs.ts';

/**
 * Opens the store in one SQLite file (WAL mode) or in a PostgreSQL database, and makes it if it does not exist.
 *
 * @param path of the file, whose lock and write-ahead log lie beside it; or `postgres://user@host/database`
 * @throws EarwitnessError `store-busy` or `store`, see `openDatabase`
 * @example
 * using store = openStore('.earwitness/store.sqlite');
 * for (const run of store.runs()) console.log(run.id, run.name);
 */
export function openStore(path: string, options: OpenOptions = {}): Store & Disposable {
  const opened = openDatabase(path, options);
  const { database, marker, close } = opened;
  const numberOf = runNumbers(database);
  const parts = ((): Omit<Store, 'close' | 'unbroken'> => {
    try {
      return {
        ...runPart(database, numberOf, opened.takeRun),
        ...journalPart(database, numberOf),
        ...attemptPart(database, numberOf, marker),
        ...failuresPart(database, numberOf),
        ...clipPart(database),
        ...similarityPart(database),
        ...predictionPart(database, numberOf),
        ...trialPart(database, numberOf),
        ...pairPart(database, numberOf),
        ...evidencePart(database, numberOf),
        version: () => database.version(),
      };
    } catch (error) {
      close();
      // Its version is known, and so is what it must have: a table or a column that is missing was there.
      throw new EarwitnessError('store', `${path}: the store is damaged: ${messageOf(error)}; ${repairHint}`, {
        cause: error,
      });
    }
  })();
  const unbroken: Store['unbroken'] = async (read) => {
    for (let tries = 1; ; tries++) {
      const before = opened.breaks();
      try {
        return await read();
      } catch (error) {
        if (opened.breaks() === before || tries === maxReadings) throw error;
      }
    }
  };
  return { ...guard(parts, opened), unbroken, close, [Symbol.dispose]: close };
}

/** What breaks the connection each time is no accident. */
const maxReadings = 10;

/** Every call's errors told as sentences: a full disk can show at any write. */
function guard<Part extends object>(part: Part, { asStoreError, damage, wasCut }: OpenedDatabase): Part {
  const guarded: Record<string, unknown> = {};
  const told = (error: unknown): unknown => {
    const sentence = asStoreError(error);
    return sentence instanceof DamagedRowError ? new EarwitnessError('store', damage(), { cause: error }) : sentence;
  };
  const rowByRow = function* (rows: Generator<unknown>) {
    try {
      yield* rows;
    } catch (error) {
      throw told(error);
    }
  };
  for (const [name, method] of Object.entries(part) as [string, (...args: unknown[]) => unknown][]) {
    guarded[name] = (...args: unknown[]) => {
      for (let tries = 1; ; tries++) {
        try {
          const result = method(...args);
          return isGenerator(result) ? rowByRow(result) : result;
        } catch (error) {
          if (!wasCut(error) || tries === maxReadings) throw told(error);
        }
      }
    };
  }
  return guarded as Part;
}

function isGenerator(value: unknown): value is Generator<unknown> {
  return value instanceof Iterator && 'throw' in value;
}

/** How near in meaning texts are. The texts themselves stand in observations alone. */
function similarityPart(database: Database): Pick<Store, 'saveSimilarity'> {
  const insert = database.prepare(
    'INSERT INTO similarities (key, value, reason) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    saveSimilarity(key, { value, reason }) {
      insert.run(blob(key), value, reason ?? null);
    },
  };
}

type ClipPart = Pick<Store, 'saveClip' | 'clip' | 'saveQuality' | 'storedQuality' | 'fileHash' | 'rememberFileHash'>;

/** Sounds, the clips made of them, and what was measured. */
function clipPart(database: Database): ClipPart {
  const insertSound = database.prepare(
    'INSERT INTO sounds (hash, utterance_id, speaker) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insertClip = database.prepare('INSERT INTO clips (hash, sound) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const insertMeasurement = database.prepare(
    'INSERT INTO measurements (clip, measurement) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const selectMeasurement = database
    .prepare(`SELECT measurement FROM measurements WHERE clip = ? AND ${intactRowSql('measurements')}`)
    .pluck();
  const insertQuality = database.prepare(
    'INSERT INTO qualities (clip, measure, name, result) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const hasQuality = database.prepare('SELECT 1 FROM qualities WHERE clip = ? AND measure = ?').pluck();
  const selectFile = database
    .prepare(`SELECT hash FROM files WHERE path = ? AND size = ? AND changed_ns = ? AND ${intactRowSql('files')}`)
    .pluck();
  const insertFile = database.prepare(
    `INSERT INTO files (path, size, changed_ns, hash) VALUES (?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET size = excluded.size, changed_ns = excluded.changed_ns, hash = excluded.hash`,
  );

  return {
    saveClip: database.transaction((clip: Parameters<Store['saveClip']>[0]) => {
      insertSound.run(blob(clip.sound), clip.utteranceId, clip.speaker);
      insertClip.run(blob(clip.hash), blob(clip.sound));
      insertMeasurement.run(blob(clip.hash), JSON.stringify(clip.measurement));
    }),
    clip(hash) {
      const json = selectMeasurement.get(blob(hash)) as string | undefined;
      return json === undefined ? null : (JSON.parse(json) as ClipMeasurement);
    },
    saveQuality: database.transaction((clip: string, results: Parameters<Store['saveQuality']>[1]) => {
      for (const { key, measure, values, reason } of results) {
        const result = JSON.stringify({ values, ...(reason === undefined ? {} : { reason }) });
        insertQuality.run(blob(clip), blob(key), measure, result);
      }
    }),
    storedQuality: (clip, keys) => new Set(keys.filter((key) => hasQuality.get(blob(clip), blob(key)) !== undefined)),
    fileHash: (path, size, changedNs) => (selectFile.get(path, size, changedNs) as string | undefined) ?? null,
    rememberFileHash(path, size, changedNs, hash) {
      insertFile.run(path, size, changedNs, hash);
    },
  };
}

const pageSize = 500;

interface TrialRow extends ObservationRow {
  readonly place: number;
  readonly position: number;
  readonly answer: number;
  readonly utterance: string;
  readonly condition_name: string;
  readonly draw: number;
  readonly recognizer: number;
  readonly repeat: number;
}

/** The trials of a run, whichever batches asked them. */
function trialPart(database: Database, numberOf: RunNumber): Pick<Store, 'trials' | 'observation'> {
  const one = database.prepare(
    `SELECT transcript, extra, failure_kind, failure_message, sound_seconds, seconds, calls FROM observations WHERE number = ? AND ${intactRowSql('observations')}`,
  );
  const read = answerReader(database);
  return {
    observation(answer) {
      const row = one.get(answer) as ObservationRow | undefined;
      return row === undefined ? null : read(answer, row);
    },
    *trials(runId): Generator<StoredTrial> {
      const run = numberOf(runId);
      database.exec('DROP TABLE IF EXISTS temp.trials');
      // A question that two studies of a run asked counts once.
      database.exec(
        `CREATE TEMP TABLE trials (place INTEGER PRIMARY KEY, utterance INTEGER, condition INTEGER, draw INTEGER, repeat INTEGER, recognizer INTEGER,
           number INTEGER)`,
      );
      // Row by row, because what a function of ours is given of a row stays in memory until the step has ended.
      const whole = database.prepare(`SELECT 1 FROM run_trials WHERE run = ? AND ${intactRowSql('run_trials')}`);
      for (const _ of whole.iterate(run));
      database
        .prepare(
          `INSERT INTO temp.trials (utterance, condition, draw, repeat, recognizer, number)
           SELECT utterance, condition, draw, repeat, recognizer, min(observation) FROM run_trials
           WHERE run = ? AND recognizer IS NOT NULL AND observation IS NOT NULL
           GROUP BY utterance, condition, draw, repeat, recognizer ORDER BY utterance, condition, draw, repeat, recognizer`,
        )
        .run(run);
      const page = database.prepare(
        `SELECT t.place, t.utterance AS position, t.number AS answer, u.utterance, json_extract(c.condition, '$.name') AS condition_name,
                draw, recognizer, repeat, transcript, extra, failure_kind, failure_message, sound_seconds, seconds, calls
         FROM temp.trials AS t
         JOIN run_utterances AS u ON u.run = ? AND u.position = t.utterance
         JOIN run_conditions AS c ON c.run = u.run AND c.position = t.condition
         JOIN observations AS o ON o.number = t.number
         WHERE t.place > ? AND ${intactRowSql('run_utterances', 'u')} AND ${intactRowSql('run_conditions', 'c')} AND ${intactRowSql('observations', 'o')}
         ORDER BY t.place LIMIT ?`,
      );
      let place = 0;
      let known = { position: -1, utterance: null as Utterance | null };
      for (;;) {
        const rows = page.all(run, place, pageSize) as TrialRow[];
        for (const row of rows) {
          const { position, answer, draw, recognizer, repeat } = row;
          place = row.place;
          if (known.position !== position) known = { position, utterance: JSON.parse(row.utterance) as Utterance };
          const utterance = known.utterance!;
          const conditionName = row.condition_name;
          yield {
            utterance,
            position,
            answer,
            conditionName,
            draw,
            recognizer,
            repeat,
            observation: read(answer, row),
          };
        }
        if (rows.length < pageSize) break;
      }
      database.exec('DROP TABLE IF EXISTS temp.trials');
    },
  };
}

type EvidencePart = Pick<
  Store,
  'freezePlan' | 'frozenPlan' | 'keepMaterial' | 'materials' | 'saveSounds' | 'sounds' | 'askedTimes'
>;

/** What makes a run checkable by somebody who has neither its sounds nor its recognizers. */
function evidencePart(database: Database, numberOf: RunNumber): EvidencePart {
  const insertPlan = database.prepare(
    'INSERT INTO run_plans (run, hash, plan, frozen_at_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectPlan = database.prepare(
    `SELECT hash, plan, frozen_at_ms FROM run_plans WHERE run = ? AND ${intactRowSql('run_plans')}`,
  );
  const insertMaterial = database.prepare('INSERT INTO materials (hash, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const insertUse = database.prepare(
    `INSERT INTO run_materials (run, kind, name, hash) VALUES (?, ?, ?, ?)
     ON CONFLICT (run, kind, name) DO UPDATE SET hash = excluded.hash`,
  );
  const insertSound = database.prepare(
    'INSERT INTO run_sounds (run, utterance, identity) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const selectSounds = database.prepare(
    `SELECT utterance, identity FROM run_sounds WHERE run = ? AND utterance >= ? AND utterance < ?
       AND ${intactRowSql('run_sounds')} ORDER BY utterance`,
  );

  const frozenPlan = (runId: string): FrozenPlan | null => {
    const row = selectPlan.get(numberOf(runId)) as
      | { readonly hash: Uint8Array; readonly plan: string; readonly frozen_at_ms: number }
      | undefined;
    if (row === undefined) return null;
    return { hash: hex(row.hash), plan: JSON.parse(row.plan) as JsonObject, frozenAtMs: readTime(row.frozen_at_ms) };
  };

  return {
    frozenPlan,
    freezePlan(runId, plan, frozenAtMs) {
      insertPlan.run(numberOf(runId), blob(hashJson(plan)), JSON.stringify(plan), frozenAtMs);
      return frozenPlan(runId)!;
    },
    keepMaterial: database.transaction((runId: string, kind: string, name: string, value: Json) => {
      const hash = hashJson(value);
      insertMaterial.run(blob(hash), JSON.stringify(value));
      insertUse.run(numberOf(runId), kind, name, blob(hash));
      return hash;
    }),
    *materials(runId) {
      const rows = database
        .prepare(`SELECT kind, name, hash, value FROM run_materials JOIN materials USING (hash)
           WHERE run = ? AND ${intactRowSql('run_materials')} AND ${intactRowSql('materials')} ORDER BY kind, name`)
        .iterate(numberOf(runId)) as Iterable<{ kind: string; name: string; hash: Uint8Array; value: string }>;
      for (const { kind, name, hash, value } of rows) {
        yield { kind, name, hash: hex(hash), value: JSON.parse(value) as Json } satisfies Material;
      }
    },
    saveSounds: database.transaction((runId: string, sounds: Parameters<Store['saveSounds']>[1]) => {
      const run = numberOf(runId);
      for (const { utterance, identity } of sounds) insertSound.run(run, utterance, JSON.stringify(identity));
    }),
    sounds(runId, { from, limit }) {
      const rows = selectSounds.all(numberOf(runId), from, from + limit) as { utterance: number; identity: string }[];
      return new Map(rows.map(({ utterance, identity }) => [utterance, JSON.parse(identity) as JsonObject]));
    },
    *askedTimes(runId, batch) {
      // The last call that was made for an answer, in whichever run: one that was reused was asked there. The calls are
      // gathered once, because they are found by their keys nowhere else.
      const rows = database
        .prepare(
          `WITH calls AS MATERIALIZED (SELECT run, key, max(sent_at_ms) AS sent_at_ms FROM attempts GROUP BY run, key)
           SELECT observation IS NOT NULL AND observations.run IS DISTINCT FROM run_trials.run AS earlier, sent_at_ms FROM run_trials
           LEFT JOIN observations ON observations.number = run_trials.observation
           LEFT JOIN calls ON calls.run = observations.run AND calls.key = observations.key
           WHERE run_trials.run = ? AND batch = ? ORDER BY position`,
        )
        .iterate(numberOf(runId), batch) as Iterable<{ earlier: number; sent_at_ms: number | null }>;
      for (const { earlier, sent_at_ms } of rows) yield { earlier: earlier === 1, askedAtMs: sent_at_ms };
    },
  };
}
