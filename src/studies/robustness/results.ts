import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { type Contrast, compareAll, turned } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import type { Design } from './design.ts';
import { countLeaves, wholeOf } from './leaf-counts.ts';
import { meanDegradation } from './level-estimates.ts';
import type { RobustnessOptions } from './options.ts';
import { leavesOf } from './scenario-tree.ts';
import type { Tally } from './tally.ts';

/** What is known of one recognizer in one condition. */
interface ConditionResult {
  readonly recognizer: number;
  readonly condition: number;
  readonly wordErrorRate: Estimate;
  readonly characterErrorRate: Estimate;
  /**
   * Word error rate less that of clean sound, on the trials that were answered in both; null for clean sound itself. Of
   * recorded scenarios less that of their baseline, which is of other utterances.
   */
  readonly degradation: Estimate | null;
}

/** Word errors of one recognizer on one group. */
export interface GroupResult {
  readonly group: NonNullable<Part['group']>;
  readonly recognizer: number;
  readonly condition: number;
  readonly wordErrorRate: Estimate;
}

/** One recognizer against another, on the trials that both answered. */
export interface RecognizerComparison {
  readonly condition: number;
  /** Null: the whole corpus. */
  readonly group: Part['group'];
  /** `comparison` is about this one: its rate less that of `comparedWith`. */
  readonly recognizer: number;
  readonly comparedWith: number;
  readonly comparison: Comparison;
}

export interface Results {
  /** Conditions in order, in each the recognizers. */
  readonly conditions: readonly ConditionResult[];
  /** The condition with the highest word error rate of all recognizers together; null: there is only clean sound. */
  readonly worstCondition: number | null;
  /** Of clean sound and the worst condition. */
  readonly groups: readonly GroupResult[];
  /** The group of enough speakers with the highest rate of all recognizers together, in the worst condition (or clean). */
  readonly worstGroup: Part['group'];
  /** Every pair, in every condition and then in the worst group. */
  readonly comparisons: readonly RecognizerComparison[];
}

