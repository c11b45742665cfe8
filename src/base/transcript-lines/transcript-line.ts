import { EarwitnessError } from '../errors.ts';
import { limitText } from '../printable.ts';

/** One line of a transcript file, without its end. */
export interface TranscriptLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** The lines of a file, read already or as they come. */
export type TranscriptLines = AsyncIterable<TranscriptLine> | Iterable<TranscriptLine>;

/** A field of a line that is divided at blanks and tabs. */
export interface LineField {
  readonly text: string;
  /** Where it begins in the line, from 0. */
  readonly start: number;
}

/** Lines that begin with two semicolons are comments in all of NIST's formats. */
export function isComment(line: string): boolean {
  return line.startsWith(';;');
}

/** The first fields of a line; the rest of the line begins where the last one ends. */
export function leadingFields(line: string, most: number): LineField[] {
  const fields: LineField[] = [];
  const pattern = /[^ \t]+/g;
  while (fields.length < most) {
    const match = pattern.exec(line);
    if (match === null) break;
    fields.push({ text: match[0], start: match.index });
  }
  return fields;
}

/**
 * Begin or length of something, in seconds.
 *
 * @param least recognizers have written words of -.01 seconds, which need not stop anybody: not asked of lengths
 */
export function secondsOf(
  field: LineField,
  what: string,
  name: string,
  line: number,
  least = Number.NEGATIVE_INFINITY,
): number {
  const seconds = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(field.text) ? Number(field.text) : Number.NaN;
  if (!(Number.isFinite(seconds) && seconds >= least)) {
    throw new EarwitnessError(
      'bad-input',
      `${name}:${line}:${field.start + 1}: expected ${what} in seconds${least === 0 ? ', 0 or more' : ''}, but found ${JSON.stringify(limitText(field.text, 40))}; correct the line`,
    );
  }
  return seconds;
}
