import { countClusters, effectiveClusters } from './clustered-counts.ts';

/**
 * With fewer clusters (speakers) than this no interval is given unless the caller says otherwise: from here on, 95 %
 * intervals hold the truth at least 93 times in 100 in the populations of the table at `clusterBootstrap`, but for `hard`.
 * The clusters must also count as at least half as many of equal size.
 */
export const defaultMinimumClusters = 10;

/** Why there are too few clusters for an interval, or null. */
export function tooFewClusters(tables: readonly Float64Array[], width: number, minimum: number): string | null {
  const needed = Math.max(2, minimum);
  for (const table of tables) {
    const clusters = countClusters(table, width);
    const apart = tables.length === 2 ? ' in each group' : '';
    if (clusters < needed) {
      return `an interval needs at least ${needed} clusters (speakers)${apart}, but there ${clusters === 1 ? 'is' : 'are'} ${clusters}`;
    }
    const effective = effectiveClusters(table, width);
    if (effective < needed / 2) {
      return `an interval needs words (denominators) spread over more clusters: as unequal as they are, the ${clusters} count as ${effective.toFixed(1)}, and at least ${needed / 2} are needed`;
    }
  }
  return null;
}
