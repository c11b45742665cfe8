import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/combine-rates.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import type { Design, Family, MeasureKind } from './design.ts';
import type { DegradationOptions } from './options.ts';
import type { Tally } from './tally.ts';

/** One measure in one condition. */
export interface Leaf {
  readonly measure: number;
  readonly condition: number;
}

/** Rates of a group before and after, averaged over leaves, as counts of one rate each; by speaker. */
export interface GroupCounts {
  readonly before: ClusteredCounts;
  readonly after: ClusteredCounts;
  /** After less before. */
  readonly degradation: ClusteredCounts;
  /** The cluster of each place in the counts. */
  readonly clusters: readonly number[];
  readonly n: SampleSize;
}

/** Words of a group in the baseline. */
export function wordsBefore(part: Part, measure: number, { series }: Tally): number {
  return part.counts(series.baseline(measure))?.totals(part.rows).words ?? 0;
}

/** Whether a group has words in a leaf, before and after. */
export function hasWords(part: Part, { measure, condition }: Leaf, { series }: Tally): boolean {
  const wordsIn = (number: number) => part.counts(number)?.totals(part.rows).words ?? 0;
  return wordsIn(series.after(measure, condition)) > 0 && wordsIn(series.before(measure, condition)) > 0;
}

/**
 * A group's rates averaged over the leaves: those of one family of conditions alike, then the families. Null where there
 * are no leaves, or the group has no words in one of them.
 */
export function groupCounts(
  part: Part,
  leaves: readonly Leaf[],
  families: readonly Family[],
  tally: Tally,
): GroupCounts | null {
  const own = families
    .map(({ conditions }) => leaves.filter(({ condition }) => conditions.includes(condition)))
    .filter((ofFamily) => ofFamily.length > 0);
  const n = { utterances: 0, speakers: 0, words: 0 };
  const before: WeightedRate[] = [];
  const after: WeightedRate[] = [];
  for (const ofFamily of own) {
    for (const { measure, condition } of ofFamily) {
      const weight = 1 / own.length / ofFamily.length;
      const disturbed = gather(part, tally.series.after(measure, condition));
      after.push({ counts: disturbed.counts, weight });
      before.push({ counts: gather(part, tally.series.before(measure, condition)).counts, weight });
      n.utterances = Math.max(n.utterances, disturbed.n.utterances);
      n.speakers = Math.max(n.speakers, disturbed.n.speakers);
      n.words = Math.max(n.words, disturbed.n.words);
    }
  }
  return combined(before, after, part, n);
}

/** A group's rates in the baseline, averaged over measures. */
export function baselineCounts(
  part: Part,
  measures: readonly number[],
  tally: Tally,
): { readonly counts: ClusteredCounts; readonly n: SampleSize } | null {
  const n = { utterances: 0, speakers: 0, words: 0 };
  const rates = measures.map((measure): WeightedRate => {
    const here = gather(part, tally.series.baseline(measure));
    n.utterances = Math.max(n.utterances, here.n.utterances);
    n.speakers = Math.max(n.speakers, here.n.speakers);
    n.words = Math.max(n.words, here.n.words);
    return { counts: here.counts, weight: 1 / measures.length };
  });
  const counts = combineRates(rates);
  return counts === null ? null : { counts, n };
}

function combined(
  before: readonly WeightedRate[],
  after: readonly WeightedRate[],
  part: Part,
  n: SampleSize,
): GroupCounts | null {
  const [one, other] = [combineRates(before), combineRates(after)];
  const degradation = combineRates([...after, ...before.map(({ counts, weight }) => ({ counts, weight: -weight }))]);
  if (one === null || other === null || degradation === null) return null;
  return { before: one, after: other, degradation, clusters: part.rows.map((row) => part.clusterOf(row)), n };
}

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
