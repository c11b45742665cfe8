import type { z } from 'zod';
import { badUsage, type EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable, someOf } from '../../base/printable.ts';
import type { Schema, SchemaIssue } from '../../base/schema.ts';
import { knownKeys, writtenJsonSchema } from './option-schema.ts';

/** Something wrong at a place of a config. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  /** Which side of `key: value` is meant. */
  readonly at: 'key' | 'value';
  readonly text: string;
}

/**
 * A copy of what a config module exports, as plain JSON data: it must reach other processes and be hashed. Members that
 * are `undefined` are left out. Everything that is not data is reported with its place and left out.
 */
export function plainData(value: unknown): { readonly data: Json; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const above = new Set<object>();

  const copy = (value: unknown, path: readonly PropertyKey[]): Json | undefined => {
    const refuse = (came: string): undefined => {
      problems.push({
        path,
        at: 'value',
        text: `expected plain data (text, numbers, lists, objects), but got ${came}`,
      });
      return undefined;
    };
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : refuse(`the number ${value}`);
    if (typeof value !== 'object') return value === undefined ? undefined : refuse(`a ${typeof value}`);
    if (above.has(value)) return refuse('an object that contains itself');
    above.add(value);
    try {
      if (Array.isArray(value)) return value.map((item, index) => copy(item, [...path, index]) ?? null);
      const prototype = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null) {
        return refuse(`an instance of ${prototype.constructor?.name || 'a class'}`);
      }
      const object: Record<string, Json> = {};
      for (const [key, member] of Object.entries(value)) {
        if (key === '__proto__') {
          // Assigned, it would vanish without a word.
          problems.push({ path: [...path, key], at: 'key', text: 'expected another name than "__proto__"; rename it' });
          continue;
        }
        const copied = copy(member, [...path, key]);
        if (copied !== undefined) object[key] = copied;
      }
      return object;
    } finally {
      above.delete(value);
    }
  };

  return { data: copy(value, []) ?? null, problems };
}

type Issue = z.core.$ZodIssue;

/** How much of a value or of a list of names an explanation shows. */

/**
 * What is wrong, as sentences: what was expected, what came, the nearest name.
 *
 * @param data what was checked, from its root
 * @param knownKeys the keys that an object at this path may have, where that is known
 */
export function explainIssue(
  issue: Issue,
  data: unknown,
  knownKeys: (path: readonly PropertyKey[]) => readonly string[],
): Problem[] {
  const path = issue.path;
  const came = valueAt(data, path);
  const value = (text: string): Problem[] => [{ path, at: 'value', text }];
  const missing = came === undefined && path.length > 0;
  const but = missing ? 'but it is missing' : `but got ${describeValue(came)}`;

  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], at: 'key', text: unknownKey(key, knownKeys(path)) }));
    case 'invalid_type':
      return value(`expected ${article(issue.expected)}, ${but}`);
    case 'invalid_value':
      return value(`expected ${oneOf(issue.values)}, ${but}${didYouMean(came, issue.values)}`);
    case 'too_small':
      return value(`expected ${bound(issue.origin, issue.inclusive !== false, issue.minimum, 'least')}, ${but}`);
    case 'too_big':
      return value(`expected ${bound(issue.origin, issue.inclusive !== false, issue.maximum, 'most')}, ${but}`);
    case 'not_multiple_of':
      return value(`expected a multiple of ${issue.divisor}, ${but}`);
    case 'invalid_format':
      return value(`${ownMessage(issue) ?? `expected text of the form ${issue.pattern ?? issue.format}`}, ${but}`);
    case 'invalid_key':
      return issue.issues.flatMap((inner) => ({
        path,
        at: 'key',
        text: `${ownMessage(inner) ?? inner.message}, but got ${describeValue(path.at(-1))}`,
      }));
    case 'invalid_union':
      // Which of several forms is meant is told by one key; what it may be stands in the issue.
      if ('options' in issue && Array.isArray(issue.options))
        return value(`expected ${oneOf(issue.options)}, ${but}${didYouMean(came, issue.options)}`);
      if (ownMessage(issue) !== null) return value(`${ownMessage(issue)}, ${but}`);
      return explainUnion(issue, data, knownKeys);
    case 'invalid_element':
      return issue.issues.flatMap((inner) => explainIssue(inner, data, knownKeys));
    default:
      return value(issue.message);
  }
}

