import { createRandom } from '../../base/random.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';

/** An interval of a word error rate, and what was resampled for it. */
export interface ClusterInterval extends Interval {
  readonly over: 'speakers' | 'utterances';
  readonly clusters: number;
  /** What a reader must know to trust it. */
  readonly note?: string;
}

/** Errors and words cluster by cluster, 16 bytes for each. */
export interface ClusterCounts {
  /** @param speaker null where none is known: the utterance is a cluster of its own */
  add(speaker: string | null, errors: number, words: number): void;
  /** @param seed makes the resamples the same from run to run, and independent from group to group */
  interval(seed: readonly string[]): ClusterInterval;
}

/** Counts of nothing yet. */
export function createClusterCounts(): ClusterCounts {
  const places = new Map<string, number>();
  let numerators = new Float64Array(64);
  let denominators = new Float64Array(64);
  let clusters = 0;
  let alone = 0;

  const newPlace = (): number => {
    if (clusters === numerators.length) {
      numerators = doubled(numerators);
      denominators = doubled(denominators);
    }
    return clusters++;
  };

  return {
    add(speaker, errors, words) {
      let place = speaker === null ? undefined : places.get(speaker);
      if (place === undefined) {
        place = newPlace();
        if (speaker === null) alone++;
        else places.set(speaker, place);
      }
      numerators[place]! += errors;
      denominators[place]! += words;
    },
    interval(seed) {
      const counts = {
        numerators: numerators.subarray(0, clusters),
        denominators: denominators.subarray(0, clusters),
      };
      const over = places.size > 0 ? 'speakers' : 'utterances';
      const interval = rateInterval(counts, { random: createRandom(['score', ...seed]) });
      const named = (text: string) => text.replaceAll('clusters (speakers)', over).replaceAll('clusters', over);
      const note =
        over === 'utterances'
          ? 'by utterance: too narrow if speakers have several utterances'
          : alone > 0
            ? `${alone} utterances without a speaker count as separate speakers`
            : null;
      return {
        ...interval,
        method: named(interval.method),
        ...(interval.reason === undefined ? {} : { reason: named(interval.reason) }),
        over,
        clusters,
        ...(note === null ? {} : { note }),
      };
    },
  };
}

function doubled(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length);
  larger.set(array);
  return larger;
}
