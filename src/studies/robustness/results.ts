import type { Comparison, Estimate } from '../../model/finding.ts';
import type { StudyContext } from '../contract.ts';
import { type Contrast, compareAll, turned } from '../shared/comparisons.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import { type ConditionResult, conditionResults, partRate } from './condition-results.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import { askLevels, comparisonSettings, type LevelComparison } from './level-comparisons.ts';
import { datasetName } from './levels.ts';
import type { RobustnessOptions } from './options.ts';

/** Speakers of one data set who have something in common; the data set has a name where there are several. */
export type Group = NonNullable<Part['group']> & { readonly dataset?: string };

/** Word errors of one recognizer on one group. */
export interface GroupResult {
  readonly group: Group;
  readonly recognizer: number;
  readonly condition: number;
  readonly wordErrorRate: Estimate;
}

/** One recognizer against another, on the trials that both answered. */
export interface RecognizerComparison {
  readonly condition: number;
  /** Null: the whole corpus. */
  readonly group: Group | null;
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
  /** Of clean sound and the worst condition, by data set; of recordings that are a scenario, in that one. */
  readonly groups: readonly GroupResult[];
  /** The group of enough speakers with the highest rate of all recognizers together, in the worst condition (or clean). */
  readonly worstGroup: Group | null;
  /** Every pair, in every condition and then in the worst group. */
  readonly comparisons: readonly RecognizerComparison[];
  /** The same over many scenarios, tested together with them. */
  readonly levelComparisons: readonly LevelComparison[];
}

/** Turns counts into estimates, intervals and tests. */
export function conclude(
  tally: Counts,
  design: Design,
  options: RobustnessOptions,
  { seed, computing }: Pick<StudyContext, 'seed' | 'computing'>,
): Results {
  const { slices, series } = tally;
  const recognizers = design.recognizers.map((_, index) => index);
  const conditions = design.conditions.map((_, index) => index);
  const whole = slices.whole();
  const { datasets } = design.survey;
  const parts = (datasets.length < 2 ? [slices] : tally.datasets).flatMap((counts, number) => {
    const recorded = datasets[number]?.recorded ?? null;
    const heardIn = (condition: number) =>
      recorded === null ? condition < design.disturbed : condition === design.disturbed + recorded;
    return counts.groups().map((part) => {
      const group: Group = datasets.length < 2 ? part.group! : { ...part.group!, dataset: datasetName(number, design) };
      return { part, group, recorded, heardIn };
    });
  });

  const contrast = (part: Part, condition: number, first: number, second: number): Contrast => {
    const one = gather(part, series.words(first, condition), series.without(first, condition, second));
    const other = gather(part, series.words(second, condition), series.without(second, condition, first));
    return {
      first: one.counts,
      second: other.counts,
      clusters: part.rows.map((row) => part.clusterOf(row)),
      n: other.n,
      family: part.group !== null ? 1 : condition === 0 ? 0 : 2,
    };
  };

  const worstCondition = highest(
    conditions.filter((condition) => condition > 0),
    (condition) => rateOfAll(whole, condition, recognizers, tally),
  );
  const decisive = worstCondition === null ? [0] : [0, worstCondition];
  const groups = parts.flatMap(({ part, group, recorded, heardIn }) =>
    (recorded === null ? decisive : [design.disturbed + recorded]).filter(heardIn).flatMap((condition) =>
      recognizers.map((recognizer) => ({
        group,
        recognizer,
        condition,
        wordErrorRate: partRate(part, recognizer, condition, { counts: tally, design, options, seed }),
      })),
    ),
  );
  const last = decisive.at(-1)!;
  const worstPart = highest(
    parts.filter(({ group, heardIn }) => heardIn(last) && hasIntervals(groups, group, last)),
    ({ part }) => rateOfAll(part, last, recognizers, tally),
  );

  const pairs = recognizers.flatMap((first) => recognizers.slice(first + 1).map((second) => ({ first, second })));
  const asked = [
    ...conditions.flatMap((condition) => pairs.map((pair) => ({ part: whole, group: null, condition, ...pair }))),
    ...(worstPart === null ? [] : pairs.map((pair) => ({ ...worstPart, condition: last, ...pair }))),
  ];
  const levels = askLevels(tally, design, options);
  const compared = compareAll(
    [
      ...asked.map(
        ({ part, condition, first, second }) =>
          () =>
            contrast(part, condition, first, second),
      ),
      ...levels.map((one) => one.contrast),
    ],
    (contrastOf) => contrastOf(),
    { ...comparisonSettings(tally, options, seed), computing },
  );

  return {
    conditions: conditionResults(tally, design, options, seed),
    worstCondition,
    groups,
    worstGroup: worstPart?.group ?? null,
    comparisons: asked.map(({ group, condition, first, second }, index) => ({
      condition,
      group,
      recognizer: second,
      comparedWith: first,
      comparison: compared[index]!,
    })),
    levelComparisons: levels.map(({ contrast: _, ...place }, index) => ({
      ...place,
      comparison: compared[asked.length + index]!,
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
function hasIntervals(groups: readonly GroupResult[], group: Group, condition: number): boolean {
  return groups
    .filter((row) => row.condition === condition && sameGroup(row.group, group))
    .every(({ wordErrorRate }) => wordErrorRate.low !== null);
}

/** Whether two groups are one, or both the whole corpus. */
export function sameGroup(one: Group | null, other: Group | null): boolean {
  return one?.attribute === other?.attribute && one?.value === other?.value && one?.dataset === other?.dataset;
}

/** Word error rate of all recognizers together; null where no word was asked for. */
function rateOfAll(part: Part, condition: number, recognizers: readonly number[], { series }: Counts): number | null {
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
