import { defaultSeed } from '../../base/random.ts';
import { inUnits } from '../../model/reason.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';
import { type Decisive, decisiveOf } from '../../studies/shared/decisive.ts';
import { ShareWatch } from '../../studies/shared/share-watch.ts';

/** An interval of a word error rate, and what was resampled for it. */
export interface ClusterInterval extends Interval {
  readonly over: 'speakers' | 'utterances';
  readonly clusters: number;
  /** What a reader must know to trust it. */
  readonly note?: string;
}

/** Errors and words cluster by cluster, 16 bytes for each. */
export interface ClusterCounts {
  /**
   * @param speaker null where none is known: the utterance is a cluster of its own
   */
  add(speaker: string | null, pair: CountedPair): void;
  interval(): ClusterInterval;
  /** The utterance or speaker that decides the rate; null where none does. */
  decisive(interval: ClusterInterval): Decisive | null;
}

/** Of one utterance. */
export interface CountedPair {
  readonly id: string | null;
  readonly line?: number;
  readonly errors: number;
  readonly words: number;
  /** The words of the hypothesis. */
  readonly heard?: () => readonly string[];
}

/** Counts of nothing yet. */
export function createClusterCounts(): ClusterCounts {
  const places = new Map<string, number>();
  let numerators = new Float64Array(64);
  let denominators = new Float64Array(64);
  let clusters = 0;
  let alone = 0;
  const watch = new ShareWatch();
  const counts = () => ({
    numerators: numerators.slice(0, clusters),
    denominators: denominators.slice(0, clusters),
  });

  // As in a run, so that the same counts have the same interval.
  const options = { random: randomOfData(defaultSeed) };

  const newPlace = (): number => {
    if (clusters === numerators.length) {
      numerators = doubled(numerators);
      denominators = doubled(denominators);
    }
    return clusters++;
  };

  return {
    add(speaker, { errors, words, heard, ...own }) {
      let place = speaker === null ? undefined : places.get(speaker);
      if (place === undefined) {
        place = newPlace();
        if (speaker === null) alone++;
        else places.set(speaker, place);
      }
      numerators[place]! += errors;
      denominators[place]! += words;
      watch.add({ ...own, unit: place }, errors, words, heard);
    },
    decisive(interval) {
      const n = { utterances: watch.utterances, speakers: places.size };
      const units = Array.from({ length: clusters }, (_, place) => place);
      const names = new Map([...places].map(([name, place]) => [place, name]));
      return decisiveOf(
        { counts: counts(), units, watch },
        () => ({ ...interval, n }),
        options,
        (unit) => names.get(unit) ?? null,
      );
    },
    interval() {
      const over = places.size > 0 ? 'speakers' : 'utterances';
      const interval = rateInterval(counts(), options);
      const note =
        over === 'utterances'
          ? 'too narrow if speakers have several utterances'
          : alone > 0
            ? `${alone} utterances without a speaker count as separate speakers`
            : null;
      return {
        ...interval,
        method: interval.method.replaceAll('clusters', over),
        ...(interval.reason && { reason: inUnits(interval.reason, places.size > 0 ? 'speaker' : 'utterance') }),
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
