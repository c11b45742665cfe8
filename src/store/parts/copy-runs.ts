import type { Database } from '../database.ts';
import { covered } from './checksums.ts';

/** What came over from another store. */
export interface Merged {
  readonly runs: number;
  readonly observations: number;
}

const runColumns =
  'id, name, purpose, config, seed, fresh, parent, recognizers, started_at_ms, finished_at_ms, findings, warnings, utterances_complete, forgotten_at_ms';
const observationColumns =
  'key, utterance_id, speaker, transcript, extra, failure_kind, failure_message, sound_seconds, seconds, calls';

/** What belongs to no run, with the columns that are copied. */
const sharedTables = {
  ...{ sounds: covered.sounds, clips: covered.clips, measurements: covered.measurements, qualities: covered.qualities },
  quality_sets: ['hash', 'measure'],
  ...{
    similarities: covered.similarities,
    predictions: covered.predictions,
    elapsed: covered.elapsed,
    materials: covered.materials,
  },
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

type Row = Readonly<Record<string, never>>;

/** What is looked up in one way. */
const pageSize = 500;

function* pagesOf<One>(all: Iterable<One>): Generator<readonly One[]> {
  let page: One[] = [];
  for (const one of all) {
    page.push(one);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * Copies runs that are not there yet, with their answers, from one database to another, whichever these are.
 *
 * @param only the id of the one run that is wanted, without what belongs to no run
 */
export function copyRuns(from: Database, to: Database, only?: string): Merged {
  return to.transaction(() => copyAll(from, to, only))();
}

function copyAll(from: Database, to: Database, only?: string): Merged {
  const numbers = new Map((to.prepare('SELECT id, number FROM runs').all() as RunNumbered[]).map(pairOf));
  const there = from.prepare('SELECT id, number FROM runs ORDER BY number').all() as RunNumbered[];
  const missing = there.filter(({ id }) => !numbers.has(id) && (only === undefined || id === only));
  let observations = 0;
  for (const run of missing) {
    const here = copyRun(from, to, run.number);
    numbers.set(run.id, here);
    const runs = new Map(there.map(({ id, number }) => [number, numbers.get(id) ?? null]));
    observations += copyAnswers(from, to, { from: run.number, to: here }, runs);
  }
  if (only !== undefined) return { runs: missing.length, observations };
  // Answers of runs that were pruned there are answers still.
  const known = to.prepare('SELECT 1 AS known FROM observations WHERE key = ? LIMIT 1');
  const insert = insertAnswer(to);
  const answers = from.prepare(
    `SELECT ${observationColumns} FROM observations WHERE transcript IS NOT NULL ORDER BY number`,
  );
  for (const page of pagesOf(answers.iterate() as Iterable<Row>)) {
    const found = page.map((row) => known.later(row.key!));
    for (const [index, row] of page.entries()) {
      if (found[index]!() !== undefined) continue;
      insert.run(null, ...Object.values(row));
      observations++;
    }
  }
  for (const [table, columns] of Object.entries(sharedTables)) {
    const insert = to.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks(columns)}) ON CONFLICT DO NOTHING`,
    );
    for (const row of from.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).iterate() as Iterable<Row>)
      insert.run(...Object.values(row));
  }
  return { runs: missing.length, observations };
}

interface RunNumbered {
  readonly id: string;
  readonly number: number;
}

const pairOf = ({ id, number }: RunNumbered) => [id, number] as const;

const marks = (columns: readonly string[]) => columns.map(() => '?').join(', ');

const insertAnswer = (to: Database) =>
  to.prepare(
    `INSERT INTO observations (run, ${observationColumns}) VALUES (${marks(['run', ...observationColumns.split(', ')])})`,
  );

/** Numbers are each database's own, so every reference to one is made anew. */
function copyRun(from: Database, to: Database, run: number): number {
  const row = from.prepare(`SELECT ${runColumns} FROM runs WHERE number = ?`).get(run) as Row;
  const number = to
    .prepare(`INSERT INTO runs (${runColumns}, merged) VALUES (${marks(runColumns.split(', '))}, 1)`)
    .insert(...Object.values(row))();
  for (const [table, key, columns] of runTables) {
    const insert = to.prepare(`INSERT INTO ${table} (run, ${columns}) VALUES (?, ${marks(columns.split(', '))})`);
    const rows = from.prepare(`SELECT ${columns} FROM ${table} WHERE run = ? ORDER BY ${key}`);
    for (const row of rows.iterate(run) as Iterable<Row>) insert.run(number, ...Object.values(row));
  }
  return number;
}

/** @param runs which run here is which there; null for one that is not here */
function copyAnswers(
  from: Database,
  to: Database,
  run: { readonly from: number; readonly to: number },
  runs: ReadonlyMap<number, number | null>,
): number {
  const insert = insertAnswer(to);
  const link = to.prepare('UPDATE run_trials SET observation = ? WHERE run = ? AND batch = ? AND position = ?');
  const same = to.prepare(
    `SELECT number FROM observations WHERE key = ? AND transcript IS NOT DISTINCT FROM ? AND failure_kind IS NOT DISTINCT FROM ?
       AND seconds = ? LIMIT 1`,
  );
  const links = from.prepare(
    `SELECT batch, position, observation, o.run AS asked_by, ${observationColumns.replaceAll(/\w+/g, 'o.$&')}
     FROM run_trials JOIN observations AS o ON o.number = observation WHERE run_trials.run = ? ORDER BY batch, position`,
  );
  let copied = 0;
  for (const page of pagesOf(links.iterate(run.from) as Iterable<Row>)) {
    const found = page.map(({ key, transcript, failure_kind, seconds }) =>
      same.later(key!, transcript!, failure_kind!, seconds!),
    );
    const fresh = new Map<number, () => number>();
    const numbers = page.map(({ batch: _, position: __, observation, asked_by, ...answer }, index) => {
      const known = found[index]!() as RunNumbered | undefined;
      if (known !== undefined) return () => known.number;
      const inserted = fresh.get(observation!);
      if (inserted !== undefined) return inserted;
      copied++;
      // It stays that of the run that asked it, or of none: others took it over.
      const number = insert.insert(runs.get(asked_by!) ?? null, ...Object.values(answer));
      fresh.set(observation!, number);
      return number;
    });
    for (const [index, { batch, position }] of page.entries()) link.run(numbers[index]!(), run.to, batch!, position!);
  }
  return copied;
}
