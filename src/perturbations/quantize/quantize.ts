import { z } from 'zod';
import { stepping } from '../../audio/samplewise.ts';
import { oneOf, whole } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { samplewise } from '../shared/samplewise.ts';

/**
 * Rounds samples to integers of so many bits, as writing a sound file does. What does not fit ends at the largest or
 * smallest integer (saturates). A sample is afterwards the integer divided by 2 to the power of `bits - 1`, which is how
 * sound files are read.
 */
export const quantize = plainPerturbation({
  name: 'quantize',
  version: 1,
  about: 'Rounds the samples to integers, as an audio file does; with few bits one hears a grainy noise.',
  parameters: z.strictObject({
    bits: whole(2, 32).describe('Bits of a sample'),
    rounding: oneOf(['nearest', 'truncate'])
      .default('nearest')
      .describe('To the nearest integer (halves upwards), or to the next one towards zero'),
    fullScale: oneOf(['power-of-two', 'largest-integer'])
      .default('power-of-two')
      .describe('What the value 1 stands for before rounding, for 16 bits: 32768 (and saturates), or 32767'),
  }),
  random: false,
  identity: { bits: 32, rounding: 'nearest', fullScale: 'power-of-two' },
  example: { bits: 8, rounding: 'nearest', fullScale: 'power-of-two' },
  apply: samplewise(({ bits, rounding, fullScale }) => {
    const steps = 2 ** (bits - 1);
    const scale = fullScale === 'power-of-two' ? steps : steps - 1;
    // A zero comes out without sign, which is what a sound file gives back.
    return { change: stepping({ scale, steps, rounding }), facts: (saturatedSamples) => ({ saturatedSamples }) };
  }),
});
