import { crc32 } from 'node:zlib';
import type { Bound, Database, Statement } from '../database.ts';
import { type Connection, isCut } from './connection.ts';
import { type Translated, translate } from './dialect.ts';
import type { Answer, Step } from './protocol.ts';

/** A PostgreSQL database as the store uses it. */
export interface PostgresDatabase extends Database {
  /** Sends what is only noted yet. */
  flush(): void;
  /** How often a connection broke: what stood open on it is gone, and so are its temporary tables. */
  breaks(): number;
}

/** What is done where a connection breaks. */
export interface Mending {
  /** Under which it is kept what was committed last. */
  readonly session: string;
  /** Waits for the server, and gives a connection with the locks of the one that broke. */
  reconnect(broken: Connection, error: unknown): Connection;
  asStoreError(error: unknown): unknown;
}

/** What a statement gives once it has been sent. */
interface Pending {
  readonly step: Step;
  answer: Answer | null;
}

const keepCommit = `INSERT INTO writers (session, last) VALUES ($1, $2)
  ON CONFLICT (session) DO UPDATE SET last = excluded.last, at = now()`;

const pageRows = 1000;
/** More are not noted before they are sent. */
const maxPending = 2000;

/**
 * What is written within a transaction is noted, and sent with the next statement whose answer is wanted: one way there and back
 * for all of them.
 */
export function openPostgresDatabase(first: Connection, mending: Mending | null = null): PostgresDatabase {
  let connection = first;
  let pending: Pending[] = [];
  let inTransaction = false;
  let cursors = 0;
  let commits = 0;
  let breaks = 0;

  const flush = () => {
    if (pending.length === 0) return;
    const sent = pending;
    pending = [];
    const answers = connection.ask(sent.map(({ step }) => step));
    for (const [index, one] of sent.entries()) one.answer = answers[index]!;
  };
  const note = (step: Step): Pending => {
    const one: Pending = { step, answer: null };
    pending.push(one);
    if (pending.length >= maxPending) flush();
    return one;
  };
  const answerOf = (one: Pending): Answer => {
    if (one.answer === null) flush();
    return one.answer!;
  };
  const statement = (sql: string): Step => ({ sql, values: [] });
  const ask = (step: Step) => answerOf(note(step));
  const mend = (error: unknown) => {
    pending = [];
    if (mending === null || !isCut(error)) throw error;
    connection = mending.reconnect(connection, error);
    breaks++;
  };
  /** What may be asked again where nobody knows whether it was heard. */
  const patiently = <Result>(work: () => Result): Result => {
    if (inTransaction) return work();
    for (;;) {
      try {
        return work();
      } catch (error) {
        mend(error);
      }
    }
  };

  const prepare = (text: string): Statement => {
    const translated = translate(text);
    const stepOf = (values: readonly Bound[], more = ''): Step => ({
      sql: translated.sql + more,
      values: valuesOf(translated, values),
    });
    const all = (...values: readonly Bound[]) => patiently(() => rowsOf(ask(stepOf(values))));
    const get = (...values: readonly Bound[]) => all(...values)[0];
    const first = (row: object) => Object.values(row)[0];
    return {
      run(...values) {
        const one = within('BEGIN', () => note(stepOf(values)));
        return {
          get changes() {
            return answerOf(one).changes;
          },
        };
      },
      get,
      all,
      later(...values) {
        const one = note(stepOf(values));
        return () => rowsOf(answerOf(one))[0];
      },
      insert(...values) {
        const one = note(stepOf(values, ' RETURNING number'));
        return () => Number(answerOf(one).rows[0]![0]);
      },
      *iterate(...values) {
        const name = `rows_${++cursors}`;
        const { sql, values: bound } = stepOf(values);
        // What is open beyond its transaction, the server keeps aside.
        const declared = `DECLARE ${name} NO SCROLL CURSOR ${inTransaction ? '' : 'WITH HOLD '}FOR ${sql}`;
        patiently(() => ask({ sql: declared, values: bound }));
        let isThere = true;
        try {
          for (;;) {
            const rows = rowsOf(ask(statement(`FETCH ${pageRows} FROM ${name}`)));
            yield* rows;
            if (rows.length < pageRows) break;
          }
        } catch (error) {
          isThere = !isCut(error);
          if (!isThere) breaks++;
          // It is gone with its connection: whoever reads begins anew, within a transaction with all of it.
          throw mending === null || inTransaction ? error : mending.asStoreError(error);
        } finally {
          if (isThere) note(statement(`CLOSE ${name}`));
          if (isThere && !inTransaction) flush();
        }
      },
      pluck: () => ({
        get(...values) {
          const row = get(...values);
          return row === undefined ? undefined : first(row);
        },
        all: (...values) => all(...values).map(first),
      }),
    };
  };

  const within = <Result>(begin: string, work: () => Result): Result => {
    if (inTransaction) return work();
    for (;;) {
      let done: { readonly result: Result; readonly commit: number } | null = null;
      inTransaction = true;
      try {
        note(statement(begin));
        const result = work();
        flush();
        // Whether a commit was heard on a connection that broke, its number tells that is kept with it.
        if (mending !== null && begin === 'BEGIN') {
          done = { result, commit: ++commits };
          note({ sql: keepCommit, values: [mending.session, String(commits)] });
        }
        note(statement('COMMIT'));
        flush();
        return result;
      } catch (error) {
        if (!isCut(error)) undo();
        mend(error);
      } finally {
        inTransaction = false;
      }
      if (done !== null && lastCommit.get(mending!.session) === done.commit) return done.result;
    }
  };
  const undo = () => {
    pending = [];
    try {
      connection.exec('ROLLBACK');
    } catch {
      // The server has undone it, as it does for whoever is gone.
    }
  };
  const lastCommit = prepare('SELECT last FROM writers WHERE session = ?').pluck();

  return {
    prepare,
    flush,
    breaks: () => breaks,
    exec(sql) {
      const text = translate(sql).sql;
      patiently(() => {
        flush();
        connection.exec(text);
      });
    },
    transaction:
      (work) =>
      (...args) =>
        within('BEGIN', () => work(...args)),
    snapshot: (read) => within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', read),
    version: () => crc32(String(prepare('SELECT pg_current_snapshot()::text AS seen').pluck().get())),
    close: () => connection.close(),
  };
}

/** Whoever asks a store waits for it. */
export function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** PostgreSQL's numbers for types whose values are numbers (int8, int2, int4, float4, float8, numeric). */
const numbers = new Set([20, 21, 23, 700, 701, 1700]);
const [boolean, bytes] = [16, 17];

function rowsOf({ columns, rows }: Answer): Record<string, unknown>[] {
  return rows.map((row) => {
    const named: Record<string, unknown> = {};
    for (const [index, { name, type }] of columns.entries()) named[name] = readValue(row[index]!, type);
    return named;
  });
}

function readValue(text: string | null, type: number): string | number | Uint8Array | null {
  if (text === null) return null;
  if (numbers.has(type)) return Number(text);
  if (type === boolean) return text === 't' ? 1 : 0;
  return type === bytes ? Buffer.from(text.slice(2), 'hex') : text;
}

/** PostgreSQL has no NUL in its texts: it becomes the sign for it. */
const noNul = '␀';

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || Number.isNaN(value)) return null;
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', noNul) : value;
  if (value instanceof Uint8Array)
    return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  return String(value);
}

function valuesOf({ names }: Translated, values: readonly Bound[]): (string | null)[] {
  if (names === null) return values.map(textOf);
  const named = values[0] as Readonly<Record<string, unknown>>;
  return names.map((name) => textOf(named[name]));
}
