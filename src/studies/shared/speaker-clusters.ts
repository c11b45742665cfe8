import type { Utterance } from '../../model/utterance.ts';
import { mostClusters } from '../../statistics/bootstrap/clustered-counts.ts';

/**
 * The independent units of a corpus, numbered from 0: its speakers. An utterance whose speaker nobody knows is a unit of
 * its own.
 */
export interface SpeakerClusters {
  clusterOf(utterance: Utterance): number;
  /** Whether the cluster is a known speaker (or holds one). */
  isSpeaker(cluster: number): boolean;
  readonly count: number;
  /** Whether there were more units than `mostClusters`, so that units share clusters. */
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
export function createSpeakerClusters(most: number = mostClusters): SpeakerClusters {
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
