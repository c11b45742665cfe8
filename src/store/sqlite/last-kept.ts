import { closeSync, existsSync, fdatasync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { personal, syncFile, syncFolder } from '../../base/on-disk.ts';
import type { KeptMarker } from '../database.ts';
import type { SqliteDatabase } from './database.ts';

/** Highest numbers of what was kept: of observations and of calls. */
interface LastKept {
  readonly observation: number;
  readonly attempt: number;
}

const nothing: LastKept = { observation: 0, attempt: 0 };
const syncedEveryMs = 500;
const width = 16;
const fileOf = (path: string) => `${path}.last`;

/**
 * A small file beside the store that says what was kept last, so that a log that is lost or cut is not taken for a store of less. It
 * tells what was written, which a killed process cannot lose, from what is on the disk, which a power cut cannot take either; what is
 * written is brought to the disk twice a second, and at the end.
 */
export function openMarker(database: SqliteDatabase, path: string): KeptMarker {
  const log = `${path}-wal`;
  const file = openSync(fileOf(path), 'w', personal.file);
  let kept = lastOf(database);
  let synced = nothing;
  let namesSynced = false;
  let waiting: NodeJS.Timeout | null = null;
  let logFile: number | null = null;
  let closed = false;

  // In place and of one length: whoever reads meanwhile reads the one or the other.
  const write = () => {
    const numbers = [kept, synced].flatMap(({ observation, attempt }) => [observation, attempt]);
    writeSync(file, `${numbers.map((number) => String(number).padStart(width)).join(' ')} ${thisBoot}\n`, 0);
  };
  const done = (what: LastKept) => {
    synced = what;
    write();
  };
  /** Without waiting, because a disk may take long. */
  const sync = () => {
    waiting = null;
    const what = kept;
    try {
      if (!namesSynced) syncFolder(dirname(path));
      namesSynced = true;
      logFile = openSync(log, 'r+');
    } catch {
      return;
    }
    fdatasync(logFile, (error) => {
      closeLog();
      // What a disk refuses is not promised; SQLite tells of it when it writes there.
      if (error !== null || closed) return;
      done(what);
      soon();
    });
  };
  const closeLog = () => {
    if (logFile !== null) closeSync(logFile);
    logFile = null;
  };
  const soon = () => {
    if (waiting !== null || logFile !== null || synced === kept) return;
    waiting = setTimeout(sync, syncedEveryMs);
    waiting.unref();
  };
  write();
  soon();
  return {
    note({ observation = 0, attempt = 0 }) {
      kept = {
        observation: Math.max(kept.observation, observation),
        attempt: Math.max(kept.attempt, attempt),
      };
      write();
      soon();
    },
    clear() {
      kept = nothing;
      done(nothing);
      // Were it only removed, a power cut could bring it back.
      syncFile(fileOf(path));
    },
    restart() {
      kept = lastOf(database);
      write();
      soon();
    },
    close() {
      closed = true;
      if (waiting !== null) clearTimeout(waiting);
      if (existsSync(log)) {
        syncFile(log);
        syncFolder(dirname(path));
      }
      done(kept);
      closeSync(file);
    },
  };
}

/** How much of what the marker says was kept is not there; nothing where there is no marker. */
export function missingOf(
  database: SqliteDatabase,
  path: string,
): { readonly answers: number; readonly calls: number } {
  const promised = readMarker(path);
  const there = lastOf(database);
  return {
    answers: Math.max(0, promised.observation - there.observation),
    calls: Math.max(0, promised.attempt - there.attempt),
  };
}

/** What must be there: all that was written, or since the machine was started anew what was on the disk. */
function readMarker(path: string): LastKept {
  let text = '';
  try {
    text = readFileSync(fileOf(path), 'utf8');
  } catch {
    return nothing;
  }
  const [numbers, boot] = [text.trim().split(/\s+/).slice(0, 4).map(Number), text.trim().split(/\s+/)[4]];
  const [observation, attempt, syncedObservation, syncedAttempt] = numbers;
  if (numbers.length < 4 || !numbers.every(Number.isSafeInteger)) return nothing;
  return boot !== undefined && boot === thisBoot
    ? { observation: observation!, attempt: attempt! }
    : { observation: syncedObservation!, attempt: syncedAttempt! };
}

/** Which start of the machine this is; nothing where the system does not say. */
const thisBoot = ((): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
})();

function lastOf(database: SqliteDatabase): LastKept {
  const highest = (table: string) =>
    database.prepare(`SELECT coalesce(max(number), 0) FROM ${table}`).pluck().get() as number;
  return { observation: highest('observations'), attempt: highest('attempts') };
}
