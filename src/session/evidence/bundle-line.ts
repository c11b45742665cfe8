import { z } from 'zod';
import type { Json, JsonObject } from '../../base/json.ts';
import { matching } from '../../base/option-kinds.ts';
import { failureKinds } from '../../model/observation.ts';

/** Number of the bundle's form: raised when a line changes its meaning. */
export const bundleFormat = 1;

const json = z.unknown().transform((value) => value as Json);
const object = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject);
const hash = matching(/^[0-9a-f]{64}$/);
/** Milliseconds since 1970 that a date can have (ECMA-262, section 21.4.1.1). */
const time = z.number().min(0).max(8.64e15);

/** Whether a bundle may have it as a time. */
export function isBundleTime(value: number): boolean {
  return time.safeParse(value).success;
}
const count = z.int().min(0);
/** -1: about none. */
const place = z.int().min(-1);

const soundSource = z.union([
  z.looseObject({ file: z.string(), startSeconds: z.number().optional(), endSeconds: z.number().optional() }),
  z.looseObject({ text: z.string(), synthesizer: z.string(), voice: z.string() }),
  z.strictObject({ withheld: z.literal(true) }),
]);

const condition = z.looseObject({
  name: z.string(),
  steps: z.array(z.looseObject({ perturbation: z.string(), parameters: object })),
  rung: z.looseObject({ family: z.string(), rank: z.number(), label: z.string() }).optional(),
});

const utterance = z.looseObject({
  id: z.string(),
  sound: soundSource.optional(),
  reference: z.string().optional(),
  language: z.string(),
  speaker: z.string().optional(),
  attributes: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
});

const timing = z.looseObject({
  seconds: z.number(),
  processorSeconds: z.number().nullable().optional(),
  noProcessorTime: z.enum(['elsewhere', 'unmeasured']).optional(),
  calls: z.number(),
  stream: z
    .looseObject({
      firstPartialSeconds: z.number().nullable(),
      finalLatencySeconds: z.number(),
      waitedSeconds: z.number(),
    })
    .optional(),
});

const word = z.looseObject({
  text: z.string(),
  startSeconds: z.number().optional(),
  endSeconds: z.number().optional(),
  confidence: z.number().optional(),
});

const heard = { timing, soundSeconds: z.number().nullable() };
const observation = z.union([
  z.looseObject({
    ...heard,
    transcript: z.looseObject({
      text: z.string(),
      words: z.array(word).optional(),
      details: object.optional(),
      price: z.looseObject({ amount: z.number(), currency: z.string() }).optional(),
    }),
  }),
  z.looseObject({ ...heard, failure: z.looseObject({ kind: z.enum(failureKinds), message: z.string() }) }),
  z.looseObject({ ...heard, withheld: z.literal(true) }),
]);

const measurement = z.looseObject({
  durationSeconds: z.number(),
  sampleRate: z.number(),
  levelDbfs: z.number().nullable(),
  clippedShare: z.number(),
  facts: z.array(object),
  sampleHash: z.string(),
  quality: z
    .record(
      z.string(),
      z.looseObject({ values: z.record(z.string(), z.number().nullable()), reason: z.string().optional() }),
    )
    .optional(),
});

const similarity = z.looseObject({ value: z.number().nullable(), reason: z.string().optional() });
const chances = z.array(z.number().min(0).max(1));
const prediction = z.looseObject({ determinable: chances, failing: chances, seconds: z.number() });

/** Every kind of line that a bundle has, by its `part`, in the order in which they come. */
export const lineShapes = {
  header: z.strictObject({
    part: z.literal('header'),
    evidence: z.literal('earwitness'),
    format: z.int(),
    /** False: what was said and what was meant to be said has been left out. */
    transcripts: z.boolean(),
    /** Version of the program that made the bundle. */
    earwitness: z.string(),
    timing: z.looseObject({ bundled: z.string() }),
  }),
  run: z.strictObject({
    part: z.literal('run'),
    id: z.string(),
    name: z.string(),
    seed: z.number(),
    fresh: z.boolean(),
    parent: z.string().nullable(),
    recognizers: z.array(z.strictObject({ name: z.string(), identity: object, epoch: z.string().nullable() })),
    startedAtMs: time,
    finishedAtMs: time,
    tally: z.strictObject({
      trials: count,
      answered: count,
      failed: count,
      reused: count,
      failures: z.record(z.string(), count),
      possiblyPaid: count,
    }),
  }),
  config: z.strictObject({ part: z.literal('config'), config: object }),
  plan: z.strictObject({ part: z.literal('plan'), hash, frozenAtMs: time, plan: object }),
  material: z.strictObject({
    part: z.literal('material'),
    kind: z.string(),
    name: z.string(),
    hash,
    /** Absent where it was withheld. */
    value: json.optional(),
  }),
  condition: z.strictObject({ part: z.literal('condition'), index: count, condition }),
  utterance: z.strictObject({
    part: z.literal('utterance'),
    position: count,
    utterance,
    /** What the sound was: hash of the file, decoder, stretch; or the text spoken and by whom. Null: none was asked for. */
    sound: object.nullable(),
    /** Hash of that; alone where the text has been left out. */
    soundHash: hash.nullable(),
  }),
  batch: z.strictObject({ part: z.literal('batch'), batch: count, study: z.string(), size: count, keysHash: hash }),
  answer: z.strictObject({
    part: z.literal('answer'),
    position: count,
    key: hash,
    utterance: place,
    condition: place,
    draw: count,
    recognizer: count.nullable(),
    repeat: count,
    quality: z.array(hash).optional(),
    asks: z.enum(['similarity', 'prediction', 'elapsed']).optional(),
    /** Whether another run had asked it. */
    earlier: z.boolean(),
    askedAtMs: time.nullable(),
    observation: observation.optional(),
    measurement: measurement.optional(),
    similarity: similarity.optional(),
    prediction: prediction.optional(),
    elapsedSeconds: z.number().optional(),
  }),
  finding: z.strictObject({ part: z.literal('finding'), finding: object }),
} as const;

/** Kinds of lines that are sealed. */
export type BundlePart = keyof typeof lineShapes;

/** A line of a bundle as it is read back. */
export type BundleLine<Part extends BundlePart = BundlePart> = {
  [Name in Part]: z.infer<(typeof lineShapes)[Name]>;
}[Part];

/** What is said of one kind of lines. */
const sealedPart = z.strictObject({
  lines: count,
  /** SHA-256 of the lines, each with the line feed that ends it. */
  sha256: hash,
  /** The same for each hundred of them, to say where something was changed. */
  hundreds: z.array(hash),
});

/** The last line: what all others must hash to. */
export const sealShape = z.strictObject({
  part: z.literal('seal'),
  parts: z.record(z.string(), sealedPart),
  /** SHA-256 of the canonical JSON of `parts`: the one number that stands for the whole bundle. */
  sha256: hash,
});

export type Seal = z.infer<typeof sealShape>;
