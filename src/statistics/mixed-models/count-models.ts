import type { CountData, CountRegression, CountRegressionOptions, SpeakerCountData } from './count-data.ts';
import { gaussHermite } from './gauss-hermite.ts';
import { regressCounts } from './regress-counts.ts';

export interface MixedOptions extends CountRegressionOptions {
  /** Points of the adaptive Gauss-Hermite quadrature, 9 by default; 1 is Laplace's approximation, lme4's default. */
  readonly quadraturePoints?: number;
}

/**
 * Poisson regression of word errors with words as exposure and a normal intercept for each speaker: the accepted model of
 * how error rates depend on who speaks and how (Z. Liu, I.-E. Veliche and F. Peng, "Model-based approach for measuring the
 * fairness in ASR", ICASSP 2022). Fixed effects, their standard errors, the speakers' standard deviation and the
 * log-likelihood are those of lme4's `glmer` (four digits and more; `quadraturePoints: 1` for its default).
 *
 * Tests and intervals: of what differs between speakers (their group) by the likelihood ratio with between-speaker degrees
 * of freedom, see `betweenSpeakerReference`; of what varies within speakers (noise) by chi-square. With speakers of
 * different skill the F reference holds its level from 8 speakers on, also 4 against 60 (.057 with unequal words), while Wald's z and the
 * chi-square reference reject too often with few speakers. Where speakers do not differ at all it is careful.
 * Shares of p <= .05 without an effect, and of 95 % intervals that hold a ratio of 1.3, 10,000 simulations each (standard
 * error .002, bench/calibration/models.ts mixed; plain: a regression without speakers, which must not be used for groups):
 *
 * ```
 * speakers     spread  words      level  coverage   chi-square   Wald z   plain
 * 4 and 4       .500    equal      .051   .953        .104       .137    .400
 * 6 and 6       .500    equal      .047   .952        .081       .102    .408
 * 10 and 10     .500    equal      .050   .949        .069       .081    .398
 * 20 and 20     .500    equal      .051   .946        .058       .065    .410
 * 4 and 60      .500    equal      .051   .946        .056       .057    .400
 * 20 and 20     .250    equal      .051   .949        .058       .064    .168
 * 20 and 20     .500    unequal    .052   .948        .060       .065    .488
 * 4 and 60      .500    unequal    .057   .950        .062       .063    .432
 * 4 and 60     1.000    equal      .052   .948        .057       .060    .735
 * 10 and 10     .000    equal      .026   .969        .039       .042    .050
 * 20 and 20     .000    equal      .039   .964        .045       .047    .051
 * ```
 *
 * Null with a reason: a fit without words, errors or a second speaker, with collinear predictors, with separation, or that
 * did not converge; the coefficient of a level without errors (its ratio is 0, with an upper end); a test of a predictor
 * with one level or with too few speakers. A variance estimated as 0 is a fit, and `notes` says so.
 *
 * @throws RangeError for lengths that differ, errors that are not whole counts, values that are not finite, references
 *   that do not occur, a level of confidence or number of quadrature points out of range
 * @example
 * const fit = mixedPoisson({
 *   errors: [2, 0, 1, 5, 3, 4, 1, 2, 6, 7],
 *   words: [20, 14, 22, 25, 18, 21, 19, 23, 24, 20],
 *   predictors: { accent: ['us', 'us', 'us', 'uk', 'uk', 'uk', 'us', 'us', 'uk', 'uk'] },
 *   speaker: ['a', 'a', 'b', 'c', 'c', 'd', 'e', 'e', 'f', 'f'],
 * }, { references: { accent: 'us' } });
 * fit.coefficients[1] // { name: 'accent: uk', estimate: 1.33, rateRatio: { value: 3.78, low: 1.27, high: 14.3, … }, … }
 * fit.terms[0] // { term: 'accent', likelihoodRatio: 8.51, betweenSpeakerDegreesOfFreedom: 4, pValue: .024, … }
 */
export function mixedPoisson(data: SpeakerCountData, options: MixedOptions = {}): CountRegression {
  const { quadraturePoints = 9 } = options;
  const name = `mixed-effects Poisson regression, ${integration(quadraturePoints)}`;
  const rule = gaussHermite(quadraturePoints);
  return regressCounts(data, { name, dispersion: 0, rule, information: 'observed' }, options);
}

/** How speakers' intercepts are integrated over, in words. */
function integration(points: number): string {
  return points === 1 ? "Laplace's approximation" : `adaptive Gauss-Hermite quadrature with ${points} points`;
}

export interface MixedNegativeBinomialOptions extends MixedOptions {
  /** Holds theta at this instead of estimating it. */
  readonly theta?: number;
}

