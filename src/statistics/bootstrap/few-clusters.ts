import { countClusters, effectiveClusters } from './clustered-counts.ts';

/**
 * With fewer clusters (speakers) than this no interval is given unless the caller says otherwise: from here on, 95 %
 * intervals hold the truth at least 93 times in 100 in the populations of the table at `clusterBootstrap`, but for `hard`.
 * The clusters must also count as at least half as many of equal size.
 */
export const defaultMinimumClusters = 10;

/**
 * The one sentence for it.
 *
 * @param where what the smallest count is of, where there are several
 * @example neededClusters(10, 5, null) // 'an interval needs 10 clusters (speakers), and there are 5'
 */
export function neededClusters(needed: number, there: number, where: string | null): string {
  const came = where !== null ? `one has ${there}` : `there ${there === 1 ? 'is' : 'are'} ${there}`;
  return `an interval needs ${needed} clusters (speakers)${where === null ? '' : ` ${where}`}, and ${came}`;
}

/** Why there are too few clusters for an interval, or null. */
export function tooFewClusters(tables: readonly Float64Array[], width: number, minimum: number): string | null {
  const needed = Math.max(2, minimum);
  for (const table of tables) {
    const clusters = countClusters(table, width);
    if (clusters < needed) {
      return neededClusters(needed, clusters, tables.length === 2 ? 'in each group' : null);
    }
    const effective = effectiveClusters(table, width);
    if (effective < needed / 2) {
      return `an interval needs words (denominators) spread over more clusters (speakers): as unequal as they are, the ${clusters} count as ${effective.toFixed(1)}, and ${needed / 2} are needed`;
    }
  }
  return null;
}
