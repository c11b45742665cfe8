import { grouped } from '../../base/number-format.ts';
import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
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

/**
 * How far mean disparities would vary with other speakers: whole speakers are resampled, all outcomes alike, and the interval is
 * a t interval around the estimate with the standard deviation of the resamples (B. Efron and R. Tibshirani, "An introduction
 * to the bootstrap", 1993, chapter 12). Percentiles would be off, BCa's too: a resample has the sample's disparity and
 * chance once more, so that all of them lie above the estimate.
 *
 * A mean of distances is above 0 by chance alone: the interval says how much it varies, never that there is a
 * disparity. That is for `dealGroups` to say. The interval ends at 0. Differences between outcomes: `compareGaps`.
 *
 * @returns the interval of each outcome's mean disparity
 * @throws RangeError for lengths that differ, impossible options
 * @example resampleDisparities(units, { random: createRandom('an example') })[0].high
 */
export function resampleDisparities(units: GroupedUnits, options: ResampleOptions): Interval[] {
  const { baseline = 'pooled', level = 0.95, resamples = 2000, minimumSpeakers = 10, random } = options;
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new RangeError(`expected a whole number of resamples above 0, but got ${grouped(resamples)}`);
  }
  requireGroupedUnits(units);
  const { outcomes, profiles } = units;
  const speakers = rowsBySpeaker(units).length;
  const { columns, places } = distinctColumns(
    outcomes.flatMap(({ numerators, denominators }) => [numerators, denominators]),
  );
  const { byGroup, add } = groupSums(units, columns);

  /** Mean disparities where each row counts so many times. */
  const meansOf = (weights: ArrayLike<number>): (number | null)[] => {
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

  const observed = meansOf(new Uint8Array(profiles.length).fill(1));
  const enough = speakers >= Math.max(2, minimumSpeakers);
  const replicates: (number | null)[][] = [];
  if (enough) resampledRows(units, resamples, random, (weights) => replicates.push(meansOf(weights)));
  const method = `bootstrap over speakers, ${grouped(resamples)} resamples, t interval with their spread`;
  return observed.map((value, outcome): Interval => {
    if (value === null) return { value, low: null, high: null, level, reason: { code: 'no-rate-of-groups' }, method };
    if (!enough) {
      const reason: Reason = { code: 'few-units', need: Math.max(2, minimumSpeakers), have: [speakers] };
      return { value, low: null, high: null, level, reason, method };
    }
    const known = replicates.flatMap((means) => means[outcome] ?? []);
    if (known.length < resamples / 2) {
      return { value, low: null, high: null, level, reason: { code: 'few-rates' }, method };
    }
    const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
    const variance = known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (known.length - 1);
    if (Math.sqrt(variance) <= 1e-12) {
      const reason: Reason = { code: 'alike' };
      return { value, low: null, high: null, level, reason, method };
    }
    // The spread of resamples has the divisor n and not n - 1.
    const expansion = Math.sqrt(speakers / (speakers - 1));
    const half = studentQuantile((1 + level) / 2, speakers - 1) * expansion * Math.sqrt(variance);
    return { value, low: Math.max(0, value - half), high: value + half, level, method };
  });
}

/** Draws whole speakers with replacement, so many times: how often each row counts, overwritten by the next resample. */
export function resampledRows(
  units: Pick<GroupedUnits, 'speakers'>,
  resamples: number,
  random: Random,
  call: (weights: Float64Array, resample: number) => void,
): void {
  const speakers = rowsBySpeaker(units);
  const weights = new Float64Array(units.speakers.length);
  const times = new Uint32Array(speakers.length);
  for (let resample = 0; resample < resamples; resample++) {
    const source = { state: (random.next() * 4294967296) | 0, stream: (random.next() * 4294967296) | 1 };
    times.fill(0);
    for (let drawn = 0; drawn < speakers.length; drawn++) times[nextIndex(source, speakers.length)]!++;
    speakers.forEach((rows, speaker) => {
      for (const row of rows) weights[row] = times[speaker]!;
    });
    call(weights, resample);
  }
}