/**
 * As `mixedPoisson`, for errors that vary more than Poisson's within a speaker too (variance is mean + mean squared /
 * theta): utterances that fail as a whole. The usual choice for recognizers; where nothing is overdispersed it answers the
 * Poisson fit and says so.
 *
 * With one quadrature point this is Laplace's approximation with the expected information, as lme4's `glmer.nb`; that
 * program stops its search of theta early on some data (the golden set `mild`: theta 34.5 with log-likelihood -450.639,
 * where -450.577 is reached at 21.5), and holds theta for its standard errors. Here theta is estimated with the rest, and
 * standard errors know of that (a thousandth greater there); `theta` holds it.
 *
 * Levels and coverages as in the table of `mixedPoisson`, with theta 2 (bench/calibration/models.ts dispersed):
 *
 * ```
 * speakers     spread  words      level  coverage   chi-square   Wald z   plain
 * 4 and 4      .500    equal      .039   .960        .093      .123    .476
 * 6 and 6      .500    equal      .046   .954        .075      .095    .479
 * 10 and 10    .500    equal      .050   .948        .068      .080    .490
 * 20 and 20    .500    equal      .047   .948        .054      .060    .488
 * 4 and 60     .500    equal      .052   .950        .058      .060    .486
 * 4 and 60     .500    unequal    .051   .947        .056      .057    .506
 * 4 and 60    1.000    equal      .050   .955        .055      .056    .750
 * 10 and 10   0        equal      .035   .967        .048      .053    .252
 * ```
 *
 * Where speakers are all alike (the last line) the test is careful: it reckons with a difference between them that few can rule out.
 *
 * @throws RangeError as `mixedPoisson`, and for a theta that is not positive
 * @example mixedNegativeBinomial({ errors, words, predictors: { accent, snrDb }, speaker }).terms
 */
export function mixedNegativeBinomial(
  data: SpeakerCountData,
  options: MixedNegativeBinomialOptions = {},
): CountRegression {
  const { quadraturePoints = 9, theta } = options;
  const name = `mixed-effects negative binomial regression, ${integration(quadraturePoints)}`;
  const rule = gaussHermite(quadraturePoints);
  return regressCounts(data, { name, dispersion: heldDispersion(theta), rule, information: 'observed' }, options);
}

export interface NegativeBinomialOptions extends CountRegressionOptions {
  /** Holds theta at this instead of estimating it. */
  readonly theta?: number;
  /**
   * What standard errors come from. `observed` (default): the observed information about coefficients and theta together, as
   * statsmodels. `expected`: with theta held, as MASS.
   */
  readonly information?: 'observed' | 'expected';
}

/**
 * Negative binomial (NB2) regression of word errors, every row independent: variance is mean + mean squared / theta. MASS's
 * `glm.nb` and statsmodels' `NegativeBinomial`, to six digits and more. Where nothing is overdispersed the Poisson fit is
 * answered with a note (theta infinite). As `poissonRegression` not for groups of speakers.
 *
 * @throws RangeError as `mixedPoisson`, and for a theta that is not positive
 * @example negativeBinomialRegression({ errors, words, predictors: { snrDb } }, { theta: 2 }).coefficients
 */
export function negativeBinomialRegression(data: CountData, options: NegativeBinomialOptions = {}): CountRegression {
  const { errors, words, predictors } = data;
  const { theta, information = 'observed' } = options;
  const name = 'negative binomial regression';
  return regressCounts(
    { errors, words, predictors },
    { name, dispersion: heldDispersion(theta), rule: null, information },
    options,
  );
}

/** The dispersion that goes with a theta to be held; null for one to be estimated. */
function heldDispersion(theta: number | undefined): number | null {
  if (theta === undefined) return null;
  if (!(theta > 0 && theta < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`expected a positive theta, but got ${theta}`);
  }
  return 1 / theta;
}

/**
 * Poisson regression of word errors with words as exposure, every row independent: R's `glm(family = poisson)` and
 * statsmodels' `GLM`, to eight digits. Tests by the likelihood ratio and chi-square.
 *
 * Not for groups of speakers: the rows of one speaker are not independent, and with speakers of different skill (standard
 * deviation .5 on the log scale, 4 rows each) it calls alike groups different in 40 to 41 % of 10,000 simulations
 * (bench/calibration/models.ts). Use `mixedPoisson` there. A Pearson chi-square far above rows less coefficients tells of
 * overdispersion.
 *
 * @throws RangeError as `mixedPoisson`
 * @example poissonRegression({ errors: [3, 9], words: [100, 100], predictors: { noise: ['off', 'on'] } })
 * // coefficients[1]: { name: 'noise: on', estimate: 1.0986, standardError: .6667, rateRatio: { value: 3, … } }
 */
export function poissonRegression(data: CountData, options: CountRegressionOptions = {}): CountRegression {
  const { errors, words, predictors } = data;
  const method = { name: 'Poisson regression', dispersion: 0, rule: null, information: 'observed' } as const;
  return regressCounts({ errors, words, predictors }, method, options);
}
