import type { Json, JsonObject } from '../../base/json.ts';
import type { Schema } from '../../base/schema.ts';
import { type Family, loadMember, memberNames } from '../members/load-member.ts';
import { writtenJsonSchema } from '../members/option-schema.ts';
import { configFrame, corpusFrame, memberFrame, recognizerFrame, studyFrame, synthesizerFrame } from './frame.ts';

/** Repeated parts shorter than this (as JSON) stand where they are used: a reference would not be much shorter. */
const shortCharacters = 120;

/**
 * JSON Schema (draft 2020-12) of the config with the options of every member, made from the schemas that check it, so that
 * editors of YAML and JSON complete and check what the command will accept. What stands in it more than once is one of its
 * definitions.
 *
 * @example const { properties } = await configJsonSchema(); // { name: { description: 'Title of the report', … }, … }
 */
export async function configJsonSchema(): Promise<JsonObject> {
  return withDefinitions(await wholeConfigJsonSchema());
}

/** The same with all options of a member spelled out where they stand: 24 corpora, each with its own `select`. */
export async function wholeConfigJsonSchema(): Promise<JsonObject> {
  const frame = writtenJsonSchema(configFrame);
  const properties = frame.properties as Record<string, JsonObject>;
  const described = (key: string, schema: JsonObject): JsonObject => {
    const { description, default: absent } = properties[key]!;
    return {
      ...(description === undefined ? {} : { description }),
      ...(absent === undefined ? {} : { default: absent }),
      ...schema,
    };
  };
  const byName = (key: string, reference: string): JsonObject =>
    described(key, {
      type: 'object',
      propertyNames: properties[key]?.propertyNames ?? true,
      additionalProperties: { $ref: reference },
    });
  const definitions: Record<string, JsonObject> = {
    recognizer: await memberSchema('recognizers', recognizerFrame),
    synthesizer: await memberSchema('synthesizers', synthesizerFrame),
    sounds: await memberSchema('sound-collections', memberFrame),
    corpus: await memberSchema('corpora', corpusFrame),
    study: withSteps(await memberSchema('studies', studyFrame)),
    embedder: await memberSchema('embedders', memberFrame),
    predictor: await memberSchema('predictors', memberFrame),
    quality: await memberSchema('quality', memberFrame),
    step: await stepSchema(),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Config of earwitness',
    ...frame,
    properties: {
      ...properties,
      corpus: described('corpus', {
        anyOf: [{ $ref: '#/$defs/corpus' }, { type: 'array', minItems: 1, items: { $ref: '#/$defs/corpus' } }],
      }),
      recognizers: byName('recognizers', '#/$defs/recognizer'),
      synthesizers: byName('synthesizers', '#/$defs/synthesizer'),
      sounds: byName('sounds', '#/$defs/sounds'),
      embedders: byName('embedders', '#/$defs/embedder'),
      predictors: byName('predictors', '#/$defs/predictor'),
      studies: described('studies', { type: 'array', minItems: 1, items: { $ref: '#/$defs/study' } }),
      quality: described('quality', {
        type: 'array',
        maxItems: 32,
        items: { anyOf: [{ enum: memberNames('quality') }, { $ref: '#/$defs/quality' }] },
      }),
      ladders: withSteps(properties.ladders!),
    },
    $defs: { ...((frame.$defs as JsonObject | undefined) ?? {}), ...definitions },
  };
}

/** A copy in which each part that stands in several places is a definition, called after the key that it is first found under. */
function withDefinitions(schema: JsonObject): JsonObject {
  const seen = new Map<string, { count: number; readonly key: string }>();
  const count = (part: JsonObject, key: string): void => {
    const text = JSON.stringify(part);
    const before = seen.get(text);
    if (before) before.count++;
    else {
      seen.set(text, { count: 1, key });
      for (const [inner, below] of partsOf(part)) count(below, inner ?? key);
    }
  };
  const { $defs, ...rest } = schema;
  const families = Object.entries($defs as Record<string, JsonObject>);
  const top = [['', rest], ...families] as const;
  for (const [key, part] of top) for (const [inner, below] of partsOf(part)) count(below, inner ?? key);

  const definitions = new Map<string, JsonObject>(families);
  const references = new Map<string, JsonObject>();
  const shared = (part: JsonObject): JsonObject => {
    const text = JSON.stringify(part);
    const { count: places, key } = seen.get(text)!;
    if (places === 1 || text.length < shortCharacters) return mapParts(part, shared);
    let reference = references.get(text);
    if (reference === undefined) {
      let name = key;
      for (let number = 2; definitions.has(name); number++) name = `${key}${number}`;
      reference = { $ref: `#/$defs/${name}` };
      references.set(text, reference);
      definitions.set(name, {}); // Taken before its own parts look for names.
      definitions.set(name, mapParts(part, shared));
    }
    return reference;
  };
  const root = mapParts(rest, shared);
  for (const [name, part] of families) definitions.set(name, mapParts(part, shared));
  return { ...root, $defs: Object.fromEntries(definitions) };
}

