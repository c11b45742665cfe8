import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { readTime } from '../../base/clock.ts';
import type { Finding } from '../../model/finding.ts';
import { storedFinding } from '../../model/stored-finding.ts';
import type { Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { NewRun, RunOutput, RunRecord, Store } from '../contract.ts';
import type { Database } from '../database.ts';
import { DamagedRowError, intactRowSql } from './checksums.ts';

interface RunRow {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  readonly config: string;
  readonly seed: number;
  readonly fresh: number;
  readonly parent: string | null;
  readonly recognizers: string;
  readonly started_at_ms: number;
  readonly finished_at_ms: number | null;
  readonly utterances_complete: number;
  readonly utterance_count: number;
  readonly forgotten_at_ms: number | null;
  readonly merged: number;
  readonly report_missing: number;
}

/** As they came into this store, by a run or a merge: clocks are set back, and those of other machines are ahead. */
export const newestFirst = 'number DESC';

const selectRuns = `SELECT runs.number, runs.id, name, purpose, config, seed, fresh, parent, recognizers, started_at_ms, finished_at_ms, utterances_complete, forgotten_at_ms, merged, EXISTS (SELECT 1 FROM run_outputs WHERE run = runs.number AND kind = 'report' AND written = 0) AS report_missing, (SELECT count(*) FROM run_utterances WHERE run = runs.number AND made = 0) AS utterance_count FROM runs WHERE ${intactRowSql('runs')}`;

function toRecord(row: RunRow): RunRecord {
  return {
    id: row.id,
    name: row.name,
    purpose: row.purpose,
    config: JSON.parse(row.config),
    seed: row.seed,
    fresh: row.fresh === 1,
    parent: row.parent,
    recognizers: JSON.parse(row.recognizers),
    startedAtMs: readTime(row.started_at_ms),
    finishedAtMs: row.finished_at_ms === null ? null : readTime(row.finished_at_ms),
    utterancesComplete: row.utterances_complete === 1,
    utteranceCount: row.utterance_count,
    forgottenAtMs: row.forgotten_at_ms,
    merged: row.merged === 1,
    reportMissing: row.report_missing === 1,
  };
}

/** Time first, so that ids sort by age; then chance, so that they are unique in the world. */
function newId(startedAtMs: number): string {
  const time = new Date(startedAtMs).toISOString().replace(/[-:]/g, '').slice(0, 15);
  return `${time}-${randomBytes(4).toString('hex')}`;
}

/** Finds the number that a run has inside this database. */
export type RunNumber = (id: string) => number;

/** Each is looked up once and remembered. */
export function runNumbers(database: Database): RunNumber {
  const select = database.prepare('SELECT number FROM runs WHERE id = ?').pluck();
  const known = new Map<string, number>();
  return (id) => {
    let number = known.get(id);
    if (number === undefined) {
      number = select.get(id) as number | undefined;
      if (number === undefined) throw new Error(`no run ${id}`);
      known.set(id, number);
    }
    return number;
  };
}

type RunPart = Pick<
  Store,
  | 'createRun'
  | 'takeRun'
  | 'runs'
  | 'run'
  | 'stateOf'
  | 'finishRun'
  | 'findings'
  | 'keepWarnings'
  | 'warnings'
  | 'noteOutput'
  | 'outputs'
  | 'addUtterances'
  | 'completeUtterances'
  | 'utterances'
  | 'positionOf'
  | 'addCondition'
  | 'conditions'
>;

/** Runs, and what each is about. */
export function runPart(database: Database, numberOf: RunNumber, takeRun: (run: number) => void): RunPart {
  const insert = database.prepare(
    `INSERT INTO runs (id, name, purpose, config, seed, fresh, parent, recognizers, started_at_ms)
     VALUES (@id, @name, @purpose, @config, @seed, @fresh, @parent, @recognizers, @startedAtMs)`,
  );
  const byId = database.prepare(`${selectRuns} AND id = ?`);
  const insertUtterance = database.prepare(
    'INSERT INTO run_utterances (run, position, id, speaker, utterance, made) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const selectUtterances = database.prepare(
    `SELECT position, utterance FROM run_utterances WHERE run = ? AND position >= ? AND ${intactRowSql('run_utterances')}
       ORDER BY position LIMIT ?`,
  );
  const selectPosition = database
    .prepare(
      `SELECT position FROM run_utterances WHERE run = ? AND id = ? AND ${intactRowSql('run_utterances')} ORDER BY position LIMIT 1`,
    )
    .pluck();

  const read = (id: string) => {
    const row = byId.get(id) as RunRow | undefined;
    return row ? toRecord(row) : null;
  };

  return {
    createRun(run: NewRun, id = newId(run.startedAtMs)) {
      insert.run({
        ...run,
        id,
        fresh: run.fresh ? 1 : 0,
        config: JSON.stringify(run.config),
        recognizers: JSON.stringify(run.recognizers),
      });
      takeRun(numberOf(id));
      return read(id)!;
    },
    takeRun: (id) => takeRun(numberOf(id)),
    runs: () => (database.prepare(`${selectRuns} ORDER BY ${newestFirst}`).all() as RunRow[]).map(toRecord),
    run(wanted) {
      const select =
        wanted === 'last'
          ? database.prepare(`${selectRuns} ORDER BY ${newestFirst} LIMIT 1`).all()
          : database.prepare(`${selectRuns} AND substr(id, 1, length(?)) = ? LIMIT 2`).all(wanted, wanted);
      const rows = select as RunRow[];
      return rows.length === 1 ? toRecord(rows[0]!) : read(wanted);
    },
    stateOf(id) {
      const row = database.prepare('SELECT checksum, warnings FROM runs WHERE id = ?').get(id) as
        | { readonly checksum: number; readonly warnings: string | null }
        | undefined;
      return row === undefined ? '' : `${row.checksum} ${crc32(row.warnings ?? '')}`;
    },
    finishRun(id, finishedAtMs, findings) {
      database
        .prepare('UPDATE runs SET finished_at_ms = coalesce(finished_at_ms, ?), findings = ? WHERE id = ?')
        .run(finishedAtMs, JSON.stringify(findings), id);
    },
    noteOutput({ run, kind, path }, written) {
      database
        .prepare(`INSERT INTO run_outputs (run, path, kind, written) VALUES (?, ?, ?, ?)
           ON CONFLICT (run, path) DO UPDATE SET kind = excluded.kind, written = excluded.written`)
        .run(numberOf(run), path, kind, written ? 1 : 0);
    },
    outputs: (written) =>
      database
        .prepare(
          'SELECT runs.id AS run, kind, path FROM run_outputs JOIN runs ON runs.number = run WHERE written = ? ORDER BY path',
        )
        .all(written ? 1 : 0) as RunOutput[],
    findings(id) {
      const json = database
        .prepare(`SELECT findings FROM runs WHERE id = ? AND ${intactRowSql('runs')}`)
        .pluck()
        .get(id) as string | null | undefined;
      return json ? storedFindings(json) : null;
    },
    keepWarnings(id, warnings) {
      database.prepare('UPDATE runs SET warnings = ? WHERE id = ?').run(JSON.stringify(warnings), id);
    },
    warnings(id) {
      const json = database.prepare('SELECT warnings FROM runs WHERE id = ?').pluck().get(id) as string | null;
      return json === null ? null : (JSON.parse(json) as readonly string[]);
    },
    addUtterances: database.transaction((runId: string, firstPosition: number, utterances: readonly Utterance[]) => {
      const run = numberOf(runId);
      utterances.forEach((utterance, index) => {
        insertUtterance.run(
          run,
          firstPosition + index,
          utterance.id,
          utterance.speaker ?? null,
          JSON.stringify(utterance),
          utterance.made === undefined ? 0 : 1,
        );
      });
    }),
    completeUtterances(runId) {
      database.prepare('UPDATE runs SET utterances_complete = 1 WHERE id = ?').run(runId);
    },
    utterances: (runId, { from, limit }) =>
      (selectUtterances.all(numberOf(runId), from, limit) as { position: number; utterance: string }[]).map(
        ({ position, utterance }, index) => {
          // One that is missing would make all others somebody else's.
          if (position !== from + index) throw new DamagedRowError('run_utterances');
          return JSON.parse(utterance) as Utterance;
        },
      ),
    positionOf: (runId, utterance) => (selectPosition.get(numberOf(runId), utterance) as number | undefined) ?? null,
    addCondition(runId, index, condition: Condition) {
      database
        .prepare(`INSERT INTO run_conditions (run, position, condition) VALUES (?, ?, ?)
           ON CONFLICT (run, position) DO UPDATE SET condition = excluded.condition`)
        .run(numberOf(runId), index, JSON.stringify(condition));
    },
    conditions: (runId) =>
      (
        database
          .prepare(
            `SELECT condition FROM run_conditions WHERE run = ? AND ${intactRowSql('run_conditions')} ORDER BY position`,
          )
          .pluck()
          .all(numberOf(runId)) as string[]
      ).map((json) => JSON.parse(json) as Condition),
  };
}

export function storedFindings(json: string): readonly Finding[] {
  return (JSON.parse(json) as readonly Finding[]).map(storedFinding);
}
