import type { JsonObject } from '../../base/json.ts';
import type { Failure, Observation, StreamTiming, Transcript } from '../../model/observation.ts';
import type { Bound, SqliteDatabase } from './database.ts';

/** A key or hash as it is stored. */
export function blob(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** A stored key or hash as it is written everywhere else. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** The part of a transcript that is only carried, and how a stream went under `timing`. */
function extraOf({ text: _text, ...carried }: Transcript, timing: StreamTiming | undefined): string | null {
  const extra = timing === undefined ? carried : { ...carried, timing };
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra);
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
    extra: transcript ? extraOf(transcript, observation.timing.stream) : null,
    failure_kind: failure?.kind ?? null,
    failure_message: failure?.message ?? null,
    sound_seconds: observation.soundSeconds,
    seconds: observation.timing.seconds,
    calls: observation.timing.calls,
  };
}

export function fromRow(row: ObservationRow): Observation {
  const soundSeconds = row.sound_seconds;
  const timing = { seconds: row.seconds, calls: row.calls };
  if (row.transcript !== null) {
    const { timing: stream, ...extra } =
      row.extra === null ? ({} as JsonObject) : (JSON.parse(row.extra) as JsonObject);
    return {
      soundSeconds,
      timing: stream === undefined ? timing : { ...timing, stream: stream as unknown as StreamTiming },
      transcript: { text: row.transcript, ...extra } as Transcript,
    };
  }
  return {
    soundSeconds,
    timing,
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
  database: SqliteDatabase,
  table: string,
  key: string,
  where: RowRange = { condition: '1', values: [] },
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
