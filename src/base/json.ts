/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An object that JSON can carry. */
export type JsonObject = { readonly [key: string]: Json };

/** Plain data of ours as JSON data: the compiler does not see that our interfaces hold nothing else. */
export function asJson(value: unknown): Json {
  return value as Json;
}
