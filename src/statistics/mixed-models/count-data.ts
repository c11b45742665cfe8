import type { Interval } from '../interval.ts';
import type { Predictors } from '../regression/design-matrix.ts';

/** Errors in stretches of words (utterances), and what they may depend on; the same index is the same stretch. */
export interface CountData {
  /** Counts of word errors: whole, not negative. */
  readonly errors: ArrayLike<number>;
  /** Words of the reference: the errors' rate is per word. Rows without words have no rate and are left out. */
  readonly words: ArrayLike<number>;
  readonly predictors: Predictors;
}

/** The same from several speakers, each with rows of his own. */
export interface SpeakerCountData extends CountData {
  /** Who spoke. */
  readonly speaker: readonly string[];
}

export interface CountRegressionOptions {
  /** The reference level of factors; by default the first in the order of UTF-16 codes. */
  readonly references?: Readonly<Record<string, string>>;
  /** Confidence level, .95 by default. */
  readonly level?: number;
  /** `profile` (default) inverts the likelihood-ratio test and is slower; `wald` goes by standard errors. */
  readonly intervals?: 'profile' | 'wald';
}

/** A coefficient on the scale of logarithms, and as the ratio of error rates that it means. */
export interface RateCoefficient {
  /** `(intercept)`, the covariate's name, or `factor: level`. */
  readonly name: string;
  /** The predictor it belongs to; null for the intercept. */
  readonly term: string | null;
  readonly level?: string;
  readonly reference?: string;
  /** Null with a reason where it is infinite: a level without errors. */
  readonly estimate: number | null;
  readonly standardError: number | null;
  readonly reason?: string;
  /**
   * Of a factor: the error rate of the level over that of the reference. Of a covariate: by how much the rate is multiplied
   * for one unit more. Of the intercept: errors per word where all factors are at their reference and covariates 0.
   */
  readonly rateRatio: Interval;
}

/** Whether a predictor matters at all: the model with it against the model without. */
export interface TermTest {
  readonly term: string;
  /** Twice the difference of the log-likelihoods. */
  readonly likelihoodRatio: number | null;
  /** How many coefficients it has. */
  readonly coefficients: number;
  /** Of the F distribution, or null where the chi-square distribution is used. */
  readonly betweenSpeakerDegreesOfFreedom: number | null;
  readonly pValue: number | null;
  readonly reason?: string;
  readonly test: string;
}

/** What a regression of errors found. Without a fit the numbers are null, and `reason` says why. */
export interface CountRegression {
  readonly method: string;
  readonly reason?: string;
  /** What the reader of the numbers must know: rows left out, a variance of 0, levels without errors. */
  readonly notes: readonly string[];
  readonly rows: number;
  /** Null in a model without speakers. */
  readonly speakers: number | null;
  readonly errors: number;
  readonly words: number;
  readonly coefficients: readonly RateCoefficient[];
  readonly terms: readonly TermTest[];
  /** Standard deviation of the speakers' intercepts on the log scale; null in a model without. */
  readonly speakerSd: number | null;
  /** Most probable intercept of each speaker, on the log scale. */
  readonly speakerEffects: readonly { readonly speaker: string; readonly effect: number }[];
  /** Variance is mean + mean squared / theta. Null in a Poisson model, and where no overdispersion is left (infinite). */
  readonly theta: number | null;
  readonly thetaStandardError: number | null;
  /** With all constants. */
  readonly logLikelihood: number | null;
  /** Twice what the log-likelihood is below that of a model with a mean of its own for each row; without speakers only. */
  readonly deviance: number | null;
  /** Sum of squared residuals over their variances; without speakers only. */
  readonly pearsonChiSquare: number | null;
}

/** Rows of counts in the order in which fits walk through them: speaker after speaker. */
export interface CountRows {
  readonly counts: Float64Array;
  /** Natural logarithms of what the counts are relative to (words). */
  readonly offsets: Float64Array;
  /** Where each speaker's rows begin, and at the end the number of rows. */
  readonly starts: Uint32Array;
  /** Which speaker each stretch of rows is of. */
  readonly speakers: readonly number[];
  /** How many rows have a count above 0, above 1, and so on, up to `countedTo`. */
  readonly exceeding: Float64Array;
  /** Counts from here on, of which the terms are not summed one by one. */
  readonly large: readonly number[];
  /** The sum of the logarithms of the counts' factorials. */
  readonly logFactorials: number;
}

/** Terms of the negative binomial's constant are summed one by one up to this count. */
export const countedTo = 2048;
