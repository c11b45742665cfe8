import { turned } from '../../model/comparison.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import type { BootstrapOptions } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { StudyContext } from '../contract.ts';
import { type Contrast, compareAll } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import type { JudgedCases } from '../shared/validity/gate.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { mainFamily } from './comparison-families.ts';
import type { Counts } from './counts.ts';
import { type Design, isAttack } from './design.ts';
import { countLeaves, meanDegradation, wholeOf } from './level-estimates.ts';
import {
  askLevels,
  compareLevels,
  comparisonSettings,
  concludeLevels,
  datasetName,
  type LevelComparison,
  type Levels,
} from './levels.ts';
import type { RobustnessOptions } from './options.ts';
import { leavesOf } from './scenario-tree.ts';
import type { Tally, ValidCounts } from './tally.ts';

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
  /** All errors over all words of all conditions, clean sound among them, by recognizer; null where there is only clean sound. */
  readonly pooled: readonly Estimate[] | null;
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
  const known = { counts: tally, design, options, seed };
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
      family: part.group !== null ? 1 : condition === 0 ? mainFamily(first, second, design, options) : 2,
    };
  };

  const worstCondition = highest(
    conditions.filter((condition) => condition > 0 && !isAttack(condition, design)),
    (condition) => rateOfAll(whole, condition, recognizers, tally),
  );
  const decisive = worstCondition === null ? [0] : [0, worstCondition];
  const groups = parts.flatMap(({ part, group, recorded, heardIn }) =>
    (recorded === null ? decisive : [design.disturbed + recorded]).filter(heardIn).flatMap((condition) =>
      recognizers.map((recognizer) => ({
        group,
        recognizer,
        condition,
        wordErrorRate: partRate(part, recognizer, condition, known),
      })),
    ),
  );
  const last = decisive.at(-1)!;
  const worstPart = highest(
    parts.filter(({ group, heardIn }) => heardIn(last) && hasInterval(groups, group, last)),
    ({ part }) => rateOfAll(part, last, recognizers, tally),
  );

  const pairs = recognizers.flatMap((first) => recognizers.slice(first + 1).map((second) => ({ first, second })));
  const asked = [
    ...conditions.flatMap((condition) =>
      pairs
        .filter(({ first, second }) => design.draws(condition, first) > 0 && design.draws(condition, second) > 0)
        .map((pair) => ({ part: whole, group: null, condition, ...pair })),
    ),
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
    pooled: pooledConditions(design) < 2 ? null : recognizers.map((recognizer) => pooledRate(whole, recognizer, known)),
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

/** Whether some recognizer has an interval for the group, so that the group has speakers enough to be spoken of. */
function hasInterval(groups: readonly GroupResult[], group: Group, condition: number): boolean {
  return groups.some(
    (row) => row.condition === condition && sameGroup(row.group, group) && row.wordErrorRate.low !== null,
  );
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

/** What is known of one recognizer in one condition. */
export interface ConditionResult {
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

/** Conditions in order, in each the recognizers. */
function conditionResults(counts: Counts, design: Design, options: RobustnessOptions, seed: number): ConditionResult[] {
  const whole = counts.slices.whole();
  return design.conditions.flatMap((_, condition) =>
    design.recognizers.map((_, recognizer) => ({
      recognizer,
      condition,
      wordErrorRate: partRate(whole, recognizer, condition, { counts, design, options, seed }),
      characterErrorRate: characterRate(whole, recognizer, condition, { counts, design, options, seed }),
      degradation:
        condition === 0 ? null : degradation(whole, recognizer, condition, { counts, design, options, seed }),
    })),
  );
}

/** What every estimate needs. */
interface Known {
  readonly counts: Counts;
  readonly design: Design;
  readonly options: RobustnessOptions;
  readonly seed: number;
}

/** Word error rate of a recognizer in a condition, for everybody or a group. */
function partRate(part: Part, recognizer: number, condition: number, known: Known): Estimate {
  const { counts, n } = gather(part, known.counts.series.words(recognizer, condition));
  const { pairs: _, ...size } = n;
  return toEstimate(rateInterval(counts, bootstrap(known)), size);
}

function pooledRate(whole: Part, recognizer: number, known: Known): Estimate {
  const { counts, n } = gather(whole, known.counts.series.pooled(recognizer));
  const { pairs: _, ...size } = n;
  return toEstimate(rateInterval(counts, bootstrap(known)), size);
}

/** How many conditions are pooled: all but attacks. */
export function pooledConditions({ conditions, unattacked, disturbed }: Design): number {
  return conditions.length - (disturbed - unattacked);
}

function characterRate(whole: Part, recognizer: number, condition: number, known: Known): Estimate {
  const { series } = known.counts;
  const { counts } = gather(whole, series.characters(recognizer, condition));
  const { pairs: _, ...size } = gather(whole, series.words(recognizer, condition)).n;
  return toEstimate(rateInterval(counts, bootstrap(known)), size);
}

function degradation(whole: Part, recognizer: number, condition: number, known: Known): Estimate {
  const { design, options } = known;
  const { series } = known.counts;
  const settings = bootstrap(known);
  if (condition >= design.disturbed) {
    const leaves = leavesOf(design, options).filter((leaf) => leaf.condition === condition);
    const partOf = wholeOf(known.counts);
    const counts = countLeaves(leaves, recognizer, { tally: known.counts, design, options, partOf });
    return meanDegradation(counts, 'rate', { options, bootstrap: settings });
  }
  const draws = design.draws(condition, recognizer);
  const before = gather(whole, series.words(recognizer, 0), series.cleanOnly(recognizer, condition), draws);
  const after = gather(whole, series.words(recognizer, condition), series.withoutClean(recognizer, condition));
  return toEstimate(differenceInterval(before.counts, after.counts, settings), after.n);
}

function bootstrap({ options: { level, resamples, minimumSpeakers }, seed }: Known): BootstrapOptions {
  return { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
}

/** What is concluded when only trials count whose sound the gate keeps. */
export interface ValidResults extends Omit<ValidCounts, 'counts'> {
  readonly validity: CaseValidity;
  readonly levels: Levels;
  readonly conditions: readonly ConditionResult[];
  readonly comparisons: readonly LevelComparison[];
}

/** The disturbed sounds that a gate judges; recordings that are a scenario of their own are judged by ratings alone. */
export function judgedCases(design: Design, options: RobustnessOptions): JudgedCases {
  const { corpusBy, level, resamples, minimumSpeakers } = options;
  const { datasets, datasetOf } = design.survey;
  return {
    conditions: design.conditions.slice(0, design.unattacked),
    ratable: design.conditions.slice(1).map(({ name }) => name),
    draws: design.soundDraws,
    wanted: (utterance) =>
      utterance.sound !== undefined &&
      utterance.reference !== undefined &&
      datasets[datasetOf(utterance)]!.recorded === null,
    groupOf: (condition) => condition,
    corpusBy,
    means: { level, resamples, minimumSpeakers },
  };
}

/** Null without a gate. */
export function concludeValid(
  { valid }: Tally,
  validity: CaseValidity | null,
  design: Design,
  options: RobustnessOptions,
  { seed }: Pick<StudyContext, 'seed'>,
): ValidResults | null {
  if (valid === null || validity === null) return null;
  const { counts, judged, excluded, unrated } = valid;
  return {
    validity,
    judged,
    excluded,
    unrated,
    levels: concludeLevels(counts, design, options, seed),
    conditions: conditionResults(counts, design, options, seed),
    comparisons: compareLevels(counts, design, options, seed),
  };
}
