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
