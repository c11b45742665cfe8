import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { keepPersonal, makeDurableFolder, personal, syncFolder, temporaryFolder } from '../../base/on-disk.ts';
import type { OpenOptions } from '../contract.ts';
import type { KeptMarker, OpenedDatabase } from '../database.ts';
import { damageSentence } from '../parts/check-rows.ts';
import { checksumTriggers, repairHint } from '../parts/checksums.ts';
import { removeListedFiles } from '../parts/chores.ts';
import { refuseOtherVersion, schema, schemaVersion } from '../schema.ts';
import { checkRows } from './check.ts';
import { openFile, type SqliteDatabase } from './database.ts';
import { missingOf, openMarker } from './last-kept.ts';
import { codeOf, codes, openAnywhere } from './open-anywhere.ts';

/**
 * Does what is left to do after something was deleted for good: removes files, rewrites the database and empties its log. It
 * stands in the store until it is done, so that the next program that writes does what a kill (or a reader) prevented.
 *
 * @param path of the store
 */
function finishChores(database: SqliteDatabase, path: string): void {
  if (!removeListedFiles(database, path)) return;
  database.pragma('secure_delete = ON');
  // A temporary file would leave on the disk what is to be gone.
  database.pragma('temp_store = MEMORY');
  database.exec('VACUUM');
  const blocked = database.pragma('wal_checkpoint(TRUNCATE)') !== 0;
  if (blocked) return;
  database.exec('DELETE FROM chores');
  database.pragma('wal_checkpoint(TRUNCATE)');
}

/** An SQLite file, and what gives back its lock. */
interface OpenedFile extends OpenedDatabase {
  readonly database: SqliteDatabase;
}

function opened(path: string, database: SqliteDatabase, marker: KeptMarker | null, close: () => void): OpenedFile {
  return {
    database,
    marker,
    asStoreError: (error) => asStoreError(error, path),
    breaks: () => 0,
    wasCut: () => false,
    damage: () => damageSentence(path, checkRows(database, path)),
    // Who writes a file has all of it.
    takeRun: () => {},
    finishChores: () => finishChores(database, path),
    giveBackSpace() {
      database.exec('VACUUM');
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
    close,
  };
}

/**
 * Opens (or makes) the database of a store.
 *
 * One writer at a time: the writer holds an exclusive transaction on a second, empty database beside it (`<path>.lock`).
 * The operating system gives that lock back when the process dies, however it dies, so it can never be stale.
 *
 * Who only reads changes nothing.
 *
 * @throws EarwitnessError `store-busy` where another process writes, `store` where the file is damaged, of another
 * version, or cannot be written
 */
export function openFileDatabase(path: string, options: OpenOptions = {}): OpenedFile {
  if (options.readonly) return openToRead(path);
  let lock: SqliteDatabase | null = null;
  let database: SqliteDatabase | null = null;
  try {
    makeDurableFolder(dirname(path), personal.folder);
    keepPersonal(`${path}.lock`);
    lock = takeLock(path);
    // SQLite gives its other files the rights of the first.
    keepPersonal(path, `${path}-wal`, `${path}-shm`, `${path}.last`);
    database = openFile(path, { readonly: false });
    database.pragma('busy_timeout = 5000');
    isMade(database, path);
    refuseTorn(database, path);
    database.pragma('journal_mode = WAL');
    // A kill loses nothing in WAL mode at NORMAL; only a power cut can take the last commits, which the marker keeps few, never tear the file.
    database.pragma('synchronous = NORMAL');
    database.pragma('wal_autocheckpoint = 8000');
    database.pragma('foreign_keys = ON');
    makeTables(database, path);
    database.exec(checksumTriggers);
    finishChores(database, path);
    database.pragma('cache_size = -8192');
    if (options.alone) database.pragma('secure_delete = ON');
    const open = database;
    const marker = openMarker(open, path);
    return opened(path, open, marker, () => {
      marker.close();
      open.close();
      lock?.close();
    });
  } catch (error) {
    database?.close();
    lock?.close();
    throw asStoreError(error, path);
  }
}

/** Up to this size the structure of the file is checked whenever it is opened: a tenth of a second. Rows are checked when they are read. */
const checkedBytes = 64 * 1024 * 1024;

/** A store whose file is broken, or that has less than was kept in it, is not read as if it were another. */
function refuseTorn(database: SqliteDatabase, path: string): void {
  if (versionOf(database) === 0) {
    rmSync(`${path}.last`, { force: true });
    return;
  }
  const { answers, calls } = missingOf(database, path);
  if (answers + calls > 0) {
    throw new EarwitnessError(
      'store',
      `${path}: ${answers} answers and ${calls} calls that were stored last are missing: its log (${basename(path)}-wal) was lost or cut, or this is an older copy; put the log back beside it, or go on without them: earwitness store repair`,
    );
  }
  if (statSync(path).size > checkedBytes) return;
  if (database.pragma('quick_check(1)') !== 'ok')
    throw new EarwitnessError('store', damageSentence(path, checkRows(database, path)));
}

/** Whether a program writes to a store at this moment. Null where its lock cannot be looked at. */
export function isFileWritten(path: string): boolean | null {
  const file = `${path}.lock`;
  if (!existsSync(file)) return false;
  let lock: SqliteDatabase | null = null;
  try {
    lock = openFile(file, { readonly: true });
    lock.pragma('busy_timeout = 0');
    lock.prepare('SELECT 1 FROM sqlite_master').all();
    return false;
  } catch (error) {
    return codeOf(error) === codes.busy ? true : null;
  } finally {
    lock?.close();
  }
}

/** Who looks whether there is a writer holds its lock for an instant: longer than that is waited. */
const lockWaitMs = 200;

export function takeLock(path: string): SqliteDatabase {
  const lock = openFile(`${path}.lock`, { readonly: false });
  try {
    lock.pragma(`busy_timeout = ${lockWaitMs}`);
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (codeOf(error) === codes.busy) {
      throw new EarwitnessError(
        'store-busy',
        `${path}: another earwitness is writing to this store; wait until it is done, or give this run another \`store\``,
      );
    }
    throw error;
  }
}

function versionOf(database: SqliteDatabase): number {
  return database.pragma('user_version') as number;
}

/** @returns false where nothing was ever written to it */
function isMade(database: SqliteDatabase, path: string): boolean {
  const version = versionOf(database);
  const tables = database.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table'").pluck();
  if (version === 0 && tables.get() !== 0) {
    throw new EarwitnessError(
      'store',
      `${path}: expected a store, but this is an SQLite database of something else; use another path as \`store\``,
    );
  }
  if (version !== 0) refuseOtherVersion(version, path);
  return version !== 0;
}

/** @throws EarwitnessError `store` where there is none: who reads or removes makes none */
export function requireStore(path: string): void {
  if (existsSync(path)) return;
  throw new EarwitnessError('store', `${path}: expected a store, but there is none; \`earwitness run\` makes one`);
}

/** A copy to try changes on, which is gone at the end: the store need not be writable, and may be written meanwhile. */
export function openCopy(path: string): OpenedFile {
  const folder = temporaryFolder('forget');
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'store.sqlite');
    const original = openFileDatabase(path, { readonly: true });
    try {
      original.database.prepare('VACUUM INTO ?').run(copy);
    } finally {
      original.close();
    }
    const database = openFile(copy, { readonly: false });
    database.pragma('foreign_keys = ON');
    database.exec(checksumTriggers);
    return opened(copy, database, null, () => {
      database.close();
      close();
    });
  } catch (error) {
    close();
    throw asStoreError(error, path);
  }
}

