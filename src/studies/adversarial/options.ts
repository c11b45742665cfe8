import { z } from 'zod';
import { between, flag, list, nonEmpty, oneOf, orNull, whole } from '../../base/option-kinds.ts';
import { conditionsOption, intervalOptions, normalizerOption } from '../shared/options.ts';

/** Options of the study `adversarial`. */
export const adversarialOptions = z.strictObject({
  attacks: list(oneOf(['pgd', 'kenansville', 'universal', 'prepend']), 1)
    .default(['pgd', 'kenansville'])
    .describe(
      'pgd: made against one recognizer by its gradient, for those that can be looked into; kenansville: asks no recognizer; universal: one sound for all clips, fitted on some of the speakers, so that the others alone are counted; prepend: one short sound before all clips that mutes a recognizer, fitted likewise',
    ),
  sources: orNull(list(nonEmpty(), 1)).describe(
    'Recognizers that pgd, universal and prepend are made against; null: all whose network can be differentiated',
  ),
  snrDb: list(between(-20, 120), 1, 20)
    .default([40, 30, 20, 10])
    .describe('Signal-to-noise ratios of the attacks in decibels, and of the white noise beside them'),
  steps: whole(1, 10_000).default(100).describe('How often pgd follows the gradient'),
  fitSpeakers: z
    .union([z.number().gt(0).lt(1), list(nonEmpty(), 1, 10_000)])
    .default(0.5)
    .describe('Speakers that universal and prepend are fitted on, by name or as a share that the seed draws'),
  clipsPerSpeaker: orNull(whole(1, 100_000)).describe(
    'At most so many clips of each speaker that universal and prepend are fitted on; null: all',
  ),
  fitRecipe: oneOf(['mended', 'srb'])
    .default('mended')
    .describe('How universal is fitted: srb, as Speech Robust Bench does it, or mended, without the faults of that'),
  fitEpochs: whole(1, 10_000)
    .default(10)
    .describe('How often at most the fit of universal and of prepend goes through its clips'),
  prependSeconds: between(0.01, 10).default(0.64).describe('Length of the sound of prepend'),
  prependPeak: between(0.0001, 1).default(0.02).describe('Greatest sample of prepend, of full scale'),
  transfer: flag(true).describe('Whether every recognizer is asked about the sounds that were made against another'),
  beside: conditionsOption
    .default([])
    .describe(
      'Conditions that disturb without being made to be misheard (srb/gnoise, aequevox/noise): what is lost there stands beside what is lost to attacks; without any, the white noise',
    ),
  profile: oneOf(['sound', 'srb'])
    .default('sound')
    .describe('srb: words as Speech Robust Bench counts them, and in means a condition better than clean counts 0'),
  successCer: between(0.01, 10)
    .default(0.7)
    .describe('An attack succeeds where the CER against the transcript of the clean clip is at least this'),
  halfLost: orNull(
    z.strictObject({
      sounds: list(oneOf(['white-noise', 'kenansville', 'pgd', 'universal']), 1)
        .default(['white-noise', 'kenansville'])
        .describe('Kinds of sound that are searched; pgd makes a sound for each clip at each further SNR'),
      resolutionDb: between(0.1, 20)
        .default(1)
        .describe('It ends where two SNRs so near to each other, in decibels, have half of the words between them'),
      maxFurther: whole(1, 50)
        .default(6)
        .describe(
          'SNRs asked at most beyond those of snrDb, for each recognizer and kind: each is a condition for all clips',
        ),
      lowestDb: between(-20, 120).default(-10).describe('Lowest SNR asked in decibels (kenansville: 0)'),
      highestDb: between(-20, 120).default(60).describe('Highest SNR asked in decibels'),
    }),
  ).describe(
    'Search by the answers for the SNR at which half of the words are lost ({}: in white noise and under kenansville); null: it is read from snrDb alone',
  ),
  breaking: flag(false).describe(
    'Whether the SNR is searched, clip by clip, at which kenansville and white noise first change a transcript: 12 more questions for each clip and recognizer',
  ),
  breakingCer: between(0, 10)
    .default(0)
    .describe(
      'A transcript has changed where its CER against that of the clean clip is at least this; 0: any word differs',
    ),
  groupBy: list(nonEmpty(), 0, 8)
    .default([])
    .describe('Attributes of speakers: does an attack cost one group more than another?'),
  normalizer: orNull(normalizerOption.unwrap()).describe(
    'Text normalizer: a name, or a module of your own (./mine.ts); null: by-language, in the profile srb srb',
  ),
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  minimumSpeakers: intervalOptions.minimumSpeakers,
});

export type AdversarialOptions = z.infer<typeof adversarialOptions>;
