import { EarwitnessError } from '../../base/errors.ts';
import { foreignLimits, jsonProblem } from '../../base/foreign-data.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { Failure, Observation, ObservationTiming, StreamTiming, Transcript } from '../../model/observation.ts';
import type { Store, StoredPrediction } from '../contract.ts';
import type { Bound, Database } from '../database.ts';
import { intactRowSql } from './checksums.ts';
import type { RunNumber } from './runs.ts';

/** A key or hash as it is stored. */
export function blob(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** A stored key or hash as it is written everywhere else. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

type MoreTiming = Omit<ObservationTiming, 'seconds' | 'calls' | 'stream'> & Partial<StreamTiming>;

/** The part of a transcript that is only carried, and under `timing` how a stream went and what it took of the processor. */
function extraOf(
  { text: _text, ...carried }: Transcript,
  { seconds: _seconds, calls: _calls, stream, ...processor }: ObservationTiming,
): string | null {
  const { processorSeconds, ...why } = processor;
  const timing: MoreTiming = { ...stream, ...(typeof processorSeconds === 'number' ? { processorSeconds } : why) };
  const extra = Object.keys(timing).length === 0 ? carried : { ...carried, timing };
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra);
}

function timingOf({ seconds, calls }: ObservationRow, more: MoreTiming): ObservationTiming {
  const { firstPartialSeconds, finalLatencySeconds, waitedSeconds, ...told } = more;
  const processor = told.noProcessorTime === undefined ? told : { processorSeconds: null, ...told };
  if (firstPartialSeconds === undefined || finalLatencySeconds === undefined || waitedSeconds === undefined)
    return { seconds, calls, ...processor };
  return { seconds, calls, stream: { firstPartialSeconds, finalLatencySeconds, waitedSeconds }, ...processor };
}

/** The columns of an observation. */
export interface ObservationRow {
  readonly transcript: string | null;
  readonly extra: string | null;
  readonly failure_kind: string | null;
  readonly failure_message: string | null;
  readonly sound_seconds: number | null;
  readonly seconds: number;
  readonly calls: number;
}

export function toRow(observation: Observation): ObservationRow {
  const { transcript, failure } = observation;
  return {
    transcript: transcript?.text ?? null,
    extra: transcript ? extraOf(transcript, observation.timing) : null,
    failure_kind: failure?.kind ?? null,
    failure_message: failure?.message ?? null,
    sound_seconds: observation.soundSeconds,
    seconds: observation.timing.seconds,
    calls: observation.timing.calls,
  };
}

/**
 * Reads stored answers, each with its number. What stands beside a transcript and is too deep for whoever walks it by calls in each other
 * (earlier versions kept it) is left out: `leftOut` of the store counts such answers.
 *
 * @throws EarwitnessError `store` for one that is no JSON: it names the trial
 */
export function answerReader(database: Database): (number: number, row: ObservationRow) => Observation {
  return (number, row) => {
    try {
      return fromRow(row);
    } catch (error) {
      throw new EarwitnessError(
        'store',
        `the store has an answer that cannot be read, ${trialOf(database, number)}: what stands beside its transcript is no JSON; ask it anew with \`earwitness run --fresh\``,
        { cause: error },
      );
    }
  };
}

type Carried = JsonObject & { readonly timing?: MoreTiming };

/** What stands beside a transcript, and whether something of it is left out. */
export function carriedOf(extra: string): { readonly carried: Carried; readonly leftOut: boolean } {
  const all = JSON.parse(extra) as Carried;
  // Each list or object in another has two characters at least: what is short needs no walk.
  if (extra.length < 2 * foreignLimits.depth) return { carried: all, leftOut: false };
  const kept = Object.entries(all).filter(([name, value]) => jsonProblem({ [name]: value }, () => null) === null);
  const leftOut = kept.length < Object.keys(all).length;
  return { carried: leftOut ? Object.fromEntries(kept) : all, leftOut };
}

/** The trial that an answer was given to, for a sentence. */
function trialOf(database: Database, number: number): string {
  const found = database
    .prepare(
      `SELECT utterance_id AS utterance, t.recognizer, r.recognizers, json_extract(c.condition, '$.name') AS condition
       FROM observations AS o LEFT JOIN run_trials AS t ON t.observation = o.number LEFT JOIN runs AS r ON r.number = t.run
       LEFT JOIN run_conditions AS c ON c.run = t.run AND c.position = t.condition WHERE o.number = ? LIMIT 1`,
    )
    .get(number) as {
    readonly utterance: string;
    readonly recognizer: number | null;
    readonly recognizers: string | null;
    readonly condition: string | null;
  };
  const names = JSON.parse(found.recognizers ?? '[]') as readonly { readonly name: string }[];
  const who = found.recognizer === null ? undefined : names[found.recognizer]?.name;
  const of = who === undefined ? '' : `of ${printable(who, 60)} `;
  const under = found.condition === null ? '' : ` under ${printable(found.condition, 60)}`;
  return `that ${of}to ${printable(found.utterance, 100)}${under}`;
}

