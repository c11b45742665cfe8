import type { Json } from '../../base/json.ts';
import { asJson } from '../shared/as-json.ts';
import type { Design } from './design.ts';
import { modelFacts } from './model-facts.ts';
import type { RobustnessOptions } from './options.ts';
import type { Overview } from './overview.ts';
import type { Results } from './results.ts';
import { leavesOf } from './scenario-tree.ts';
import type { Tally } from './tally.ts';

/** All numbers as plain rows: every recognizer in every condition, every group, every comparison. */
export function dataOf(
  results: Results,
  overview: Overview,
  tally: Tally,
  design: Design,
  options: RobustnessOptions,
): Json {
  const { series, slices } = tally;
  const recognizer = (index: number) => design.recognizers[index]!.name;
  const condition = (index: number) => design.conditions[index]!.name;
  const conditions = results.conditions.map((row) => {
    const place = series.words(row.recognizer, row.condition);
    const { rung } = design.conditions[row.condition]!;
    const { asked, answered, failures } = tally.trials.at(place);
    const whole = slices.whole();
    const characters = slices.whole().counts(series.characters(row.recognizer, row.condition))?.totals(whole.rows);
    return {
      recognizer: recognizer(row.recognizer),
      condition: condition(row.condition),
      rung: rung ?? null,
      trials: asked,
      answered,
      failures,
      edits: tally.edits(place),
      characters: characters?.words ?? 0,
      characterErrors: characters?.errors ?? 0,
      wordErrorRate: row.wordErrorRate,
      characterErrorRate: row.characterErrorRate,
      degradation: row.degradation,
    };
  });
  const groups = slices.groups().flatMap((part) =>
    design.conditions.flatMap((_, conditionIndex) =>
      design.recognizers.map((_, recognizerIndex) => {
        const totals = part.counts(series.words(recognizerIndex, conditionIndex))?.totals(part.rows);
        return {
          ...part.group!,
          recognizer: recognizer(recognizerIndex),
          condition: condition(conditionIndex),
          wordErrors: totals?.errors ?? 0,
          words: totals?.words ?? 0,
          utterances: totals?.utterances ?? 0,
        };
      }),
    ),
  );
  return asJson({
    utterances: {
      scored: tally.utterances,
      withoutReference: design.survey.skipped,
      withoutWords: tally.withoutWords,
      withoutSpeaker: tally.withoutSpeaker,
    },
    clusters: { count: slices.clusters.count, merged: slices.clusters.merged },
    worstCondition: results.worstCondition === null ? null : condition(results.worstCondition),
    worstGroup: results.worstGroup,
    conditions,
    groups,
    groupEstimates: results.groups.map((row) => ({
      ...row.group,
      recognizer: recognizer(row.recognizer),
      condition: condition(row.condition),
      wordErrorRate: row.wordErrorRate,
    })),
    comparisons: results.comparisons.map((row) => ({
      condition: condition(row.condition),
      group: row.group,
      recognizer: recognizer(row.recognizer),
      comparedWith: recognizer(row.comparedWith),
      comparison: row.comparison,
    })),
    datasets: design.survey.datasets.map(({ corpus, language, recorded }) => ({
      corpus,
      language,
      recorded: recorded === null ? null : condition(design.disturbed + recorded),
    })),
    scenarios: leavesOf(design, options).map(({ condition: number, dataset, family, category, difficulty }) => ({
      condition: condition(number),
      dataset,
      family,
      category,
      difficulty,
    })),
    clean: overview.levels.clean.map((row) => ({ ...row, recognizer: recognizer(row.recognizer) })),
    levels: overview.levels.rows.map((row) => ({ ...row, recognizer: recognizer(row.recognizer) })),
    levelComparisons: overview.comparisons.map((row) => ({
      ...row,
      recognizer: recognizer(row.recognizer),
      comparedWith: recognizer(row.comparedWith),
    })),
    groupRatios: overview.ratios.map((row) => ({ ...row, recognizer: recognizer(row.recognizer) })),
    languageGaps: overview.gaps.map((row) => ({ ...row, recognizer: recognizer(row.recognizer) })),
    draws: overview.draws.map((row) => ({
      ...row,
      recognizer: recognizer(row.recognizer),
      condition: condition(row.condition),
    })),
    models: design.recognizers.map(({ name, facts }) => ({ recognizer: name, ...modelFacts(facts) })),
  });
}
