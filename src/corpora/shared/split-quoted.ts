/** Fields of a record, as far as it could be split. */
export interface QuotedSplit {
  readonly fields: readonly string[];
  readonly starts: readonly number[];
  /** Where the quote stands that opens a field and is not closed. */
  readonly openedAt: number | null;
  /** Where something other than a delimiter follows a closing quote. */
  readonly strayAt: number | null;
}

/**
 * Splits a record into fields that may stand in double quotes, doubled inside (RFC 4180). A quote inside of a field that
 * does not begin with one is a character like any other.
 *
 * @example splitQuoted('a,"b,""c"""', ',').fields // ['a', 'b,"c"']
 */
export function splitQuoted(raw: string, delimiter: string): QuotedSplit {
  const fields: string[] = [];
  const starts: number[] = [];
  for (let at = 0; ; ) {
    starts.push(at);
    if (raw[at] !== '"') {
      const end = raw.indexOf(delimiter, at);
      fields.push(raw.slice(at, end === -1 ? raw.length : end));
      if (end === -1) return { fields, starts, openedAt: null, strayAt: null };
      at = end + delimiter.length;
      continue;
    }
    const openedAt = at;
    let text = '';
    let from = at + 1;
    for (;;) {
      const quote = raw.indexOf('"', from);
      if (quote === -1) return { fields, starts, openedAt, strayAt: null };
      text += raw.slice(from, quote);
      at = quote + 1;
      if (raw[at] !== '"') break;
      text += '"';
      from = at + 1;
    }
    fields.push(text);
    if (at === raw.length) return { fields, starts, openedAt: null, strayAt: null };
    if (!raw.startsWith(delimiter, at)) return { fields, starts, openedAt: null, strayAt: at };
    at += delimiter.length;
  }
}