export function fromRow(row: ObservationRow): Observation {
  const soundSeconds = row.sound_seconds;
  if (row.transcript !== null) {
    const { timing = {}, ...extra }: Carried = row.extra === null ? {} : carriedOf(row.extra).carried;
    return {
      soundSeconds,
      timing: timingOf(row, timing),
      transcript: { text: row.transcript, ...extra } as Transcript,
    };
  }
  return {
    soundSeconds,
    timing: timingOf(row, {}),
    failure: { kind: row.failure_kind as Failure['kind'], message: row.failure_message ?? '' },
  };
}

/** Rows that one statement changes: what a function of ours is given of a row stays in memory until the statement has ended. */
export const maxAtOnce = 10_000;

/** Some of the rows of a table, as a condition of SQL and its values. */
interface RowRange {
  readonly condition: string;
  readonly values: readonly Bound[];
}

/**
 * Parts of at most 10,000 rows that together are all rows of a table (or all that meet a condition), in the order of its key.
 *
 * @param key columns that tell its rows and that an index has in this order, such as `batch, position`
 * @param where a condition with its values, that all parts have
 * @example
 * for (const { condition, values } of partsOf(database, 'observations', 'number'))
 *   database.prepare(`UPDATE observations SET calls = 1 WHERE ${condition}`).run(...values);
 */
export function partsOf(
  database: Database,
  table: string,
  key: string,
  where: RowRange = { condition: '1 = 1', values: [] },
): readonly RowRange[] {
  const ends: (readonly Bound[])[] = [];
  let row = 0;
  const keys = database
    .prepare(`SELECT ${key} FROM ${table} WHERE ${where.condition} ORDER BY ${key}`)
    .iterate(...where.values);
  for (const found of keys) if (++row % maxAtOnce === 0) ends.push(Object.values(found as Record<string, never>));
  const places = key.replaceAll(/[^,]+/g, '?');
  return Array.from({ length: ends.length + 1 }, (_, index) => {
    const [after, last] = [ends[index - 1], ends[index]];
    const bounds = [
      ...(after === undefined ? [] : [`AND (${key}) > (${places})`]),
      ...(last === undefined ? [] : [`AND (${key}) <= (${places})`]),
    ];
    return {
      condition: [where.condition, ...bounds].join(' '),
      values: [...where.values, ...(after ?? []), ...(last ?? [])],
    };
  });
}

/** The columns of a prediction, null where there is none. */
export interface PredictionRow {
  readonly prediction_determinable: Uint8Array | null;
  readonly prediction_failing: Uint8Array | null;
  readonly prediction_seconds: number | null;
}

/** What predictors said, and how long a run has been at work. The texts themselves stand in the corpus alone. */
export function predictionPart(
  database: Database,
  numberOf: RunNumber,
): Pick<Store, 'savePrediction' | 'saveElapsed' | 'elapsed'> {
  const insert = database.prepare(
    'INSERT INTO predictions (key, determinable, failing, seconds) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insertElapsed = database.prepare('INSERT INTO elapsed (key, seconds) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const longest = database
    .prepare(
      `SELECT coalesce(max(seconds), 0) FROM elapsed
       WHERE key IN (SELECT key FROM run_trials WHERE run = ? AND asks = 'elapsed') AND ${intactRowSql('elapsed')}`,
    )
    .pluck();
  return {
    savePrediction(key, { determinable, failing, seconds }) {
      insert.run(blob(key), bytesOf(determinable), bytesOf(failing), seconds);
    },
    saveElapsed(key, seconds) {
      insertElapsed.run(blob(key), seconds);
    },
    elapsed: (runId) => longest.get(numberOf(runId)) as number,
  };
}

/** The prediction of a row of the journal. */
export function predictionOf(row: PredictionRow): StoredPrediction | null {
  if (row.prediction_determinable === null || row.prediction_failing === null) return null;
  return {
    determinable: numbersOf(row.prediction_determinable),
    failing: numbersOf(row.prediction_failing),
    seconds: row.prediction_seconds ?? 0,
  };
}

function bytesOf(numbers: Float64Array): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (let place = 0; place < numbers.length; place++) bytes.writeDoubleLE(numbers[place]!, 8 * place);
  return bytes;
}

function numbersOf(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: bytes.byteLength / 8 }, (_, place) => view.getFloat64(8 * place, true));
}
