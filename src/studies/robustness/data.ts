import { asJson, type Json } from '../../base/json.ts';
import type { Design } from './design.ts';
import { datasetName } from './levels.ts';
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
  const { clusters } = tally.slices;
  const named = namesIn(design);
  const { levels, comparisons, ratios, gaps, draws } = overview;
  return asJson({
    utterances: {
      scored: tally.utterances,
      withoutReference: design.survey.skipped,
      withoutWords: tally.withoutWords,
      withoutSpeaker: tally.withoutSpeaker,
    },
    clusters: { count: clusters.count, merged: clusters.merged },
    worstCondition: results.worstCondition === null ? null : design.conditions[results.worstCondition]!.name,
    worstGroup: results.worstGroup,
    conditions: named(conditionRows(results, tally, design)),
    groups: named(groupRows(tally, design)),
    groupEstimates: named(results.groups.map(({ group, ...row }) => ({ ...group, ...row }))),
    comparisons: named(results.comparisons),
    datasets: design.survey.datasets.map(({ recorded, ...dataset }) => ({
      ...dataset,
      recorded: recorded === null ? null : design.conditions[design.disturbed + recorded]!.name,
    })),
    scenarios: named(leavesOf(design, options)),
    clean: named(levels.clean),
    levels: named(levels.rows),
    levelComparisons: named(comparisons),
    groupRatios: named(ratios.map((row) => ({ ...row, dataset: datasetName(row.dataset, design) }))),
    languageGaps: named(gaps),
    draws: named(draws),
    difficulties: design.measured === null ? null : named(design.measured.rows),
    misheard: design.recognizers.map(({ name }, index) => ({
      recognizer: name,
      words: tally.misheard[index]!.map(({ reference, hypothesis, count }) => ({
        said: reference,
        heard: hypothesis,
        count,
      })),
    })),
    valid: validData(overview, design),
    models: design.recognizers.map(({ name, facts }) => ({ recognizer: name, ...modelFacts(facts) })),
  });
}

/** Rows in which recognizers and conditions have numbers, with their names instead. */
function namesIn({ recognizers, conditions }: Design) {
  type Numbered = {
    readonly recognizer?: number;
    readonly condition?: number;
    /** Of groups and languages it is a name already. */
    readonly comparedWith?: number | string;
  };
  return (rows: readonly Numbered[]): object[] =>
    rows.map((row) => ({
      ...row,
      ...(row.condition !== undefined && { condition: conditions[row.condition]!.name }),
      ...(row.recognizer !== undefined && { recognizer: recognizers[row.recognizer]!.name }),
      ...(typeof row.comparedWith === 'number' && { comparedWith: recognizers[row.comparedWith]!.name }),
    }));
}

function conditionRows({ conditions }: Results, { series, slices, trials, edits }: Tally, design: Design) {
  const whole = slices.whole();
  return conditions.map(({ recognizer, condition, ...estimates }) => {
    const place = series.words(recognizer, condition);
    const { asked, answered, failures } = trials.at(place);
    const characters = whole.counts(series.characters(recognizer, condition))?.totals(whole.rows);
    return {
      recognizer,
      condition,
      rung: design.conditions[condition]!.rung ?? null,
      trials: asked,
      answered,
      failures,
      edits: edits(place),
      characters: characters?.words ?? 0,
      characterErrors: characters?.errors ?? 0,
      ...estimates,
    };
  });
}

function groupRows({ series, datasets }: Tally, design: Design) {
  const { conditions, recognizers } = design;
  const parts = datasets.flatMap((set, number) =>
    set.groups().map((part) => ({
      part,
      ...part.group!,
      ...(datasets.length > 1 && { dataset: datasetName(number, design) }),
    })),
  );
  return parts.flatMap(({ part, ...group }) =>
    conditions.flatMap((_, condition) =>
      recognizers.map((_, recognizer) => {
        const totals = part.counts(series.words(recognizer, condition))?.totals(part.rows);
        return {
          ...group,
          recognizer,
          condition,
          wordErrors: totals?.errors ?? 0,
          words: totals?.words ?? 0,
          utterances: totals?.utterances ?? 0,
        };
      }),
    ),
  );
}

/** What is known of valid sounds alone; null without a gate. */
function validData({ valid }: Overview, design: Design): object | null {
  if (valid === null) return null;
  const named = namesIn(design);
  return {
    rule: valid.validity.rule,
    gate: valid.validity.conditions,
    conditions: named(valid.conditions),
    leftOut: named(
      Array.from(valid.excluded, (excluded, condition) => ({
        condition,
        excluded,
        unrated: valid.unrated[condition]!,
      })),
    ),
    levels: named(valid.levels.rows),
    levelComparisons: named(valid.comparisons),
  };
}
