import { createConvolver } from '../convolve.ts';
import { besselI0 } from '../kaiser.ts';
import { keepRecent } from '../kept-samples.ts';

/** Taps that SoX allows a filter. */
const minTaps = 11;
const maxTaps = 32767;

/**
 * Kaiser's parameter as a polynomial of the attenuation, for transitions of .0005 times 1, 2, 4, … (shares of the pass
 * band), as fitted by the authors of SoX: constants of version 14.4.2.
 */
const betaPolynomials = [
  [-6.784957e-10, 1.02856e-5, 0.1087556, -0.8988365 + 0.001],
  [-6.897885e-10, 1.027433e-5, 0.10876, -0.8994658 + 0.002],
  [-1.000683e-9, 1.030092e-5, 0.1087677, -0.9007898 + 0.003],
  [-3.654474e-10, 1.040631e-5, 0.1087085, -0.8977766 + 0.006],
  [8.106988e-9, 6.983091e-6, 0.1091387, -0.9172048 + 0.015],
  [9.519571e-9, 7.272678e-6, 0.1090068, -0.9140768 + 0.025],
  [-5.626821e-9, 1.342186e-5, 0.1083999, -0.9065452 + 0.05],
  [-9.965946e-8, 5.073548e-5, 0.1040967, -0.7672778 + 0.085],
  [1.604808e-7, -5.856462e-5, 0.1185998, -1.34824 + 0.1],
  [-1.511964e-7, 6.363034e-5, 0.1064627, -0.9876665 + 0.18],
] as const;

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

/** What a sinc filter shall pass. 0 in place of a corner: no such side. */
export interface SincBand {
  /** What is below is taken away. */
  readonly highPassHz: number;
  /** What is above is taken away. Below `highPassHz`: what lies between the two is taken away. */
  readonly lowPassHz: number;
  /** Width of each transition, as a share of half the sample rate. */
  readonly transitionShare: number;
  /** Of the stop band, at least 60. */
  readonly attenuationDb: number;
}

/**
 * Taps of the linear-phase filter that SoX's `sinc` makes (14.4.2): ideal filters under a Kaiser window, the corners in the
 * middle of the transitions. Always odd in number; the sound is late by half of them. As in SoX, what is passed between two
 * corners comes out upside down.
 *
 * @param sampleRate both corners are below half of it
 * @returns a single 1 where nothing is to be taken away
 * @throws RangeError for corners beyond, or an attenuation below 60 dB
 * @example sincTaps({ highPassHz: 0, lowPassHz: 4000, transitionShare: 0.05, attenuationDb: 120 }, 16000).length // 315
 */
export function sincTaps(band: SincBand, sampleRate: number): Float64Array {
  const { highPassHz, lowPassHz, transitionShare, attenuationDb } = band;
  const half = sampleRate / 2;
  if (!(highPassHz >= 0 && highPassHz < half && lowPassHz >= 0 && lowPassHz < half) || !(attenuationDb >= 60)) {
    throw new RangeError(
      `expected corners from 0 to below ${half} Hz and at least 60 dB, got ${highPassHz} and ${lowPassHz} Hz, ${attenuationDb} dB`,
    );
  }
  const corners = [highPassHz, lowPassHz].filter((corner) => corner > 0).map((corner) => corner / half);
  // As in SoX, the first corner decides on the window of both.
  const beta = corners.length > 0 ? sincBeta(attenuationDb, transitionShare / 4 / corners[0]!) : 0;
  const lowPass = corners.map((corner) => lowPassTaps(corner, sincTapCount(beta, transitionShare), beta));
  if (highPassHz === 0) return lowPass[0] ?? Float64Array.of(1);
  if (lowPassHz === 0) return inverted(lowPass[0]!);
  const rejecting = sum(inverted(lowPass[0]!), lowPass[1]!);
  return highPassHz < lowPassHz ? inverted(rejecting) : rejecting;
}

/** Between the polynomials, linearly in the logarithm of the transition. */
function sincBeta(attenuationDb: number, transition: number): number {
  const place = Math.log2(transition / 0.0005);
  const row = Math.trunc(place);
  const value = (index: number) => {
    const [cubic, square, linear, constant] =
      betaPolynomials[Math.max(0, Math.min(betaPolynomials.length - 1, index))]!;
    return ((cubic * attenuationDb + square) * attenuationDb + linear) * attenuationDb + constant;
  };
  return value(row) + (value(row + 1) - value(row)) * (place - row);
}

function sincTapCount(beta: number, transitionShare: number): number {
  const width = ((0.0007528358 - 1.577737e-5 * beta) * beta + 0.6248022) * beta + 0.06186902;
  return Math.max(minTaps, Math.min(maxTaps, Math.ceil(width / (transitionShare / 2) + 1))) | 1;
}

function lowPassTaps(corner: number, count: number, beta: number): Float64Array {
  const middle = (count - 1) / 2;
  const scale = 1 / besselI0(beta);
  const taps = new Float64Array(count);
  for (let distance = 0; distance <= middle; distance++) {
    const angle = Math.PI * distance;
    const place = distance / middle;
    const ideal = distance === 0 ? corner : Math.sin(corner * angle) / angle;
    const tap = ideal * besselI0(beta * Math.sqrt(1 - place * place)) * scale;
    taps[middle - distance] = tap;
    taps[middle + distance] = tap;
  }
  return taps;
}

/** What the filter takes away. */
function inverted(taps: Float64Array): Float64Array {
  const rest = taps.map((tap) => -tap);
  rest[(taps.length - 1) / 2]! += 1;
  return rest;
}

function sum(first: Float64Array, second: Float64Array): Float64Array {
  const [longer, shorter] = first.length > second.length ? [first, second] : [second, first];
  const late = (longer.length - shorter.length) / 2;
  return longer.map((tap, n) => tap + (shorter[n - late] ?? 0));
}
