import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { Row } from './row.ts';
import type { TextLine } from './text-lines.ts';

/**
 * The rows of a file with one JSON object on each line. Numbers and booleans are read as their text, null as absent;
 * members that are objects have no text. Blank lines are passed over.
 *
 * @throws EarwitnessError `bad-input` with file, line and column: a line that is no JSON, or no object
 */
export async function* readJsonRows(lines: AsyncIterable<TextLine>, shownName: string): AsyncGenerator<Row> {
  for await (const line of lines) {
    if (line.text.trim() === '') continue;
    yield jsonRow(parseObject(line, shownName), line, shownName);
  }
}

function parseObject(line: TextLine, shownName: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    const column = Number(/position (\d+)/.exec(messageOf(error))?.[1] ?? line.text.length) + 1;
    throw new EarwitnessError(
      'bad-input',
      `${shownName}:${line.number}:${column}: expected one JSON object on the line, but it is not JSON from here on; correct it`,
      { cause: error },
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
    throw new EarwitnessError(
      'bad-input',
      `${shownName}:${line.number}:1: expected one JSON object on the line, but found ${found}; write the fields of each line in braces with their names`,
    );
  }
  if (Object.hasOwn(value, '__proto__')) {
    throw new EarwitnessError(
      'bad-input',
      `${shownName}:${line.number}:1: the member name "__proto__" cannot be used; rename it`,
    );
  }
  return value as Readonly<Record<string, unknown>>;
}

function jsonRow(object: Readonly<Record<string, unknown>>, line: TextLine, shownName: string): Row {
  return {
    namesPlace: () => `${shownName}:${line.number}:1`,
    line: line.number,
    names: Object.keys(object),
    text: (name) => (Object.hasOwn(object, name) ? scalarText(object[name]) : undefined),
    list(name) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      return Array.isArray(value) ? value.map(scalarText).filter((text) => text !== undefined) : undefined;
    },
    place(name) {
      const at = name === undefined ? -1 : line.text.indexOf(JSON.stringify(name));
      const before = line.text.slice(0, Math.max(at, 0)).split('\n');
      return `${shownName}:${line.number + before.length - 1}:${before.at(-1)!.length + 1}`;
    },
  };
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
