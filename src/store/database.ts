import type { SQLInputValue } from 'node:sqlite';

/** A value that can be bound to a statement. */
export type Bound = SQLInputValue | Readonly<Record<string, SQLInputValue>>;

/** A prepared statement. Rows are plain objects by column name. */
export interface Statement {
  run(...values: readonly Bound[]): { readonly changes: number };
  get(...values: readonly Bound[]): unknown;
  all(...values: readonly Bound[]): unknown[];
  /** Rows a few at a time, however many there are. */
  iterate(...values: readonly Bound[]): Iterable<unknown>;
  /** Within a transaction: what `get` gives, for whoever asks for it later, so that many go out together. */
  later(...values: readonly Bound[]): () => unknown;
  /** Within a transaction: adds one row to a table that numbers its rows, and gives its number to whoever asks for it later. */
  insert(...values: readonly Bound[]): () => number;
  /** The same statement giving the first column alone. */
  pluck(): Pick<Statement, 'get' | 'all'>;
}

/**
 * A database as the parts of the store use it: SQL that SQLite and PostgreSQL both know, with `?` or `@name` for values, yes and no as 1
 * and 0, and transactions as functions.
 */
export interface Database {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  /** The same function, all or nothing: what it wrote is kept when it returns and undone when it throws. */
  transaction<Args extends readonly unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result;
  /** What is read within is of one moment, whatever others write meanwhile. */
  snapshot<Result>(read: () => Result): Result;
  /** Another number once another program has written something. */
  version(): number;
  close(): void;
}

/** Says what was kept last, so that a log that is lost is not taken for a store of less. */
export interface KeptMarker {
  note(kept: { readonly observation?: number; readonly attempt?: number }): void;
  /** Nothing is promised any more: for what deletes. Until the next `restart`. */
  clear(): void;
  /** Says what is there now. */
  restart(): void;
  close(): void;
}

/** A store's database, and who else is at it. */
export interface OpenedDatabase {
  readonly database: Database;
  /** Null for readers, and where a server keeps what it was given. */
  readonly marker: KeptMarker | null;
  /** What the database said, as a sentence for the user. */
  asStoreError(error: unknown): unknown;
  /** How often a connection broke until now. */
  breaks(): number;
  /** Whether a connection broke while something was read, which can be read anew. */
  wasCut(error: unknown): boolean;
  /** A sentence on which rows are damaged. */
  damage(): string;
  /**
   * No other program goes on with this run until this one is closed.
   *
   * @param run its number in this database
   */
  takeRun(run: number): void;
  /** Does what is left to do after something was deleted for good, so that nothing of it is left. */
  finishChores(): void;
  giveBackSpace(): void;
  close(): void;
}
