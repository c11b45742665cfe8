import type { Biquad } from '../filters/biquad.ts';

/**
 * Amplification of a filter at a frequency: 1 passes it unchanged, 0.5 is -6.02 dB.
 */
export function gainAt({ numerator, denominator }: Biquad, frequencyHz: number, sampleRate: number): number {
  const angle = (2 * Math.PI * frequencyHz) / sampleRate;
  const size = ([first, second, third]: readonly [number, number, number]) =>
    Math.hypot(
      first + second * Math.cos(angle) + third * Math.cos(2 * angle),
      second * Math.sin(angle) + third * Math.sin(2 * angle),
    );
  return size(numerator) / size(denominator);
}
