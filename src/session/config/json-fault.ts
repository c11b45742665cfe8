import { limitText } from '../../base/printable.ts';

/** Where a text stops being JSON, and how. */
interface JsonFault {
  /** In UTF-16 units. */
  readonly offset: number;
  /** What JSON would have there, and what stands there: the parts of a sentence. */
  readonly problem: string;
}

const blanks = /[ \t\r\n]*/y;
const plain = /[^"\\\p{Cc}]+|[\u007f-\u009f]+/uy;
const escaped = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Where a text stops being JSON (RFC 8259); null where all of it is. `JSON.parse` tells the place of some faults alone.
 *
 * @example jsonFault('{"a": 1,}') // { offset: 8, problem: 'expected a key in double quotes, but found "}"' }
 */
export function jsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let at = 0;
  let expected: 'a value' | 'a value or ]' | 'a key' | 'a key or }' | 'a colon' | 'more' = 'a value';
  const skip = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) at += found.length;
    return found ?? null;
  };
  /** Piece by piece: one pattern for all of a text of megabytes would need a stack of that size. */
  const skipText = (): boolean => {
    const from = at++;
    while (skip(plain) !== null || skip(escaped) !== null);
    const ends = text[at] === '"';
    at = ends ? at + 1 : from;
    return ends;
  };
  const fault = (what: string): JsonFault => {
    const rest = text.slice(at, at + 200);
    const found = /^(?:[^\s{}[\],:"]+|"[^"\n]*"?|.)/u.exec(rest)?.[0];
    const came = found === undefined ? 'the file ends' : `found ${JSON.stringify(limitText(found, 40))}`;
    const hint = /^(?:\/[/*]|#)/.test(rest) ? '; JSON has no comments: take them out, or name the file .yaml' : '';
    return { offset: at, problem: `expected ${what}, but ${came}${hint}` };
  };
  for (;;) {
    skip(blanks);
    const next = text[at];
    const inside = open.at(-1);
    if (expected === 'more') {
      if (inside === undefined) return next === undefined ? null : fault('nothing after the end of the value');
      const end = inside === '{' ? '}' : ']';
      if (next !== ',' && next !== end) return fault(`a comma or ${end}`);
      at++;
      if (next === end) open.pop();
      else expected = inside === '{' ? 'a key' : 'a value';
    } else if (expected === 'a colon') {
      if (next !== ':') return fault('a colon after the key');
      at++;
      expected = 'a value';
    } else if (expected === 'a key' || expected === 'a key or }') {
      if (next === '}' && expected === 'a key or }') {
        at++;
        open.pop();
        expected = 'more';
      } else {
        if (next !== '"' || !skipText()) return fault(`a key in double quotes${expected === 'a key' ? '' : ' or }'}`);
        expected = 'a colon';
      }
    } else if (next === ']' && expected === 'a value or ]') {
      at++;
      open.pop();
      expected = 'more';
    } else if (next === '{' || next === '[') {
      at++;
      open.push(next);
      expected = next === '{' ? 'a key or }' : 'a value or ]';
    } else {
      if (!(next === '"' ? skipText() : skip(scalar) !== null))
        return fault(expected === 'a value' ? 'a value of JSON' : 'a value of JSON or ]');
      expected = 'more';
    }
  }
}
