import type { Utterance } from '../../model/utterance.ts';
import { createSpeakerClusters, type SpeakerClusters } from './speaker-clusters.ts';

/** Numbers for what one speaker said under one profile of attributes: the unit that is counted. */
export interface ProfileRows {
  readonly clusters: SpeakerClusters;
  /** Of each row the speaker and the profile. */
  readonly rows: { readonly clusters: readonly number[]; readonly profiles: readonly number[] };
  /** Each profile's values, null where one is not known. */
  readonly profiles: readonly (readonly (string | null)[])[];
  /** The row of an utterance; a new one where it is the first of its speaker and profile. */
  rowOf(utterance: Utterance): number;
}

/** @param valuesOf what makes the profile of an utterance, always as many values */
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
  return {
    clusters,
    rows,
    profiles,
    rowOf(utterance) {
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
    },
  };
}
