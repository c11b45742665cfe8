import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { EarwitnessError, fileProblem } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { writeWhole } from '../../session/export/write-whole.ts';
import type { PeopleStore } from './people-store.ts';

/** A table that follows from what the database has, and is never written over anything else. */
export interface PeopleTable {
  /** @throws EarwitnessError `bad-input` where the file has answers that were not written here */
  check(): Promise<void>;
  /** @throws EarwitnessError `bad-input` as `check`, or where it cannot be written */
  write(text: string): Promise<void>;
}

/**
 * A table beside a database. Which bytes were written is remembered before they are, so that a table that somebody filled in or changed, or
 * that is all that is left of another database, is told from one that may be written anew.
 *
 * @param answersIn how many answers a file has that was not written here; null: it is no such table
 */
export function peopleTable(
  people: PeopleStore,
  file: string,
  answersIn: (file: string) => Promise<number | null>,
): PeopleTable {
  const name = `table ${basename(file)}`;
  /** The hash of what is there; null where nothing is. */
  const hashOfKnown = async (): Promise<string | null> => {
    const before = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.alloc(0);
      throw new EarwitnessError(
        'bad-input',
        `${file}: expected a table, but it cannot be read (${fileProblem(error)})`,
      );
    });
    const own = sha256(before);
    if (before.length === 0) return null;
    if (writtenAs().includes(own)) return own;
    const answers = await answersIn(file);
    if (answers === 0) return own;
    const what =
      answers === null ? 'it is another file' : `it has ${answers} ${answers === 1 ? 'row' : 'rows'} filled in`;
    throw new EarwitnessError(
      'bad-input',
      `${file}: expected the table as it was written from ${basename(people.path)}, but ${what} otherwise; move it away, or put back the database that it came from`,
    );
  };
  const writtenAs = () => (people.remembered(name) ?? []) as readonly string[];
  return {
    async check() {
      await hashOfKnown();
    },
    async write(text) {
      const there = await hashOfKnown();
      const hash = sha256(text);
      // Whatever is there stays known for as long as it is there: where this one is not written to its end, also many times in a row.
      const either = there === null || there === hash ? [hash] : [there, hash];
      if (either.join() !== writtenAs().join()) people.remember(name, either);
      await writeWhole(file, text);
    },
  };
}
