import type { ChosenRows, ScoreColumn, Scores } from '../../model/scores.ts';
import { conditionInWords } from '../../model/trial.ts';
import { named } from '../shared/wording.ts';
import type { Design } from './design.ts';
import type { Overview } from './report.ts';
import type { Results } from './results.ts';

/** So long may the names of two conditions be to stand in a sentence. */
const maxNames = 30;
/** So many conditions stand beside clean audio. */
const maxConditions = 4;

/** Clean audio, the conditions that say most, and the mean over all scenarios, by which recognizers are ranked where there are several. */
export function scoresOf(
  design: Design,
  { conditions, groups }: Results,
  { levels, groupGaps }: Pick<Overview, 'levels' | 'groupGaps'>,
): Scores {
  const { shown, left } = chosenConditions(design, conditions);
  const overall = levels.rows.find(({ scope, level }) => scope === levels.scopes[0] && level === 'overall');
  const scenarios = overall?.scenarios ?? 0;
  const isAll = scenarios === design.conditions.length - 1;
  const means = `${scenarios} ${isAll ? 'conditions beside clean' : 'scenarios'}`;
  const both = design.conditions
    .slice(1, 3)
    .map((one) => named(conditionInWords(one)))
    .join(' and ');
  // In several data sets a group has a rate in each.
  const isGapTested = groupGaps.gaps.length > 0 && groups.every(({ group }) => group.dataset === undefined);
  const columns: ScoreColumn[] = [0, ...shown].map((condition) => inCondition(condition, design));
  if (scenarios > 1) {
    columns.push({
      words: isAll && scenarios === 2 && both.length <= maxNames ? `in ${both}` : `over the ${means}`,
      head: ['mean'],
      note: isAll && scenarios === shown.length ? 'excluding clean' : `of the ${means}${alike(design)}`,
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

/** What tells a mean over data sets from the columns beside it: in these every word counts alike, whoever's it is. */
function alike({ survey }: Design): string {
  const sets = survey.datasets.filter(({ recorded }) => recorded === null);
  if (sets.length < 2) return '';
  const kind =
    new Set(sets.map(({ language }) => language)).size === sets.length
      ? 'languages'
      : new Set(sets.map(({ corpus }) => corpus)).size === sets.length
        ? 'corpora'
        : 'data sets';
  return `; its ${sets.length} ${kind} count alike, in the other columns all words do`;
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
