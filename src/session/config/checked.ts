import type { z } from 'zod';
import type { Schema } from '../../base/schema.ts';
import { knownKeys, writtenJsonSchema } from '../members/option-schema.ts';
import { explainIssue } from './explain-issue.ts';
import type { Problem } from './plain-data.ts';

/**
 * What a schema makes of a value; null, and everything that is wrong with it among the problems, where it refuses.
 *
 * @param path where the value stands in the whole
 * @param furtherKeys names to suggest for unknown keys beside those of the schema
 */
export function checked<Value>(
  schema: Schema<Value>,
  value: unknown,
  path: readonly PropertyKey[],
  problems: Problem[],
  furtherKeys: readonly string[] = [],
): Value | null {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const json = writtenJsonSchema(schema);
  const keys = (at: readonly PropertyKey[]) => [...knownKeys(json, at), ...(at.length === 0 ? furtherKeys : [])];
  for (const issue of result.error.issues) {
    for (const problem of explainIssue(issue as z.core.$ZodIssue, value, keys))
      problems.push({ ...problem, path: [...path, ...problem.path] });
  }
  return null;
}
