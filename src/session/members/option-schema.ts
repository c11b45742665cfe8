import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Schema } from '../../base/schema.ts';

/** What may be written for a schema, as JSON Schema (draft 2020-12). What JSON Schema cannot say is let through. */
export function writtenJsonSchema(schema: Schema<unknown>): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
  return json as unknown as JsonObject;
}

/**
 * The keys that objects at a path may have, gathered over all alternatives; none where anything goes.
 *
 * @example knownKeys(writtenJsonSchema(z.strictObject({ a: z.number() })), []) // ['a']
 */
export function knownKeys(schema: JsonObject, path: readonly PropertyKey[]): string[] {
  let nodes = alternatives(schema, schema);
  for (const part of path) {
    nodes = nodes.flatMap((node) => below(node, part)).flatMap((node) => alternatives(schema, node));
  }
  return [...new Set(nodes.flatMap((node) => Object.keys(object(node.properties) ?? {})))];
}

function below(node: JsonObject, part: PropertyKey): JsonObject[] {
  const named = object(object(node.properties)?.[String(part)]);
  const other = typeof part === 'number' ? object(node.items) : object(node.additionalProperties);
  const position = Array.isArray(node.prefixItems) ? object(node.prefixItems[Number(part)]) : null;
  const found = named ?? position ?? other;
  return found ? [found] : [];
}

function alternatives(root: JsonObject, node: JsonObject): JsonObject[] {
  const reference = typeof node.$ref === 'string' ? /^#\/\$defs\/(.+)$/.exec(node.$ref)?.[1] : undefined;
  const target = reference === undefined ? null : object(object(root.$defs)?.[reference]);
  const inner = [
    ...list(node.anyOf),
    ...list(node.oneOf),
    ...list(node.allOf),
    ...(target && target !== node ? [target] : []),
  ];
  return [
    node,
    ...inner.flatMap((member) => (member.$ref === node.$ref && member.$ref ? [] : alternatives(root, member))),
  ];
}

function object(value: unknown): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(object).filter((item) => item !== null) : [];
}

/** One option of a member, as listings and help show it. */
export interface OptionDescription {
  readonly name: string;
  /** `number from 0 to 1`, `"a" or "b"`, … */
  readonly kind: string;
  readonly required: boolean;
  /** As JSON; null where there is none. */
  readonly default: string | null;
  readonly about: string;
}

/** The options that a schema declares, in its order; what alternatives declare differently is told together. */
export function describeOptions(schema: Schema<unknown>): OptionDescription[] {
  const json = writtenJsonSchema(schema);
  const found = new Map<string, OptionDescription>();
  for (const node of alternatives(json, json)) {
    const required = new Set(Array.isArray(node.required) ? node.required.map(String) : []);
    for (const [name, value] of Object.entries(object(node.properties) ?? {})) {
      const option = object(value) ?? {};
      const about = typeof option.description === 'string' ? option.description : '';
      const described: OptionDescription = {
        name,
        kind: kindOf(json, option),
        // What one alternative needs is not needed with another, but for what tells them apart.
        required: required.has(name) && (node === json || option.const !== undefined),
        default: option.default === undefined ? null : JSON.stringify(option.default),
        about: option.const === undefined || node === json ? about : `${option.const}: ${about}`,
      };
      const before = found.get(name);
      found.set(name, before === undefined ? described : together(before, described, option.const !== undefined));
    }
  }
  return [...found.values()];
}

/** An option of two alternatives: all kinds; the default where both have it; of what tells them apart the meaning of each. */
function together(one: OptionDescription, other: OptionDescription, tellsApart: boolean): OptionDescription {
  return {
    ...one,
    kind: [...new Set([one.kind, other.kind].flatMap((kind) => kind.split(' or ')))].join(' or '),
    default: one.default === other.default ? one.default : null,
    about: tellsApart && one.about !== other.about ? `${one.about}; ${other.about}` : one.about,
  };
}

function kindOf(root: JsonObject, option: JsonObject): string {
  if (option.const !== undefined) return JSON.stringify(option.const);
  if (Array.isArray(option.enum)) return option.enum.map((value) => JSON.stringify(value)).join(' or ');
  const [, ...inner] = alternatives(root, option);
  if (inner.length > 0) {
    return (
      [
        ...new Set(inner.flatMap((node) => kindOf(root, node).split(' or ')).filter((kind) => kind !== 'anything')),
      ].join(' or ') || 'anything'
    );
  }
  switch (option.type) {
    case 'string':
      return 'text';
    case 'integer':
      return `whole number${range(option)}`;
    case 'number':
      return `number${range(option)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return object(option.items) === null ? 'list' : `list of ${kindOf(root, object(option.items) ?? {})}`;
    case 'object': {
      const keys = Object.keys(object(option.properties) ?? {});
      return keys.length === 0 ? 'object' : `object with ${keys.join(', ')}`;
    }
    case 'null':
      return 'null';
    default:
      return 'anything';
  }
}

/** The bounds that zod writes for whole numbers because doubles hold no more are no bounds to speak of. */
function range(option: JsonObject): string {
  const bound = (value: unknown) =>
    typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
  const least = bound(option.minimum);
  const most = bound(option.maximum);
  const above = bound(option.exclusiveMinimum);
  const under = bound(option.exclusiveMaximum);
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  const low = least !== undefined ? ` of at least ${least}` : above !== undefined ? ` above ${above}` : '';
  const high = most !== undefined ? ` of at most ${most}` : under !== undefined ? ` below ${under}` : '';
  return low !== '' && high !== '' ? `${low} and${high.replace(' of', '')}` : low + high;
}
