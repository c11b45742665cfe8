import type { CountRegression, SpeakerCountData } from './count-data.ts';
import { gaussHermite } from './gauss-hermite.ts';
import { integration, type MixedOptions } from './mixed-poisson.ts';
import { heldDispersion } from './negative-binomial-regression.ts';
import { regressCounts } from './regress-counts.ts';

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
