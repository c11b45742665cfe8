import { z } from 'zod';
import { flag, list, nonEmpty, orNull } from '../../base/option-kinds.ts';
import { groupBinsOption } from '../shared/attributes.ts';
import { conditionsOption, intervalOptions, normalizerOption, referenceOption } from '../shared/options.ts';
import { causeKinds, causeNames, equalizations } from './causes.ts';

/** Options of the study `gap-decomposition`. */
export const gapDecompositionOptions = z.strictObject({
  groupBy: orNull(list(nonEmpty(200), 1, 16)).describe(
    'Attributes whose values are compared; null: every attribute with 2 to 8 values that is no cause',
  ),
  bins: groupBinsOption,
  reference: referenceOption,
  causes: orNull(list(z.enum(causeNames), 0, causeNames.length)).describe(
    'What a gap may go with; null: everything that can be measured here',
  ),
  attributes: z
    .record(nonEmpty(200), z.enum(causeKinds))
    .default({})
    .describe('Attributes that are causes, and of which kind: { device: recording, style: delivery }'),
  frequencies: orNull(nonEmpty(4096)).describe(
    'A file of words and how often they occur, one each line; null: as often as in the references',
  ),
  bent: flag(true).describe('Whether the effect of a measured cause may bend, as that of noise does, or goes straight'),
  equalize: list(z.enum(equalizations), 0, equalizations.length)
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
