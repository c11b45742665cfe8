/** A field of a row, and the character in the row at which it starts, from 0. */
export interface Field {
  readonly text: string;
  readonly start: number;
}

/**
 * Splits a row. With quotes as in RFC 4180: a field that begins with `"` ends at the next one that is not doubled.
 *
 * @returns the character at which a quoted field goes wrong, where one does
 */
export function splitFields(row: string, delimiter: string, quotes: boolean): readonly Field[] | number {
  const fields: Field[] = [];
  let start = 0;
  for (;;) {
    let text: string;
    let end: number;
    if (quotes && row[start] === '"') {
      const closing = closingQuote(row, start + 1);
      end = closing + 1;
      if (closing === -1 || (end < row.length && row[end] !== delimiter)) return closing === -1 ? start : end;
      text = row.slice(start + 1, closing).replaceAll('""', '"');
    } else {
      const next = row.indexOf(delimiter, start);
      end = next === -1 ? row.length : next;
      text = row.slice(start, end);
    }
    fields.push({ text, start });
    if (end >= row.length) return fields;
    start = end + 1;
  }
}

function closingQuote(row: string, from: number): number {
  for (let at = row.indexOf('"', from); at !== -1; at = row.indexOf('"', at + 2)) if (row[at + 1] !== '"') return at;
  return -1;
}
