import type { Random } from '../../base/random.ts';
import type { Estimate } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import type { RandomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from './estimates.ts';
import { createSpeakerClusters, type SpeakerClusters } from './speaker-clusters.ts';

/** How the interval of a mean is made. */
export interface MeanOptions {
  readonly level: number;
  readonly resamples: number;
  readonly minimumSpeakers: number;
  readonly random: Random | RandomOfData;
}

/** Means of values of clips, in numbered series, whose intervals respect speakers. Memory follows series and speakers. */
export interface ClusterMeans {
  add(series: number, utterance: Utterance, value: number): void;
  count(series: number): number;
  /** Speakers (clusters) of whom anything was added. */
  speakers(series: number): number;
  /** Sums and numbers of values by cluster: the same index is the same cluster in every series. */
  counts(series: number): ClusteredCounts;
  /** Null, with the reason, where nothing was added. */
  mean(series: number, options: MeanOptions): Estimate;
  readonly clusters: SpeakerClusters;
}

/**
 * @param series how many
 * @example
 * const means = createClusterMeans(1);
 * for (const { utterance, value } of clips) means.add(0, utterance, value);
 * means.mean(0, { level: 0.95, resamples: 2000, minimumSpeakers: 10, random: createRandom('an example') }).low
 */
export function createClusterMeans(series: number): ClusterMeans {
  const clusters = createSpeakerClusters();
  /** For each series: sum and number of values by cluster. */
  const sums = Array.from({ length: series }, () => new Float64Array(16));
  const counts = new Float64Array(series);
  const clustersIn = (number: number): ClusteredCounts => {
    const table = sums[number]!;
    const places = Array.from({ length: clusters.count }, (_, cluster) => cluster);
    return {
      numerators: Float64Array.from(places, (cluster) => table[2 * cluster] ?? 0),
      denominators: Float64Array.from(places, (cluster) => table[2 * cluster + 1] ?? 0),
    };
  };
  return {
    clusters,
    add(number, utterance, value) {
      const cluster = clusters.clusterOf(utterance);
      if (sums[number]!.length <= 2 * cluster) {
        const longer = new Float64Array(4 * (cluster + 1));
        longer.set(sums[number]!);
        sums[number] = longer;
      }
      sums[number]![2 * cluster]! += value;
      sums[number]![2 * cluster + 1]!++;
      counts[number]!++;
    },
    count: (number) => counts[number]!,
    speakers: (number) => clustersIn(number).denominators.reduce((heard, values) => heard + (values > 0 ? 1 : 0), 0),
    counts: clustersIn,
    mean(number, { level, resamples, minimumSpeakers, random }) {
      const interval = rateInterval(clustersIn(number), {
        level,
        resamples,
        minimumClusters: minimumSpeakers,
        random,
      });
      return toEstimate(interval, { utterances: counts[number]!, speakers: this.speakers(number) });
    },
  };
}