/** Turns counts into estimates, intervals and tests. */
export function conclude(tally: Tally, design: Design, options: RobustnessOptions, seed: number): Results {
  const { slices, series } = tally;
  const { level, resamples, minimumSpeakers } = options;
  const recognizers = design.recognizers.map((_, index) => index);
  const conditions = design.conditions.map((_, index) => index);
  const whole = slices.whole();
  const parts = slices.groups();
  const bootstrap = (what: Json) => ({
    level,
    resamples,
    minimumClusters: minimumSpeakers,
    random: createRandom({ seed, study: 'robustness', what }),
  });
  const names = (recognizer: number, condition: number) => [
    design.recognizers[recognizer]!.name,
    design.conditions[condition]!.name,
  ];

  const wordErrorRate = (part: Part, recognizer: number, condition: number): Estimate => {
    const { counts, n } = gather(part, series.words(recognizer, condition));
    const group = part.group && [part.group.attribute, part.group.value];
    const { pairs: _, ...size } = n;
    return toEstimate(rateInterval(counts, bootstrap(['wer', ...names(recognizer, condition), group])), size);
  };
  const characterErrorRate = (recognizer: number, condition: number): Estimate => {
    const { counts } = gather(whole, series.characters(recognizer, condition));
    const { pairs: _, ...size } = gather(whole, series.words(recognizer, condition)).n;
    return toEstimate(rateInterval(counts, bootstrap(['cer', ...names(recognizer, condition)])), size);
  };
  const degradation = (recognizer: number, condition: number): Estimate | null => {
    if (condition === 0) return null;
    if (condition >= design.disturbed) return recordedDegradation(recognizer, condition);
    const draws = design.draws(condition, recognizer);
    const before = gather(whole, series.words(recognizer, 0), series.cleanOnly(recognizer, condition), draws);
    const after = gather(whole, series.words(recognizer, condition), series.withoutClean(recognizer, condition));
    const what = ['degradation', ...names(recognizer, condition)];
    return toEstimate(differenceInterval(before.counts, after.counts, bootstrap(what)), after.n);
  };
  const recordedDegradation = (recognizer: number, condition: number): Estimate => {
    const leaves = leavesOf(design, options).filter((leaf) => leaf.condition === condition);
    const counts = countLeaves(leaves, recognizer, { tally, design, options, partOf: wholeOf(tally) });
    const what = ['degradation', ...names(recognizer, condition)];
    return meanDegradation(counts, 'rate', { options, bootstrap: () => bootstrap(what) });
  };
  const contrast = (part: Part, condition: number, first: number, second: number): Contrast => {
    const one = gather(part, series.words(first, condition), series.without(first, condition, second));
    const other = gather(part, series.words(second, condition), series.without(second, condition, first));
    const group = part.group && [part.group.attribute, part.group.value];
    return {
      first: one.counts,
      second: other.counts,
      n: other.n,
      what: ['comparison', design.recognizers[first]!.name, ...names(second, condition), group],
    };
  };

  const worstCondition = highest(
    conditions.filter((condition) => condition > 0),
    (condition) => rateOfAll(whole, condition, recognizers, tally),
  );
  const decisive = worstCondition === null ? [0] : [0, worstCondition];
  const groups = parts.flatMap((part) =>
    decisive.flatMap((condition) =>
      recognizers.map((recognizer) => ({
        group: part.group!,
        recognizer,
        condition,
        wordErrorRate: wordErrorRate(part, recognizer, condition),
      })),
    ),
  );
  const last = decisive.at(-1)!;
  const worstPart = highest(
    parts.filter(({ group }) => hasIntervals(groups, group, last)),
    (part) => rateOfAll(part, last, recognizers, tally),
  );

  const pairs = recognizers.flatMap((first) => recognizers.slice(first + 1).map((second) => ({ first, second })));
  const asked = [
    ...conditions.flatMap((condition) => pairs.map((pair) => ({ part: whole, condition, ...pair }))),
    ...(worstPart === null ? [] : pairs.map((pair) => ({ part: worstPart, condition: last, ...pair }))),
  ];
  const compared = compareAll(asked, ({ part, condition, first, second }) => contrast(part, condition, first, second), {
    level,
    resamples,
    minimumSpeakers,
    seed,
    study: 'robustness',
  });

  return {
    conditions: conditions.flatMap((condition) =>
      recognizers.map((recognizer) => ({
        recognizer,
        condition,
        wordErrorRate: wordErrorRate(whole, recognizer, condition),
        characterErrorRate: characterErrorRate(recognizer, condition),
        degradation: degradation(recognizer, condition),
      })),
    ),
    worstCondition,
    groups,
    worstGroup: worstPart?.group ?? null,
    comparisons: asked.map(({ part, condition, first, second }, index) => ({
      condition,
      group: part.group,
      recognizer: second,
      comparedWith: first,
      comparison: compared[index]!,
    })),
  };
}

/** Comparisons of one place, each pair from both sides. */
export function bothSides<Side extends Pick<RecognizerComparison, 'recognizer' | 'comparedWith' | 'comparison'>>(
  comparisons: readonly Side[],
): Side[] {
  return comparisons.flatMap((one) => [
    one,
    { ...one, recognizer: one.comparedWith, comparedWith: one.recognizer, comparison: turned(one.comparison) },
  ]);
}

/** Whether every recognizer has an interval for the group, so that the group has speakers enough to be spoken of. */
function hasIntervals(groups: readonly GroupResult[], group: Part['group'], condition: number): boolean {
  return groups
    .filter((row) => row.condition === condition && sameGroup(row.group, group))
    .every(({ wordErrorRate }) => wordErrorRate.low !== null);
}

/** Whether two groups are one, or both the whole corpus. */
export function sameGroup(one: Part['group'], other: Part['group']): boolean {
  return one?.attribute === other?.attribute && one?.value === other?.value;
}

/** Word error rate of all recognizers together; null where no word was asked for. */
function rateOfAll(part: Part, condition: number, recognizers: readonly number[], { series }: Tally): number | null {
  let errors = 0;
  let words = 0;
  for (const recognizer of recognizers) {
    const totals = part.counts(series.words(recognizer, condition))?.totals(part.rows);
    errors += totals?.errors ?? 0;
    words += totals?.words ?? 0;
  }
  return words === 0 ? null : errors / words;
}

/** The first of the items for which a value is highest; null where none has one. */
function highest<Item>(items: readonly Item[], measure: (item: Item) => number | null): Item | null {
  let best: { readonly item: Item; readonly value: number } | null = null;
  for (const item of items) {
    const value = measure(item);
    if (value !== null && (best === null || value > best.value)) best = { item, value };
  }
  return best?.item ?? null;
}
