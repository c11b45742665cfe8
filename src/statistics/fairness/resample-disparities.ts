import { grouped } from '../../base/number-format.ts';
import type { Random } from '../../base/random.ts';
import { neededClusters } from '../bootstrap/cluster-spread.ts';
import { nextIndex } from '../bootstrap/resampler.ts';
import { studentQuantile } from '../distributions.ts';
import type { Interval } from '../interval.ts';
import {
  type Baseline,
  distinctColumns,
  type GroupedUnits,
  groupSums,
  meanDisparityOf,
  requireGroupedUnits,
  rowsBySpeaker,
} from './grouped-units.ts';

export interface ResampleOptions {
  readonly baseline?: Baseline;
  readonly level?: number;
  readonly resamples?: number;
  /** With fewer speakers no interval is given; 10 by default. */
  readonly minimumSpeakers?: number;
  readonly random: Random;
}

export interface ResampledDisparities {
  /** Mean disparity of each outcome. */
  readonly outcomes: readonly Interval[];
  /** Of each pair in order: mean disparity of the second less that of the first, both from the same resamples. */
  readonly pairs: readonly { readonly first: number; readonly second: number; readonly difference: Interval }[];
}

/**
 * How far mean disparities would vary with other speakers: whole speakers are resampled, all outcomes alike, and the interval is
 * a t interval around the estimate with the standard deviation of the resamples (B. Efron and R. Tibshirani, "An introduction
 * to the bootstrap", 1993, chapter 12). Percentiles would be off, BCa's too: a resample has the sample's disparity and
 * chance once more, so that all of them lie above the estimate.
 *
 * A mean of distances is above 0 by chance alone: the interval says how much it varies, never that there is a
 * disparity. That is for `dealGroups` to say. The interval of a mean ends at 0, that of a difference does not.
 *
 * @throws RangeError for lengths that differ, impossible options
 * @example resampleDisparities(units, { random: createRandom('an example') }).outcomes[0].high
 */
export function resampleDisparities(units: GroupedUnits, options: ResampleOptions): ResampledDisparities {
  const { baseline = 'pooled', level = 0.95, resamples = 2000, minimumSpeakers = 10, random } = options;
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new RangeError(`expected a whole number of resamples above 0, but got ${grouped(resamples)}`);
  }
  requireGroupedUnits(units);
  const { outcomes, profiles } = units;
  const speakers = rowsBySpeaker(units);
  const speakerOf = new Uint32Array(profiles.length);
  speakers.forEach((rows, speaker) => {
    for (const row of rows) speakerOf[row] = speaker;
  });
  const { columns, places } = distinctColumns(
    outcomes.flatMap(({ numerators, denominators }) => [numerators, denominators]),
  );
  const { byGroup, add } = groupSums(units, columns);
  const weights = new Float64Array(profiles.length);

  /** Mean disparities where each speaker counts so many times. */
  const meansOf = (times: ArrayLike<number>): (number | null)[] => {
    for (let row = 0; row < weights.length; row++) weights[row] = times[speakerOf[row]!]!;
    add(profiles, weights);
    const all = columns.map((column) => {
      let sum = 0;
      for (let row = 0; row < weights.length; row++) sum += weights[row]! * column[row]!;
      return sum;
    });
    return outcomes.map((_, outcome) => {
      const [numerator, denominator] = [places[2 * outcome]!, places[2 * outcome + 1]!];
      const words = all[denominator]!;
      if (!(words > 0)) return null;
      const pooled = baseline === 'pooled' ? all[numerator]! / words : null;
      return meanDisparityOf(byGroup[numerator]!, byGroup[denominator]!, pooled);
    });
  };

  const observed = meansOf(new Uint32Array(speakers.length).fill(1));
  const enough = speakers.length >= Math.max(2, minimumSpeakers);
  const replicates = enough ? resampled(meansOf, speakers.length, resamples, random) : [];
  const method = `bootstrap over speakers, ${grouped(resamples)} resamples, t interval with their spread`;
  const intervalOf = (of: (means: readonly (number | null)[]) => number | null, least: number): Interval => {
    const value = of(observed);
    if (value === null) return { value, low: null, high: null, level, reason: 'no group has a rate', method };
    if (!enough) {
      const reason = neededClusters(Math.max(2, minimumSpeakers), speakers.length, null);
      return { value, low: null, high: null, level, reason, method };
    }
    const known = replicates.map(of).filter((one) => one !== null);
    if (known.length < resamples / 2) {
      return { value, low: null, high: null, level, reason: 'most resamples have no rate', method };
    }
    const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
    const variance = known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (known.length - 1);
    if (Math.sqrt(variance) <= 1e-12) {
      const reason = 'every resample of the speakers gives the same: the data cannot say how it varies';
      return { value, low: null, high: null, level, reason, method };
    }
    // The spread of resamples has the divisor n and not n - 1.
    const expansion = Math.sqrt(speakers.length / (speakers.length - 1));
    const half = studentQuantile((1 + level) / 2, speakers.length - 1) * expansion * Math.sqrt(variance);
    return { value, low: Math.max(least, value - half), high: value + half, level, method };
  };
  return {
    outcomes: outcomes.map((_, outcome) => intervalOf((means) => means[outcome] ?? null, 0)),
    pairs: outcomes.flatMap((_, first) =>
      outcomes.slice(first + 1).map((__, offset) => {
        const second = first + 1 + offset;
        const difference = intervalOf((means) => {
          const [one, other] = [means[first] ?? null, means[second] ?? null];
          return one === null || other === null ? null : other - one;
        }, Number.NEGATIVE_INFINITY);
        return { first, second, difference };
      }),
    ),
  };
}

function resampled(
  meansOf: (weights: ArrayLike<number>) => (number | null)[],
  speakers: number,
  resamples: number,
  random: Random,
): (number | null)[][] {
  const weights = new Uint32Array(speakers);
  return Array.from({ length: resamples }, () => {
    const source = { state: (random.next() * 4294967296) | 0, stream: (random.next() * 4294967296) | 1 };
    weights.fill(0);
    for (let drawn = 0; drawn < speakers; drawn++) weights[nextIndex(source, speakers)]!++;
    return meansOf(weights);
  });
}
