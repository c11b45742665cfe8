import { type CountRows, countedTo } from './count-data.ts';
import type { QuadratureRule } from './gauss-hermite.ts';

/** What a log-likelihood changes with. */
export interface LikelihoodSlopes {
  /** By each row's linear predictor. */
  readonly byPredictor: Float64Array;
  /** By the standard deviation of the speakers. */
  bySpread: number;
  byDispersion: number;
}

/** A log-likelihood of counts, with buffers and the speakers' last modes kept between calls. */
export interface MarginalLikelihood {
  /**
   * @param predictor each row's linear predictor, offset included: the logarithm of the expected count of the middling
   *   speaker
   * @param spread standard deviation of the speakers' intercepts; 0 for none
   * @param dispersion variance is mean + dispersion x mean squared: 0 for Poisson, 1 / theta
   */
  at(predictor: Float64Array, spread: number, dispersion: number): number;
  readonly slopes: LikelihoodSlopes;
  /** Each speaker's most probable intercept at the last call, in standard deviations. */
  readonly modes: Float64Array;
}

/**
 * The log-likelihood of Poisson or negative binomial (NB2) counts whose speakers have normal intercepts, integrated over
 * these by adaptive Gauss-Hermite quadrature: the rule is centred at each speaker's mode and scaled by the curvature there
 * (J. Pinheiro and D. Bates, "Approximations to the log-likelihood function in the nonlinear mixed-effects model", J.
 * Computational and Graphical Statistics 4, 1995). One point is Laplace's approximation. The curvature is that of the
 * expected information, as in lme4 (for Poisson the same as the observed). Slopes are those of the approximation itself:
 * modes and scales move with the parameters, by the implicit function theorem.
 */
