import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Json, JsonObject } from '../src/base/json.ts';
import { loadMember, memberNames } from '../src/session/members/load-member.ts';
import { writtenJsonSchema } from '../src/session/members/option-schema.ts';

const root = join(import.meta.dirname, '..');
/** Parameters of perturbations are those of published effects. */
const families = [
  ...(['studies', 'recognizers', 'synthesizers', 'corpora'] as const),
  ...(['embedders', 'predictors', 'quality', 'sound-collections'] as const),
];

/** What people read and copy, without what is made from the declarations themselves. */
const shown = ['docs', 'examples', 'bench', 'python']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
  .filter((file) => /\.(md|ya?ml|m?ts|m?js|json|py)$/.test(file) && !/node_modules|testing/.test(file))
  .map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8').replaceAll(/^<!-- [\w-]+: generated -->$[\s\S]*?^<!-- end -->$/gm, ''),
  }));

/** Every key of a schema and of the objects in it, with its meaning. */
function* keysIn(node: Json | undefined, above = ''): Generator<{ readonly path: string; readonly id: string }> {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) for (const one of node) yield* keysIn(one, above);
  else {
    const { properties = {}, items, anyOf, oneOf, allOf, additionalProperties, prefixItems } = node as JsonObject;
    for (const [key, value] of Object.entries(properties as Record<string, JsonObject>)) {
      yield { path: above + key, id: `${key}: ${value.description}` };
      yield* keysIn(value, `${above}${key}.`);
    }
    for (const inner of [items, anyOf, oneOf, allOf, additionalProperties, prefixItems]) yield* keysIn(inner, above);
  }
}

/** Where somebody is shown using a key, as `key: …` or `key`, on a page that is about one of these members. */
function isShown(key: string, members: readonly string[]): boolean {
  const used = new RegExp(`(\`|\\b)${key}(\`|["']?:|\\b ?=|: )`);
  return shown.some(({ file, text }) => members.some((name) => `${file}${text}`.includes(name)) && used.test(text));
}

async function unshown(family: (typeof families)[number]): Promise<string[]> {
  const members = new Map<string, { readonly key: string; readonly of: Set<string>; readonly path: string }>();
  for (const name of memberNames(family)) {
    const { member } = await loadMember(family, name, '.');
    for (const { path, id } of keysIn(writtenJsonSchema(member.options))) {
      const known = members.get(id) ?? { key: path.split('.').at(-1)!, of: new Set(), path: `${name}: ${path}` };
      members.set(id, known);
      known.of.add(name);
    }
  }
  return [...members.values()].filter(({ key, of }) => !isShown(key, [...of])).map(({ path }) => path);
}

for (const family of families) {
  test(`Every option of ${family} stands in a page, an example or a measurement: whom it serves is shown, or it is not there.`, async () => {
    assert.deepEqual(await unshown(family), []);
  });
}
