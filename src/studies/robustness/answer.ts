import type { About, Estimate, Statement } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import { claimFrom } from '../shared/claims.ts';
import { differenceInWords, listed, named, rateInWords } from '../shared/wording.ts';
import { type Design, isAttack } from './design.ts';
import { groupTrials, type Trials } from './group-gaps.ts';
import type { LevelComparison, Levels } from './levels.ts';
import type { Overview } from './report.ts';
import { bothSides, type Group, type RecognizerComparison, type Results, sameGroup } from './results.ts';

/** A place in which recognizers stand beside each other: a condition, for all of the corpus or a group. */
interface Place {
  /** `on clean audio`, as it stands behind a rate. */
  readonly words: string;
  readonly condition: number;
  readonly group: Group | null;
}

type Side = Pick<RecognizerComparison, 'recognizer' | 'comparedWith' | 'comparison'> &
  Partial<Pick<LevelComparison, 'rests'>>;

/** More recognizers than this have their losses in the table alone. */
const maxLosses = 4;

/**
 * Which recognizer: on clean sound, in the worst condition, for the worst group, over all scenarios. Every claim rests on a comparison that is
 * printed with it; where the data do not tell, the sentence says why, and about how many more speakers would settle it. Headlines are the
 * first that is sure, what the best recognizer on clean audio loses, and the widest gap between groups.
 *
 * @param gaps between groups of speakers, the widest first
 */
export function answerOf(
  results: Results,
  overview: Overview,
  design: Design,
  gaps: readonly Statement[],
): Statement[] {
  return [
    ...standings(results, overview, design),
    ...lossStatements(results, design),
    ...gaps.map((gap, place) => (place === 0 ? headline(gap) : gap)),
  ];
}

/** Who makes fewest errors: on clean audio, in the worst condition, for the worst group, over all scenarios. */
function standings(results: Results, { levels, comparisons }: Overview, design: Design): Statement[] {
  const { worstCondition, worstGroup } = results;
  const inCondition = (condition: number) =>
    condition === 0 ? cleanAudio : `in ${named(design.conditions[condition]!.name)}`;
  const places: Place[] = [{ words: cleanAudio, condition: 0, group: null }];
  if (worstCondition !== null) {
    const isWorst = design.conditions.length > 2 && differ(results.conditions.filter(({ condition }) => condition > 0));
    const words = `${inCondition(worstCondition)}${isWorst ? ', the worst condition' : ''}`;
    places.push({ words, condition: worstCondition, group: null });
  }
  if (worstGroup !== null) {
    const condition = worstCondition ?? 0;
    const isWorst = differ(results.groups.filter((one) => one.condition === condition));
    const words = `for ${named(worstGroup.attribute)} ${named(worstGroup.value)}${worstGroup.dataset === undefined ? '' : ` of ${named(worstGroup.dataset)}`}${isWorst ? ', the worst group' : ''}, ${inCondition(condition)}`;
    places.push({ words, condition, group: worstGroup });
  }
  const [clean, ...local] = places.map((place) => placeStatement(place, results, design));
  const overall = overallStatements(levels, comparisons, design);
  const statements = [clean!, ...local, ...overall];
  const first = [clean!, ...overall, ...local].find(({ verdict }) => verdict === 'better') ?? clean!;
  return statements.map((one) => (one === first ? headline(one) : one));
}

/** Whether any recognizer has unlike rates: where all are alike none is the worst. */
function differ(rows: readonly { readonly recognizer: number; readonly wordErrorRate: Estimate }[]): boolean {
  const byRecognizer = Map.groupBy(rows, ({ recognizer }) => recognizer);
  return [...byRecognizer.values()].some((own) => {
    return new Set(own.flatMap(({ wordErrorRate: { value } }) => value ?? [])).size > 1;
  });
}

const cleanAudio = 'on clean audio';

function headline(statement: Statement): Statement {
  return { ...statement, headline: true };
}

/** Who makes fewest errors on clean audio; null where nobody answered. */
function cleanLeader(results: Results, design: Design): number | null {
  const place: Place = { words: cleanAudio, condition: 0, group: null };
  const { estimates, sides } = standingAt(place, results, design);
  const known = estimates.flatMap((estimate, recognizer) => (estimate?.value == null ? [] : [recognizer]));
  return known.length === 0 ? null : leaderOf(known, sides, estimates);
}

function placeStatement(place: Place, results: Results, design: Design): Statement {
  const { names, estimates, sides } = standingAt(place, results, design);
  const { condition, group } = place;
  const own = group === null ? {} : groupTrials(group.attribute, group.value, group.dataset ?? null, design);
  const trials = { conditions: [design.conditions[condition]!.name], ...own };
  return standing({ words: place.words, trials }, names, estimates, sides);
}

function standingAt({ condition, group }: Place, { conditions, groups, comparisons }: Results, design: Design) {
  const names = design.recognizers.map(({ name }) => name);
  const rows = group === null ? conditions : groups.filter((one) => sameGroup(one.group, group));
  const here = rows.filter((one) => one.condition === condition);
  const estimates = names.map((_, recognizer) => here.find((one) => one.recognizer === recognizer)?.wordErrorRate);
  const compared = comparisons.filter((one) => one.condition === condition && sameGroup(one.group, group));
  return { names, estimates, sides: bothSides(compared) };
}

