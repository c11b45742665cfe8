import type { SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import type { GroupedUnits } from '../../statistics/fairness/grouped-units.ts';
import type { RowCounts } from '../shared/row-counts.ts';
import type { Design } from './design.ts';
import type { Subgroup } from './subgroups.ts';
import type { Survey } from './survey.ts';

/** Counts of a group, by speaker or by row, and how much stands behind them. */
export interface Gathered {
  readonly counts: ClusteredCounts;
  readonly n: Required<Omit<SampleSize, 'normalizer'>>;
}

/**
 * Adds up rows to speakers: one place for each speaker of the corpus, 0 for those who are not in the group.
 *
 * @param group null: everybody
 * @param less what is taken out
 */
export function gather(survey: Survey, group: Subgroup | null, counts: RowCounts, less?: RowCounts): Gathered {
  const wanted = group === null ? null : new Set(group.profiles);
  const numerators = new Float64Array(survey.clusters.count);
  const denominators = new Float64Array(survey.clusters.count);
  const n = { utterances: 0, speakers: 0, words: 0, pairs: 0 };
  const people = new Set<number>();
  const { clusters, profiles } = survey.rows;
  for (let row = 0; row < clusters.length; row++) {
    if (wanted !== null && !wanted.has(profiles[row]!)) continue;
    const cluster = clusters[row]!;
    const words = counts.words(row) - (less?.words(row) ?? 0);
    numerators[cluster]! += counts.errors(row) - (less?.errors(row) ?? 0);
    denominators[cluster]! += words;
    const utterances = counts.utterances(row) - (less?.utterances(row) ?? 0);
    n.utterances += utterances;
    n.words += words;
    n.pairs += counts.trials(row) - (less?.trials(row) ?? 0);
    if (utterances > 0 && survey.clusters.isSpeaker(cluster)) people.add(cluster);
  }
  return { counts: { numerators, denominators }, n: { ...n, speakers: people.size } };
}

/** The groups that are counted and rows as they are, for what deals and resamples attributes. */
export function unitsOf({ survey, subgroups, counted }: Design, outcomes: readonly RowCounts[]): GroupedUnits {
  const { clusters, profiles } = survey.rows;
  return {
    speakers: clusters,
    profiles,
    groups: counted.map((place) => subgroups[place]!.profiles),
    outcomes: outcomes.map((counts) => ({
      numerators: Float64Array.from(clusters, (_, row) => counts.errors(row)),
      denominators: Float64Array.from(clusters, (_, row) => counts.words(row)),
    })),
  };
}
