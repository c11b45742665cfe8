import { z } from 'zod';
import { conditionsOption, drawsOption, intervalOptions } from '../shared/options.ts';
import { validityOption } from '../shared/validity/validity.ts';

/** Options of the study `sound-quality`. */
export const soundQualityOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe('Scenarios (ladder/family:rank), families, ladders, or conditions of your own; clean is always included'),
  measures: z
    .array(z.string().min(1).max(100))
    .max(32)
    .nullable()
    .default(null)
    .describe('Names of measures that the config has under `quality`; null: all of them'),
  draws: drawsOption,
  validity: validityOption
    .nullable()
    .default(null)
    .describe('Which clips are good enough to count; those that would be left out are listed'),
  ...intervalOptions,
});

export type SoundQualityOptions = z.output<typeof soundQualityOptions>;
