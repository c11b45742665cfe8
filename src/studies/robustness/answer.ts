import type { Estimate, Statement } from '../../model/finding.ts';
import type { Part } from '../shared/sliced-counts.ts';
import { listed, named } from '../shared/wording.ts';
import type { Design } from './design.ts';
import type { LevelComparison } from './level-comparisons.ts';
import type { Levels } from './levels.ts';
import type { Overview } from './overview.ts';
import { bothSides, type RecognizerComparison, type Results, sameGroup } from './results.ts';

/** A place in which recognizers stand beside each other: a condition, for all of the corpus or a group. */
interface Place {
  /** `On clean sound`, as a sentence begins. */
  readonly words: string;
  readonly condition: number;
  readonly group: Part['group'];
}

type Side = Pick<RecognizerComparison, 'recognizer' | 'comparedWith' | 'comparison'>;

/** More recognizers than this have their losses in the table alone. */
const mostLosses = 4;

/**
 * Which recognizer: on clean sound, in the worst condition, for the worst group, over all scenarios. Every claim rests on a comparison that is
 * printed with it; where the data do not tell, the sentence says so.
 */
export function answerOf(results: Results, { levels, comparisons }: Overview, design: Design): Statement[] {
  const { worstCondition, worstGroup } = results;
  const conditionName = (condition: number) =>
    condition === 0 ? 'clean sound' : named(design.conditions[condition]!.name);
  const places: Place[] = [{ words: 'On clean sound', condition: 0, group: null }];
  if (worstCondition !== null) {
    const words = `In ${conditionName(worstCondition)}, the condition with the highest measured word error rate`;
    places.push({ words, condition: worstCondition, group: null });
  }
  if (worstGroup !== null) {
    const condition = worstCondition ?? 0;
    const group = `${named(worstGroup.attribute)} ${named(worstGroup.value)}`;
    const words = `For ${group}, the group with the highest measured word error rate (${conditionName(condition)})`;
    places.push({ words, condition, group: worstGroup });
  }
  return [
    ...places.flatMap((place) => placeStatements(place, results, design)),
    ...overallStatements(levels, comparisons, design),
    ...lossStatements(results, design),
  ];
}

function placeStatements(place: Place, results: Results, design: Design): Statement[] {
  const names = design.recognizers.map(({ name }) => name);
  const estimates = names.map((_, recognizer) => estimateAt(results, place, recognizer));
  const sides = bothSides(
    results.comparisons.filter(
      ({ condition, group }) => condition === place.condition && sameGroup(group, place.group),
    ),
  );
  return standing(place.words, names, estimates, sides);
}

/** Means over all scenarios; nothing where there are fewer than two, which the worst condition stands for. */
function overallStatements(levels: Levels, comparisons: readonly LevelComparison[], design: Design): Statement[] {
  if (design.conditions.length < 3 || levels.rows.length === 0) return [];
  const names = design.recognizers.map(({ name }) => name);
  const estimates = names.map(
    (_, recognizer) =>
      levels.rows.find(
        (row) => row.level === 'overall' && row.scope === levels.scopes[0] && row.recognizer === recognizer,
      )?.wordErrorRate,
  );
  const sides = comparisons.filter(({ measure, category }) => measure === 'word error rate' && category === null);
  const words = `On average over all ${design.conditions.length - 1} scenarios`;
  return standing(words, names, estimates, bothSides(sides));
}

/** Who makes fewest errors, and against whom that is sure. */
function standing(
  words: string,
  names: readonly string[],
  estimates: readonly (Estimate | undefined)[],
  sides: readonly Side[],
): Statement[] {
  const known = names.flatMap((_, recognizer) => (estimates[recognizer]?.value == null ? [] : [recognizer]));
  if (known.length === 0) {
    const reason = estimates.find((estimate) => estimate?.reason)?.reason ?? 'nothing was answered';
    return [{ text: `${words}, nothing can be said: ${reason}.` }];
  }
  const leader = leaderOf(known, sides, estimates);
  const name = named(names[leader]!);
  const estimate = estimates[leader]!;
  if (known.length === 1) {
    const others = names.length > 1 ? ` (${listed(names.filter((_, index) => index !== leader))}: no rate)` : '';
    return [{ text: `${words}, ${name} has this word error rate${others}.`, estimate }];
  }

  const against = known
    .filter((recognizer) => recognizer !== leader)
    .map((other) => sides.find((side) => side.recognizer === leader && side.comparedWith === other)!)
    .sort((a, b) => (b.comparison.difference.value ?? 0) - (a.comparison.difference.value ?? 0));
  const beaten = against.filter(({ comparison }) => comparison.verdict === 'better');
  const open = against.filter(({ comparison }) => comparison.verdict !== 'better');
  const nameOf = ({ comparedWith }: Side) => names[comparedWith]!;
  if (open.length === 0) {
    const nearest = beaten[0]!;
    const most = beaten.length > 1 ? `, the nearest of which is ${named(nameOf(nearest))}` : '';
    const text = `${words}, ${name} makes fewer word errors than ${listed(beaten.map(nameOf))}${most}.`;
    return [{ text, verdict: 'better', estimate, comparison: nearest.comparison }];
  }
  const also = beaten.length > 0 ? `; it makes fewer than ${listed(beaten.map(nameOf))}` : '';
  const text = `${words}, ${name} has the lowest measured word error rate, but these data cannot tell it from ${listed(open.map(nameOf))}${also}.`;
  return [{ text, verdict: 'cannot tell', estimate, comparison: open[0]!.comparison }];
}

/** Who makes fewer errors than most others on the trials answered by both; of equals the one of the lowest rate. */
function leaderOf(
  known: readonly number[],
  sides: readonly Side[],
  estimates: readonly (Estimate | undefined)[],
): number {
  const wins = (recognizer: number) =>
    sides.filter((side) => side.recognizer === recognizer && (side.comparison.difference.value ?? 0) < 0).length;
  const [leader] = [...known].sort(
    (a, b) => wins(b) - wins(a) || (estimates[a]!.value ?? 0) - (estimates[b]!.value ?? 0) || a - b,
  );
  return leader!;
}

function estimateAt(results: Results, { condition, group }: Place, recognizer: number): Estimate | undefined {
  const row =
    group === null
      ? results.conditions.find((one) => one.condition === condition && one.recognizer === recognizer)
      : results.groups.find(
          (one) => one.condition === condition && one.recognizer === recognizer && sameGroup(one.group, group),
        );
  return row?.wordErrorRate;
}

/** What each recognizer loses from clean sound to the worst condition. */
function lossStatements({ conditions, worstCondition }: Results, design: Design): Statement[] {
  if (worstCondition === null || design.recognizers.length > mostLosses) return [];
  const condition = named(design.conditions[worstCondition]!.name);
  return conditions.flatMap((row) => {
    if (row.condition !== worstCondition || row.degradation?.value == null) return [];
    const name = named(design.recognizers[row.recognizer]!.name);
    const text = `From clean sound to ${condition}, the word error rate of ${name} changes by this much.`;
    return [{ text, estimate: row.degradation, kind: 'difference' as const }];
  });
}
