import { printable } from '../../base/printable.ts';
import type { Random } from '../../base/random.ts';
import type { Interval } from '../interval.ts';
import type { Rate } from './logistic-objective.ts';

/** How many words were right at each level; several rows may have one level. */
export interface PsychometricData {
  /** What the share of right words rises with, SNR in dB for instance. */
  readonly levels: ArrayLike<number>;
  readonly words: ArrayLike<number>;
  readonly correct: ArrayLike<number>;
  /** Who spoke; then the interval resamples speakers, because their words are not independent. */
  readonly speaker?: readonly string[];
}

export interface PsychometricOptions {
  /** The share of right words at the threshold, .5 by default. */
  readonly target?: number;
  /** The share right without any signal: held (0 by default), or estimated from 0 to `most`. */
  readonly guess?: Rate;
  /** The share wrong at the best level: held (0 by default), or estimated from 0 to `most`. */
  readonly lapse?: Rate;
  /** Confidence level, .95 by default. */
  readonly level?: number;
  /** Without speakers: `profile` likelihood (default) or `delta`, the symmetric interval by standard errors. */
  readonly intervals?: 'profile' | 'delta';
  /** Needed where speakers are given. */
  readonly random?: Random;
  /** Of speakers, 2000 by default. */
  readonly resamples?: number;
  /** Fewer speakers get no interval; 10 by default, as elsewhere. */
  readonly minimumSpeakers?: number;
}

/** A logistic function through shares of right words. Without one the numbers are null, and `reason` says why. */
export interface PsychometricFunction {
  /** The level at which `target` of the words are right. */
  readonly threshold: Interval;
  /** By the delta method; null where the information does not tell. */
  readonly thresholdStandardError: number | null;
  /** Rise of the logit per unit of level. */
  readonly slope: Interval;
  /** The logit at level 0. */
  readonly intercept: number | null;
  readonly guess: number | null;
  readonly lapse: number | null;
  /** Variances of intercept and slope and their covariance, by the observed information. */
  readonly covariance: readonly [readonly [number, number], readonly [number, number]] | null;
  readonly logLikelihood: number | null;
  /** How far the levels' shares are from the function: compare with chi-square of `degreesOfFreedom`. */
  readonly deviance: number | null;
  readonly degreesOfFreedom: number | null;
  /**
   * P value of the deviance; null without degrees of freedom. Below .05 the function does not fit, or words of one level are
   * not alike (speakers). Careful where shares are near 0 or 1: of 10,000 true functions it rejected 1.3 to 5.3 %.
   */
  readonly deviancePValue: number | null;
  readonly reason?: string;
  readonly notes: readonly string[];
}

/**
 * Options with their defaults.
 *
 * @throws RangeError for lengths that differ, levels that are not finite, counts that are not, shares that do not fit,
 *   speakers without a source of random numbers
 */
export function checkPsychometricData(
  data: PsychometricData,
  options: PsychometricOptions,
): { target: number; guess: Rate; lapse: Rate; level: number } {
  const { levels, words, correct, speaker } = data;
  const { target = 0.5, guess = 0, lapse = 0, level = 0.95, resamples = 2000 } = options;
  const count = levels.length;
  if (words.length !== count || correct.length !== count || (speaker !== undefined && speaker.length !== count)) {
    throw new RangeError(
      `expected words and right words of ${count} levels, but got ${words.length} and ${correct.length}`,
    );
  }
  for (let row = 0; row < count; row++) {
    if (!Number.isFinite(levels[row]!))
      throw new RangeError(`expected finite levels, but row ${row} has ${levels[row]}`);
    const fits = Number.isSafeInteger(words[row]!) && Number.isSafeInteger(correct[row]!);
    if (!fits || correct[row]! < 0 || correct[row]! > words[row]!) {
      throw new RangeError(`expected right words of words, but row ${row} has ${correct[row]} of ${words[row]}`);
    }
    if (speaker !== undefined && typeof speaker[row] !== 'string') {
      throw new RangeError(`expected names of speakers, but row ${row} has ${printable(String(speaker[row]))}`);
    }
  }
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new RangeError(`expected a whole number of resamples above 0, but got ${resamples}`);
  }
  if (speaker !== undefined && options.random === undefined) {
    throw new RangeError('expected `random` beside speakers, who are resampled');
  }
  const held = (rate: Rate) => (typeof rate === 'number' ? rate : 0);
  const most = (rate: Rate) => (typeof rate === 'number' ? rate : rate.most);
  if (
    !(held(guess) >= 0 && held(lapse) >= 0 && most(guess) >= 0 && most(lapse) >= 0 && most(guess) + most(lapse) < 1)
  ) {
    throw new RangeError(
      `expected shares guessed and lapsed that add up to less than 1, but got ${most(guess)} and ${most(lapse)}`,
    );
  }
  if (!(target > held(guess) && target < 1 - held(lapse))) {
    throw new RangeError(`expected a target between ${held(guess)} and ${1 - held(lapse)}, but got ${target}`);
  }
  return { target, guess, lapse, level };
}

/** For each row whose it is, as a number from 0, and the words of each speaker. */
export function speakerPlaces(
  speaker: readonly string[],
  words: ArrayLike<number>,
): { readonly places: readonly number[]; readonly words: readonly number[] } {
  const known = new Map<string, number>();
  const sums: number[] = [];
  const places = speaker.map((name, row) => {
    if (!(words[row]! > 0)) return -1;
    let place = known.get(name);
    if (place === undefined) {
      place = known.size;
      known.set(name, place);
      sums.push(0);
    }
    sums[place]! += words[row]!;
    return place;
  });
  return { places, words: sums };
}
