import type { StudyContext } from '../contract.ts';
import type { CaseValidity } from '../shared/validity/case-judgement.ts';
import type { JudgedCases } from '../shared/validity/case-validity.ts';
import { type ConditionResult, conditionResults } from './condition-results.ts';
import type { Design } from './design.ts';
import { compareLevels, type LevelComparison } from './level-comparisons.ts';
import { concludeLevels, type Levels } from './levels.ts';
import type { RobustnessOptions } from './options.ts';
import type { Tally, ValidCounts } from './tally.ts';

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
    conditions: design.conditions.slice(0, design.disturbed),
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
  const { counts, excluded, unrated } = valid;
  return {
    validity,
    excluded,
    unrated,
    levels: concludeLevels(counts, design, options, seed),
    conditions: conditionResults(counts, design, options, seed),
    comparisons: compareLevels(counts, design, options, seed),
  };
}
