import { closeSync, copyFileSync, existsSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { keepPersonal, putInPlace, syncFile } from '../../base/on-disk.ts';
import { restoreHint } from '../parts/check-rows.ts';
import { type CoveredTable, checksumTriggers, covered, verified } from '../parts/checksums.ts';
import { refuseOtherVersion, schema, schemaVersion } from '../schema.ts';
import { requireFile } from '../store-place.ts';
import { openFile, type SqliteDatabase } from './database.ts';
import { takeLock } from './open-file-database.ts';

/** What became of a store that was damaged. */
export interface Repaired {
  /** The file as it was. */
  readonly damaged: string;
  readonly kept: { readonly runs: number; readonly answers: number };
  /** Runs that cannot go on, because parts of what they were to ask are lost. Their answers stay, and a new run takes them over. */
  readonly removedRuns: readonly string[];
}

/** Tables without checksums: nothing that is told depends on them. */
const bare = { quality_sets: ['hash', 'measure'], run_outputs: ['run', 'path', 'kind', 'written'] };

/**
 * Writes every row that is what was written into a new file, and puts that in the place of the store. The damaged file stays beside it.
 *
 * @throws EarwitnessError `store` where nothing of it can be read, or nothing can be written; `store-busy` where a run is at work
 */
export function repairStore(path: string): Repaired {
  requireFile(path, restoreHint);
  if (!existsSync(path)) throw new EarwitnessError('store', `${path}: expected a store, but there is none`);
  const lock = takeLock(path);
  const half = `${path}.repaired`;
  for (const end of ['', '-journal']) rmSync(half + end, { force: true });
  let from: SqliteDatabase | null = null;
  let to: SqliteDatabase | null = null;
  try {
    from = openFile(path, { readonly: true });
    refuseOtherVersion(from.pragma('user_version') as number, path);
    keepPersonal(half);
    to = openFile(half, { readonly: false });
    to.exec(schema);
    to.pragma(`user_version = ${schemaVersion}`);
    to.exec(checksumTriggers);
    const [source, target] = [from, to];
    to.transaction(() => {
      for (const [table, columns] of Object.entries(covered)) copyTable(source, target, table, columns, true);
      for (const [table, columns] of Object.entries(bare)) copyTable(source, target, table, columns, false);
      if (structureIsBroken(source)) copyAnswersOfLeaves(path, target);
    })();
    const removedRuns = to.transaction(() => removeBroken(target))();
    const count = (table: string) => target.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    const kept = { runs: count('runs'), answers: count('observations') };
    to.close();
    from.close();
    [from, to] = [null, null];
    return { damaged: exchange(path, half), kept, removedRuns };
  } catch (error) {
    to?.close();
    from?.close();
    rmSync(half, { force: true });
    if (error instanceof EarwitnessError) throw error;
    throw new EarwitnessError('store', `${path}: it cannot be repaired (${messageOf(error)}); restore a copy of it`, {
      cause: error,
    });
  } finally {
    lock.close();
  }
}

/** From both ends, because a broken page stands in the way of all that comes behind it. */
function copyTable(
  from: SqliteDatabase,
  to: SqliteDatabase,
  table: string,
  columns: readonly string[],
  checked: boolean,
): void {
  const insert = to.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const key = columns[0]!;
  const condition = checked ? `WHERE ${verified(table as CoveredTable)}` : '';
  for (const order of ['', `ORDER BY ${key} DESC`]) {
    try {
      const rows = from
        .prepare(`SELECT ${columns.join(', ')} FROM ${table} NOT INDEXED ${condition} ${order}`)
        .iterate();
      for (const row of rows) insert.run(...(Object.values(row as object) as never[]));
      return;
    } catch {
      // What stands behind the broken place is read from the other end.
    }
  }
}

function structureIsBroken(database: SqliteDatabase): boolean {
  try {
    return database.pragma('quick_check(1)') !== 'ok';
  } catch {
    return true;
  }
}

/**
 * Answers that no tree leads to any more, because an inner page of it is broken: every page of the file is looked at, and what a leaf holds is
 * kept where its checksum is that of an answer (https://www.sqlite.org/fileformat2.html, sections 1.6 and 2.1). Answers alone: they are what
 * was paid for, and they are never changed, so that none on a page which is free now can be an old one. What stands in the log alone is not found.
 */
function copyAnswersOfLeaves(path: string, to: SqliteDatabase): void {
  const columns = (to.prepare('SELECT name FROM pragma_table_info(?)').all('observations') as { name: string }[]).map(
    ({ name }) => name,
  );
  const wanted = covered.observations;
  const checksum = to.prepare(`SELECT row_checksum(${wanted.map(() => '?').join(', ')})`).pluck();
  const insert = to.prepare(
    `INSERT OR IGNORE INTO observations (${wanted.join(', ')}) VALUES (${wanted.map(() => '?').join(', ')})`,
  );
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(100);
    readSync(file, header, 0, 100, 0);
    const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    const page = Buffer.alloc(size);
    const usable = size - header[20]!;
    const overflow = Buffer.alloc(size);
    for (let at = size; readSync(file, page, 0, size, at) === size; at += size) {
      if (page[0] !== tableLeaf) continue;
      for (let cell = 0; cell < page.readUInt16BE(3) && 10 + 2 * cell <= size; cell++) {
        try {
          const { rowid, payload } = readCell(page, page.readUInt16BE(8 + 2 * cell), usable, (number) => {
            if (readSync(file, overflow, 0, size, (number - 1) * size) !== size) throw new RangeError('no such page');
            return overflow;
          });
          const values = readRecord(payload);
          if (values.length !== columns.length) continue;
          const row = wanted.map((column) => (column === 'number' ? rowid : values[columns.indexOf(column)]!));
          if (checksum.get(...(row as never[])) === values[columns.indexOf('checksum')])
            insert.run(...(row as never[]));
        } catch {
          // No cell, or one that is broken.
        }
      }
    }
  } finally {
    closeSync(file);
  }
}

