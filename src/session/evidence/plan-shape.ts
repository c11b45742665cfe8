import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { BundleLine } from './bundle-line.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const object = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject);
const names = z.array(z.string()).nullable();

/** What `freezePlan` kept, as it is read back. */
const planShape = z.strictObject({
  format: z.literal(1),
  program: z.looseObject({ earwitness: z.string(), node: z.string(), platform: z.string() }).nullable(),
  name: z.string(),
  seed: z.number(),
  fresh: z.boolean(),
  parent: z.string().nullable(),
  config: hash,
  utterances: z.strictObject({ count: z.int(), sha256: hash }),
  recognizers: z.array(
    z.strictObject({
      name: z.string(),
      identity: object,
      input: z.enum(['sound', 'names']),
      facts: object,
      pricePerMinute: z.strictObject({ amount: z.number(), currency: z.string() }).nullable(),
      vocabulary: hash.nullable(),
      differentiable: z.literal(true).optional(),
      askable: z.literal(true).optional(),
    }),
  ),
  studies: z.array(
    z.strictObject({
      name: z.string(),
      version: z.number(),
      options: z.unknown().transform((value) => value as Json),
      module: z.strictObject({ path: z.string(), hash }).nullable(),
    }),
  ),
  ladders: hash,
  quality: z
    .array(
      z.strictObject({
        name: z.string(),
        key: hash,
        values: z.record(z.string(), z.string()),
        needsClean: z.boolean(),
      }),
    )
    .nullable(),
  embedders: names,
  predictors: names,
});

export type Plan = z.infer<typeof planShape>;

/** @throws EarwitnessError `bad-input` where it is no plan */
export function readPlan({ plan }: BundleLine<'plan'>): Plan {
  const parsed = planShape.safeParse(plan);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  throw new EarwitnessError(
    'bad-input',
    `plan: expected what a run writes when it begins, but ${printable(`${where}: ${issue?.message ?? 'it is none'}`, 200)}`,
  );
}
