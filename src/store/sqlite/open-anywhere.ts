import { copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../base/on-disk.ts';
import { openFile, type SqliteDatabase } from './database.ts';

/** SQLite's result codes (sqlite.org/rescode.html); extended ones carry the plain one in their lowest byte. */
export const codes = { busy: 5, readonly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 };

export function codeOf(error: unknown): number | string {
  if (!(error instanceof Error)) return '';
  if ('errcode' in error) return Number(error.errcode) & 0xff;
  return 'code' in error ? String(error.code) : '';
}

/** A database that is open to be read. */
interface OpenedAnywhere {
  readonly database: SqliteDatabase;
  /** Whether nothing had to be done about the place where it lies. */
  readonly inPlace: boolean;
  removeCopy(): void;
}

/** What SQLite says where it cannot make the index of its log: a folder or disk that is read-only, or a disk that is full. */
const nothingWritten: readonly (number | string)[] = [codes.readonly, codes.cannotOpen, codes.ioError, codes.full];

/**
 * Opens a database to be read, also where nothing may be written beside it: then as it is, or a copy of it and its log where there is
 * something in that.
 */
export function openAnywhere(path: string): OpenedAnywhere {
  let database: SqliteDatabase | null = null;
  try {
    database = openFile(path, { readonly: true });
    database.pragma('user_version');
    return { database, inPlace: true, removeCopy: () => {} };
  } catch (error) {
    database?.close();
    if (!nothingWritten.includes(codeOf(error))) throw error;
  }
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) {
    const unchanging = pathToFileURL(path);
    unchanging.searchParams.set('immutable', '1');
    return { database: openFile(unchanging, { readonly: true }), inPlace: false, removeCopy: () => {} };
  }
  // Without its log the file would be read as it was before.
  const folder = temporaryFolder('store');
  const removeCopy = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'store.sqlite');
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    return { database: openFile(copy, { readonly: true }), inPlace: false, removeCopy };
  } catch (error) {
    removeCopy();
    throw error;
  }
}