function openToRead(path: string): OpenedFile {
  requireStore(path);
  let database: SqliteDatabase | null = null;
  let removeCopy = () => {};
  const close = () => {
    database?.close();
    removeCopy();
  };
  try {
    ({ database, removeCopy } = openAnywhere(path));
    database.pragma('busy_timeout = 5000');
    database.pragma('cache_size = -8192');
    if (!isMade(database, path)) refuseOtherVersion(0, path);
    refuseTorn(database, path);
    return opened(path, database, null, close);
  } catch (error) {
    close();
    throw asStoreError(error, path);
  }
}

function makeTables(database: SqliteDatabase, path: string): void {
  if (versionOf(database) === schemaVersion) return;
  // All or nothing, also where the power fails.
  database.transaction(() => {
    database.exec(schema);
    database.pragma(`user_version = ${schemaVersion}`);
  })();
  // A file without its log must not look like one that nothing was ever written to.
  database.pragma('wal_checkpoint(TRUNCATE)');
  syncFolder(dirname(path));
}

/** Turns what SQLite says into a sentence for the user. */
export function asStoreError(error: unknown, path: string): unknown {
  if (error instanceof EarwitnessError) return error;
  const code = codeOf(error);
  const say = (what: string) => new EarwitnessError('store', `${path}: ${what}`, { cause: error });
  if (code === codes.notADatabase || code === codes.corrupt) {
    return say(
      `expected a store, but the file is damaged or no SQLite database; ${repairHint}; or restore a copy of it`,
    );
  }
  if (code === codes.busy) {
    return new EarwitnessError('store-busy', `${path}: another program is using it; wait until it is done`, {
      cause: error,
    });
  }
  if (code === codes.full || code === 'ENOSPC' || code === 'EDQUOT') {
    return say('the disk is full; everything recognized so far is kept: free some space and run again');
  }
  if (code === codes.ioError) return say(`the disk reported an error (${messageOf(error)}); all stored so far is kept`);
  if ([codes.readonly, codes.cannotOpen, 'EACCES', 'EROFS', 'EISDIR'].includes(code)) {
    return say('cannot be opened for writing; check the permissions of the folder, or give another `store`');
  }
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return say('its folder cannot be made, a file is in the way; give another `store`');
  return error;
}
