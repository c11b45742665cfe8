import { chiSquareUpperTail, incompleteBeta, normalQuantile, studentQuantile } from '../distributions.ts';

/** What a likelihood ratio is held against. */
export interface LikelihoodRatioReference {
  readonly name: string;
  /** Null where the chi-square distribution is used. */
  readonly degreesOfFreedom: number | null;
  /** P value of twice a difference of log-likelihoods by so many coefficients. */
  pValue(likelihoodRatio: number, coefficients: number): number;
  /** The signed root of a likelihood ratio of one coefficient at which a confidence interval ends. */
  root(level: number): number;
  /** Standard errors to either side at which a Wald interval ends. */
  deviate(level: number): number;
}

/** The large-sample reference: right for what varies within speakers, and in models without speakers. */
export const chiSquareReference: LikelihoodRatioReference = {
  name: 'likelihood-ratio test, chi-square',
  degreesOfFreedom: null,
  pValue: (likelihoodRatio, coefficients) => chiSquareUpperTail(Math.max(0, likelihoodRatio), coefficients),
  root: (level) => normalQuantile((1 + level) / 2),
  deviate: (level) => normalQuantile((1 + level) / 2),
};

/**
 * The reference for what differs between speakers only (their group): the speakers are the sample then, however many
 * words each says. In a normal model with S speakers and b coefficients between speakers the likelihood ratio of q of
 * these is S log(1 + q F / (S - b)), with F exactly of the F distribution with q and S - b degrees of freedom; the same
 * relation is used here (between-within degrees of freedom: M. Schluchter and J. Elashoff, J. Statistical Computation and
 * Simulation 37, 1990). The variance's maximum-likelihood estimate being too small by (S - b) / S is mended with it.
 *
 * @param coefficients between speakers, the intercept included; fewer than `speakers`
 */
export function betweenSpeakerReference(speakers: number, coefficients: number): LikelihoodRatioReference {
  const degreesOfFreedom = speakers - coefficients;
  const deviate = (level: number) => studentQuantile((1 + level) / 2, degreesOfFreedom);
  return {
    name: `likelihood-ratio test, F with ${degreesOfFreedom} between-speaker degrees of freedom`,
    degreesOfFreedom,
    pValue: (likelihoodRatio, tested) => {
      const ratio = Math.expm1(Math.max(0, likelihoodRatio) / speakers);
      return incompleteBeta(1 / (1 + ratio), degreesOfFreedom / 2, tested / 2);
    },
    root: (level) => Math.sqrt(speakers * Math.log1p(deviate(level) ** 2 / degreesOfFreedom)),
    deviate: (level) => deviate(level) * Math.sqrt(speakers / degreesOfFreedom),
  };
}
