import { createConvolver } from '../convolve.ts';
import { keepRecent } from '../recently-used.ts';
import { type SincBand, sincTaps } from './sinc-design.ts';

/** A linear-phase filter, ready for one sample rate. */
export interface SincFilter {
  readonly taps: number;
  /** As many samples as there were, none of them late; what lies outside of the sound counts as silence. */
  filter(samples: Float32Array): Float32Array;
}

const filterOf = keepRecent(
  16,
  ({ band, sampleRate }: { band: SincBand; sampleRate: number }) =>
    [band.highPassHz, band.lowPassHz, band.transitionShare, band.attenuationDb, sampleRate].join(),
  ({ band, sampleRate }): SincFilter => {
    const taps = sincTaps(band, sampleRate);
    // Nothing to take away: nothing to calculate, and no rounding.
    if (taps.length === 1) return { taps: 1, filter: (samples) => samples.slice() };
    const { convolve } = createConvolver(taps);
    const delay = (taps.length - 1) / 2;
    return { taps: taps.length, filter: (samples) => convolve(samples, delay, samples.length) };
  },
);

/**
 * The filter of a band as `sincTaps` designs it. The last 16 are kept, because a filter takes longer to prepare than a
 * short sound to be filtered.
 *
 * @throws RangeError as `sincTaps` does
 * @example sincFilter({ highPassHz: 0, lowPassHz: 4000, transitionShare: 0.05, attenuationDb: 120 }, 16000).filter(samples)
 */
export function sincFilter(band: SincBand, sampleRate: number): SincFilter {
  return filterOf({ band, sampleRate });
}
