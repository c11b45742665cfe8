import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { EarwitnessError } from '../../base/errors.ts';
import type { Bound, Database, Statement } from '../database.ts';
import { registerChecksums, repairHint } from '../parts/checksums.ts';

/** An SQLite file as the store uses it: Node's own SQLite. */
export interface SqliteDatabase extends Database {
  /** What a pragma answers: the first column of its first row. */
  pragma(text: string): unknown;
  /** Copies the database into a new file by SQLite's own backup, whole even while another process writes. */
  backup(target: string): Promise<void>;
}

/**
 * @throws what SQLite says, with its number in `errcode`
 */
export function openFile(path: string | URL, options: { readonly readonly: boolean }): SqliteDatabase {
  const file = new (builtIn().DatabaseSync)(path, { readOnly: options.readonly });
  registerChecksums(file);
  const begin = file.prepare('BEGIN IMMEDIATE');
  const commit = file.prepare('COMMIT');
  const pragma = (text: string) => {
    const row = file.prepare(`PRAGMA ${text}`).get();
    return row === undefined ? undefined : Object.values(row)[0];
  };

  return {
    prepare: (sql) => wrap(file, sql),
    exec: (sql) => file.exec(sql),
    pragma,
    version: () => Number(pragma('data_version')),
    snapshot(read) {
      file.exec('BEGIN');
      try {
        return read();
      } finally {
        if (file.isTransaction) file.exec('ROLLBACK');
      }
    },
    transaction(work) {
      return (...args) => {
        // Within another transaction, that one keeps all of it or nothing.
        if (file.isTransaction) return work(...args);
        begin.run();
        try {
          const result = work(...args);
          commit.run();
          return result;
        } catch (error) {
          // A full disk may have ended the transaction already.
          if (file.isTransaction) file.exec('ROLLBACK');
          throw error;
        }
      };
    },
    async backup(target) {
      await builtIn().backup(file, target);
    },
    close: () => file.close(),
  };
}

/** Node 22 says at every start that its SQLite is experimental, which is nothing that a user can do anything about. */
function builtIn(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

type Arguments = Parameters<StatementSync['run']>;

function wrap(file: DatabaseSync, sql: string): Statement {
  const statement = file.prepare(sql);
  const first = (row: Readonly<Record<string, unknown>>) => Object.values(row)[0];
  const get = (...values: readonly Bound[]) => told(() => statement.get(...(values as Arguments)));
  const all = (...values: readonly Bound[]) => told(() => statement.all(...(values as Arguments)));
  return {
    run: (...values) => ({ changes: Number(told(() => statement.run(...(values as Arguments))).changes) }),
    get,
    all,
    later(...values) {
      const row = get(...values);
      return () => row;
    },
    insert(...values) {
      const { lastInsertRowid } = told(() => statement.run(...(values as Arguments)));
      return () => Number(lastInsertRowid);
    },
    iterate(...values) {
      const rows = statement.iterate(...(values as Arguments));
      return {
        [Symbol.iterator]: () => ({ next: () => told(() => rows.next()), return: () => rows.return!() }),
      };
    },
    pluck: () => ({
      get(...values) {
        const row = get(...values);
        return row === undefined ? undefined : first(row);
      },
      all: (...values) => all(...values).map(first),
    }),
  };
}

/** What Node throws at a whole number beyond those that it has is no fault of the program: nothing here ever wrote one. */
function told<Answer>(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_OUT_OF_RANGE') throw error;
    throw new EarwitnessError(
      'store',
      `the store is damaged: it holds a number that is larger than any that was written; ${repairHint}`,
      { cause: error },
    );
  }
}
