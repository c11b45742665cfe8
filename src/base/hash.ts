import { createHash } from 'node:crypto';
import type { Json } from './json.ts';

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

/** SHA-256 of a text (as UTF-8) or of bytes: 64 hexadecimal digits, or base64 as a Content-Security-Policy wants it. */
export function sha256(data: string | Uint8Array, coding: 'hex' | 'base64' = 'hex'): string {
  return createHash('sha256').update(data).digest(coding);
}

/** SHA-256 of bytes that lie in several places, as of one after the other: 64 hexadecimal digits. */
export function sha256OfParts(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/**
 * The identity of a JSON value: SHA-256 of its canonical text.
 *
 * @example hashJson({ a: 1 }) === hashJson(JSON.parse('{"a":1}')) // true
 */
export function hashJson(value: Json): string {
  return sha256(canonicalJson(value));
}
