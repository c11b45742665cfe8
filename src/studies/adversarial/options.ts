import { z } from 'zod';
import { conditionsOption, intervalOptions, normalizerOption } from '../shared/options.ts';

/** Options of the study `adversarial`. */
export const adversarialOptions = z.strictObject({
  attacks: z
    .array(z.enum(['pgd', 'kenansville', 'universal', 'prepend']))
    .min(1)
    .default(['pgd', 'kenansville'])
    .describe(
      'pgd: made against one recognizer by its gradient, for those that can be looked into; kenansville: asks no recognizer; universal: one sound for all clips, fitted on some of the speakers, so that the others alone are counted; prepend: one short sound before all clips that mutes a recognizer, fitted likewise',
    ),
  sources: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'Recognizers that pgd, universal and prepend are made against; null: all whose network can be differentiated',
    ),
  snrDb: z
    .array(z.number().min(-20).max(120))
    .min(1)
    .max(20)
    .default([40, 30, 20, 10])
    .describe('Signal-to-noise ratios of the attacks in decibels, and of the white noise beside them'),
  steps: z.int().min(1).max(10_000).default(100).describe('How often pgd follows the gradient'),
  fitSpeakers: z
    .union([z.number().gt(0).lt(1), z.array(z.string().min(1)).min(1).max(10_000)])
    .default(0.5)
    .describe('Speakers that universal and prepend are fitted on, by name or as a share that the seed draws'),
  clipsPerSpeaker: z
    .int()
    .min(1)
    .max(100_000)
    .nullable()
    .default(null)
    .describe('At most so many clips of each speaker that universal and prepend are fitted on; null: all'),
  fitRecipe: z
    .enum(['mended', 'srb'])
    .default('mended')
    .describe('How universal is fitted: srb, as Speech Robust Bench does it, or mended, without the faults of that'),
  fitEpochs: z
    .int()
    .min(1)
    .max(10_000)
    .default(10)
    .describe('How often at most the fit of universal and of prepend goes through its clips'),
  prependSeconds: z.number().min(0.01).max(10).default(0.64).describe('Length of the sound of prepend'),
  prependPeak: z.number().min(0.0001).max(1).default(0.02).describe('Greatest sample of prepend, of full scale'),
  transfer: z
    .boolean()
    .default(true)
    .describe('Whether every recognizer is asked about the sounds that were made against another'),
  beside: conditionsOption
    .default([])
    .describe(
      'Conditions that disturb without being made to be misheard (srb/gnoise, aequevox/noise): what is lost there stands beside what is lost to attacks; without any, the white noise',
    ),
  profile: z
    .enum(['sound', 'srb'])
    .default('sound')
    .describe('srb: words as Speech Robust Bench counts them, and in means a condition better than clean counts 0'),
  successCer: z
    .number()
    .min(0.01)
    .max(10)
    .default(0.7)
    .describe('An attack succeeds where the CER against the transcript of the clean clip is at least this'),
  halfLost: z
    .strictObject({
      sounds: z
        .array(z.enum(['white-noise', 'kenansville', 'pgd', 'universal']))
        .min(1)
        .default(['white-noise', 'kenansville'])
        .describe('Kinds of sound that are searched; pgd makes a sound for each clip at each further SNR'),
      resolutionDb: z
        .number()
        .min(0.1)
        .max(20)
        .default(1)
        .describe('It ends where two SNRs so near to each other, in decibels, have half of the words between them'),
      maxFurther: z
        .int()
        .min(1)
        .max(50)
        .default(6)
        .describe(
          'SNRs asked at most beyond those of snrDb, for each recognizer and kind: each is a condition for all clips',
        ),
      lowestDb: z.number().min(-20).max(120).default(-10).describe('Lowest SNR asked in decibels (kenansville: 0)'),
      highestDb: z.number().min(-20).max(120).default(60).describe('Highest SNR asked in decibels'),
    })
    .nullable()
    .default(null)
    .describe(
      'Search by the answers for the SNR at which half of the words are lost ({}: in white noise and under kenansville); null: it is read from snrDb alone',
    ),
  breaking: z
    .boolean()
    .default(false)
    .describe(
      'Whether the SNR is searched, clip by clip, at which kenansville and white noise first change a transcript: 12 more questions for each clip and recognizer',
    ),
  breakingCer: z
    .number()
    .min(0)
    .max(10)
    .default(0)
    .describe(
      'A transcript has changed where its CER against that of the clean clip is at least this; 0: any word differs',
    ),
  groupBy: z
    .array(z.string().min(1))
    .max(8)
    .default([])
    .describe('Attributes of speakers: does an attack cost one group more than another?'),
  normalizer: normalizerOption
    .unwrap()
    .nullable()
    .default(null)
    .describe(
      'Text normalizer: a name, or a module of your own (./mine.ts); null: by-language, in the profile srb srb',
    ),
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  minimumSpeakers: intervalOptions.minimumSpeakers,
});

export type AdversarialOptions = z.infer<typeof adversarialOptions>;