/** The refusal of what came under names, as `seed: expected a whole number, but got 1.5`. */
export function refusedUsage({ issues }: { readonly issues: readonly SchemaIssue[] }, data: unknown): EarwitnessError {
  const problems = issues.flatMap((issue) => explainIssue(issue as z.core.$ZodIssue, data, () => []));
  return badUsage(problems.map(({ path, text }) => `${path.join('.')}: ${text}`).join('; '));
}

/** Zod's own messages begin with these words; any other was written by the schema's author and says it better. */
function ownMessage(issue: { readonly message: string }): string | null {
  return /^(Invalid|Too (small|big)|Unrecognized)/.test(issue.message) ? null : issue.message;
}

/** The alternative that came furthest says most; where none came further than the value itself, all are named. */
function explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  data: unknown,
  knownKeys: (path: readonly PropertyKey[]) => readonly string[],
): Problem[] {
  const alternatives = issue.errors.filter((issues) => issues.length > 0);
  const atRoot = (issues: readonly Issue[]) =>
    issues.some((inner) => inner.path.length === 0 && inner.code === 'invalid_type');
  const further = alternatives.filter((issues) => !atRoot(issues)).sort((a, b) => a.length - b.length)[0];
  if (further) {
    return further.flatMap((inner) =>
      explainIssue({ ...inner, path: [...issue.path, ...inner.path] }, data, knownKeys),
    );
  }
  const came = valueAt(data, issue.path);
  const own = ownMessage(issue);
  const expected = [
    ...new Set(
      alternatives.flatMap((issues) => issues.map((inner) => ('expected' in inner ? article(inner.expected) : ''))),
    ),
  ].filter((text) => text !== '');
  const wanted = own ?? (expected.length > 0 ? `expected ${expected.join(' or ')}` : 'expected something else');
  return [
    {
      path: issue.path,
      at: 'value',
      text: `${wanted}, but ${came === undefined ? 'it is missing' : `got ${describeValue(came)}`}`,
    },
  ];
}

function unknownKey(key: string, known: readonly string[]): string {
  const shown = JSON.stringify(printable(key, 60));
  const other = sameMeaning.find((names) => names.includes(key))?.find((name) => known.includes(name));
  const nearest = other ?? nearestName(key, known);
  if (nearest !== null) return `unknown key ${shown}; did you mean "${nearest}"?`;
  return known.length === 0 ? `unknown key ${shown}; take it out` : `unknown key ${shown}; expected ${someOf(known)}`;
}

/** Options that studies call differently. */
const sameMeaning = [['attributes', 'groupBy']];

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)));
  return shown.length === 1 ? shown[0]! : `one of ${someOf(shown)}`;
}

function didYouMean(came: unknown, values: readonly unknown[]): string {
  const names = values.filter((value) => typeof value === 'string');
  const nearest = typeof came === 'string' ? nearestName(came, names) : null;
  return nearest === null ? '' : `; did you mean "${nearest}"?`;
}

function article(expected: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    int: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    record: 'an object',
    null: 'null',
    undefined: 'nothing',
  };
  return words[expected] ?? `a value of type ${expected}`;
}

function bound(origin: string, inclusive: boolean, limit: number | bigint, word: 'least' | 'most'): string {
  const things = origin === 'string' ? 'character' : origin === 'array' || origin === 'set' ? 'item' : null;
  if (things !== null) return `at ${word} ${limit} ${things}${limit === 1 ? '' : 's'}`;
  if (inclusive) return `a number of at ${word} ${limit}`;
  return word === 'least' ? `a number above ${limit}` : `a number below ${limit}`;
}

/** A value as an explanation shows it: short, harmless. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  if (typeof value === 'string') return value === '' ? 'an empty text' : JSON.stringify(printable(value, 60));
  return String(value);
}

/** The part of a value at a path, undefined where there is none. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let part = value;
  for (const key of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as Record<PropertyKey, unknown>)[key];
  }
  return part;
}

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
