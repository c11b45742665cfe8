import type { Json } from '../../base/json.ts';

/** Plain data of ours as JSON data: the compiler does not see that our interfaces hold nothing else. */
export function asJson(value: unknown): Json {
  return value as Json;
}
