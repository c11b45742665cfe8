/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An object that JSON can carry. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether parsed JSON is an object, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Plain data of ours as JSON data: the compiler does not see that our interfaces hold nothing else. */
export function asJson(value: unknown): Json {
  return value as Json;
}

/**
 * The one text that stands for a JSON value: keys sorted by code unit, no blanks, numbers as JavaScript prints them
 * (RFC 8785, JSON Canonicalization Scheme). Members that are `undefined` are left out.
 *
 * @throws TypeError on NaN and infinities, which JSON has no text for
 * @example canonicalJson({ b: 1, a: [true, null] }) // '{"a":[true,null],"b":1}'
 */
export function canonicalJson(value: Json | undefined): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`cannot hash the number ${value}: JSON has no text for it`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const object = value as { readonly [key: string]: Json };
  const parts: string[] = [];
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${parts.join(',')}}`;
}

const textOrNoNumber = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/**
 * Parses JSON, also as Python's module writes it, which has `NaN` and `Infinity` for numbers: they are null here.
 *
 * @throws SyntaxError as `JSON.parse`, with the place in the text as it came
 * @example parseJson('{"score": NaN}') // { score: null }
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const plain = text.replace(textOrNoNumber, (found) => (found.startsWith('"') ? found : 'null'));
    if (plain === text) throw error;
    try {
      return JSON.parse(plain);
    } catch {
      throw error;
    }
  }
}
