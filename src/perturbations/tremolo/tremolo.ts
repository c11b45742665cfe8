import { z } from 'zod';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';

/** Samples from one exact angle to the next. */
const blockSamples = 256;

/** Loudness that goes up and down, from full: x (1 - depth / 2 (1 - cos 2 pi f t)). As SoX's `tremolo`. */
export const tremolo = plainPerturbation({
  name: 'tremolo',
  version: 1,
  about: 'Makes the loudness tremble.',
  parameters: z.strictObject({
    frequencyHz: between(0.01, 1000).describe('How often per second the sound is at its softest'),
    depth: between(0, 1).describe('How much of the amplitude is then gone'),
  }),
  random: false,
  identity: { frequencyHz: 20, depth: 0 },
  example: { frequencyHz: 20, depth: 0.5 },
  apply({ samples, sampleRate }, { frequencyHz, depth }) {
    const turn = (2 * Math.PI * frequencyHz) / sampleRate;
    const cosine = Float64Array.from({ length: blockSamples }, (_, n) => Math.cos(turn * n));
    const sine = Float64Array.from({ length: blockSamples }, (_, n) => Math.sin(turn * n));
    const mean = 1 - depth / 2;
    const trembling = new Float32Array(samples.length);
    for (let start = 0; start < samples.length; start += blockSamples) {
      // The cosine of a sum: what the block begins with, turned by the place in the block.
      const inPhase = (depth / 2) * Math.cos(turn * start);
      const quadrature = (depth / 2) * Math.sin(turn * start);
      const length = Math.min(blockSamples, samples.length - start);
      for (let n = 0; n < length; n++) {
        trembling[start + n] = samples[start + n]! * (mean + inPhase * cosine[n]! - quadrature * sine[n]!);
      }
    }
    return { clip: { samples: trembling, sampleRate }, facts: {} };
  },
});
