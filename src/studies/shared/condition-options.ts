import { z } from 'zod';

/** What is done to a sound, in order. */
export const stepsOption = z
  .array(
    z.strictObject({
      perturbation: z.string().min(1).max(4096).describe('Name of a perturbation'),
      parameters: z.record(z.string(), z.json()).default({}).describe('Its parameters'),
    }),
  )
  .max(100);

const name = z.string().min(1).max(100);

/** A condition that the config spells out. */
export const ownConditionOption = z.strictObject({
  name: name.describe('Unique among the conditions'),
  steps: stepsOption.describe('What is done to the sound, in order'),
  rung: z
    .strictObject({
      family: name.describe('Conditions of one family make one chart'),
      rank: z.int().min(1).max(1000).describe('1 is the mildest'),
      label: name.describe('The severity, as charts show it'),
    })
    .optional()
    .describe('Its place in a family of severities'),
});

/** Conditions by name or spelled out: every study that asks about disturbed sound has such a list. */
export const conditionsOption = z.array(z.union([z.string().min(1).max(200), ownConditionOption]));

export type ConditionsOption = z.infer<typeof conditionsOption>;
