import type { CountData, CountRegression, CountRegressionOptions } from './count-data.ts';
import { regressCounts } from './regress-counts.ts';

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
export function heldDispersion(theta: number | undefined): number | null {
  if (theta === undefined) return null;
  if (!(theta > 0 && theta < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`expected a positive theta, but got ${theta}`);
  }
  return 1 / theta;
}
