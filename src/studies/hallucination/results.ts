import type { Comparison, Estimate } from '../../model/finding.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { compareAll } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { HallucinationOptions } from './options.ts';
import type { Part } from './sound-parts.ts';
import type { Tally } from './tally.ts';

/** What is known of one part of the sounds. */
export interface PartResult {
  readonly part: Part;
  readonly shareWithWords: Estimate;
  readonly wordsPerMinute: Estimate;
}

export interface HallucinationResults {
  readonly parts: readonly PartResult[];
  /** Second less first: shares of sounds with words. */
  readonly comparisons: readonly { readonly first: number; readonly second: number; readonly comparison: Comparison }[];
}

/** Turns counts into estimates and comparisons. */
export function concludeSounds(
  { parts, pairs, recordings }: Tally,
  options: HallucinationOptions,
  seed: number,
): HallucinationResults {
  const { level, resamples, minimumClips } = options;
  const estimate = (part: Part, use: 'share' | 'pace'): Estimate => {
    const interval = rateInterval(use === 'share' ? part.sums.shares() : part.sums.pace(), {
      level,
      resamples,
      minimumClusters: minimumClips,
      random: randomOfData(seed),
    });
    const reason =
      use === 'pace' && part.sums.minutes === 0 ? 'the duration of the clips is unknown' : inClips(interval.reason);
    const { reason: _, ...rest } = interval;
    return toEstimate({ ...rest, ...(reason === undefined ? {} : { reason }) }, part.sums.size());
  };
  const comparisons = compareAll(
    pairs,
    ({ counts }) => {
      const { sounds, ...contrast } = counts();
      return {
        ...contrast,
        n: {
          utterances: contrast.first.denominators.filter((count) => count > 0).length,
          speakers: 0,
          unit: 'recording',
          pairs: sounds,
        },
      };
    },
    { level, resamples, minimumSpeakers: minimumClips, seed, speakers: recordings },
  );
  return {
    parts: parts.map((part) => ({
      part,
      shareWithWords: estimate(part, 'share'),
      wordsPerMinute: estimate(part, 'pace'),
    })),
    comparisons: pairs.map(({ first, second }, place) => ({ first, second, comparison: comparisons[place]! })),
  };
}

/** The units here are recordings, not speakers. */
function inClips(reason: string | undefined): string | undefined {
  return reason?.replace('clusters (speakers)', 'recordings');
}
