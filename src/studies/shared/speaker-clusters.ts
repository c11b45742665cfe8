import type { Random } from '../../base/random.ts';
import type { Estimate } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import { type ClusteredCounts, maxClusters } from '../../statistics/bootstrap/clustered-counts.ts';
import type { RandomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from './estimates.ts';

/**
 * The independent units of a corpus, numbered from 0: its speakers. An utterance whose speaker nobody knows is a unit of
 * its own.
 */
export interface SpeakerClusters {
  clusterOf(utterance: Utterance): number;
  /** Whether the cluster is a known speaker (or holds one). */
  isSpeaker(cluster: number): boolean;
  /** The name of the speaker, of the first that came where several share the cluster; null where nobody knows who speaks. */
  speakerOf(cluster: number): string | null;
  readonly count: number;
  /** Whether there were more units than `maxClusters`, so that units share clusters. */
  readonly merged: boolean;
}

/**
 * Clusters for one pass over a corpus. Units after the first `most` join one of the clusters by a hash of their name:
 * whom they join has nothing to do with how they speak, so that merged clusters are still independent of each other, and
 * memory stays the same however many speakers there are.
 *
 * @param most clusters; 2000 by default
 * @example
 * const speakers = createSpeakerClusters();
 * errors[speakers.clusterOf(trial.utterance)] += 1; // then counts over `speakers.count` places are those of speakers
 */
export function createSpeakerClusters(most: number = maxClusters): SpeakerClusters {
  const numbers = new Map<string, number>();
  const speakers = new Uint8Array(most);
  let merged = false;
  return {
    clusterOf({ speaker, id }) {
      const unit = speaker === undefined ? `u ${id}` : `s ${speaker}`;
      let cluster = numbers.get(unit);
      if (cluster === undefined) {
        if (numbers.size < most) {
          cluster = numbers.size;
          numbers.set(unit, cluster);
        } else {
          merged = true;
          cluster = hashOf(unit) % most;
        }
      }
      if (speaker !== undefined) speakers[cluster] = 1;
      return cluster;
    },
    isSpeaker: (cluster) => speakers[cluster] === 1,
    speakerOf(cluster) {
      for (const [unit, number] of numbers) if (number === cluster) return unit.startsWith('s ') ? unit.slice(2) : null;
      return null;
    },
    get count() {
      return numbers.size;
    },
    get merged() {
      return merged;
    },
  };
}

/** FNV-1a (Fowler, Noll, Vo) over code units, its bits mixed at the end as in MurmurHash3. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Numbers for what one speaker said under one profile of attributes: the unit that is counted. */
export interface ProfileRows {
  readonly clusters: SpeakerClusters;
  /** Rows as what is told apart: each has the utterances of one speaker under one profile. */
  readonly units: SpeakerClusters;
  /** Of each row the speaker and the profile. */
  readonly rows: { readonly clusters: readonly number[]; readonly profiles: readonly number[] };
  /** Each profile's values, null where one is not known. */
  readonly profiles: readonly (readonly (string | null)[])[];
  /** The row of an utterance; a new one where it is the first of its speaker and profile. */
  rowOf(utterance: Utterance): number;
}

/**
 * Rows of utterances that share speaker and profile.
 *
 * @param valuesOf what makes the profile of an utterance, always as many values
 */
export function createProfileRows(valuesOf: (utterance: Utterance) => readonly (string | null)[]): ProfileRows {
  const clusters = createSpeakerClusters();
  const profileNumbers = new Map<string, number>();
  const rowNumbers = new Map<string, number>();
  const profiles: (readonly (string | null)[])[] = [];
  const rows = { clusters: [] as number[], profiles: [] as number[] };
  const profileOf = (values: readonly (string | null)[]): number => {
    const key = JSON.stringify(values);
    let profile = profileNumbers.get(key);
    if (profile === undefined) {
      profile = profiles.push(values) - 1;
      profileNumbers.set(key, profile);
    }
    return profile;
  };
  const rowOf = (utterance: Utterance): number => {
    const profile = profileOf(valuesOf(utterance));
    const cluster = clusters.clusterOf(utterance);
    const key = `${cluster} ${profile}`;
    let row = rowNumbers.get(key);
    if (row === undefined) {
      row = rows.clusters.push(cluster) - 1;
      rows.profiles.push(profile);
      rowNumbers.set(key, row);
    }
    return row;
  };
  return {
    clusters,
    units: {
      clusterOf: rowOf,
      isSpeaker: (row) => clusters.isSpeaker(rows.clusters[row]!),
      speakerOf: (row) => clusters.speakerOf(rows.clusters[row]!),
      get count() {
        return rows.clusters.length;
      },
      get merged() {
        return clusters.merged;
      },
    },
    rows,
    profiles,
    rowOf,
  };
}

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
