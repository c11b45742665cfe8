import type { Comparison, Estimate, SampleSize } from '../model/finding.ts';
import type { Reason } from '../model/reason.ts';
import { clean } from '../model/trial.ts';
import type { ClusteredCounts } from '../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../statistics/bootstrap/rate-interval.ts';
import { type Contrast, compareAll, type Family, toComparison } from '../studies/shared/comparisons.ts';
import { decidedBy, decisiveOf } from '../studies/shared/decisive.ts';
import { measured, toEstimate } from '../studies/shared/estimates.ts';
import { type Gathered, gather, type Part } from '../studies/shared/sliced-counts.ts';
import { named } from '../studies/shared/wording.ts';
import type { FamilyCounts, MeanInRun, RunFamily } from './run-family.ts';
import type { Sides } from './sides-in-words.ts';
import { againSeries, type PairTally, pairSeries } from './tally-pairs.ts';

export interface ComparisonSettings {
  readonly level: number;
  readonly resamples: number;
  readonly minimumSpeakers: number;
  readonly seed: number;
  /** As in `CompareOptions`: it is asked of all words. */
  readonly margin?: number | undefined;
}

/** Both sides in one place, on the trials that both answered. */
export interface Change {
  /** Null: all conditions. */
  readonly condition: number | null;
  /** Null: everybody. */
  readonly group: Part['group'];
  readonly before: Estimate;
  readonly after: Estimate;
  readonly comparison: Comparison;
  /**
   * Of two recognizers of one run, what their p is corrected for: the comparisons that the run itself made, or every pair of its recognizers in what is
   * compared here. Null: two sides that were no choice.
   */
  readonly among: RunFamily['by'] | 'all pairs' | null;
  /** How far apart the two may be either way; see `withinOf`. */
  readonly within: Estimate;
}

/** What changed between two sides: in all, and apart by condition and group. */
export interface ComparisonResults {
  /** Over all conditions; of two recognizers of one run what it ranks them by, where that rests on these trials. */
  readonly overall: Change;
  /** Over what a mean of the run is; null where `overall` is of all words. */
  readonly meanOf: Pick<MeanInRun, 'head' | 'note'> | null;
  /** Empty where there is only one: `overall` says it all. */
  readonly conditions: readonly Change[];
  readonly groups: readonly Change[];
  /** Empty where there is one condition. */
  readonly groupsInConditions: readonly Change[];
  /** Null where no clip was asked twice of both. */
  readonly again: Again | null;
  /** Whose weak places are told: of two names the one with fewer errors, of two times what is now. */
  readonly leader: 'before' | 'after';
  /** Where the leader is shown to have more errors than on clean audio, and has most; null where that is nowhere. */
  readonly worst: AboveClean | null;
  /** How far the leader is above its clean audio, in every other condition; empty where that was not asked. */
  readonly aboveClean: readonly AboveClean[];
}

interface AboveClean {
  readonly condition: number;
  readonly rate: Estimate;
  /** The rate less that of clean audio. */
  readonly above: Estimate;
}

/** Shares of clips of which two answers are not the same. */
export interface Again {
  readonly before: Estimate;
  readonly after: Estimate;
  /** Two answers of one side. */
  readonly within: Estimate;
  /** One of each side. */
  readonly between: Estimate;
  /** Between less within. */
  readonly comparison: Comparison;
}

/** Most important first. */
export const changeFamilies: readonly Family[] = [
  { name: 'clean audio and all conditions together', weight: 2 },
  { name: 'groups', weight: 1 },
  { name: 'single conditions', weight: 1 },
  { name: 'groups in single conditions', weight: 1 },
];

/**
 * Turns counts into rates, differences and tests; p values are corrected for all of them together.
 *
 * @param family of two recognizers of one run: what the run has tested is taken from it, and the rest is tested for all pairs of its recognizers, of
 * which these two are a choice
 */
