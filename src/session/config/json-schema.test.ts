import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Json, JsonObject } from '../../base/json.ts';
import { wholeConfigJsonSchema } from './json-schema.ts';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'schema/earwitness.schema.json'), 'utf8');
const written = JSON.parse(text) as JsonObject;
const whole = await wholeConfigJsonSchema();

/** A schema with every definition spelled out where it is named, but for those that are to stay. */
function spelledOut(schema: JsonObject, kept: ReadonlySet<string>): JsonObject {
  const definitions = schema.$defs as JsonObject;
  const resolved = (node: Json): Json =>
    JSON.parse(JSON.stringify(node), (_, value) => {
      const name = typeof value?.$ref === 'string' ? value.$ref.slice('#/$defs/'.length) : null;
      if (name === null || kept.has(name)) return value;
      assert.deepEqual(Object.keys(value), ['$ref'], 'a reference stands alone');
      assert.ok(name in definitions, `no definition of ${name}`);
      return resolved(definitions[name]!);
    });
  const $defs = Object.fromEntries([...kept].map((name) => [name, resolved(definitions[name]!)]));
  return resolved({ ...schema, $defs }) as JsonObject;
}

test('the schema for editors is under 300 kB and says what it would say with every option spelled out', () => {
  assert.ok(text.length < 300_000, `${text.length} characters`);
  assert.deepEqual(spelledOut(written, new Set(Object.keys(whole.$defs as JsonObject))), whole);
});

test('the schema for editors has no keyword that an editor may not know, and every key says what it is for', () => {
  const known = new Set([
    ...['$schema', '$defs', '$ref', 'title', 'description', 'default', 'type', 'const', 'enum', 'format', 'pattern'],
    ...['properties', 'required', 'additionalProperties', 'propertyNames', 'items', 'prefixItems', 'anyOf'],
    ...[
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'multipleOf',
    ],
  ]);
  const strange: string[] = [];
  const silent: string[] = [];
  const look = (schema: JsonObject, path: string) => {
    for (const [keyword, value] of Object.entries(schema)) {
      const below = `${path}/${keyword}`;
      if (!known.has(keyword)) strange.push(below);
      if (keyword === 'properties' || keyword === '$defs') {
        for (const [name, part] of Object.entries(value as Record<string, JsonObject>)) {
          look(part, `${below}/${name}`);
          const meant = part.$ref === undefined ? part : described(part.$ref as string);
          if (keyword === 'properties' && meant.description === undefined && meant.const === undefined)
            silent.push(`${below}/${name}`);
        }
      } else if (['items', 'additionalProperties', 'propertyNames'].includes(keyword) && typeof value === 'object')
        look(value as JsonObject, below);
      else if (keyword === 'anyOf' || keyword === 'prefixItems')
        (value as JsonObject[]).forEach((part, at) => void look(part, `${below}/${at}`));
    }
  };
  const described = (reference: string) => (written.$defs as Record<string, JsonObject>)[reference.slice(8)]!;
  look(written, '#');
  assert.deepEqual({ strange, silent }, { strange: [], silent: [] });
});

/** Every place in a config. */
function* placesOf(node: Json, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof node === 'object' && node !== null)
    for (const [key, inner] of Object.entries(node)) yield* placesOf(inner, [...path, key]);
}

/** A config that differs at one place: it is gone, it has one key more, or another kind of value stands there. */
function spoiled(config: Json, path: readonly string[], how: number): Json {
  const copy = structuredClone(config) as Record<string, never>;
  const parent = path.slice(0, -1).reduce((node, key) => node[key]!, copy) as Record<string, unknown>;
  const key = path.at(-1)!;
  const value = parent[key];
  if (how === 0 && !Array.isArray(parent)) delete parent[key];
  else if (how === 1 && typeof value === 'object' && !Array.isArray(value)) parent[key] = { ...value, unheardOf: 7 };
  else parent[key] = typeof value === 'number' ? -1e9 : { not: 'expected' };
  return copy as Json;
}

/** Where something is wrong, alternatives included. */
function wrongPlaces(error: z.core.$ZodError | undefined): string[] {
  const places = (issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[]): string[] =>
    issues.flatMap((issue) => {
      const path = [...above, ...issue.path];
      const inner = issue.code === 'invalid_union' ? issue.errors.flatMap((branch) => places(branch, path)) : [];
      return [`${path.join('.')} ${issue.code}`, ...inner];
    });
  return places(error?.issues ?? [], []);
}

test('the schema for editors accepts every example, and finds the same faults at the same places as one spelled out', () => {
  const short = z.fromJSONSchema(written as never);
  const long = z.fromJSONSchema(whole as never);
  let refused = 0;
  let turn = 0;
  for (const file of globSync('examples/*/*config.yaml', { cwd: root }).sort()) {
    const config = parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as Json;
    assert.deepEqual(wrongPlaces(short.safeParse(config).error), [], file);
    const places = [...placesOf(config)].slice(1);
    for (const how of [0, 1, 2]) {
      const bad = spoiled(config, places[(turn++ * 7) % places.length]!, how);
      const found = wrongPlaces(short.safeParse(bad).error);
      if (found.length > 0) refused++;
      assert.deepEqual(found, wrongPlaces(long.safeParse(bad).error), file);
    }
  }
  assert.ok(turn > 90 && refused > turn / 2, `${refused} of ${turn} refused`);
});
