import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { z } from 'zod';
import { canonicalJson } from '../../../base/hash.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { TrialBench } from './trial-bench.ts';

/** What a member says of itself: options, identity, readiness. */
export function proveDescription<Options>({ tried, hears, options, title, proves }: TrialBench<Options>): void {
  const { kind, services } = tried;

  test(title('describes every option and refuses unknown ones'), () => {
    const schema = z.toJSONSchema(kind.options as z.ZodType, { io: 'input', unrepresentable: 'any' }) as JsonObject;
    assert.deepEqual(undescribed(schema, kind.name), []);
    const unknown = kind.options.safeParse({ ...(tried.options as object), noSuchOption: 1 });
    assert.equal(unknown.success, false);
  });

  proves('tells its identity without paths and secrets, the same each time', async () => {
    const description = await kind.describe(options(), services);
    assert.deepEqual(await kind.describe(options(), services), description);
    const text = canonicalJson({ ...description } as unknown as JsonObject);
    for (const hidden of [services.baseFolder, homedir(), ...(tried.secrets ?? [])].filter(
      (value) => value.length > 1,
    )) {
      assert.ok(!text.includes(hidden), `${hidden} stands in ${text}`);
    }
    assert.doesNotMatch(canonicalJson(description.identity), /"\/|file:/);
    assert.equal(description.input, hears ? 'sound' : 'names');
    assert.ok(description.concurrency >= 1);
  });

  proves('would work on this machine, and says what it found', async () => {
    const readiness = await kind.readiness(services);
    assert.equal(readiness.ready, true, readiness.found);
    assert.ok(readiness.found.length > 0);
  });
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
