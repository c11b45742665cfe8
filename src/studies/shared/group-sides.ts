import type { SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';

/** One side of a comparison between groups: what was counted of it, by speaker. */
export interface GroupSide {
  readonly counts: ClusteredCounts;
  /** The speaker of each place in the counts. */
  readonly clusters: readonly number[];
  readonly n: SampleSize;
}

/** Whether some speakers are in both groups (moods, rooms), which are compared within themselves then. */
export function shareSpeakers(one: GroupSide, other: GroupSide): boolean {
  const own = new Set(one.clusters);
  return other.clusters.some((cluster) => own.has(cluster));
}

/** The same place is the same speaker; who is absent from a group has nothing there. */
export function alignedSides(one: GroupSide, other: GroupSide): [ClusteredCounts, ClusteredCounts] {
  const places = new Map([...new Set([...one.clusters, ...other.clusters])].map((cluster, place) => [cluster, place]));
  const spread = ({ counts, clusters }: GroupSide): ClusteredCounts => {
    const numerators = new Float64Array(places.size);
    const denominators = new Float64Array(places.size);
    clusters.forEach((cluster, place) => {
      numerators[places.get(cluster)!] = counts.numerators[place]!;
      denominators[places.get(cluster)!] = counts.denominators[place]!;
    });
    return { ...counts, numerators, denominators };
  };
  return [spread(one), spread(other)];
}
