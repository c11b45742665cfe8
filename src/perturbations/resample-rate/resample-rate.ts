import { z } from 'zod';
import { fitLength } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import { resampleHann } from '../../audio/resample-hann.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { resamplingMethod } from '../shared/effect-pairs.ts';

/**
 * Goes through a lower sample rate and back, so that only the low part of the band is left. With `hann` the length is that
 * of torchaudio, which rounds up twice: up to a sample of the lower rate longer.
 */
export const resampleRate = plainPerturbation({
  name: 'resample-rate',
  version: 1,
  about: 'Sounds as if recorded at a lower sample rate.',
  parameters: z.strictObject({
    factor: between(0.01, 1).describe(
      'The lower rate as a share of the sample rate of the clip, cut to a whole number',
    ),
    method: resamplingMethod,
  }),
  random: false,
  identity: { factor: 1, method: 'kaiser' },
  example: { factor: 0.5, method: 'kaiser' },
  apply(clip, { factor, method }) {
    // A billionth more, because a product such as 16000 x 0.7 may come out just below the whole number that is meant.
    const lowRateHz = Math.floor(clip.sampleRate * factor * (1 + 1e-9));
    if (lowRateHz < 1) {
      throw new InapplicableStep(
        `resample-rate: expected a clip of at least ${Math.ceil(1 / factor)} samples per second, but it has ${clip.sampleRate}; choose a larger factor`,
      );
    }
    const { samples, sampleRate } = clip;
    const back =
      method === 'hann'
        ? resampleHann(resampleHann(clip, lowRateHz), sampleRate).samples
        : fitLength(resample(resample(clip, lowRateHz), sampleRate).samples, samples.length);
    return { clip: { samples: back, sampleRate }, facts: { lowRateHz } };
  },
});
