import { z } from 'zod';
import { runBiquad } from '../../audio/filters/run-biquad.ts';
import { shelf as shelfFilter, shelfQuality } from '../../audio/filters/shelf.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { PlainPerturbation } from '../contract.ts';

type ShelfParameters = {
  readonly side: 'low' | 'high';
  readonly gainDb: number;
  readonly cornerHz: number;
  readonly slope: number;
};

/**
 * Tone control. SoX's `bass GAIN` is the low side at 100 Hz and `treble GAIN` the high side at 3000 Hz, both with a slope
 * of .5; values beyond full scale, which SoX cuts off, stay.
 */
export const shelf: PlainPerturbation<ShelfParameters> = {
  name: 'shelf',
  version: 1,
  about: 'Makes low or high frequencies louder or softer, like the bass and treble knobs of an amplifier.',
  parameters: z.strictObject({
    side: z.enum(['low', 'high']).describe('Which frequencies: below the corner or above it'),
    gainDb: z.number().min(-100).max(100).describe('Gain far on that side, in decibels; half of it at the corner'),
    cornerHz: z
      .number()
      .min(1)
      .max(200_000)
      .describe('Middle of the rise or fall, in Hz; below half the sample rate of the sound'),
    slope: z.number().min(0.01).max(1).default(0.5).describe('Steepness: 1 is the steepest without a bump'),
  }),
  random: false,
  identity: { side: 'low', gainDb: 0, cornerHz: 100, slope: 0.5 },
  example: { side: 'low', gainDb: 20, cornerHz: 100, slope: 0.5 },
  apply({ samples, sampleRate }, { side, gainDb, cornerHz, slope }) {
    if (cornerHz >= sampleRate / 2) {
      throw new EarwitnessError(
        'bad-input',
        `shelf: expected a corner below half the sample rate of the sound (${sampleRate / 2} Hz), but it is ${cornerHz} Hz; choose a lower one, or leave out sounds of such a low rate`,
      );
    }
    const filter = shelfFilter(side, gainDb, shelfQuality(slope, gainDb), cornerHz, sampleRate);
    return { clip: { samples: runBiquad(filter, samples), sampleRate }, facts: {} };
  },
};
