import { z } from 'zod';
import { between, list, nonEmpty, oneOf, orNull, positive, whole } from '../../base/option-kinds.ts';
import { peopleOption } from '../shared/listeners.ts';
import { intervalOptions, normalizerOption, stepsOption } from '../shared/options.ts';

const scale = oneOf(['linear', 'logarithmic'])
  .default('linear')
  .describe('Whether levels are apart by equal differences or by equal ratios');

const gridStep = orNull(positive()).describe(
  'Step between levels; null: a round number that makes at most 50 levels. Logarithmic levels are the preferred numbers R40 of ISO 3',
);

const ownAxis = z.strictObject({
  name: nonEmpty(80).describe('Unique among the axes; a level makes a condition of this name and the level'),
  steps: stepsOption.min(1).describe('Perturbations of the clip; the value of the varied parameter is ignored here'),
  step: whole(1, 100).default(1).describe('Which of the steps has the parameter that is varied, from 1'),
  parameter: nonEmpty(100).describe('The parameter that is varied: snrDb'),
  mildest: z.number().describe('The level at which words are easiest to understand'),
  hardest: z.number().describe('The level at which they are hardest'),
  unit: orNull(z.string().max(20)).describe('Printed behind levels; null: from the parameter’s name'),
  scale,
  gridStep,
});

const familyAxis = z.strictObject({
  family: nonEmpty(200).describe('A family of a ladder, whose rungs differ in one number alone'),
  mildest: orNull(z.number()).describe('Instead of the mildest rung’s'),
  hardest: orNull(z.number()).describe('Instead of the most destructive rung’s'),
  unit: orNull(z.string().max(20)).describe('Printed behind levels; null: from the parameter’s name'),
  scale,
  gridStep,
});

const whiteNoise = {
  name: 'white noise',
  steps: [
    { perturbation: 'white-noise', parameters: { snrDb: 0 } },
    { perturbation: 'peak-guard', parameters: { limit: 1 } },
  ],
  step: 1,
  parameter: 'snrDb',
  mildest: 30,
  hardest: -20,
  unit: null,
  scale: 'linear' as const,
  gridStep: null,
};

/** Options of the study `threshold`. */
export const thresholdOptions = z.strictObject({
  conditions: list(z.union([nonEmpty(200), ownAxis, familyAxis]), 1)
    .default([whiteNoise])
    .describe('Axes to search along: families of ladders (ladder/family), or one parameter of steps of your own'),
  target: between(0.05, 0.95).default(0.5).describe('The share of words recognized at the threshold'),
  of: oneOf(['said', 'clean'])
    .default('said')
    .describe('A share of all reference words, or of those recognized in clean audio, which is then included'),
  design: oneOf(['adaptive', 'grid'])
    .default('adaptive')
    .describe('adaptive: the next levels follow from the answers; grid: gridClips clips at every level'),
  gridClips: whole(2, 100_000).default(40).describe('For the grid: number of clips, each at every level'),
  intervalWidth: orNull(positive()).describe(
    'A search ends when its interval is as narrow as this, in units of the axis (factor for logarithmic ones)',
  ),
  minTrials: whole(16, 100_000).default(48).describe('Min number of trials of a search'),
  maxTrials: whole(16, 100_000).default(96).describe('Max number of trials of a search'),
  groupBy: list(nonEmpty(), 0, 8).default([]).describe('Attributes whose values get searches of their own: sex'),
  people: peopleOption.describe(
    'Recognizers that are people (panels of transcribe): differences between groups are measured beyond those that people have on the same clips too. Needs the design grid, and groupBy',
  ),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  level: intervalOptions.level,
  minimumSpeakers: intervalOptions.minimumSpeakers,
});

export type ThresholdOptions = z.infer<typeof thresholdOptions>;