export function concludePairs(
  tally: PairTally,
  settings: ComparisonSettings,
  family: RunFamily | null = null,
  are: Sides['are'] = 'times',
): ComparisonResults {
  const { level, resamples, minimumSpeakers, seed } = settings;
  const counted: FamilyCounts = family?.counts ?? {
    slices: tally.slices,
    conditions: tally.conditions.map(({ name }) => name),
    pairs: [[0, 1]],
    series: (_, which) => which,
  };
  const { slices, series } = counted;
  const whole = slices.whole();
  const groups = slices.groups();
  const conditions = tally.conditions.length > 1 ? tally.conditions.map((_, index) => index) : [];
  const places: Place[] = [null, ...conditions].flatMap((condition) => [{ condition, part: whole }]);
  for (const part of groups) places.push({ condition: null, part });
  for (const condition of conditions) for (const part of groups) places.push({ condition, part });

  const nameOf = (condition: number) => tally.conditions[condition]!.name;
  const contrastOf = ({ condition, part, pair = 0 }: Place): Contrast & { readonly n: Gathered['n'] } => {
    const number = condition === null ? null : counted.conditions.indexOf(nameOf(condition));
    const sideOf = (which: number) => gather(part, series(pair, which));
    const first = sideOf(number === null ? pairSeries.allBefore : pairSeries.before(number));
    const second = sideOf(number === null ? pairSeries.allAfter : pairSeries.after(number));
    const own = condition === null || nameOf(condition) === clean.name;
    const kind = part.group !== null ? (condition === null ? 1 : 3) : own ? 0 : 2;
    const clusters = part.units;
    return { first: first.counts, second: second.counts, clusters, n: second.n, family: kind };
  };
  const bootstrap = (own = level) => ({
    level: own,
    resamples,
    minimumClusters: minimumSpeakers,
    random: randomOfData(seed),
  });
  const known = places.map((place) => {
    if (family === null) return null;
    const { first, second, n } = contrastOf(place);
    const only = tally.conditions.length === 1 ? nameOf(0) : null;
    const condition = place.condition === null ? only : nameOf(place.condition);
    const difference = toEstimate(differenceInterval(first, second, bootstrap()), n);
    return family.known({ condition, group: place.part.group }, difference);
  });
  const open = places.filter((_, place) => known[place] === null);
  const others = counted.pairs.slice(1).flatMap((_, place) => open.map((one) => ({ ...one, pair: place + 1 })));
  const tested = compareAll([...open, ...others], contrastOf, {
    ...{ level, resamples, minimumSpeakers, seed, speakers: slices.clusters.count, told: open.length },
    families: changeFamilies,
  });
  const changes = places.map((place, index): Change => {
    const { first, second, n } = contrastOf(place);
    const rate = (counts: typeof first) => toEstimate(rateInterval(counts, bootstrap()), n);
    return {
      condition: place.condition,
      group: place.part.group,
      before: rate(first),
      after: rate(second),
      comparison: known[index] ?? tested[open.indexOf(place)]!,
      among: family === null ? null : known[index] === null ? 'all pairs' : family.by,
      within: withinOf(first, second, n, settings),
    };
  });
  const [allWords, ...singly] = changes as [Change, ...Change[]];
  const isOfRun = conditions.length > 0 && conditions.every((place) => known[place + 1] !== null);
  const ranks = isOfRun && settings.margin == null ? (family?.ranks ?? null) : null;
  const mean = ranks === 'clean' ? null : ranks;
  const atClean = singly.find(({ condition, group }) => group === null && nameOf(condition!) === clean.name);
  const overall: Change =
    ranks === 'clean' && atClean !== undefined
      ? atClean
      : mean === null
        ? allWords
        : { ...allWords, before: mean.before, after: mean.after, comparison: mean.comparison, among: family!.by };
  const leader = are === 'names' && overall.before.value! < overall.after.value! ? 'before' : 'after';
  return {
    ...{ overall, leader, meanOf: mean },
    ...worstOf(tally, leader, bootstrap()),
    conditions: singly.filter((one) => one !== overall && one.condition !== null && one.group === null),
    groups: singly.filter(({ condition, group }) => condition === null && group !== null),
    groupsInConditions: singly.filter(({ condition, group }) => condition !== null && group !== null),
    again: concludeAgain(tally, settings, counted.pairs.length),
  };
}

/** How far one side is above its clean audio, and the condition in which it is furthest, of those in which its interval says that it is. */
function worstOf(
  { slices, conditions }: PairTally,
  side: 'before' | 'after',
  bootstrap: Parameters<typeof differenceInterval>[2],
): Pick<ComparisonResults, 'worst' | 'aboveClean'> {
  const baseline = conditions.findIndex(({ name }) => name === clean.name);
  const whole = slices.whole();
  const own = (condition: number) => gather(whole, pairSeries[side](condition));
  const aboveClean = conditions.flatMap((_, condition): AboveClean[] => {
    if (baseline < 0 || condition === baseline) return [];
    const { counts, n } = own(condition);
    const above = toEstimate(differenceInterval(own(baseline).counts, counts, bootstrap), n);
    return [{ condition, above, rate: toEstimate(rateInterval(counts, bootstrap), n) }];
  });
  const [worst = null] = aboveClean
    .filter(({ above: { low } }) => low !== null && low > 0)
    .toSorted((a, b) => b.above.value! - a.above.value!);
  return { aboveClean, worst };
}

/** Where two sides are compared. */
interface Place {
  /** Null: all conditions. */
  readonly condition: number | null;
  readonly part: Part;
  /** Of a family; the first if absent. */
  readonly pair?: number;
}

/**
 * The least margin within which two rates are shown to be the same: the further end of the interval of their difference that leaves out as much
 * on each side as the level leaves out in all (90 % for a level of 95 %). That is two one-sided tests (D. Schuirmann, Journal of
 * Pharmacokinetics and Biopharmaceutics 15, 1987): where the truth lies at a margin, this is below it in at most 1 - level.
 */
