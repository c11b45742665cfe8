import { z } from 'zod';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { tailTimeMap } from '../shared/effect-pairs.ts';

/**
 * The sound and once more the sound, later and softer: gainOut (gainIn x[n] + decay x[n - delay]). As SoX's
 * `echo GAIN-IN GAIN-OUT DELAY DECAY`, the end included, but not cut to 24 bits.
 */
export const echo = plainPerturbation({
  name: 'echo',
  version: 1,
  about: 'Repeats the clip once, later and softer, like a wall across a courtyard.',
  parameters: z.strictObject({
    delaySeconds: between(0.0001, 10).describe('How much later it comes again, in seconds'),
    decay: between(0, 1).describe('Amplitude of the echo'),
    gainIn: between(0, 1).default(0.8).describe('Amplitude of the sound itself'),
    gainOut: between(0, 1).default(0.9).describe('Amplitude of the whole'),
  }),
  random: false,
  identity: { delaySeconds: 0.25, decay: 0, gainIn: 1, gainOut: 1 },
  example: { delaySeconds: 0.25, decay: 0.3, gainIn: 0.8, gainOut: 0.9 },
  apply(clip, { delaySeconds, decay, gainIn, gainOut }) {
    const { samples, sampleRate } = clip;
    const length = samples.length;
    // SoX keeps milliseconds as a 32-bit float, which now and then decides on a sample.
    const delaySamples = Math.floor((Math.fround(1000 * delaySeconds) * sampleRate) / 1000);
    const delay = decay > 0 && length > 0 ? delaySamples : 0;
    const echoed = new Float32Array(length + delay);
    const direct = gainOut * gainIn;
    const repeated = gainOut * decay;
    const overlap = Math.min(delay, length);
    for (let n = 0; n < overlap; n++) echoed[n] = direct * samples[n]!;
    for (let n = overlap; n < length; n++) echoed[n] = direct * samples[n]! + repeated * samples[n - delay]!;
    for (let n = length - overlap; n < length; n++) echoed[n + delay] = repeated * samples[n]!;
    const changed = { samples: echoed, sampleRate };
    return { clip: changed, facts: { addedSeconds: delay / sampleRate }, timeMap: tailTimeMap(clip, changed) };
  },
});
