import { z } from 'zod';
import { leftOutByAequevox } from '../../perturbations/ladders/aequevox.ts';
import { groupBinsOption } from '../shared/attributes.ts';
import { whereOption } from '../shared/check-utterances.ts';
import { conditionsOption, normalizerOption } from '../shared/options.ts';

/** Options of the study `fault-words`. */
export const faultWordsOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe('Scenarios (ladder/family:rank), families, ladders, or conditions of your own'),
  baseline: z
    .string()
    .min(1)
    .max(200)
    .default('clean')
    .describe('The baseline condition (aequevox/original:1, as AequeVox has it)'),
  except: z
    .array(z.string().min(1).max(200))
    .max(1000)
    .default([...leftOutByAequevox])
    .describe('Conditions that are left out, because nothing is recognized in them'),
  where: whereOption,
  omega: z
    .union([z.int().min(1).max(1_000_000), z.record(z.string(), z.int().min(1).max(1_000_000))])
    .default(3)
    .describe('A word recognized at least this many times fewer is not robust; optionally by recognizer: { en-us: 2 }'),
  groupBy: z
    .array(z.string().min(1))
    .max(32)
    .nullable()
    .default(null)
    .describe('Attributes whose values are compared; null: every attribute with 2 to 8 values'),
  bins: groupBinsOption,
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  maxWords: z
    .int()
    .min(0)
    .max(1000)
    .default(20)
    .describe('Most words shown for each group and recognizer; the data has all'),
});

export type FaultWordsOptions = z.infer<typeof faultWordsOptions>;
