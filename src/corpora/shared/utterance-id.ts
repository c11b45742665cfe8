import { EarwitnessError } from '../../base/errors.ts';

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
    throw new EarwitnessError(
      'bad-input',
      `${place()}: expected ${what} to have a text, but it is empty; fill it in or take the row out`,
    );
  }
  if (id.length > longestId) {
    throw new EarwitnessError(
      'bad-input',
      `${place()}: expected ${what} to have at most ${longestId} characters, but it has ${id.length}; shorten it`,
    );
  }
  const bad = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.exec(id);
  if (bad !== null) {
    throw new EarwitnessError(
      'bad-input',
      `${place()}: expected ${what} to have no control characters, but found ${codePointName(bad[0])}; take it out`,
    );
  }
  return id;
}

/** `U+200B`: how a character is named that must not be shown. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
