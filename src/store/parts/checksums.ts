import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { EarwitnessError } from '../../base/errors.ts';

/**
 * Tables whose rows have a checksum, each with the columns that it is made of, as of version 8 of the schema. The first so many of
 * `keys` tell the row.
 */
export const covered = {
  runs: [
    ...['number', 'id', 'name', 'purpose', 'config', 'seed', 'fresh', 'parent', 'recognizers', 'started_at_ms'],
    ...['finished_at_ms', 'findings', 'utterances_complete', 'forgotten_at_ms', 'merged'],
  ],
  run_utterances: ['run', 'position', 'id', 'speaker', 'utterance', 'made'],
  run_conditions: ['run', 'position', 'condition'],
  run_batches: ['run', 'batch', 'study', 'size', 'keys_hash'],
  run_trials: [
    ...['run', 'batch', 'position', 'key', 'utterance', 'condition', 'draw', 'recognizer', 'repeat', 'twin'],
    ...['observation', 'reused', 'quality', 'similarity', 'asks'],
  ],
  attempts: ['number', 'run', 'batch', 'position', 'key', 'sent_at_ms', 'state', 'seconds', 'price', 'currency'],
  observations: [
    ...['number', 'run', 'key', 'utterance_id', 'speaker', 'transcript', 'extra', 'failure_kind', 'failure_message'],
    ...['sound_seconds', 'seconds', 'calls'],
  ],
  sounds: ['hash', 'utterance_id', 'speaker'],
  clips: ['hash', 'sound'],
  measurements: ['clip', 'measurement'],
  files: ['path', 'size', 'changed_ns', 'hash'],
  qualities: ['clip', 'measure', 'name', 'result'],
  similarities: ['key', 'value', 'reason'],
  predictions: ['key', 'determinable', 'failing', 'seconds'],
  elapsed: ['key', 'seconds'],
  run_plans: ['run', 'hash', 'plan', 'frozen_at_ms'],
  materials: ['hash', 'value'],
  run_materials: ['run', 'kind', 'name', 'hash'],
  run_sounds: ['run', 'utterance', 'identity'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type CoveredTable = keyof typeof covered;

/** Columns that tell a row of a table. */
const keys: Readonly<Record<CoveredTable, number>> = {
  ...{ runs: 1, run_utterances: 2, run_conditions: 2, run_batches: 2, run_trials: 3, attempts: 1, observations: 1 },
  ...{ sounds: 1, clips: 1, measurements: 1, files: 1, qualities: 2, similarities: 1, predictions: 1, elapsed: 1 },
  ...{ run_plans: 1, materials: 1, run_materials: 3, run_sounds: 2 },
};

/** Thrown where a row is read that is not what was written. */
export class DamagedRowError extends EarwitnessError {
  constructor(table: string) {
    super('store', `the store is damaged: what it holds of ${table} is not what was written; ${repairHint}`);
  }
}

/** What to do about it. */
export const repairHint =
  '`earwitness store check` lists it, and `earwitness store repair` keeps all that is still good';

/**
 * Teaches a connection `row_checksum(values…)`, and `row_intact(table, checksum, values…)`, which is 1 or throws `DamagedRowError`.
 * What they are given stays in memory until the step of the statement has ended: what counts many rows iterates over them and counts here, as
 * `count(*)` is a single step.
 */
export function registerChecksums(file: DatabaseSync): void {
  file.function('row_checksum', { varargs: true }, (...values) => checksum(values));
  file.function('row_intact', { varargs: true }, (table, wanted, ...values) => {
    if (wanted !== checksum(values)) throw new DamagedRowError(String(table));
    return 1;
  });
}

/** CRC-32 of the values with their types: finds every run of up to 32 changed bits, and others but once in four billion. */
function checksum(values: readonly unknown[]): number {
  let text = '';
  for (const value of values) {
    if (value === null) text += 'n;';
    else if (typeof value === 'number') text += `d${value};`;
    else if (typeof value === 'string') text += `t${value.length}:${value};`;
    else text += `b${Buffer.from(value as Uint8Array).toString('hex')};`;
  }
  return crc32(text);
}

/**
 * A condition of SQL that holds for each row that is what was written, and fails for any other.
 *
 * @param alias the name that the query gives the table
 * @example `SELECT measurement FROM measurements WHERE clip = ? AND ${intact('measurements')}`
 */
export function intactRowSql(table: CoveredTable, alias: string = table): string {
  return `row_intact('${table}', ${alias}.checksum, ${columnsOf(table, alias)})`;
}

/** Whether a row is what was written, as an expression of SQL. */
export function verified(table: CoveredTable): string {
  return `row_checksum(${columnsOf(table, table)}) IS checksum`;
}

function columnsOf(table: CoveredTable, alias: string): string {
  return covered[table].map((column) => `${alias}.${column}`).join(', ');
}

/** Triggers of this connection alone that give every row its checksum, however it is written. */
export const checksumTriggers = Object.entries(covered)
  .map(([table, columns]) => {
    const key = columns.slice(0, keys[table as CoveredTable]);
    const sum = `UPDATE ${table} SET checksum = row_checksum(${columns.map((column) => `NEW.${column}`).join(', ')})
      WHERE ${key.map((column) => `${column} = NEW.${column}`).join(' AND ')};`;
    return `CREATE TEMP TRIGGER ${table}_inserted AFTER INSERT ON main.${table} BEGIN ${sum} END;
      CREATE TEMP TRIGGER ${table}_updated AFTER UPDATE OF ${columns.join(', ')} ON main.${table} BEGIN ${sum} END;`;
  })
  .join('\n');
