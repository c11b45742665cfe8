import { z } from 'zod';
import { badConfig, EarwitnessError, type ErrorCode, exitCodes, messageOf } from '../../base/errors.ts';
import { nonEmpty, oneOf, positive, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import type { Schema } from '../../base/schema.ts';
import { checked, type Problem } from './explain-issue.ts';

const functionValue = z.custom((value) => typeof value === 'function', 'expected a function');
const object = z.record(z.string(), z.unknown());
const text = nonEmpty();
const number = z.number();
const count = whole(0);
const texts = z.array(z.string());
const attributes = z.record(z.string(), z.string()).optional();
const floats = z.custom((value) => value instanceof Float32Array, 'expected a Float32Array');
const chances = z.custom((value) => value instanceof Float64Array, 'expected a Float64Array');
const clip = z.looseObject({ samples: floats, sampleRate: positive() });
const closed = { identity: object, close: functionValue };

/** What functions of members give, as far as others rely on it; their contracts say the rest. */
export const shapes = {
  member: z.looseObject({ name: text, about: z.string() }),
  perturbation: z.looseObject({ name: text, version: number, about: z.string(), random: z.boolean() }),
  study: z.looseObject({ version: number }),
  quality: z.looseObject({ version: number, values: z.record(z.string(), z.string()) }),
  description: z.looseObject({
    identity: object,
    input: oneOf(['sound', 'names']),
    pinned: z.boolean(),
    concurrency: whole(1),
    usesProcessor: z.boolean(),
    facts: object,
  }),
  recognizer: z.looseObject({ recognize: functionValue, close: functionValue }),
  readiness: z.looseObject({ ready: z.boolean(), found: z.string(), install: z.string().optional() }),
  synthesizer: z.looseObject({ ...closed, voices: functionValue, speak: functionValue }),
  voices: z.array(z.looseObject({ name: text, language: text, attributes })),
  corpus: z.looseObject({
    utterances: functionValue,
    soundIdentity: functionValue,
    clip: functionValue,
    close: functionValue,
  }),
  utterance: z.looseObject({
    id: text,
    language: text,
    sound: object.optional(),
    reference: z.string().optional(),
    speaker: text.optional(),
    attributes,
    tags: texts.optional(),
  }),
  soundIdentity: object.nullable(),
  clip,
  prepared: z.looseObject({ identity: z.unknown(), assets: z.unknown() }),
  perturbed: z.looseObject({
    clip,
    facts: object,
    timeMap: z.array(z.tuple([number, number])).optional(),
  }),
  batch: z.looseObject({ about: z.string(), size: count.nullable(), questions: functionValue }),
  asked: z.looseObject({ ask: oneOf(['recognition', 'measurement', 'similarity', 'prediction', 'elapsed']) }),
  embedder: z.looseObject({
    ...closed,
    model: z.looseObject({ name: text }),
    languages: texts,
    embedTexts: functionValue,
  }),
  embeddedTexts: z.array(z.looseObject({ vector: floats.nullable(), reason: z.string().optional() })),
  predictor: z.looseObject({ ...closed, predict: functionValue }),
  prediction: z.looseObject({ determinable: chances, failing: chances }),
  meter: z.looseObject({ ...closed, measure: functionValue }),
  measured: z.looseObject({ values: z.record(z.string(), number.nullable()), reason: z.string().optional() }),
  sounds: z.array(z.looseObject({ file: text, name: text, facts: object.optional() })),
};

const condition = z.looseObject({
  name: text,
  steps: z.array(z.looseObject({ perturbation: text, parameters: object })),
});
/** By what is asked. */
export const questionShapes = {
  recognition: z.looseObject({
    trial: z.looseObject({ utterance: shapes.utterance, condition, draw: count, recognizer: text, repeat: count }),
  }),
  measurement: z.looseObject({ utterance: shapes.utterance, condition, draw: count }),
  similarity: z.looseObject({
    embedder: text,
    utterance: shapes.utterance,
    reference: z.string(),
    hypothesis: z.string(),
    anyLanguage: z.boolean(),
  }),
  prediction: z.looseObject({ predictor: text, tried: z.array(object), pool: texts, seed: number }),
  elapsed: z.looseObject({}),
};

const estimate = z.looseObject({
  value: number.nullable(),
  low: number.nullable(),
  high: number.nullable(),
  level: number,
  n: z.looseObject({ utterances: number, speakers: number }),
  method: z.string(),
});
const statement = z.looseObject({ text: z.string(), estimate: estimate.optional() });
const table = z.looseObject({
  id: text,
  title: z.string(),
  columns: z.array(z.looseObject({ key: text, label: z.string(), kind: text })),
  rows: z.array(object),
});
const section = z.looseObject({
  id: text,
  title: z.string(),
  text: texts.optional(),
  tables: z.array(table).optional(),
  charts: z.array(z.looseObject({ title: z.string(), xTicks: texts, series: z.array(object) })).optional(),
  examples: z.array(z.looseObject({ utteranceId: text, conditionName: text, transcripts: z.array(object) })).optional(),
});
export const findingShape = z.looseObject({
  study: z.looseObject({ name: text, version: number }),
  title: z.string(),
  settings: object,
  answer: z.array(statement),
  sections: z.array(section),
  warnings: texts,
});

/** What is the module's fault is told in its name; everything else passes. */
export interface Watch {
  /** What a function of the module gives, or the sentence that it failed. */
  call<Result>(what: string, run: () => Result | Promise<Result>): Promise<Result>;
  /** Both in one: calls a function and looks at what it gives. */
  ask<Result>(what: string, shape: Schema<unknown>, run: () => Result | Promise<Result>): Promise<Result>;
  /** What the module gave (what it exports, where `what` is empty), if it has the shape that its contract says. */
  expect<Value>(what: string, shape: Schema<unknown>, value: Value): Value;
  fault(problem: string, cause?: unknown): Error;
}

/** @param path as the config names it */
export function watched(path: string): Watch {
  const shown = printable(path, 200);
  const fault = (problem: string, cause?: unknown) => badConfig(`${shown}: ${problem}`, { cause });
  const call: Watch['call'] = async (what, run) => {
    try {
      return await run();
    } catch (error) {
      throw (
        passedOn(error) ?? fault(`${what} failed: ${printable(messageOf(error), 500)}${lineIn(path, error)}`, error)
      );
    }
  };
  const expect: Watch['expect'] = (what, shape, value) => {
    const problems: Problem[] = [];
    checked(shape, value, [], problems);
    if (problems.length === 0) return value;
    const said = problems
      .slice(0, 3)
      .map(({ path: at, text }) => `${at.length === 0 ? '' : `${at.join('.')}: `}${text}`);
    const where = what === '' ? 'what it exports' : what.includes(' ') ? `what ${what}` : `what ${what} gives`;
    throw fault(`${where} is not as docs/own-members.md shows it: ${said.join('; ')}`);
  };
  return { fault, call, expect, ask: async (what, shape, run) => expect(what, shape, await call(what, run)) };
}

/** What was stopped, failures of a call, and errors with a sentence of their own, whichever copy of the package they are from. */
function passedOn(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'RecognitionError' || error.name === 'AbortError' || error instanceof EarwitnessError)
    return error;
  const known = error.name === 'EarwitnessError' && 'code' in error && Object.hasOwn(exitCodes, String(error.code));
  return known ? new EarwitnessError(error.code as ErrorCode, error.message, { cause: error }) : null;
}

/** The line of the module where it failed: the first of its stack that is in its file. */
function lineIn(path: string, error: unknown): string {
  const file = path.split(/[/\\]/).at(-1)!;
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = stack.split('\n').find((line) => line.includes(`/${encodeURI(file)}:`) || line.includes(`/${file}:`));
  const line = at === undefined ? undefined : /:(\d+):\d+\)?$/.exec(at)?.[1];
  return line === undefined ? '' : ` (line ${line})`;
}
