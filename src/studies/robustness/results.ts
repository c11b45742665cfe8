import { turned } from '../../model/comparison.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import type { StudyContext } from '../contract.ts';
import { type Contrast, compareAll } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { JudgedCases } from '../shared/validity/gate.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { mainFamily } from './comparison-families.ts';
import { type Counts, everywhere, type GroupPart, heardOf, type ValidCounts } from './counts.ts';
import { type Design, isAttack } from './design.ts';
import { bootstrapOf, countLeaves, type Known, meanDegradation } from './level-estimates.ts';
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

/** Speakers of one data set who have something in common; the data set has a name where there are several. */
export type Group = NonNullable<GroupPart['group']> & { readonly dataset?: string };

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
export function conclude({ groups: byDataset }: Counts, known: Known, computing: StudyContext['computing']): Results {
  const { cells, design, options } = known;
  const { datasets } = design.survey;
  const recognizers = design.recognizers.map((_, index) => index);
  const parts = byDataset.flatMap((cube, number) => {
    const { recorded } = datasets[number]!;
    const heardIn = (condition: number) =>
      recorded === null ? condition < design.disturbed : condition === design.disturbed + recorded;
    return cube.parts('group').map((part) => {
      const group: Group = datasets.length < 2 ? part.group! : { ...part.group!, dataset: datasetName(number, design) };
      return { part, group, recorded, heardIn };
    });
  });
  const nameOf = (condition: number) => design.conditions[condition]!.name;
  const contrast = (condition: number, part: GroupPart | null, first: number, second: number): Contrast => {
    if (part !== null) {
      const sideOf = (series: number, also: number) =>
        part.side({ series, path: [nameOf(condition)], ratio: 'wer', also });
      const [one, other] = [sideOf(first, second), sideOf(second, first)];
      return { first: one.counts, second: other.counts, clusters: part.units, n: other.n, family: 1 };
    }
    const sideOf = (recognizer: number, also: number) =>
      heardOf(cells, 'condition', everywhere(condition, design), recognizer, also);
    const [one, other] = [sideOf(first, second), sideOf(second, first)];
    const family = condition === 0 ? mainFamily(first, second, design, options) : 2;
    return { first: one.words, second: other.words, n: other.n, family };
  };

  const conditions = conditionResults(known);
  const worstCondition = highest(
    design.conditions.flatMap((_, condition) => (condition > 0 && !isAttack(condition, design) ? [condition] : [])),
    (condition) =>
      rateOfAll(
        conditions
          .filter((row) => row.condition === condition)
          .map(({ errors, wordErrorRate }) => ({ errors, words: wordErrorRate.n.words ?? 0 })),
      ),
  );
  const decisive = worstCondition === null ? [0] : [0, worstCondition];
  const groups = parts.flatMap(({ part, group, recorded, heardIn }) =>
    (recorded === null ? decisive : [design.disturbed + recorded]).filter(heardIn).flatMap((condition) =>
      recognizers.map((recognizer) => {
        const side = part.side({ series: recognizer, path: [nameOf(condition)], ratio: 'wer' });
        return { group, recognizer, condition, wordErrorRate: part.estimate(side) };
      }),
    ),
  );
  const last = decisive.at(-1)!;
  const worstPart = highest(
    parts.filter(({ group, heardIn }) => heardIn(last) && hasInterval(groups, group, last)),
    ({ part }) => rateOfAll(recognizers.map((recognizer) => part.counts(recognizer, [nameOf(last)]))),
  );

  const pairs = recognizers.flatMap((first) => recognizers.slice(first + 1).map((second) => ({ first, second })));
  const asked = [
    ...design.conditions.flatMap((_, condition) =>
      pairs
        .filter(({ first, second }) => design.draws(condition, first) > 0 && design.draws(condition, second) > 0)
        .map((pair) => ({ part: null, group: null, condition, ...pair })),
    ),
    ...(worstPart === null ? [] : pairs.map((pair) => ({ ...worstPart, condition: last, ...pair }))),
  ];
  const levels = askLevels(known);
  const compared = compareAll(
    [
      ...asked.map(
        ({ part, condition, first, second }) =>
          () =>
            contrast(condition, part, first, second),
      ),
      ...levels.map((one) => one.contrast),
    ],
    (contrastOf) => contrastOf(),
    { ...comparisonSettings(known), computing },
  );

  return {
    conditions,
    worstCondition,
    groups,
    worstGroup: worstPart?.group ?? null,
    pooled:
      pooledConditions(design) < 2 ? null : cells.over('pooled', [{ cells: [[]] }]).map(({ ratios }) => ratios.wer),
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

/** Word error rate of all recognizers together; null where no word was asked for. */
function rateOfAll(counts: readonly { readonly errors: number; readonly words: number }[]): number | null {
  const words = counts.reduce((total, one) => total + one.words, 0);
  return words === 0 ? null : counts.reduce((total, one) => total + one.errors, 0) / words;
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
  /** Word errors. */
  readonly errors: number;
}

/** Conditions in order, in each the recognizers. */
function conditionResults(known: Known): ConditionResult[] {
  const { cells, design } = known;
  const { conditions, recognizers } = design;
  const sets = conditions.map((_, condition) => ({ condition, cells: everywhere(condition, design) }));
  return cells.over('condition', sets).map(({ set: { condition }, ratios: { wer, cer }, counts }, place) => {
    const recognizer = place % recognizers.length;
    const degradation = condition === 0 ? null : degradationOf(recognizer, condition, known);
    return { recognizer, condition, wordErrorRate: wer, characterErrorRate: cer, degradation, errors: counts.errors };
  });
}

function degradationOf(recognizer: number, condition: number, known: Known): Estimate {
  const { cells, design, options } = known;
  if (condition >= design.disturbed) {
    const leaves = leavesOf(design, options).filter((leaf) => leaf.condition === condition);
    return meanDegradation(countLeaves(leaves, recognizer, known), 'rate', known);
  }
  const { before, words, n } = heardOf(cells, 'change', everywhere(condition, design), recognizer);
  return toEstimate(differenceInterval(before, words, bootstrapOf(known)), n);
}

/** How many conditions are pooled: all but attacks. */
export function pooledConditions({ conditions, unattacked, disturbed }: Design): number {
  return conditions.length - (disturbed - unattacked);
}

/** What is concluded when only trials count whose sound the gate keeps. */
export interface ValidResults extends Omit<ValidCounts, 'cells'> {
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
  valid: ValidCounts | null,
  validity: CaseValidity | null,
  known: Known,
): ValidResults | null {
  if (valid === null || validity === null) return null;
  const { cells, judged, excluded, unrated } = valid;
  const kept = { ...known, cells };
  return {
    ...{ validity, judged, excluded, unrated },
    levels: concludeLevels(kept),
    conditions: conditionResults(kept),
    comparisons: compareLevels(kept),
  };
}
