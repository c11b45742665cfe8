import { z } from 'zod';
import { keepRecent } from '../../audio/kept-samples.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between, oneOf } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { type ModulationShape, modulationTable } from '../shared/effect-pairs.ts';

/**
 * A comb of resonances that wanders: each sample comes again, softer, after a delay that goes up and down. As SoX's
 * `phaser GAIN-IN GAIN-OUT DELAY DECAY SPEED -s|-t`; values beyond full scale, which that cuts off, stay.
 */
export const phaser = plainPerturbation({
  name: 'phaser',
  version: 1,
  about: 'Lets a comb of resonances sweep through the sound, like a jet overhead.',
  parameters: z.strictObject({
    gainIn: between(0, 1).describe('Amplitude of the sound before it goes round'),
    gainOut: between(0, 10).describe('Amplitude of the whole'),
    delaySeconds: between(0.0001, 0.1).describe('The longest delay, in seconds; the shortest is one sample'),
    decay: between(0, 0.99).describe('Amplitude left after going round once'),
    frequencyHz: between(0.01, 20).describe('How often per second the delay goes up and down'),
    modulation: oneOf(['sine', 'triangle']).describe('How it goes up and down'),
  }),
  random: false,
  identity: { gainIn: 1, gainOut: 1, delaySeconds: 0.003, decay: 0, frequencyHz: 2, modulation: 'triangle' },
  example: { gainIn: 0.6, gainOut: 0.8, delaySeconds: 0.003, decay: 0.5, frequencyHz: 2, modulation: 'triangle' },
  apply({ samples, sampleRate }, { gainIn, gainOut, delaySeconds, decay, frequencyHz, modulation }) {
    const longest = Math.floor(delaySeconds * sampleRate + 0.5);
    if (longest < 1) {
      throw new InapplicableStep(
        `phaser: expected a delay of at least one sample, but ${delaySeconds} s at ${sampleRate} samples per second is less; choose a longer one`,
      );
    }
    const period = Math.max(1, Math.floor(sampleRate / frequencyHz + 0.5));
    const delays = delaysOf([modulation, period, longest]);
    const mask = 2 ** Math.ceil(Math.log2(longest + 1)) - 1;
    const ring = new Float64Array(mask + 1);
    const phased = new Float32Array(samples.length);
    for (let start = 0; start < samples.length; start += period) {
      const end = Math.min(start + period, samples.length);
      for (let n = start; n < end; n++) {
        const value = gainIn * samples[n]! + decay * ring[(n - delays[n - start]!) & mask]!;
        // Numbers below 1e-308 (subnormal) are slow to calculate with, and a sound that falls silent would end there.
        ring[n & mask] = Math.abs(value) < 1e-60 ? 0 : value;
        phased[n] = gainOut * value;
      }
    }
    return { clip: { samples: phased, sampleRate }, facts: {} };
  },
});

/** Begins with the most of a table from 1 to the longest, which SoX reads as places in a ring: the shortest delay. */
const delaysOf = keepRecent(16, String, ([modulation, period, longest]: readonly [ModulationShape, number, number]) =>
  modulationTable(modulation, period, 1, longest, 0.25).map((place) => longest - place + 1),
);
