import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from './json.ts';

export { canonicalJson };

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