export function marginalLikelihood(rows: CountRows, rule: QuadratureRule): MarginalLikelihood {
  const { counts, starts } = rows;
  const speakers = starts.length - 1;
  const points = rule.nodes.length;
  let longest = 0;
  for (let speaker = 0; speaker < speakers; speaker++) {
    longest = Math.max(longest, starts[speaker + 1]! - starts[speaker]!);
  }
  const means = new Float64Array(counts.length);
  const modes = new Float64Array(speakers);
  const heights = new Float64Array(points);
  const shares = new Float64Array(points);
  const factors = new Float64Array(points);
  const rowSlopes = new Float64Array(points * longest);
  const logs = new Float64Array(points * longest);
  const logWeights = rule.weights.map((weight, point) => Math.log(weight) + rule.nodes[point]! ** 2 / 2);
  const slopes: LikelihoodSlopes = { byPredictor: new Float64Array(counts.length), bySpread: 0, byDispersion: 0 };

  const at = (predictor: Float64Array, spread: number, dispersion: number): number => {
    let logLikelihood = -rows.logFactorials;
    slopes.bySpread = 0;
    slopes.byDispersion = 0;
    if (dispersion > 0) {
      const terms = dispersionTerms(rows, dispersion);
      logLikelihood += terms.value;
      slopes.byDispersion += terms.derivative;
    }
    for (let row = 0; row < counts.length; row++) {
      means[row] = Math.exp(predictor[row]!);
      logLikelihood += counts[row]! === 0 ? 0 : counts[row]! * predictor[row]!;
    }
    if (spread === 0) {
      for (let row = 0; row < counts.length; row++) {
        const mean = means[row]!;
        const inflation = 1 + dispersion * mean;
        slopes.byPredictor[row] = (counts[row]! - mean) / inflation;
        logLikelihood -= loss(counts[row]!, mean, dispersion);
        if (dispersion > 0) slopes.byDispersion += lossSlope(counts[row]!, mean, dispersion);
      }
      return logLikelihood;
    }
    for (let speaker = 0; speaker < speakers; speaker++) {
      logLikelihood += integrate(speaker, spread, dispersion);
    }
    return logLikelihood;
  };

  const integrate = (speaker: number, spread: number, dispersion: number): number => {
    const from = starts[speaker]!;
    const to = starts[speaker + 1]!;
    const length = to - from;
    const theta = 1 / dispersion;
    const mode = findMode(rows, means, from, to, spread, dispersion, modes[speaker]!);
    modes[speaker] = mode;
    const scaleAtMode = Math.exp(spread * mode);

    // At the mode: slopes, observed and expected information, and how they change with shift and dispersion.
    let score = 0;
    let observed = 0;
    let expected = 0;
    let expectedByShift = 0;
    let scoreByDispersion = 0;
    let expectedByDispersion = 0;
    let total = 0;
    for (let row = from; row < to; row++) {
      const mean = means[row]! * scaleAtMode;
      const inflation = 1 + dispersion * mean;
      const weight = mean / inflation;
      const residual = counts[row]! - mean;
      total += counts[row]!;
      score += residual / inflation;
      observed += (weight * (1 + dispersion * counts[row]!)) / inflation;
      expected += weight;
      expectedByShift += weight / inflation;
      scoreByDispersion -= (residual * weight) / inflation;
      expectedByDispersion -= weight * weight;
    }
    const curvature = 1 + spread * spread * expected;
    const width = 1 / Math.sqrt(curvature);
    const modeCurvature = 1 + spread * spread * observed;

    // The integrand at each node.
    let highest = Number.NEGATIVE_INFINITY;
    for (let point = 0; point < points; point++) {
      const deviate = mode + width * rule.nodes[point]!;
      const factor = Math.exp(spread * width * rule.nodes[point]!);
      factors[point] = factor;
      let height = total * spread * deviate - (deviate * deviate) / 2 + logWeights[point]!;
      if (dispersion === 0) {
        height -= expected * factor;
      } else {
        const scale = scaleAtMode * factor;
        for (let row = from; row < to; row++) {
          const log = logInflation(dispersion * means[row]! * scale);
          logs[point * length + row - from] = log;
          height -= (counts[row]! + theta) * log;
        }
      }
      heights[point] = height;
      highest = Math.max(highest, height);
    }
    let sumOfShares = 0;
    for (let point = 0; point < points; point++) {
      shares[point] = Math.exp(heights[point]! - highest);
      sumOfShares += shares[point]!;
    }

    // Means over the nodes, and what moving the nodes would change.
    let bySpread = 0;
    let byDispersion = 0;
    let byMode = 0;
    let byWidth = 0;
    let meanScale = 0;
    for (let point = 0; point < points; point++) {
      const share = shares[point]! / sumOfShares;
      const node = rule.nodes[point]!;
      const deviate = mode + width * node;
      const scale = scaleAtMode * factors[point]!;
      let slope = 0;
      if (dispersion === 0) {
        slope = total - expected * factors[point]!;
        meanScale += share * scale;
      } else {
        for (let row = from; row < to; row++) {
          const mean = means[row]! * scale;
          const rowSlope = (counts[row]! - mean) / (1 + dispersion * mean);
          rowSlopes[point * length + row - from] = rowSlope * share;
          slope += rowSlope;
          byDispersion += share * lossSlopeFrom(logs[point * length + row - from]!, counts[row]!, mean, dispersion);
        }
      }
      bySpread += share * deviate * slope;
      const along = spread * slope - deviate;
      byMode += share * along;
      byWidth += share * along * width * node;
    }

    const byLogCurvature = (1 + byWidth) / (2 * curvature);
    const byModeAll = byMode - byLogCurvature * spread ** 3 * expectedByShift;
    slopes.bySpread +=
      bySpread +
      (byModeAll * (score - spread * mode * observed)) / modeCurvature -
      byLogCurvature * (2 * spread * expected + spread * spread * mode * expectedByShift);
    if (dispersion === 0) {
      const pull = meanScale + scaleAtMode * ((spread / modeCurvature) * byModeAll + byLogCurvature * spread * spread);
      for (let row = from; row < to; row++) slopes.byPredictor[row] = counts[row]! - means[row]! * pull;
    } else {
      slopes.byDispersion +=
        byDispersion +
        (byModeAll * spread * scoreByDispersion) / modeCurvature -
        byLogCurvature * spread * spread * expectedByDispersion;
      for (let row = from; row < to; row++) {
        const mean = means[row]! * scaleAtMode;
        const inflation = 1 + dispersion * mean;
        const weight = mean / inflation;
        let slope = 0;
        for (let point = 0; point < points; point++) slope += rowSlopes[point * length + row - from]!;
        slopes.byPredictor[row] =
          slope -
          ((spread * byModeAll) / modeCurvature) * ((weight * (1 + dispersion * counts[row]!)) / inflation) -
          (byLogCurvature * spread * spread * weight) / inflation;
      }
    }
    return highest + Math.log(sumOfShares) + Math.log(width);
  };

  return { at, slopes, modes };
}

/** log(1 + product), which for large products needs no care and is quicker without. */
function logInflation(product: number): number {
  return product < 1e-3 ? Math.log1p(product) : Math.log(1 + product);
}

/**
 * What a row takes from its log-likelihood beside count x predictor: (count + 1 / dispersion) log(1 + dispersion mean) if
 * negative binomial, the mean if Poisson (dispersion 0).
 */
