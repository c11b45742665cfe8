import { z } from 'zod';
import {
  octavesQuality,
  runBiquad,
  shelf as shelfFilter,
  shelfQuality,
  shelfSlope,
} from '../../audio/filters/biquad.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between, oneOf } from '../../base/option-kinds.ts';
import type { PlainPerturbation } from '../contract.ts';

/** A shelf with a higher quality factor rings on for seconds. */
const maxQuality = 100;

const parameters = z
  .strictObject({
    side: oneOf(['low', 'high']).describe('Which frequencies: below the corner or above it'),
    gainDb: between(-100, 100).describe('Gain far on that side, in decibels; half of it at the corner'),
    cornerHz: between(1, 200_000).describe('Middle of the rise or fall, in Hz; below half the sample rate of the clip'),
    slope: z
      .union([
        between(0.01, 1000),
        z.strictObject({ octaves: between(0.01, 20).describe('Width of the slope in octaves') }),
        z.strictObject({ quality: between(0.01, maxQuality).describe('Quality factor of the filter') }),
      ])
      .default(0.5)
      .describe(
        'Steepness: 1 is the steepest without a bump. Or a width in octaves or a quality factor, as `{octaves: 1}` and `{quality: 0.8}`, SoX’s `1o` and `0.8q`',
      ),
  })
  .refine(({ slope, gainDb }) => typeof slope !== 'number' || slope <= shelfSlope(maxQuality, gainDb), {
    path: ['slope'],
    error: ({ input }) => {
      const most = shelfSlope(maxQuality, (input as ShelfParameters).gainDb);
      return `expected a slope of at most ${most.toFixed(2)}, the steepest of this gain`;
    },
  });

type ShelfParameters = z.output<typeof parameters>;

/**
 * Tone control. SoX's `bass GAIN` is the low side at 100 Hz and `treble GAIN` the high side at 3000 Hz, both with a slope
 * of .5; its widths `1o` and `0.8q` are the slopes `{ octaves: 1 }` and `{ quality: 0.8 }`. Values beyond full scale, which SoX
 * cuts off, stay.
 */
export const shelf: PlainPerturbation<ShelfParameters> = {
  name: 'shelf',
  version: 1,
  about: 'Makes low or high frequencies louder or softer, like the bass and treble knobs of an amplifier.',
  parameters,
  random: false,
  identity: { side: 'low', gainDb: 0, cornerHz: 100, slope: 0.5 },
  example: { side: 'low', gainDb: 20, cornerHz: 100, slope: 0.5 },
  apply({ samples, sampleRate }, { side, gainDb, cornerHz, slope }) {
    if (cornerHz >= sampleRate / 2) {
      throw new InapplicableStep(
        `shelf: expected a corner below half the sample rate of the clip (${sampleRate / 2} Hz), but it is ${cornerHz} Hz; choose a lower one, or leave out clips of such a low rate`,
      );
    }
    const quality =
      typeof slope === 'number'
        ? shelfQuality(slope, gainDb)
        : 'octaves' in slope
          ? octavesQuality(slope.octaves, cornerHz, sampleRate)
          : slope.quality;
    const filter = shelfFilter(side, gainDb, quality, cornerHz, sampleRate);
    return { clip: { samples: runBiquad(filter, samples), sampleRate }, facts: {} };
  },
};
