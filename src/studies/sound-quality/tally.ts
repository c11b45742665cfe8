import type { Answer } from '../contract.ts';
import { type ClusterMeans, createClusterMeans } from '../shared/cluster-means.ts';
import type { Design } from './design.ts';

/** One value of one measure, in one condition. */
export interface QualityCell {
  readonly condition: number;
  readonly measure: string;
  readonly value: string;
  /** In `means`. */
  readonly series: number;
  /** Clips for which the measure has no value, and why: the first reason that came. */
  undefinedClips: number;
  reason: string | null;
}

/** What was measured, summed up. */
export interface Tally {
  readonly cells: readonly QualityCell[];
  readonly means: ClusterMeans;
  /** By condition: clips that could not be made. */
  readonly failed: Uint32Array;
  readonly clips: Uint32Array;
  readonly utterances: number;
  readonly withoutSpeaker: number;
}

/** Adds up the answers as they come. */
export async function tallyQuality(
  answers: AsyncIterable<Answer>,
  { conditions, measures }: Design,
  see: (answer: Answer) => void,
): Promise<Tally> {
  let series = 0;
  const byCondition = conditions.map((_, condition) =>
    measures.map(({ name: measure, values }) =>
      Object.keys(values).map(
        (value): QualityCell => ({ condition, measure, value, series: series++, undefinedClips: 0, reason: null }),
      ),
    ),
  );
  const means = createClusterMeans(series);
  const places = new Map(conditions.map(({ name }, index) => [name, index]));
  const counts = { failed: new Uint32Array(conditions.length), clips: new Uint32Array(conditions.length) };
  const seen = { utterances: 0, withoutSpeaker: 0 };
  let last = '';
  for await (const answer of answers) {
    if (answer.ask !== 'measurement') continue;
    see(answer);
    const { utterance, condition, measurement } = answer;
    if (utterance.id !== last) {
      last = utterance.id;
      seen.utterances++;
      if (utterance.speaker === undefined) seen.withoutSpeaker++;
    }
    const place = places.get(condition.name)!;
    counts.clips[place]!++;
    if (measurement === null) {
      counts.failed[place]!++;
      continue;
    }
    for (const cells of byCondition[place]!) {
      const found = measurement.quality?.[cells[0]!.measure];
      for (const cell of cells) {
        const value = found?.values[cell.value] ?? null;
        if (value !== null) means.add(cell.series, utterance, value);
        else {
          cell.undefinedClips++;
          cell.reason ??= found?.reason ?? 'it was not measured';
        }
      }
    }
  }
  return { cells: byCondition.flat(2), means, ...counts, ...seen };
}
