import { createHmac, randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { keepPersonal, makeFolder, personal } from '../../base/on-disk.ts';
import { printable } from '../../base/printable.ts';
import { personalPlaces } from '../../model/personal-data.ts';
import { openFile, type SqliteDatabase } from '../../store/sqlite/database.ts';
import { codeOf, codes } from '../../store/sqlite/open-anywhere.ts';
import { takeLock } from '../../store/sqlite/open-file-database.ts';
import { same } from '../guard.ts';

/** Who takes part. */
export interface Person {
  readonly name: string;
  /** Part of the link that is theirs alone. */
  readonly invitation: string;
  /** The path that their pages lie below: `/p/k3Zr…`. It tells nothing, and opens nothing. */
  readonly home: string;
  readonly revoked: boolean;
}

/** What one person answered to one question. */
export interface PersonAnswer {
  readonly person: string;
  readonly task: string;
  readonly question: string;
  readonly value: Json;
}

/** What people answered, in a database of its own that no other account of the machine can read: no result of any run is in it. */
export interface PeopleStore extends Disposable {
  readonly path: string;
  /** Damaged answers that its log still had whole; they are as they were again. */
  readonly restored: readonly Omit<PersonAnswer, 'value'>[];
  /** A name for something that says nothing of it, and is the same for as long as the database is. */
  alias(kind: string, name: string): string;
  /** What an earlier start left under a name; null where there is nothing. */
  remembered(name: string): Json;
  remember(name: string, value: Json): void;
  people(): readonly Person[];
  /** Keeps all that `work` does here, or nothing where it throws. */
  together<Result>(work: () => Result): Result;
  /** Lets somebody take part, anew where the invitation was revoked: then with another link. */
  invite(name: string): Person;
  /** @returns false where there is nobody of this name */
  revoke(name: string): boolean;
  /** Whose invitation it is; null where it is nobody's, or revoked. */
  whose(invitation: string): Person | null;
  /** Whether an invitation was somebody's and was revoked. */
  isEnded(invitation: string): boolean;
  /** When somebody answered last, in UTC; null: never. */
  lastAnswered(person: string): string | null;
  /** @throws EarwitnessError `store` where one of these is not what was kept */
  answers(person?: string): readonly PersonAnswer[];
  /** @throws EarwitnessError `store` where it is not what was kept */
  answer(person: string, task: string, question: string): Json | null;
  /**
   * Takes out of the database what `personal-data` lists of a collection: all that somebody answered, in the log too, but that and when they
   * withdrew; nothing of it is left in the file, its free pages or its log.
   *
   * @throws EarwitnessError `store` where it cannot be written: then it is to be done again
   */
  withdraw(person: string): void;
  /** Keeps answers, all or none; on the disk when it returns. Given again, the last one counts; each stands in the log. */
  keep(...answers: readonly PersonAnswer[]): void;
}

const schema = `
CREATE TABLE remembered (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT;
CREATE TABLE person (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, links INTEGER NOT NULL, revoked INTEGER NOT NULL, checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE answer (
  person INTEGER NOT NULL REFERENCES person, task TEXT NOT NULL, question TEXT NOT NULL, value TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (person, task, question)
) STRICT;
CREATE TABLE log (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, person INTEGER, what TEXT NOT NULL, task TEXT, question TEXT, value TEXT,
  checksum INTEGER NOT NULL
) STRICT;
`;

/** By them what is read is what was written. */
const checksums = {
  remembered: 'name, value',
  person: 'id, name, links, revoked',
  answer: 'person, task, question, value',
  log: 'at, person, what, task, question, value',
};

const version = 2;
/** What goes where somebody withdraws. */
const withdrawn = personalPlaces.flatMap(({ of, table, afterwards, but }) =>
  of === 'collection' && table !== undefined && afterwards === 'removed' ? [{ table, but }] : [],
);
const isIntact = (table: keyof typeof checksums) => `checksum = row_checksum(${checksums[table]})`;

/**
 * Opens (or makes) the database of what people answered. One process at a time; every answer is on the disk before it is acknowledged.
 *
 * @param kind what people do: one database serves one kind
 * @throws EarwitnessError `store-busy` where another process has it open, `store` where it is something else, damaged, or cannot be written
 */
export function openPeopleStore(path: string, kind: string, clock: Pick<Clock, 'wallMs'>): PeopleStore {
  try {
    makeFolder(dirname(path), personal.folder);
    // SQLite gives its other files the rights of the first.
    keepPersonal(`${path}.lock`);
    keepPersonal(path, `${path}-wal`, `${path}-shm`);
    const lock = takeLock(path);
    try {
      return open(path, kind, clock, () => lock.close());
    } catch (error) {
      lock.close();
      throw error;
    }
  } catch (error) {
    throw asPeopleError(error, path);
  }
}

/** Turns what SQLite and the system say into a sentence. */
function asPeopleError(error: unknown, path: string): unknown {
  if (error instanceof EarwitnessError && error.code !== 'store-busy') return error;
  const code = codeOf(error);
  const say = (what: string, as: 'store' | 'store-busy' = 'store') =>
    new EarwitnessError(as, `${path}: ${what}`, { cause: error });
  if (error instanceof EarwitnessError || code === codes.busy)
    return say('another earwitness shows these pages already; end that one first (Ctrl-C)', 'store-busy');
  if (code === codes.notADatabase || code === codes.corrupt) return say(damaged);
  if (code === codes.full || code === 'ENOSPC' || code === 'EDQUOT')
    return say('the disk is full: this answer is not kept yet, all that were acknowledged are; free some space');
  if (code === codes.ioError)
    return say(`the disk reported an error (${messageOf(error)}); everything stored so far is kept`);
  if (
    code === codes.readonly ||
    code === codes.cannotOpen ||
    code === 'EACCES' ||
    code === 'EROFS' ||
    code === 'EISDIR'
  )
    return say('cannot be written; check the permissions of the file and its folder');
  if (code === 'EEXIST' || code === 'ENOTDIR') return say('its folder cannot be made, a file is in the way');
  return error;
}

const damaged =
  'expected what people answered, but the file is damaged or no SQLite database; restore a copy of it, or move it away and begin anew (tables that were written keep their answers)';

function open(path: string, kind: string, clock: Pick<Clock, 'wallMs'>, unlock: () => void): PeopleStore {
  const database = openFile(path, { readonly: false });
  try {
    makeTables(database, path, kind);
    return storeOf(database, path, clock, unlock);
  } catch (error) {
    database.close();
    throw error;
  }
}

function makeTables(database: SqliteDatabase, path: string, kind: string): void {
  const found = database.pragma('user_version') as number;
  const tables = database.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table'").pluck().get() as number;
  const problem = (what: string) => new EarwitnessError('store', `${path}: ${what}`);
  if (found === 0 ? tables > 0 : found !== version) {
    const what =
      found === 0
        ? 'an SQLite database of something else'
        : `of ${found > version ? 'a newer earwitness' : 'one from before the first release'}`;
    throw problem(`expected what people answered, but this is ${what}; name another file`);
  }
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('secure_delete = ON');
  if (database.pragma('integrity_check(1)') !== 'ok') throw problem(damaged);
  const put = (name: string, value: Json) =>
    database.prepare('INSERT INTO remembered VALUES (?1, ?2, row_checksum(?1, ?2))').run(name, JSON.stringify(value));
  if (found === 0) {
    database.transaction(() => {
      database.exec(schema);
      put('kind', kind);
      put('secret', randomBytes(32).toString('base64url'));
      database.pragma(`user_version = ${version}`);
    })();
  }
  for (const table of ['remembered', 'person'] as const) {
    const others = database
      .prepare(`SELECT count(*) FROM ${table} WHERE NOT ${isIntact(table)}`)
      .pluck()
      .get();
    if (others !== 0) throw problem(damaged);
  }
  const ofKind = database.prepare("SELECT value FROM remembered WHERE name = 'kind'").pluck().get() as string;
  if (JSON.parse(ofKind) !== kind)
    throw problem(`expected a database of ${kind}, but it is one of ${printable(ofKind, 40)}; name another file`);
}

function storeOf(
  database: SqliteDatabase,
  path: string,
  clock: Pick<Clock, 'wallMs'>,
  unlock: () => void,
): PeopleStore {
  const read = (name: string) => {
    const value = database.prepare('SELECT value FROM remembered WHERE name = ?').pluck().get(name);
    return value === undefined ? null : (JSON.parse(value as string) as Json);
  };
  const put = (name: string, value: Json) => {
    database
      .prepare(
        'INSERT INTO remembered VALUES (?1, ?2, row_checksum(?1, ?2)) ON CONFLICT DO UPDATE SET value = excluded.value, checksum = excluded.checksum',
      )
      .run(name, JSON.stringify(value));
  };
  const secret = read('secret') as string;
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  const alias = (what: string, name: string) => mac(`${what} ${name}`).slice(0, 24);

  type PersonRow = { readonly id: number; readonly name: string; readonly links: number; readonly revoked: number };
  const all = database.prepare('SELECT id, name, links, revoked FROM person ORDER BY id');
  const rows = () => all.all() as PersonRow[];
  const invitation = ({ name, links }: Pick<PersonRow, 'name' | 'links'>) =>
    mac(JSON.stringify(['invitation', name, links]));
  const person = (row: PersonRow): Person => ({
    name: row.name,
    invitation: invitation(row),
    home: `/p/${alias('person', row.name).slice(0, 12)}`,
    revoked: row.revoked === 1,
  });
  const named = (name: string) => rows().find((row) => row.name === name);
  const putPerson = database.prepare(
    'INSERT INTO person VALUES (?1, ?2, ?3, ?4, row_checksum(?1, ?2, ?3, ?4)) ON CONFLICT (id) DO UPDATE SET links = ?3, revoked = ?4, checksum = excluded.checksum',
  );
  const note = database.prepare(
    'INSERT INTO log (at, person, what, task, question, value, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, row_checksum(?1, ?2, ?3, ?4, ?5, ?6))',
  );
  const log = (id: number, what: string, task: string | null, question: string | null, value: string | null) =>
    note.run(new Date(clock.wallMs()).toISOString(), id, what, task, question, value);
  const insert = database.prepare(
    'INSERT INTO answer VALUES (?1, ?2, ?3, ?4, row_checksum(?1, ?2, ?3, ?4)) ON CONFLICT DO UPDATE SET value = excluded.value, checksum = excluded.checksum',
  );
  type AnswerRow = Omit<PersonAnswer, 'value'> & {
    readonly id: number;
    readonly value: string;
    readonly intact: 0 | 1;
  };
  const columns = `person AS id, name AS person, task, question, value`;
  const intact = `answer.checksum = row_checksum(person, task, question, value) AS intact`;
  const every = database.prepare(
    `SELECT ${columns}, ${intact} FROM answer JOIN person ON person.id = person ORDER BY name, task, question`,
  );
  const one = database.prepare(
    `SELECT ${columns}, ${intact} FROM answer JOIN person ON person.id = person WHERE name = ? AND task = ? AND question = ?`,
  );
  const intactValue = ({ person: name, task, question, value, intact: isWhole }: AnswerRow): Json => {
    if (isWhole === 1) return JSON.parse(value) as Json;
    throw new EarwitnessError(
      'store',
      `${path}: what ${printable(name, 40)} answered (${printable(question, 40)} of ${printable(task, 80)}) is damaged, and so is its log; restore a copy of the file. The answers of others are whole`,
    );
  };

  const lastIn = database.prepare(
    `SELECT value, ${isIntact('log')} AS intact FROM log WHERE person = ? AND task = ? AND question = ? AND value IS NOT NULL ORDER BY id DESC LIMIT 1`,
  );
  const restored = database.transaction(() =>
    (every.all() as AnswerRow[]).flatMap(({ id, person: name, task, question, intact: isWhole }) => {
      if (isWhole === 1) return [];
      const kept = lastIn.get(id, task, question) as Pick<AnswerRow, 'value' | 'intact'> | undefined;
      if (kept?.intact !== 1) return [];
      insert.run(id, task, question, kept.value);
      log(id, 'restored', task, question, kept.value);
      return [{ person: name, task, question }];
    }),
  )();

  /** Says in a sentence what SQLite says. */
  const told =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Result) =>
    (...given: Given): Result => {
      try {
        return work(...given);
      } catch (error) {
        throw asPeopleError(error, path);
      }
    };
  return {
    path,
    restored,
    alias,
    remembered: told(read),
    remember: told(put),
    people: told(() => rows().map(person)),
    together: (work) => told(database.transaction(work))(),
    invite: told(
      database.transaction((name: string) => {
        const before = named(name);
        if (before?.revoked === 0) return person(before);
        const id = before?.id ?? 1 + Math.max(0, ...rows().map((row) => row.id));
        putPerson.run(id, name, (before?.links ?? 0) + 1, 0);
        log(id, 'invited', null, null, null);
        return person(named(name)!);
      }),
    ),
    revoke: told(
      database.transaction((name: string) => {
        const row = named(name);
        if (row === undefined) return false;
        if (row.revoked === 0) {
          putPerson.run(row.id, name, row.links, 1);
          log(row.id, 'revoked', null, null, null);
        }
        return true;
      }),
    ),
    whose: told((given: string) => {
      const row = rows().find((each) => each.revoked === 0 && same(given, invitation(each)));
      return row === undefined ? null : person(row);
    }),
    isEnded: told((given: string) =>
      rows().some(({ name, links, revoked }) =>
        Array.from({ length: links - 1 + revoked }, (_, at) => invitation({ name, links: at + 1 })).some((ended) =>
          same(given, ended),
        ),
      ),
    ),
    lastAnswered: told((name: string) => {
      const at = database
        .prepare("SELECT max(at) FROM log JOIN person ON person.id = person WHERE name = ? AND what = 'answered'")
        .pluck()
        .get(name);
      return at as string | null;
    }),
    answers: told((name?: string) =>
      (every.all() as AnswerRow[]).flatMap((row): PersonAnswer[] => {
        const { person: whose, task, question } = row;
        return name === undefined || whose === name ? [{ person: whose, task, question, value: intactValue(row) }] : [];
      }),
    ),
    answer: told((name: string, task: string, question: string) => {
      const row = one.get(name, task, question) as AnswerRow | undefined;
      return row === undefined ? null : intactValue(row);
    }),
    withdraw: told((name: string) => {
      const id = named(name)?.id;
      if (id === undefined) return;
      const left = withdrawn
        .map(({ table, but = '0' }) => [table, `person = ? AND NOT (${but})`] as const)
        .filter(([table, where]) => database.prepare(`SELECT 1 FROM ${table} WHERE ${where}`).get(id) !== undefined);
      if (left.length > 0) {
        // Until the rest is done: what is still to be overwritten is told by this.
        put('unwritten', true);
        database.transaction(() => {
          for (const [table, where] of left) database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(id);
        })();
      } else if (read('unwritten') !== true) return;
      // Only a rewritten file and an emptied log hold nothing of what was deleted; a temporary file would leave it on the disk.
      database.pragma('temp_store = MEMORY');
      database.exec('VACUUM');
      if (database.pragma('wal_checkpoint(TRUNCATE)') !== 0) return;
      put('unwritten', false);
    }),
    keep: told(
      database.transaction((...answers: readonly PersonAnswer[]) => {
        for (const { person: name, task, question, value } of answers) {
          const { id } = named(name)!;
          const text = JSON.stringify(value);
          const before = one.get(name, task, question) as AnswerRow | undefined;
          if (before?.value === text && before.intact === 1) continue;
          insert.run(id, task, question, text);
          log(id, 'answered', task, question, text);
        }
      }),
    ),
    [Symbol.dispose]() {
      database.close();
      unlock();
    },
  };
}
