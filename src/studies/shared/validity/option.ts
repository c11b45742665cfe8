import { z } from 'zod';

const byMeasure = z.strictObject({
  measure: z.string().min(1).max(100).describe('A measure of quality that the config names under `quality`'),
  value: z.string().min(1).max(100).optional().describe('Which of its values; the first if absent'),
  atLeast: z.number().describe('Below this a sound says nothing about recognizers any more'),
  per: z
    .enum(['condition', 'case'])
    .default('condition')
    .describe('Whether whole conditions are dropped by their mean, or each changed sound by itself'),
});

const byListeners = z.strictObject({
  comprehensibility: z
    .number()
    .min(1)
    .max(10)
    .describe(
      'Scenarios are kept that the listeners of AequeVox understood better than this; the paper keeps those above 7.2',
    ),
});

/** The option `validity` of studies: which sounds count. */
export const validityOption = z.union([byMeasure, byListeners]);

export type ValidityOption = z.output<typeof validityOption>;