function withinOf(
  first: ClusteredCounts,
  second: ClusteredCounts,
  n: SampleSize,
  { level, resamples, minimumSpeakers, seed }: ComparisonSettings,
): Estimate {
  const options = { level: 2 * level - 1, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const { value, low, high, reason } = differenceInterval(first, second, options);
  const method = 'further end of the interval of two one-sided tests';
  const told = (further: number | null, why: Reason) => measured(further, n, why, method);
  // Where every speaker changed alike, no resample says otherwise.
  if (reason?.code === 'alike' && value === 0) return told(0, { code: 'unchanged' });
  return low === null || high === null
    ? told(null, reason ?? { code: 'no-interval' })
    : told(Math.max(-low, high), { code: 'a-bound' });
}

/** Whether answers of the two sides differ more often than two answers of one side to the same clip. */
function concludeAgain({ again }: PairTally, settings: ComparisonSettings, pairs: number): Again | null {
  const whole = again.whole();
  const [before, after, within, between] = [
    againSeries.before,
    againSeries.after,
    againSeries.within,
    againSeries.between,
  ].map((series) => gather(whole, series)) as [Gathered, Gathered, Gathered, Gathered];
  if (between.n.pairs === 0) return null;
  const { level, resamples, minimumSpeakers, seed } = settings;
  const share = ({ counts, n: { words: _, ...n } }: Gathered) =>
    toEstimate(
      rateInterval(counts, { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) }),
      n,
    );
  const { words: _, ...n } = between.n;
  const [comparison] = compareAll([null], () => ({ first: within.counts, second: between.counts, n }), {
    ...{ level, resamples, minimumSpeakers, seed },
  });
  return {
    ...{ before: share(before), after: share(after), within: share(within), between: share(between) },
    comparison: pairs === 1 ? comparison! : amongPairs(comparison!, pairs, minimumSpeakers),
  };
}

/** A test of two that were chosen out of so many pairs. */
function amongPairs({ difference, reason, ...tested }: Comparison, pairs: number, minimumSpeakers: number): Comparison {
  const adjusted = tested.adjustedPValue === null ? null : Math.min(1, pairs * tested.adjustedPValue);
  const why = reason === undefined ? {} : { reason };
  return toComparison(difference, { ...tested, ...why }, adjusted, `Bonferroni correction over ${pairs} pairs`, {
    minimumSpeakers,
  });
}

/** Which utterances or speakers decide differences, and rates of one side. */
function decisiveChanges(
  tally: PairTally,
  { overall, meanOf, conditions, groups, groupsInConditions }: ComparisonResults,
  names: { readonly before: string; readonly after: string },
  { level, resamples, minimumSpeakers, seed }: ComparisonSettings,
) {
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const { clusters } = tally.slices;
  const parts = [tally.slices.whole(), ...tally.slices.groups()];
  // Who decides a mean of the run, the run says.
  return [...(meanOf === null ? [overall] : []), ...conditions, ...groups, ...groupsInConditions].flatMap((change) => {
    const { condition, group, before, after, comparison } = change;
    const part = parts.find((one) => one.group?.attribute === group?.attribute && one.group?.value === group?.value);
    if (part === undefined) return [];
    const [was, is, apart] =
      condition === null
        ? [pairSeries.allBefore, pairSeries.allAfter, pairSeries.allDifference]
        : [pairSeries.before(condition), pairSeries.after(condition), pairSeries.difference(condition)];
    const [first, second] = [was, is].map((series) => gather(part, series).counts) as [
      ClusteredCounts,
      ClusteredCounts,
    ];
    const difference = { ...second, numerators: second.numerators.map((errors, at) => errors - first.numerators[at]!) };
    const of = (counts: ClusteredCounts, series: number, estimate: Estimate) =>
      decisiveOf(
        { counts, units: part.units, watch: part.watch(series) },
        () => estimate,
        bootstrap,
        clusters.speakerOf,
      );
    const place = placeInWords(change, tally);
    const to = named(names.before);
    return [
      { change, where: `${named(names.after)}, ${place}`, to, decisive: of(difference, apart, comparison.difference) },
      { change, where: `${named(names.before)}, ${place}`, decisive: of(first, was, before) },
      { change, where: `${named(names.after)}, ${place}`, decisive: of(second, is, after) },
    ].flatMap(({ decisive, ...one }) => (decisive === null ? [] : [{ ...one, decisive }]));
  });
}

/** Who decides differences and rates, and the changes, of which those that somebody decides do not ask for more speakers. */
export function withWhoDecides(
  tally: PairTally,
  results: ComparisonResults,
  names: { readonly before: string; readonly after: string },
  settings: ComparisonSettings,
) {
  const decided = decisiveChanges(tally, results, names, settings);
  const through = (change: Change): Change => {
    const found = decided.find((one) => one.change === change && one.to !== undefined);
    return found === undefined ? change : { ...change, comparison: decidedBy(change.comparison, found.decisive) };
  };
  const told: ComparisonResults = {
    ...results,
    overall: through(results.overall),
    conditions: results.conditions.map(through),
    groups: results.groups.map(through),
    groupsInConditions: results.groupsInConditions.map(through),
  };
  return { results: told, decided };
}

function placeInWords({ condition, group }: Change, { conditions }: PairTally): string {
  const only = conditions.length === 1 ? 0 : null;
  const number = condition ?? only;
  const where = number === null ? 'all conditions' : conditions[number]!.name;
  return group === null ? named(where) : `${named(where)}, ${named(group.attribute)} ${named(group.value)}`;
}
