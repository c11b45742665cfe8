import type { ChosenRows, ScoreColumn, Scores } from '../../model/scores.ts';
import { conditionInWords } from '../../model/trial.ts';
import { named } from '../shared/wording.ts';
import type { Dataset, Design } from './design.ts';
import { countedAsOne, mannerOf } from './level-estimates.ts';
import type { RobustnessOptions } from './options.ts';
import type { Overview } from './report.ts';
import type { Results } from './results.ts';
import { type Leaf, leavesOf, meanWeights } from './scenario-tree.ts';

/** So long may the names of two conditions be to stand in a sentence. */
const maxNames = 30;
/** So many conditions stand beside clean audio. */
const maxConditions = 4;

/** Clean audio, the conditions that say most, and the mean over all scenarios, by which recognizers are ranked where there are several. */
export function scoresOf(
  design: Design,
  { conditions, groups }: Results,
  { groupGaps }: Pick<Overview, 'groupGaps'>,
  options: RobustnessOptions,
): Scores {
  const { shown, left } = chosenConditions(design, conditions);
  const manner = mannerOf(options);
  const leaves = leavesOf(design, options).filter(({ adversarial }) => !adversarial);
  const scenarios = countedAsOne(leaves, ({ condition }) => condition, options).length;
  const isAll = scenarios === design.conditions.length - 1;
  const means = `${scenarios} ${isAll ? 'conditions other than clean' : 'scenarios'}`;
  const both = design.conditions
    .slice(1, 3)
    .map((one) => named(conditionInWords(one)))
    .join(' and ');
  // In several data sets a group has a rate in each.
  const isGapTested = groupGaps.gaps.length > 0 && groups.every(({ group }) => group.dataset === undefined);
  const columns: ScoreColumn[] = [0, ...shown].map((condition) => inCondition(condition, design));
  if (scenarios > 1) {
    const alike = whatCountsAlike(design, leaves, manner);
    const isShown = isAll && scenarios === shown.length;
    columns.push({
      words: isAll && scenarios === 2 && both.length <= maxNames ? `in ${both}` : `over the ${means}`,
      briefly: 'on average',
      ...(isShown && alike === ''
        ? { head: ['mean', 'excl. clean'] }
        : { head: ['mean'], note: `${isShown ? 'without clean' : `of the ${means}`}${alike}` }),
      rates: { table: 'robustness-levels', column: 'wordErrorRate', where: { name: 'all scenarios' } },
      comparisons: {
        table: 'robustness-level-comparisons',
        column: 'difference',
        where: { category: 'all scenarios', measure: 'mean word error rate' },
      },
    });
  }
  const differences: ChosenRows = { table: 'robustness-gaps', column: 'difference' };
  const rates: ChosenRows = { table: 'robustness-groups-clean', column: 'wordErrorRate' };
  return {
    measure: 'WER',
    columns,
    ranks: scenarios > 1 ? columns.length - 1 : 0,
    ...(left !== null && { left }),
    ...(isGapTested && { gaps: { of: 'clean audio', differences, rates } }),
  };
}

/** Why the mean is none of the columns beside it, each counting alike; empty where it is. */
function whatCountsAlike({ survey }: Design, leaves: readonly Leaf[], manner: 'sound' | 'flat'): string {
  const sets = survey.datasets.filter(({ recorded }) => recorded === null);
  const isApart = (of: (dataset: Dataset) => string | null) => new Set(sets.map(of)).size === sets.length;
  if (manner === 'flat' && sets.length > 1) {
    const kind = isApart(({ language }) => language) ? 'languages' : isApart(({ corpus }) => corpus) ? 'corpora' : null;
    return `; its ${sets.length} ${kind ?? 'data sets'} count alike, in the other columns all words do`;
  }
  const single = [...Map.groupBy(leaves, ({ condition }) => condition).values()].map(([leaf]) => leaf!);
  if (new Set(meanWeights(single, manner).map((weight) => weight.toFixed(9))).size < 2) return '';
  const isOneCategory = new Set(single.map(({ category }) => category)).size === 1;
  return `; each ${isOneCategory ? 'family' : 'category'} of conditions counts alike`;
}

function inCondition(condition: number, design: Design): ScoreColumn {
  const { name, rung } = design.conditions[condition]!;
  const family = rung?.family.replace(/^.*\//, '');
  const where = { condition: name };
  return {
    words: condition === 0 ? 'on clean audio' : `in ${named(conditionInWords(design.conditions[condition]!))}`,
    head: family === undefined ? [condition === 0 ? 'clean' : name] : [family, rung!.label],
    rates: { table: 'robustness-conditions', column: 'wordErrorRate', where },
    comparisons: { table: 'robustness-comparisons', column: 'difference', where: { ...where, group: 'everybody' } },
    ...(condition > 0 && { changes: { table: 'robustness-conditions', column: 'degradation', where } }),
  };
}

/** All of them where they are few; else the last rung of each family, of the families that cost most words. */
function chosenConditions(design: Design, results: Results['conditions']) {
  const heard = design.conditions.flatMap((_, place) =>
    place > 0 && (place < design.unattacked || place >= design.disturbed) ? [place] : [],
  );
  if (heard.length <= maxConditions) return { shown: heard, left: null };
  const familyOf = (condition: number) => design.conditions[condition]!.rung?.family ?? `alone ${condition}`;
  const families = [...Map.groupBy(heard, familyOf).values()];
  const rank = (condition: number) => design.conditions[condition]!.rung?.rank ?? 0;
  const byRank = (one: readonly number[]) => one.toSorted((a, b) => rank(a) - rank(b));
  if (families.length === 1) {
    const [only] = families.map(byRank);
    return { shown: [only![0]!, only!.at(-1)!], left: `the mildest and the worst of ${heard.length} conditions` };
  }
  const lost = (condition: number) =>
    results
      .filter((row) => row.condition === condition)
      .reduce((sum, { degradation }) => sum + (degradation?.value ?? 0), 0);
  const worst = families.map((one) => byRank(one).at(-1)!);
  const most = new Set(worst.toSorted((a, b) => lost(b) - lost(a)).slice(0, maxConditions));
  const left =
    families.length > maxConditions
      ? `${maxConditions} of ${families.length} families of conditions, those that cost most, at their worst`
      : `each family of conditions at its worst`;
  return { shown: worst.filter((condition) => most.has(condition)), left };
}
