/** log(1 + product), which for large products needs no care and is quicker without. */
export function logInflation(product: number): number {
  return product < 1e-3 ? Math.log1p(product) : Math.log(1 + product);
}

/**
 * What a row takes from its log-likelihood beside count x predictor: (count + 1 / dispersion) log(1 + dispersion mean) if
 * negative binomial, the mean if Poisson (dispersion 0).
 */
export function loss(count: number, mean: number, dispersion: number): number {
  if (dispersion === 0) return mean;
  return (count + 1 / dispersion) * logInflation(dispersion * mean);
}

/** By how much less is lost with more dispersion, not counting what is the same for every mean. */
export function lossSlope(count: number, mean: number, dispersion: number): number {
  return lossSlopeFrom(logInflation(dispersion * mean), count, mean, dispersion);
}

/** The same where the logarithm of the inflation is known. */
export function lossSlopeFrom(log: number, count: number, mean: number, dispersion: number): number {
  const product = dispersion * mean;
  const weight = mean / (1 + product);
  // For small products the difference of logarithm and share would lose its digits.
  const curved =
    product < 1e-3
      ? mean * mean * (1 / 2 - product * (2 / 3 - product * (3 / 4 - product * (4 / 5 - (product * 5) / 6))))
      : (log - product / (1 + product)) / (dispersion * dispersion);
  return curved - count * weight;
}
