import { z } from 'zod';
import { sincFilter as filterOfBand } from '../../audio/filters/sinc-filter.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';

/**
 * A cut so steep that nothing is left beyond it, without delay: SoX's `sinc`, tap for tap. `sinc 0-4000` is a `lowPassHz`
 * of 4000, `sinc 500` a `highPassHz` of 500, `sinc 300-3400` both; values beyond full scale, which SoX cuts off, stay.
 */
export const sincFilter = plainPerturbation({
  name: 'sinc-filter',
  version: 1,
  about: 'Takes away everything above or below a frequency, as steeply as one likes.',
  parameters: z.strictObject({
    highPassHz: corner('What is below is taken away'),
    lowPassHz: corner('What is above is taken away, or, where this is the lower one, what is between the two'),
    transitionShare: between(0.001, 1)
      .default(0.05)
      .describe('Width of the transition, its middle at the corner, as a share of half the sample rate'),
    attenuationDb: between(60, 180).default(120).describe('How far down the stop band is, in decibels'),
  }),
  random: false,
  identity: { highPassHz: 0, lowPassHz: 0, transitionShare: 0.05, attenuationDb: 120 },
  example: { highPassHz: 0, lowPassHz: 2833, transitionShare: 0.05, attenuationDb: 120 },
  apply({ samples, sampleRate }, parameters) {
    const highest = Math.max(parameters.highPassHz, parameters.lowPassHz);
    if (highest >= sampleRate / 2) {
      throw new InapplicableStep(
        `sinc-filter: expected corners below half the sample rate of the clip (${sampleRate / 2} Hz), but one is ${highest} Hz; choose a lower one, or leave out clips of such a low rate`,
      );
    }
    const { taps, filter } = filterOfBand(parameters, sampleRate);
    return { clip: { samples: filter(samples), sampleRate }, facts: { taps } };
  },
});

function corner(meaning: string) {
  return between(0, 200_000)
    .default(0)
    .describe(`${meaning}, in Hz, below half the sample rate of the clip; 0 for no such side`);
}
