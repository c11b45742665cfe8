import type { JsonObject } from '../../base/json.ts';
import type { Schema } from '../../base/schema.ts';
import { type Family, loadMember, memberNames } from '../members/load-member.ts';
import { writtenJsonSchema } from '../members/option-schema.ts';
import { configFrame, corpusFrame, memberFrame, recognizerFrame, studyFrame } from './frame.ts';

/**
 * JSON Schema (draft 2020-12) of the config with the options of every member, made from the schemas that check it, so that
 * editors of YAML and JSON complete and check what the command will accept.
 */
export async function configJsonSchema(): Promise<JsonObject> {
  const frame = writtenJsonSchema(configFrame);
  const properties = frame.properties as Record<string, JsonObject>;
  const described = (key: string, schema: JsonObject): JsonObject => ({
    ...(properties[key]?.description === undefined ? {} : { description: properties[key].description }),
    ...schema,
  });
  const byName = (key: string, reference: string): JsonObject =>
    described(key, {
      type: 'object',
      propertyNames: properties[key]?.propertyNames ?? true,
      additionalProperties: { $ref: reference },
    });
  const definitions: Record<string, JsonObject> = {
    recognizer: await memberSchema('recognizers', recognizerFrame),
    synthesizer: await memberSchema('synthesizers', memberFrame),
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
      const parameters = writtenJsonSchema(member.parameters);
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
    properties: { [key]: { type: 'string', pattern: '^(\\.{1,2}[/\\\\]|/|[A-Za-z]:[/\\\\])' }, ...beside },
    required: [key],
  };
}

function withoutType(frame: JsonObject): JsonObject {
  const { type: _, ...properties } = frame.properties as JsonObject & { type?: unknown };
  return properties;
}
