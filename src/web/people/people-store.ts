import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { openFile } from '../../store/sqlite/database.ts';
import { asStoreError, takeLock } from '../../store/sqlite/open-database.ts';
import { same } from '../guard.ts';

/** Who takes part. */
export interface Person {
  readonly name: string;
  /** Part of the link that is theirs alone. */
  readonly invitation: string;
  readonly revoked: boolean;
}

/** What one person answered to one question. */
export interface PersonAnswer {
  readonly person: string;
  readonly task: string;
  readonly question: string;
  readonly value: Json;
}

/** What people answered, in a database of its own: no result of any run is in it. */
export interface PeopleStore extends Disposable {
  /** Random, and the same for as long as the database is: what names are made from that say nothing. */
  readonly secret: string;
  /** What an earlier start left under a name; null where there is nothing. */
  remembered(name: string): Json;
  remember(name: string, value: Json): void;
  people(): readonly Person[];
  /** Lets somebody take part, anew where the invitation was revoked: then with another link. */
  invite(name: string): Person;
  /** @returns false where there is nobody of this name */
  revoke(name: string): boolean;
  /** Whose invitation it is; null where it is nobody's, or revoked. */
  whose(invitation: string): Person | null;
  answers(person?: string): readonly PersonAnswer[];
  answer(person: string, task: string, question: string): Json | null;
  /** Keeps an answer; on the disk when it returns. Given again, the last one counts; each stands in the log. */
  keep(answer: PersonAnswer): void;
}

const schema = `
CREATE TABLE remembered (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, links INTEGER NOT NULL, revoked INTEGER NOT NULL) STRICT;
CREATE TABLE answer (
  person INTEGER NOT NULL REFERENCES person, task TEXT NOT NULL, question TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (person, task, question)
) STRICT;
CREATE TABLE log (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, person INTEGER, what TEXT NOT NULL, task TEXT, question TEXT, value TEXT
) STRICT;
`;

const version = 1;

/**
 * Opens (or makes) the database of what people answered. One process at a time; every answer is on the disk before it is acknowledged.
 *
 * @param kind what people do: one database serves one kind
 * @throws EarwitnessError `store-busy` where another process has it open, `store` where it is something else
 */
export function openPeopleStore(path: string, kind: string, clock: Pick<Clock, 'wallMs'>): PeopleStore {
  const told = (error: unknown) => asStoreError(error, path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const lock = takeLock(path);
    try {
      return open(path, kind, clock, () => lock.close());
    } catch (error) {
      lock.close();
      throw error;
    }
  } catch (error) {
    throw told(error);
  }
}

function open(path: string, kind: string, clock: Pick<Clock, 'wallMs'>, unlock: () => void): PeopleStore {
  const database = openFile(path, { readonly: false });
  const found = database.pragma('user_version') as number;
  const tables = database.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table'").pluck().get() as number;
  if (found > version || (found === 0 && tables > 0)) {
    database.close();
    const what = found > version ? 'of a newer earwitness' : 'an SQLite database of something else';
    throw new EarwitnessError(
      'store',
      `${path}: expected what people answered, but this is ${what}; name another file`,
    );
  }
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  if (found === 0) {
    database.transaction(() => {
      database.exec(schema);
      const put = database.prepare('INSERT INTO remembered VALUES (?, ?)');
      put.run('kind', JSON.stringify(kind));
      put.run('secret', JSON.stringify(randomBytes(32).toString('base64url')));
      database.pragma(`user_version = ${version}`);
    })();
  }
  const kept = (name: string) =>
    database.prepare('SELECT value FROM remembered WHERE name = ?').pluck().get(name) as string | undefined;
  const ofKind = JSON.parse(kept('kind')!) as string;
  if (ofKind !== kind) {
    database.close();
    throw new EarwitnessError(
      'store',
      `${path}: expected a database of ${kind}, but it is one of ${printable(ofKind, 40)}; name another file`,
    );
  }
  const secret = JSON.parse(kept('secret')!) as string;

  type PersonRow = { readonly id: number; readonly name: string; readonly links: number; readonly revoked: number };
  const all = database.prepare('SELECT id, name, links, revoked FROM person ORDER BY id');
  const rows = () => all.all() as PersonRow[];
  const invitation = ({ name, links }: Pick<PersonRow, 'name' | 'links'>) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['invitation', name, links]))
      .digest('base64url');
  const person = (row: PersonRow): Person => ({
    name: row.name,
    invitation: invitation(row),
    revoked: row.revoked === 1,
  });
  const named = (name: string) => rows().find((row) => row.name === name);
  const note = database.prepare('INSERT INTO log (at, person, what, task, question, value) VALUES (?, ?, ?, ?, ?, ?)');
  const log = (id: number | null, what: string, task: string | null, question: string | null, value: string | null) =>
    note.run(new Date(clock.wallMs()).toISOString(), id, what, task, question, value);
  const one = database.prepare(
    'SELECT value FROM answer JOIN person ON person.id = person WHERE name = ? AND task = ? AND question = ?',
  );
  const insert = database.prepare(
    'INSERT INTO answer VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );

  return {
    secret,
    remembered(name) {
      const before = kept(name);
      return before === undefined ? null : (JSON.parse(before) as Json);
    },
    remember(name, value) {
      database
        .prepare('INSERT INTO remembered VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
        .run(name, JSON.stringify(value));
    },
    people: () => rows().map(person),
    invite: database.transaction((name: string) => {
      const before = named(name);
      if (before?.revoked === 0) return person(before);
      if (before === undefined)
        database.prepare('INSERT INTO person (name, links, revoked) VALUES (?, 1, 0)').run(name);
      else database.prepare('UPDATE person SET links = links + 1, revoked = 0 WHERE id = ?').run(before.id);
      const row = named(name)!;
      log(row.id, 'invited', null, null, null);
      return person(row);
    }),
    revoke: database.transaction((name: string) => {
      const row = named(name);
      if (row === undefined) return false;
      if (row.revoked === 0) {
        database.prepare('UPDATE person SET revoked = 1 WHERE id = ?').run(row.id);
        log(row.id, 'revoked', null, null, null);
      }
      return true;
    }),
    whose(given) {
      const row = rows().find((each) => each.revoked === 0 && same(given, invitation(each)));
      return row === undefined ? null : person(row);
    },
    answers(name) {
      const found = database
        .prepare(
          'SELECT name AS person, task, question, value FROM answer JOIN person ON person.id = person ORDER BY name, task, question',
        )
        .all() as (Omit<PersonAnswer, 'value'> & { readonly value: string })[];
      return found
        .filter((row) => name === undefined || row.person === name)
        .map((row) => ({ ...row, value: JSON.parse(row.value) as Json }));
    },
    answer(name, task, question) {
      const value = one.pluck().get(name, task, question) as string | undefined;
      return value === undefined ? null : (JSON.parse(value) as Json);
    },
    keep: database.transaction(({ person: name, task, question, value }: PersonAnswer) => {
      const { id } = named(name)!;
      const text = JSON.stringify(value);
      if ((one.pluck().get(name, task, question) as string | undefined) === text) return;
      insert.run(id, task, question, text);
      log(id, 'answered', task, question, text);
    }),
    [Symbol.dispose]() {
      database.close();
      unlock();
    },
  };
}
