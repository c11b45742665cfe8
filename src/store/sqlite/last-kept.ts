import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import type { SqliteDatabase } from './database.ts';

/** Highest numbers of what was kept: of observations and of calls. */
interface LastKept {
  readonly observation: number;
  readonly attempt: number;
}

/** A small file beside the store that says what was kept last, so that a log that is lost or cut is not taken for a store of less. */
export interface KeptMarker {
  note(kept: Partial<LastKept>): void;
  /** Nothing is promised any more: for what deletes. Until the next `restart`. */
  clear(): void;
  /** Says what is there now. */
  restart(): void;
  close(): void;
}

const fileOf = (path: string) => `${path}.last`;
const width = 16;

export function openMarker(database: SqliteDatabase, path: string): KeptMarker {
  let kept = lastOf(database);
  let file: number | null = null;
  const write = () => {
    // In place and of one length: whoever reads meanwhile reads the one or the other.
    file ??= openSync(fileOf(path), 'w');
    const text = [kept.observation, kept.attempt].map((number) => String(number).padStart(width)).join(' ');
    writeSync(file, `${text}\n`, 0);
  };
  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  write();
  return {
    note({ observation = 0, attempt = 0 }) {
      kept = {
        observation: Math.max(kept.observation, observation),
        attempt: Math.max(kept.attempt, attempt),
      };
      write();
    },
    clear() {
      close();
      rmSync(fileOf(path), { force: true });
    },
    restart() {
      kept = lastOf(database);
      write();
    },
    close,
  };
}

/** How much of what the marker says was kept is not there; nothing where there is no marker. */
export function missingOf(
  database: SqliteDatabase,
  path: string,
): { readonly answers: number; readonly calls: number } {
  const promised = readMarker(path);
  if (promised === null) return { answers: 0, calls: 0 };
  const there = lastOf(database);
  return {
    answers: Math.max(0, promised.observation - there.observation),
    calls: Math.max(0, promised.attempt - there.attempt),
  };
}

function readMarker(path: string): LastKept | null {
  try {
    const [observation, attempt] = readFileSync(fileOf(path), 'utf8').trim().split(/\s+/).map(Number);
    return Number.isSafeInteger(observation) && Number.isSafeInteger(attempt)
      ? { observation: observation!, attempt: attempt! }
      : null;
  } catch {
    return null;
  }
}

function lastOf(database: SqliteDatabase): LastKept {
  const highest = (table: string) =>
    database.prepare(`SELECT coalesce(max(number), 0) FROM ${table}`).pluck().get() as number;
  return { observation: highest('observations'), attempt: highest('attempts') };
}