const tableLeaf = 13;

function readCell(
  page: Buffer,
  start: number,
  usable: number,
  overflowPage: (number: number) => Buffer,
): { readonly rowid: number; readonly payload: Buffer } {
  const [length, afterLength] = readVarint(page, start);
  const [rowid, from] = readVarint(page, afterLength);
  if (length > longestRow) throw new RangeError('no row is so long');
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const surplus = least + ((length - least) % (usable - 4));
  const local = length <= usable - 35 ? length : surplus <= usable - 35 ? surplus : least;
  const parts = [Buffer.from(page.subarray(from, from + local))];
  let left = length - local;
  for (let next = left > 0 ? page.readUInt32BE(from + local) : 0; left > 0; ) {
    const overflow = overflowPage(next);
    next = overflow.readUInt32BE(0);
    const part = Buffer.from(overflow.subarray(4, Math.min(usable, 4 + left)));
    parts.push(part);
    left -= part.length;
  }
  return { rowid, payload: Buffer.concat(parts) };
}

/** Longer ones are no answers but a broken length. */
const longestRow = 64 * 1024 * 1024;

function readRecord(payload: Buffer): (number | string | Buffer | null)[] {
  const [headerEnd, first] = readVarint(payload, 0);
  const types: number[] = [];
  for (let at = first; at < headerEnd; ) {
    const [type, next] = readVarint(payload, at);
    types.push(type);
    at = next;
  }
  let at = headerEnd;
  return types.map((type) => {
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    const size = type >= 12 ? (type - (type % 2 === 0 ? 12 : 13)) / 2 : [0, 1, 2, 3, 4, 6, 8, 8][type]!;
    const bytes = payload.subarray(at, at + size);
    at += size;
    if (type === 7) return bytes.readDoubleBE(0);
    if (type === 6) return Number(bytes.readBigInt64BE(0));
    if (type < 12) return bytes.readIntBE(0, size);
    return type % 2 === 0 ? bytes : bytes.toString('utf8');
  });
}

/** A number of one to nine bytes, and where it ends. */
function readVarint(bytes: Buffer, start: number): readonly [number, number] {
  let value = 0;
  for (let place = 0; place < 8; place++) {
    const byte = bytes.readUInt8(start + place);
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, start + place + 1];
  }
  return [value * 256 + bytes.readUInt8(start + 8), start + 9];
}

/** What points to nothing, and runs that cannot go on. */
function removeBroken(database: SqliteDatabase): string[] {
  const children = ['run_utterances', 'run_conditions', 'run_batches', 'run_trials', 'attempts', 'run_plans'];
  for (const table of [...children, 'run_materials', 'run_sounds', 'run_outputs'])
    database.exec(`DELETE FROM ${table} WHERE run NOT IN (SELECT number FROM runs)`);
  database.exec(`
    UPDATE observations SET run = NULL WHERE run NOT IN (SELECT number FROM runs);
    UPDATE run_trials SET observation = NULL, reused = 0
      WHERE observation IS NOT NULL AND observation NOT IN (SELECT number FROM observations);
    DELETE FROM run_materials WHERE hash NOT IN (SELECT hash FROM materials);`);
  const gaps = (table: string, place: string) =>
    `SELECT run FROM ${table} GROUP BY run HAVING count(*) <> max(${place}) + 1`;
  // A finished run has its findings; only one that is to go on needs every question.
  const broken = database
    .prepare(
      `SELECT number, id FROM runs WHERE finished_at_ms IS NULL AND forgotten_at_ms IS NULL AND (
         number IN (${gaps('run_utterances', 'position')}) OR number IN (${gaps('run_conditions', 'position')})
         OR number IN (${gaps('run_batches', 'batch')})
         OR (utterances_complete AND number NOT IN (SELECT run FROM run_utterances))
         OR number IN (SELECT b.run FROM run_batches AS b WHERE keys_hash IS NOT NULL AND size <>
           (SELECT count(*) FROM run_trials AS t WHERE t.run = b.run AND t.batch = b.batch)))`,
    )
    .all() as { number: number; id: string }[];
  for (const { number } of broken) {
    database.prepare('UPDATE observations SET run = NULL WHERE run = ?').run(number);
    for (const table of [...children, 'run_materials', 'run_sounds', 'run_outputs'])
      database.prepare(`DELETE FROM ${table} WHERE run = ?`).run(number);
    database.prepare('DELETE FROM runs WHERE number = ?').run(number);
  }
  return broken.map(({ id }) => id);
}

/** The log goes first: beside another file it would be taken for that one's. A kill in between is a log that is missing, which is told. */
function exchange(path: string, repaired: string): string {
  let damaged = `${path}.damaged`;
  for (let number = 2; existsSync(damaged); number++) damaged = `${path}.damaged-${number}`;
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${damaged}-wal`);
  rmSync(`${path}-shm`, { force: true });
  copyFileSync(path, damaged);
  syncFile(damaged);
  putInPlace(repaired, path);
  rmSync(`${path}.last`, { force: true });
  return damaged;
}
