import type { Biquad } from './butterworth.ts';

/**
 * Shelving filter of order 2: raises or lowers everything on one side of a corner by up to `gainDb`, half of it at the
 * corner. Source: Bristow-Johnson, Cookbook formulae for audio EQ biquad filter coefficients (1994); the coefficients that
 * SoX 14.4.2 prints for `bass` and `treble`.
 *
 * @param quality steepness as a quality factor; of a slope, see `shelfQuality`
 * @param cornerHz above 0 and below half the sample rate
 * @throws RangeError for a corner outside of that
 * @example shelf('low', 20, shelfQuality(0.5, 20), 100, 16000)
 */
export function shelf(
  side: 'low' | 'high',
  gainDb: number,
  quality: number,
  cornerHz: number,
  sampleRate: number,
): Biquad {
  if (!(cornerHz > 0 && cornerHz < sampleRate / 2)) {
    throw new RangeError(
      `expected a corner between 0 and half the sample rate (${sampleRate / 2} Hz), got ${cornerHz}`,
    );
  }
  const angle = (2 * Math.PI * cornerHz) / sampleRate;
  const amplitude = 10 ** (gainDb / 40);
  const width = (Math.sqrt(amplitude) * Math.sin(angle)) / quality;
  // The two kinds are mirror images about a quarter of the sample rate.
  const cosine = side === 'low' ? Math.cos(angle) : -Math.cos(angle);
  const mirror = side === 'low' ? 1 : -1;
  const sum = amplitude + 1;
  const difference = amplitude - 1;
  const scale = 1 / (sum + difference * cosine + width);
  return {
    numerator: [
      amplitude * (sum - difference * cosine + width) * scale,
      mirror * 2 * amplitude * (difference - sum * cosine) * scale,
      amplitude * (sum - difference * cosine - width) * scale,
    ],
    denominator: [1, mirror * -2 * (difference + sum * cosine) * scale, (sum + difference * cosine - width) * scale],
  };
}

/**
 * Quality factor of a shelf by its slope: 1 is as steep as it can be without a bump, half of it half as many decibels per
 * octave. Source: as for `shelf`.
 *
 * @param slope above 0; above 1 only as far as `shelfSlope` of a high quality factor goes
 */
export function shelfQuality(slope: number, gainDb: number): number {
  return 1 / Math.sqrt(spread(gainDb) * (1 / slope - 1) + 2);
}

/** The slope of a shelf that has a quality factor: `shelfQuality` the other way round. */
export function shelfSlope(quality: number, gainDb: number): number {
  return 1 / ((1 / quality ** 2 - 2) / spread(gainDb) + 1);
}

/**
 * Quality factor of a filter whose rise is so many octaves wide, as SoX's `o`. Source: as for `shelf`.
 *
 * @param octaves above 0
 */
export function octavesQuality(octaves: number, cornerHz: number, sampleRate: number): number {
  const angle = (2 * Math.PI * cornerHz) / sampleRate;
  // Near half the sample rate no width is too wide, and numbers are not large enough for it.
  return 1 / (2 * Math.sinh(Math.min(500, ((Math.LN2 / 2) * octaves * angle) / Math.sin(angle))));
}

function spread(gainDb: number): number {
  const amplitude = 10 ** (gainDb / 40);
  return amplitude + 1 / amplitude;
}