/** Means over all scenarios; nothing where there are fewer than two, which the worst condition stands for. */
function overallStatements(levels: Levels, comparisons: readonly LevelComparison[], design: Design): Statement[] {
  if (design.conditions.length - (design.disturbed - design.unattacked) < 3 || levels.rows.length === 0) return [];
  const overall = levels.rows.filter(({ level, scope }) => level === 'overall' && scope === levels.scopes[0]);
  const sides = comparisons.filter(({ measure, category }) => measure === 'word error rate' && category === null);
  const scenarios = design.conditions.filter((_, place) => place > 0 && !isAttack(place, design));
  return [
    standing(
      {
        measure: 'mean WER',
        words: `over all ${scenarios.length} scenarios`,
        trials: { conditions: scenarios.map(({ name }) => name) },
      },
      design.recognizers.map(({ name }) => name),
      overall.map(({ wordErrorRate }) => wordErrorRate),
      bothSides(sides),
    ),
  ];
}

/** Who makes fewest errors, and against whom that is sure. */
function standing(
  {
    measure = 'WER',
    words,
    trials,
  }: { readonly measure?: 'WER' | 'mean WER'; readonly words: string; readonly trials: Trials },
  names: readonly string[],
  estimates: readonly (Estimate | undefined)[],
  sides: readonly Side[],
): Statement {
  const known = names.flatMap((_, recognizer) => (estimates[recognizer]?.value == null ? [] : [recognizer]));
  if (known.length === 0) {
    const answered = estimates.some((estimate) => estimate !== undefined && estimate.n.utterances > 0);
    const reason = (answered && estimates.find((estimate) => estimate?.reason)?.reason) || {
      code: 'nothing-answered' as const,
    };
    return { text: `No result ${words}: ${reasonText(reason)}.` };
  }
  const leader = leaderOf(known, sides, estimates);
  const estimate = estimates[leader]!;
  const rate = `${named(names[leader]!)}: ${rateInWords(estimate, measure, words)}`;
  if (known.length === 1) {
    const others = names.filter((_, index) => index !== leader);
    const [have, their] = others.length === 1 ? ['has', 'its'] : ['have', 'their'];
    const without = `; ${listed(others)} ${have} no rate, as none of ${their} answers can be counted`;
    const about: About = { recognizer: names[leader]!, ...trials };
    return { text: `${rate}${others.length === 0 ? '' : without}.`, estimate, about };
  }

  const against = known
    .filter((recognizer) => recognizer !== leader)
    .map((other) => sides.find((side) => side.recognizer === leader && side.comparedWith === other)!)
    .sort((a, b) => (b.comparison.difference.value ?? 0) - (a.comparison.difference.value ?? 0));
  const beaten = against.filter(({ comparison }) => comparison.verdict === 'better');
  const open = against.filter(({ comparison }) => comparison.verdict !== 'better');
  const nameOf = ({ comparedWith }: Side) => names[comparedWith]!;
  const nearest = open[0] ?? beaten[0]!;
  const name = named(names[leader]!);
  const ranked = open.length > 0 ? open : beaten;
  const lists = [
    ...(beaten.length > (open.length > 0 ? 0 : 1) ? [`It makes fewer errors than ${listed(beaten.map(nameOf))}.`] : []),
    ...(open.length > 1 ? [`It cannot be told from ${listed(open.map(nameOf))}.`] : []),
  ];
  const over = nearest.rests == null ? '' : `, over ${nearest.rests.over}`;
  const about: About = { recognizer: names[leader]!, ...trials, than: { recognizer: nameOf(nearest) } };
  return claimFrom(
    { estimate, comparison: nearest.comparison, about },
    `than ${named(nameOf(nearest))}${ranked.length > 1 ? ', the nearest' : ''}`,
    (apart) => [`${rate}.`, ...lists, `${name}: ${apart}${over}`].join(' '),
  );
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

/** What each recognizer loses from clean sound to the worst condition. */
function lossStatements(results: Results, design: Design): Statement[] {
  const { conditions, worstCondition } = results;
  const leader = cleanLeader(results, design);
  if (worstCondition === null || design.recognizers.length > maxLosses) return [];
  const condition = named(design.conditions[worstCondition]!.name);
  return conditions.flatMap((row) => {
    if (row.condition !== worstCondition || row.degradation?.value == null) return [];
    const name = named(design.recognizers[row.recognizer]!.name);
    const text = `${name}: ${differenceInWords(row.degradation, `in ${condition} than ${cleanAudio}`)}.`;
    const about: About = {
      recognizer: design.recognizers[row.recognizer]!.name,
      conditions: [design.conditions[worstCondition]!.name],
      than: { condition: design.conditions[0]!.name },
    };
    const loss: Statement = { text, estimate: row.degradation, kind: 'difference', about };
    return [row.recognizer === leader ? headline(loss) : loss];
  });
}
