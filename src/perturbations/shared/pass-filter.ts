import { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import { butterworth } from '../../audio/filters/butterworth.ts';
import { filterBothWays } from '../../audio/filters/filter-both-ways.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { Perturbed } from '../contract.ts';

export type PassFilterParameters = { readonly cutoffHz: number };

/** What high-pass and low-pass are asked for. */
export const passFilterParameters = z.strictObject({
  cutoffHz: z
    .number()
    .min(1)
    .max(200_000)
    .describe('Where the level has fallen by 6 dB, in Hz; below half the sample rate of the clip'),
});

/**
 * Butterworth of order 2 run forward and backward: no delay, -6.02 dB at the cutoff, 24 dB per octave beyond.
 *
 * @throws EarwitnessError `bad-input` where the sound has no such frequencies
 */
export function passFilter(kind: 'high-pass' | 'low-pass', { samples, sampleRate }: Clip, cutoffHz: number): Perturbed {
  if (cutoffHz >= sampleRate / 2) {
    throw new EarwitnessError(
      'bad-input',
      `${kind}: expected a cutoff below half the sample rate of the clip (${sampleRate / 2} Hz), but it is ${cutoffHz} Hz; choose a lower one, or leave out clips of such a low rate`,
    );
  }
  const filtered = filterBothWays(butterworth(kind, cutoffHz, sampleRate), samples);
  return { clip: { samples: filtered, sampleRate }, facts: {} };
}
