import type { Random } from '../../base/random.ts';
import { bcaCorrection, bootstrapLimits } from '../bootstrap/bootstrap-limits.ts';
import { studentQuantile } from '../distributions/student-t.ts';

/** An interval over resampled speakers, or why there is none. */
export type SpeakerLimits =
  | { readonly low: number; readonly high: number; readonly method: string }
  | { readonly reason: string };

/**
 * The BCa interval of an estimate over speakers, who are resampled whole, for estimates that are fits and may not exist in
 * a resample. Up to a twentieth of such resamples is left out, more is a reason. For few speakers it is expanded: t
 * deviates (Kish's effective number of speakers, less 1) times the root of n / (n - 1) in the place of normal ones (T.
 * Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69, 2015).
 *
 * @param weights words of each speaker, for their effective number
 * @param estimateOf the estimate if each speaker counts so many times; null where there is none
 */
export function speakerBootstrap(
  estimate: number,
  weights: readonly number[],
  estimateOf: (times: Uint32Array) => number | null,
  options: { readonly level: number; readonly resamples: number; readonly random: Random },
): SpeakerLimits {
  const speakers = weights.length;
  const times = new Uint32Array(speakers);
  const replicates: number[] = [];
  for (let resample = 0; resample < options.resamples; resample++) {
    times.fill(0);
    for (let draw = 0; draw < speakers; draw++) times[options.random.integer(speakers)]!++;
    const value = estimateOf(times);
    if (value !== null) replicates.push(value);
  }
  const missing = options.resamples - replicates.length;
  if (missing > options.resamples / 20) {
    return { reason: `${missing} of ${options.resamples} resamples of speakers have no threshold` };
  }
  const leaveOneOut: number[] = [];
  for (let speaker = 0; speaker < speakers; speaker++) {
    times.fill(1);
    times[speaker] = 0;
    const value = estimateOf(times);
    if (value === null) return { reason: 'without one of the speakers there is no threshold' };
    leaveOneOut.push(value);
  }
  const sorted = Float64Array.from(replicates).sort();
  const without = Float64Array.from(leaveOneOut);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const squares = weights.reduce((total, weight) => total + weight * weight, 0);
  const effective = (sum * sum) / squares;
  const deviate =
    studentQuantile((1 + options.level) / 2, Math.max(1, effective - 1)) * Math.sqrt(speakers / (speakers - 1));
  const { low, high } = bootstrapLimits(sorted, deviate, bcaCorrection(sorted, estimate, without));
  const lost = missing > 0 ? `, ${missing} of them without a threshold left out` : '';
  const method = `BCa bootstrap over ${speakers} speakers, ${options.resamples} resamples${lost}, expanded for few speakers`;
  return { low, high, method };
}
