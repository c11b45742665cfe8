import type { Estimate } from '../../model/finding.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Part } from '../shared/sliced-counts.ts';
import type { Design, MeasureKind } from './design.ts';
import { baselineCounts, groupCounts, hasWords, wordsBefore } from './group-counts.ts';
import type { DegradationOptions } from './options.ts';
import type { Tally } from './tally.ts';

/** A group's rate in a condition, the mean over the measures of a kind. */
export interface GroupRate {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
  readonly condition: number;
  readonly rate: Estimate;
}

/** Rates of the groups of an attribute in the baseline and in every condition: what curves are drawn from. */
export function groupRates(
  attribute: string,
  kind: MeasureKind,
  about: {
    readonly parts: readonly Part[];
    readonly measures: readonly number[];
    readonly conditions: readonly number[];
  },
  known: {
    readonly tally: Tally;
    readonly design: Design;
    readonly options: DegradationOptions;
    readonly seed: number;
  },
): GroupRate[] {
  const { parts, measures, conditions } = about;
  const { tally, design, options, seed } = known;
  const { level, resamples, minimumSpeakers } = options;
  const countsIn = (part: Part, condition: number) => {
    if (condition === 0) {
      return baselineCounts(
        part,
        measures.filter((measure) => wordsBefore(part, measure, tally) > 0),
        tally,
      );
    }
    const leaves = measures.map((measure) => ({ measure, condition })).filter((leaf) => hasWords(part, leaf, tally));
    const counts = groupCounts(part, leaves, design.families, tally);
    return counts === null ? null : { counts: counts.after, n: counts.n };
  };
  return parts.flatMap((part) =>
    [0, ...conditions].flatMap((condition): GroupRate[] => {
      const group = part.group!.value;
      const found = countsIn(part, condition);
      if (found === null) return [];
      const random = randomOfData(seed);
      const interval = rateInterval(found.counts, { level, resamples, minimumClusters: minimumSpeakers, random });
      return [{ attribute, group, kind, condition, rate: toEstimate(interval, found.n) }];
    }),
  );
}
