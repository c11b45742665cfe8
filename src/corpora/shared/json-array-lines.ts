import { createReadStream } from 'node:fs';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { TextLine } from './text-lines.ts';

/** A longer entry is no entry of a list of utterances. */
const longestEntryBytes = 1 << 22;

const code = { quote: 34, backslash: 92, open: 123, close: 125, openList: 91, closeList: 93, newline: 10 };

/**
 * The objects of a JSON file that is one list (`[{…}, {…}]`), as texts with the lines they begin on, in memory that does
 * not grow with the file. `readJsonRows` reads them as it reads lines; columns in its errors count from the entry's
 * beginning where that is not the line's.
 *
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: the file cannot be read, is no list, ends inside of an entry, or has an entry of
 * more than 4 MiB
 */
export async function* readJsonArrayLines(file: string, shownName: string): AsyncGenerator<TextLine> {
  let depth = 0;
  let inList = false;
  let inText = false;
  let escaped = false;
  let line = 1;
  let startLine = 1;
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  const fail = (what: string, at: number) =>
    new EarwitnessError(
      'bad-input',
      `${shownName}:${at}: expected a JSON list of objects, but ${what}; is it another file?`,
    );
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (byte === code.newline) line++;
        if (escaped) escaped = false;
        else if (inText) {
          if (byte === code.backslash) escaped = true;
          else if (byte === code.quote) inText = false;
        } else if (byte === code.quote) {
          if (depth === 0) throw fail('a text stands in it', line);
          inText = true;
        } else if (byte === code.open) {
          if (!inList) throw fail('it begins with an object', line);
          if (depth++ === 0) {
            from = at;
            startLine = line;
          }
        } else if (byte === code.close && depth > 0 && --depth === 0) {
          const bytes = Buffer.concat([...carried, chunk.subarray(from, at + 1)]);
          yield { number: startLine, text: bytes.toString('utf8') };
          carried = [];
          carriedBytes = 0;
        } else if (byte === code.openList && depth === 0) inList = true;
      }
      if (depth === 0) continue;
      carried.push(chunk.subarray(carried.length === 0 ? from : 0));
      carriedBytes += chunk.length;
      if (carriedBytes > longestEntryBytes) throw fail('one of them is longer than 4 MiB', startLine);
    }
  } catch (error) {
    if (error instanceof EarwitnessError) throw error;
    throw new EarwitnessError(
      'bad-input',
      `${shownName}: expected a JSON file, but reading it failed: ${messageOf(error)}; check the path`,
      { cause: error },
    );
  }
  if (depth > 0) throw fail('it ends inside of one', startLine);
  if (!inList) throw fail('there is none', line);
}
