import { studentQuantile } from '../distributions/student-t.ts';

/** A share of items that are not independent, and what is known of its spread. */
export interface ShareSpread {
  /** From 0 to 1. */
  readonly share: number;
  /** Of the share, from how clusters differ; 0 where they do not. */
  readonly variance: number;
  /** From how much the variance is known (`cautiousFreedom`). */
  readonly degreesOfFreedom: number;
  readonly items: number;
  /** The least number that the items may count for: of clusters, as if all items of one were the same. */
  readonly clusters: number;
}

/**
 * For how many independent items those of a complex sample count, so that the exact binomial interval of so many is theirs (E. Korn
 * and B. Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated from survey
 * data", Survey Methodology 24, 1998): p (1 - p) / variance, times (t of items - 1 over t of the variance's degrees of
 * freedom) squared. It lies between the number of clusters and the number of items (all independent). Where clusters do not differ
 * the former stands: from equal speakers nothing is learned of how others may differ, and if none of m speakers shows
 * it, as much as 1 - .025^(1/m) of all speakers may.
 *
 * @param level confidence level of the interval to be made
 */
export function effectiveItems(
  { share, variance, degreesOfFreedom, items, clusters }: ShareSpread,
  level: number,
): number {
  if (variance === 0) return Math.min(items, clusters);
  const quantile = (degrees: number) => studentQuantile((1 + level) / 2, Math.max(1, degrees));
  // Estimates above the number of items come from chance; they are put right before the degrees of freedom are.
  const independent = Math.min(items, (share * (1 - share)) / variance);
  const known = independent * (quantile(items - 1) / quantile(degreesOfFreedom)) ** 2;
  return Math.min(items, Math.max(clusters, known));
}
