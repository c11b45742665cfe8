import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { z } from 'zod';
import { canonicalJson } from '../hash.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Schema } from '../schema.ts';

/** That a member says of every option what it is, and refuses unknown ones. @param given some that it takes */
export function assertDescribed(options: Schema<unknown>, given: unknown): void {
  const schema = z.toJSONSchema(options as z.ZodType, { io: 'input', unrepresentable: 'any' }) as JsonObject;
  assert.deepEqual(undescribed(schema, ''), []);
  assert.equal(options.safeParse({ ...(given as object), noSuchOption: 1 }).success, false);
}

/** Paths of options that say nothing about themselves, and of objects that let unknown ones through. */
function undescribed(schema: JsonObject, path: string): string[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonObject>>;
  const found = Object.entries(properties).flatMap(([name, property]) => [
    ...(typeof property.description === 'string' && property.description.length > 5 ? [] : [`${path}.${name}`]),
    ...undescribed(property, `${path}.${name}`),
  ]);
  const items = schema.items as JsonObject | undefined;
  return [
    ...found,
    ...(schema.properties && schema.additionalProperties !== false ? [`${path} is not strict`] : []),
    ...(items ? undescribed(items, `${path}[]`) : []),
  ];
}

/** That an identity names no place of this machine. @param hidden what else it must not name */
export function assertWithoutPaths(identity: Json, ...hidden: readonly string[]): void {
  const text = canonicalJson(identity);
  for (const one of [homedir(), ...hidden])
    assert.ok(one.length < 2 || !text.includes(one), `${one} stands in ${text}`);
}
