import { z } from 'zod';
import { groupBinsOption } from '../shared/attributes.ts';
import { conditionsOption, intervalOptions, normalizerOption } from '../shared/options.ts';
import { causeKinds, causeNames, equalizations } from './causes.ts';

/** Options of the study `gap-decomposition`. */
export const gapDecompositionOptions = z.strictObject({
  groupBy: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(16)
    .nullable()
    .default(null)
    .describe('Attributes whose values are compared; null: every attribute with 2 to 8 values that is no cause'),
  bins: groupBinsOption,
  reference: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'The value that others of an attribute are compared with: { native: English }; else that of most speakers',
    ),
  causes: z
    .array(z.enum(causeNames))
    .max(causeNames.length)
    .nullable()
    .default(null)
    .describe('What a gap may go with; null: everything that can be measured here'),
  attributes: z
    .record(z.string().min(1).max(200), z.enum(causeKinds))
    .default({})
    .describe('Attributes that are causes, and of which kind: { device: recording, style: delivery }'),
  frequencies: z
    .string()
    .min(1)
    .max(4096)
    .nullable()
    .default(null)
    .describe('A file of words and how often they occur, one each line; null: as often as in the references'),
  bent: z
    .boolean()
    .default(true)
    .describe('Whether the effect of a measured cause may bend, as that of noise does, or goes straight'),
  equalize: z
    .array(z.enum(equalizations))
    .max(equalizations.length)
    .default([...equalizations])
    .describe('What is equalized over all clips, to see whether the gap changes; needs recognizers that take audio'),
  conditions: conditionsOption
    .max(8)
    .default([])
    .describe('Conditions in which all clips are alike in something else, to see the same: one telephone, one room'),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  level: intervalOptions.level,
  minimumSpeakers: intervalOptions.minimumSpeakers,
});

export type GapDecompositionOptions = z.output<typeof gapDecompositionOptions>;
