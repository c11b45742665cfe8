import type { CountRows } from './count-rows.ts';

/** How far counts are from their means. */
export interface CountResiduals {
  /** Twice what the log-likelihood is below that with a mean of its own for each row. */
  readonly deviance: number;
  /** Squared distances over variances. */
  readonly pearsonChiSquare: number;
}

/** Deviance and Pearson's chi-square of Poisson (dispersion 0) or negative binomial counts. */
export function countResiduals(rows: CountRows, predictor: Float64Array, dispersion: number): CountResiduals {
  let deviance = 0;
  let pearsonChiSquare = 0;
  for (let row = 0; row < predictor.length; row++) {
    const count = rows.counts[row]!;
    const mean = Math.exp(predictor[row]!);
    if (count > 0) deviance += 2 * count * Math.log(count / mean);
    deviance -=
      dispersion === 0
        ? 2 * (count - mean)
        : 2 * (count + 1 / dispersion) * Math.log1p((dispersion * (count - mean)) / (1 + dispersion * mean));
    pearsonChiSquare += (count - mean) ** 2 / (mean * (1 + dispersion * mean));
  }
  return { deviance, pearsonChiSquare };
}
