import type { Estimate } from '../../model/finding.ts';
import type { BootstrapOptions } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { StudyContext } from '../contract.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import type { JudgedCases } from '../shared/validity/gate.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import { countLeaves, wholeOf } from './leaf-counts.ts';
import { compareLevels, type LevelComparison } from './level-comparisons.ts';
import { meanDegradation } from './level-estimates.ts';
import { concludeLevels, type Levels } from './levels.ts';
import type { RobustnessOptions } from './options.ts';
import { leavesOf } from './scenario-tree.ts';
import type { Tally, ValidCounts } from './tally.ts';

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
export function conditionResults(
  counts: Counts,
  design: Design,
  options: RobustnessOptions,
  seed: number,
): ConditionResult[] {
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
export function partRate(part: Part, recognizer: number, condition: number, known: Known): Estimate {
  const { counts, n } = gather(part, known.counts.series.words(recognizer, condition));
  const { pairs: _, ...size } = n;
  return toEstimate(rateInterval(counts, bootstrap(known)), size);
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
