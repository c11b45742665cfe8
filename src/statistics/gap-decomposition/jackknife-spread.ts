import { addSpreads, type Spread } from '../bootstrap/cluster-spread.ts';

/**
 * The variance of an estimate from what it is without each part of the data in turn, for strata (groups of speakers) that
 * were drawn apart (R. Bell and D. McCaffrey, Survey Methodology 28, 2002: of the estimators for regressions with few clusters
 * the one that is never too small on average; J. MacKinnon, M. Nielsen and M. Webb, J. Applied Econometrics 38, 2023). Degrees
 * of freedom: the parts of a stratum less 1, put together as B. L. Welch does.
 *
 * @param without the estimate without each part, stratum by stratum; a stratum of one part tells nothing and adds nothing
 */
export function jackknifeSpread(without: readonly (readonly number[])[]): Spread {
  const spreads = without.flatMap((values): Spread[] => {
    const count = values.length;
    if (count < 2) return [];
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return [{ variance: ((count - 1) / count) * squares, degreesOfFreedom: count - 1 }];
  });
  return spreads.length === 0 ? { variance: 0, degreesOfFreedom: 1 } : addSpreads(spreads);
}