function loss(count: number, mean: number, dispersion: number): number {
  if (dispersion === 0) return mean;
  return (count + 1 / dispersion) * logInflation(dispersion * mean);
}

/** By how much less is lost with more dispersion, not counting what is the same for every mean. */
function lossSlope(count: number, mean: number, dispersion: number): number {
  return lossSlopeFrom(logInflation(dispersion * mean), count, mean, dispersion);
}

/** The same where the logarithm of the inflation is known. */
function lossSlopeFrom(log: number, count: number, mean: number, dispersion: number): number {
  const product = dispersion * mean;
  const weight = mean / (1 + product);
  // For small products the difference of logarithm and share would lose its digits.
  const curved =
    product < 1e-3
      ? mean * mean * (1 / 2 - product * (2 / 3 - product * (3 / 4 - product * (4 / 5 - (product * 5) / 6))))
      : (log - product / (1 + product)) / (dispersion * dispersion);
  return curved - count * weight;
}

/**
 * What the dispersion alone adds to a negative binomial log-likelihood: for each count the sum of log(1 + dispersion i)
 * over whole i below it (the logarithm of a ratio of gamma functions, which for little dispersion would lose its digits),
 * and its derivative. Far out the sum is taken by the formula of Euler and Maclaurin (NIST Handbook 2.10.1).
 */
function dispersionTerms(rows: CountRows, dispersion: number): { value: number; derivative: number } {
  let value = 0;
  let derivative = 0;
  for (let below = 0; below < rows.exceeding.length; below++) {
    const product = dispersion * below;
    value += rows.exceeding[below]! * Math.log1p(product);
    derivative += (rows.exceeding[below]! * below) / (1 + product);
  }
  for (const count of rows.large) {
    const [from, to] = [countedTo, count - 1];
    value += integralOfLog(to, dispersion) - integralOfLog(from, dispersion);
    value += (Math.log1p(dispersion * from) + Math.log1p(dispersion * to)) / 2;
    value += (dispersion / (1 + dispersion * to) - dispersion / (1 + dispersion * from)) / 12;
    derivative += integralOfShare(to, dispersion) - integralOfShare(from, dispersion);
    derivative += (from / (1 + dispersion * from) + to / (1 + dispersion * to)) / 2;
    derivative += (1 / (1 + dispersion * to) ** 2 - 1 / (1 + dispersion * from) ** 2) / 12;
  }
  return { value, derivative };
}

/** The integral of log(1 + dispersion x) from 0. */
function integralOfLog(x: number, dispersion: number): number {
  const product = dispersion * x;
  if (product < 1e-4) return x * product * (1 / 2 - product / 6 + (product * product) / 12);
  return ((1 + product) * Math.log1p(product) - product) / dispersion;
}

/** The integral of x / (1 + dispersion x) from 0. */
function integralOfShare(x: number, dispersion: number): number {
  const product = dispersion * x;
  if (product < 1e-4) return x * x * (1 / 2 - product / 3 + (product * product) / 4);
  return (product - Math.log1p(product)) / dispersion ** 2;
}

/**
 * A speaker's most probable intercept, in standard deviations, by Newton's method: his log-likelihood together with the
 * normal density is concave. Steps are held to three units of the logarithm, since a longer one could overflow.
 *
 * @param means of each row for the middling speaker
 * @param from the speaker's first row
 * @param to the row behind his last
 * @param start where to begin: the mode at nearby parameters
 */
function findMode(
  rows: CountRows,
  means: Float64Array,
  from: number,
  to: number,
  spread: number,
  dispersion: number,
  start: number,
): number {
  const { counts } = rows;
  let sum = 0;
  let total = 0;
  for (let row = from; row < to; row++) {
    sum += means[row]!;
    total += counts[row]!;
  }
  let mode = Number.isFinite(start) ? start : 0;
  const reach = 3 / spread;
  for (let round = 0; round < 200; round++) {
    const scale = Math.exp(spread * mode);
    let slope = 0;
    let information = 0;
    if (dispersion === 0) {
      information = sum * scale;
      slope = total - information;
    } else {
      for (let row = from; row < to; row++) {
        const mean = means[row]! * scale;
        const inflation = 1 + dispersion * mean;
        slope += (counts[row]! - mean) / inflation;
        information += (mean * (1 + dispersion * counts[row]!)) / (inflation * inflation);
      }
    }
    const step = (spread * slope - mode) / (1 + spread * spread * information);
    mode += Math.max(-reach, Math.min(reach, step));
    // The error after a Newton step is about the square of the step.
    if (!(Math.abs(step) > 1e-7 * (1 + Math.abs(mode)))) break;
  }
  return mode;
}