/** Where JSON Schema keeps further schemas: one, a list of them, or some by name. */
const partKeys = {
  one: ['items', 'additionalProperties', 'propertyNames', 'not'],
  list: ['anyOf', 'oneOf', 'allOf', 'prefixItems'],
  named: ['properties', 'patternProperties'],
} as const;

/** The schemas directly inside of one, with the property that each stands for. */
function partsOf(schema: JsonObject): (readonly [string | undefined, JsonObject])[] {
  const parts: (readonly [string | undefined, JsonObject])[] = [];
  mapParts(schema, (part, key) => {
    parts.push([key, part]);
    return part;
  });
  return parts;
}

function mapParts(schema: JsonObject, change: (part: JsonObject, key?: string) => JsonObject): JsonObject {
  const changed: Record<string, Json> = { ...schema };
  const each = (part: Json | undefined, key?: string) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? change(part as JsonObject, key) : part!;
  for (const key of partKeys.one) if (key in schema) changed[key] = each(schema[key]);
  for (const key of partKeys.list) if (key in schema) changed[key] = (schema[key] as Json[]).map((part) => each(part));
  for (const key of partKeys.named)
    if (key in schema)
      changed[key] = Object.fromEntries(
        Object.entries(schema[key] as JsonObject).map(([name, part]) => [name, each(part, name)]),
      );
  return changed;
}

async function memberSchema(
  family: Exclude<Family, 'perturbations' | 'decoders'>,
  frame: Schema<unknown>,
): Promise<JsonObject> {
  const beside = withoutType(writtenJsonSchema(frame));
  const members = await Promise.all(
    memberNames(family).map(async (name): Promise<JsonObject[]> => {
      const { member } = await loadMember(family, name, '.');
      const { $defs: _, oneOf, ...options } = writtenJsonSchema(member.options);
      // Each of several forms of options is an alternative of its own: `additionalProperties` knows only what stands beside it.
      return ((oneOf ?? [options]) as JsonObject[]).map((form) => ({
        ...form,
        type: 'object',
        description: member.about,
        properties: { type: { const: name }, ...((form.properties as JsonObject | undefined) ?? {}), ...beside },
        required: ['type', ...((form.required as string[] | undefined) ?? [])],
        additionalProperties: false,
      }));
    }),
  );
  return { anyOf: [...members.flat(), ownModule('type', { ...beside })] };
}

async function stepSchema(): Promise<JsonObject> {
  const steps = await Promise.all(
    memberNames('perturbations').map(async (name): Promise<JsonObject> => {
      const { member } = await loadMember('perturbations', name, '.');
      const parameters: JsonObject = {
        description: 'Parameters of the perturbation',
        ...writtenJsonSchema(member.parameters),
      };
      return {
        type: 'object',
        description: member.about,
        properties: { perturbation: { const: name }, parameters },
        required: ['perturbation', ...(parameters.required === undefined ? [] : ['parameters'])],
        additionalProperties: false,
      };
    }),
  );
  return { anyOf: [...steps, ownModule('perturbation', {})] };
}

/** A copy in which a step of any perturbation is one of those that exist. */
function withSteps(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    Object.keys(value?.properties ?? {}).join() === 'perturbation,parameters' ? { $ref: '#/$defs/step' } : value,
  );
}

/** A module of the user's own, whose options are known only when it is loaded. */
function ownModule(key: string, beside: JsonObject): JsonObject {
  return {
    type: 'object',
    description: 'A module of your own',
    properties: {
      [key]: {
        type: 'string',
        description: 'Its path, from the folder of the config',
        pattern: '^(\\.{1,2}[/\\\\]|/|[A-Za-z]:[/\\\\])',
      },
      ...beside,
    },
    required: [key],
  };
}

function withoutType(frame: JsonObject): JsonObject {
  const { type: _, ...properties } = frame.properties as JsonObject & { type?: unknown };
  return properties;
}
