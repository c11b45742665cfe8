import { hash } from 'node:crypto';
import { badInput } from '../../base/errors.ts';

/** Longest id of an utterance and longest name of a speaker, in UTF-16 units: they stand in tables, keys and file names. */
const longestId = 512;

/**
 * Checks the id of an utterance or the name of a speaker: not empty, at most 512 characters, no control characters
 * (Unicode Cc), line separators or marks that turn the direction of writing, which would change how it is shown.
 * Everything else is allowed, and escaped where it is shown.
 *
 * @param what `id` or `speaker`, for the error
 * @param place gives `file:line:column`, asked only for an error
 * @throws EarwitnessError `bad-input`
 */
export function checkId(id: string, what: string, place: () => string): string {
  if (id.trim() === '') {
    throw badInput(`${place()}: expected ${what} to have a text, but it is empty; fill it in or take the row out`);
  }
  if (id.length > longestId) {
    throw badInput(
      `${place()}: expected ${what} to have at most ${longestId} characters, but it has ${id.length}; shorten it`,
    );
  }
  const bad = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.exec(id);
  if (bad !== null) {
    throw badInput(
      `${place()}: expected ${what} to have no control characters, but found ${codePointName(bad[0])}; take it out`,
    );
  }
  return id;
}

/** `U+200B`: how a character is named that must not be shown. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Remembers texts by 96 bits of their SHA-256 and the number each came with, in 16 bytes a place: a million of them
 * take 32 MiB, where a Map would take several times that. Two different texts are taken for the same with a
 * probability under 1e-16 for a million.
 */
interface IdRegister {
  /** Adds a text; gives the number of the same text added before, or null where it is new. */
  add(text: string, number: number): number | null;
  /** The number a text came with; null where it never came. */
  find(text: string): number | null;
  readonly size: number;
}

/**
 * @example
 * const register = createIdRegister();
 * register.add('a', 1); // null
 * register.add('a', 9); // 1
 */
export function createIdRegister(): IdRegister {
  let places = 1024;
  let table = new Uint32Array(places * 4);
  let size = 0;

  /** Index of the place that holds this text, or of the empty one where it belongs. A number of 0 marks an empty place. */
  const placeIn = (in_: Uint32Array, a: number, b: number, c: number): number => {
    const mask = in_.length / 4 - 1;
    for (let place = a & mask; ; place = (place + 1) & mask) {
      const at = place * 4;
      if (in_[at + 3] === 0 || (in_[at] === a && in_[at + 1] === b && in_[at + 2] === c)) return at;
    }
  };

  const grow = () => {
    places *= 2;
    const larger = new Uint32Array(places * 4);
    for (let at = 0; at < table.length; at += 4) {
      if (table[at + 3] === 0) continue;
      larger.set(table.subarray(at, at + 4), placeIn(larger, table[at]!, table[at + 1]!, table[at + 2]!));
    }
    table = larger;
  };

  return {
    add(text, number) {
      const [a, b, c] = digestOf(text);
      const at = placeIn(table, a, b, c);
      const before = table[at + 3]!;
      if (before !== 0) return before - 1;
      table.set([a, b, c, number + 1], at);
      if (++size > places * 0.75) grow();
      return null;
    },
    find(text) {
      const known = table[placeIn(table, ...digestOf(text)) + 3]!;
      return known === 0 ? null : known - 1;
    },
    get size() {
      return size;
    },
  };
}

function digestOf(text: string): [number, number, number] {
  const digest = hash('sha256', text, 'buffer');
  return [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)];
}
