import { printable } from '../../base/printable.ts';
import type { Reason } from '../../model/reason.ts';
import { logGamma } from '../distributions.ts';
import type { Interval } from '../interval.ts';
import { type DesignMatrix, designMatrix, type Predictors } from '../regression/design-matrix.ts';

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
  readonly reason?: Reason;
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
  readonly reason?: Reason;
  readonly test: string;
}

/** What a regression of errors found. Without a fit the numbers are null, and `reason` says why. */
export interface CountRegression {
  readonly method: string;
  readonly reason?: Reason;
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

/** Checked data in the order of speakers. */
export interface PreparedCounts {
  readonly errors: Float64Array;
  readonly words: Float64Array;
  readonly design: DesignMatrix;
  /** Index into `speakers` for each row, rising. Without speakers all rows are one. */
  readonly speakerOf: Uint32Array;
  readonly speakers: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Checks data of a count regression and brings its rows into the order of their speakers.
 *
 * @throws RangeError for lengths that differ, errors that are not counts, words or levels out of range
 */
export function prepareCounts(
  data: CountData & { readonly speaker?: readonly string[] },
  options: CountRegressionOptions,
): PreparedCounts {
  const { errors, words, speaker } = data;
  const { level = 0.95 } = options;
  const count = errors.length;
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (words.length !== count || (speaker !== undefined && speaker.length !== count)) {
    throw new RangeError(
      `expected as many words and speakers as errors (${count}), but got ${words.length} and ${speaker?.length ?? 'none'}`,
    );
  }
  const kept: number[] = [];
  let withoutWords = 0;
  let errorsWithoutWords = 0;
  for (let row = 0; row < count; row++) {
    const [error, size] = [errors[row]!, words[row]!];
    if (!Number.isSafeInteger(error) || error < 0) {
      throw new RangeError(`expected whole counts of errors, but row ${row} has ${error}`);
    }
    if (!(size >= 0 && size < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`expected counts of words, but row ${row} has ${size}`);
    }
    if (speaker !== undefined && typeof speaker[row] !== 'string') {
      throw new RangeError(`expected names of speakers, but row ${row} has ${printable(String(speaker[row]))}`);
    }
    if (size > 0) kept.push(row);
    else {
      withoutWords++;
      errorsWithoutWords += error;
    }
  }
  const notes: string[] = [];
  if (withoutWords > 0) {
    notes.push(
      `${withoutWords} of ${count} rows have no words, therefore no rate, and were left out with ${errorsWithoutWords} errors (insertions)`,
    );
  }

  const places = new Map<string, number>();
  if (speaker === undefined) places.set('', 0);
  else for (const row of kept) if (!places.has(speaker[row]!)) places.set(speaker[row]!, places.size);
  const placeOf = (row: number) => (speaker === undefined ? 0 : places.get(speaker[row]!)!);
  kept.sort((first, second) => placeOf(first) - placeOf(second) || first - second);
  return {
    errors: Float64Array.from(kept, (row) => errors[row]!),
    words: Float64Array.from(kept, (row) => words[row]!),
    design: designMatrix(data.predictors, { rows: count, references: options.references ?? {}, kept }),
    speakerOf: Uint32Array.from(kept, placeOf),
    speakers: [...places.keys()],
    notes,
  };
}

/** Rows as fits want them: those for which `keep` holds. */
export function countRows(prepared: PreparedCounts, keep: (row: number) => boolean): CountRows {
  const places = Array.from(prepared.errors, (_, row) => row).filter(keep);
  const counts = Float64Array.from(places, (row) => prepared.errors[row]!);
  const offsets = Float64Array.from(places, (row) => Math.log(prepared.words[row]!));
  const starts: number[] = [];
  places.forEach((row, place) => {
    if (place === 0 || prepared.speakerOf[row] !== prepared.speakerOf[places[place - 1]!]) starts.push(place);
  });
  const speakers = starts.map((place) => prepared.speakerOf[places[place]!]!);
  starts.push(places.length);
  let most = 0;
  let logFactorials = 0;
  for (const count of counts) {
    most = Math.max(most, count);
    logFactorials += logGamma(count + 1);
  }
  // First how many rows have each count, then, summed from above, how many have more.
  const exceeding = new Float64Array(Math.min(most, countedTo));
  const large: number[] = [];
  for (const count of counts) {
    if (count > countedTo) large.push(count);
    if (count > 0) exceeding[Math.min(count, countedTo) - 1]!++;
  }
  for (let below = exceeding.length - 2; below >= 0; below--) exceeding[below]! += exceeding[below + 1]!;
  return { counts, offsets, starts: Uint32Array.from(starts), speakers, exceeding, large, logFactorials };
}
