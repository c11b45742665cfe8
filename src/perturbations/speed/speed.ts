import { z } from 'zod';
import { resample } from '../../audio/resample.ts';
import { resampleHann } from '../../audio/resample-hann.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { linearTimeMap, resamplingMethod } from '../shared/effect-pairs.ts';

/**
 * Plays faster or slower, tempo and pitch together, at the same sample rate: `speed` of SoX (kaiser) or `Speed` of
 * torchaudio (hann, which cuts the rate of playing to a whole number, as Speech Robust Bench calls it).
 */
export const speed = plainPerturbation({
  name: 'speed',
  version: 1,
  about: 'Plays faster and higher, or slower and lower, and keeps the sample rate.',
  parameters: z.strictObject({
    factor: between(0.1, 10).describe('Speed: 0.5 takes twice as long and is an octave lower'),
    method: resamplingMethod,
  }),
  random: false,
  identity: { factor: 1, method: 'kaiser' },
  example: { factor: 0.9, method: 'kaiser' },
  apply(clip, { factor, method }) {
    const exact = clip.sampleRate * factor;
    const near = Math.round(exact);
    // A product such as 16000 x 1.1 is meant to be whole; whole ratios are resampled faster.
    const rate = Math.abs(exact - near) < 1e-9 * exact ? near : exact;
    const played = { samples: clip.samples, sampleRate: method === 'hann' ? Math.floor(rate) : rate };
    if (played.sampleRate < 1) {
      throw new InapplicableStep(
        `speed: expected a clip of at least ${Math.ceil(1 / factor)} samples per second, but it has ${clip.sampleRate}; leave this clip out`,
      );
    }
    const change = method === 'hann' ? resampleHann : resample;
    const changed = change(played, clip.sampleRate);
    return { clip: changed, facts: { playedRateHz: played.sampleRate }, timeMap: linearTimeMap(clip, changed) };
  },
});
