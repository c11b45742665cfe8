import type { Json } from '../../base/json.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { StudyContext } from '../contract.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { GroupSide } from '../shared/group-pairs.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import { type GroupTest, testPairs, testTogether } from '../shared/test-groups.ts';
import { type DegradationOptions, type Design, type MeasureKind, study } from './design.ts';
import {
  baselineCounts,
  type GroupCounts,
  type GroupRate,
  groupCounts,
  hasWords,
  type Leaf,
  type Tally,
  wordsBefore,
} from './tally.ts';

/** A test whose correction waits for all others that are made. */
export interface MadeTest {
  readonly place: Omit<GroupComparison, 'comparison'>;
  readonly test: GroupTest;
}

/** What is found while the attributes are gone through. */
export interface Findings {
  readonly degradations: GroupDegradation[];
  readonly overall: MadeTest[];
  readonly before: MadeTest[];
  readonly details: MadeTest[];
  readonly rates: GroupRate[];
  readonly silent: SilentGroup[];
}

/** What every part of the conclusion needs. */
interface Known {
  readonly tally: Tally;
  readonly design: Design;
  readonly options: DegradationOptions;
  readonly seed: number;
  readonly computing: StudyContext['computing'];
}

/** Groups of one attribute by one kind of measure, and what they are compared in. */
interface Side {
  readonly attribute: string;
  readonly kind: MeasureKind;
  readonly measures: readonly number[];
  /** Conditions that are not left out by name. */
  readonly conditions: readonly number[];
  /** Groups that have words. */
  readonly present: readonly Part[];
}

/** What groups lose, over everything and in detail, and whether some lose more. */
export function addDegradations(found: Findings, side: Side, attributes: number, known: Known): void {
  const { attribute, kind, measures, conditions, present } = side;
  const { tally, design } = known;
  const overall: AskedGroups[] = [];
  const parts: AskedGroups[] = [];
  const all = measures.flatMap((measure) => conditions.map((condition): Leaf => ({ measure, condition })));
  for (const { measure, family, leaves } of scopesOf(all, measures, design)) {
    // Each group has its own: what one lacks takes nothing from the others.
    const cells = present.map((part) => leaves.filter((leaf) => hasWords(part, leaf, tally)));
    const wanted = leaves.filter((leaf) => cells.some((own) => own.includes(leaf)));
    const countsOver = (group: number, own: readonly Leaf[]) =>
      own.length === 0 ? null : groupCounts(present[group]!, own, design.families, tally);
    present.forEach((part, group) => {
      const here = countsOver(group, cells[group]!);
      if (here === null) return;
      const over = overInWords(cells[group]!, wanted, kind);
      const place = { attribute, group: nameOf(part), kind, measure, family, over };
      found.degradations.push({ ...place, ...estimatesOf(here, known) });
    });
    const isLost = (leaf: Leaf, ...pair: readonly [number, number]) =>
      isAboveCeiling(
        pair.map((group) => present[group]!),
        leaf,
        known,
      );
    const asked = askedOver(cells, (group, own) => sideOf(countsOver(group, own)), isLost).map(
      ({ shared, ...one }): AskedGroups => ({
        ...one,
        place(test) {
          const over = overInWords(shared, wanted, kind);
          const lossOf = (group: number) => estimatesOf(countsOver(group, shared)!, known).degradation;
          return {
            ...pairOf(attribute, present, test),
            ...{ quantity: 'degradation', kind, measure, recognizer: null, family },
            conditions: conditions.filter((condition) => shared.some((leaf) => leaf.condition === condition)),
            rests: over === null ? null : { over, own: lossOf(test.second), others: lossOf(test.first) },
          };
        },
      }),
    );
    (measure === null && family === null ? overall : parts).push(...asked);
  }
  const standing = standingsOf(side, known);
  const run = (asked: readonly AskedGroups[], into: (one: AskedGroups) => MadeTest[], use: string, share: number) => {
    const tests = testTogether(
      asked.map(({ sides }) => sides),
      { ...settingsOf(known, [use, attribute, kind]), isAsked: (measure, ...pair) => asked[measure]!.isAsked(...pair) },
    );
    asked.forEach((one, number) => {
      for (const test of tests[number]!) {
        const { adjustedPValue } = test;
        const times = attributes / share;
        const adjusted = adjustedPValue == null ? {} : { adjustedPValue: Math.min(1, times * adjustedPValue) };
        into(one).push({
          place: one.place(test),
          test: { ...test, ...adjusted, test: `${test.test}${shareInWords(share, attributes)}` },
        });
      }
    });
  };
  run(overall, () => found.overall, 'overall', overallShare);
  run(
    [...parts, ...standing],
    (one) => (standing.includes(one) ? found.before : found.details),
    'detail',
    1 - overallShare,
  );
}

/** How much of the error is for the study's question, what is lost over all conditions; the rest is for all parts of it. Attributes share both. */
export const overallShare = 0.8;

function shareInWords(share: number, attributes: number): string {
  return `, with ${Math.round(100 * share)} % of the error${attributes > 1 ? ` over ${attributes} attributes` : ''}`;
}

/** Groups that are to be compared with each other in one measure, over the same conditions. */
interface AskedGroups {
  readonly sides: readonly (GroupSide | null)[];
  isAsked(first: number, second: number): boolean;
  place(test: GroupTest): MadeTest['place'];
}

/**
 * Pairs of groups, those that share the same cells together: each pair is compared over all that both have. Groups that have these cells too
 * stand beside them, so that speakers are dealt among all.
 *
 * @param cells of each group
 * @param isLost whether two groups are not compared in a cell that both have
 */
function askedOver<Cell>(
  cells: readonly (readonly Cell[])[],
  sideOver: (group: number, shared: readonly Cell[]) => GroupSide | null,
  isLost: (cell: Cell, first: number, second: number) => boolean = () => false,
): (Omit<AskedGroups, 'place'> & { readonly shared: readonly Cell[] })[] {
  const numbers = new Map([...new Set(cells.flat())].map((cell, number) => [cell, number]));
  const pairs = cells.flatMap((one, first) =>
    cells.slice(first + 1).map((other, offset) => {
      const second = first + 1 + offset;
      const shared = one.filter((cell) => other.includes(cell) && !isLost(cell, first, second));
      return { first, second, shared, key: shared.map((cell) => numbers.get(cell)).join() };
    }),
  );
  return [...Map.groupBy(pairs, ({ key }) => key).values()].map((own) => {
    const { shared } = own[0]!;
    return {
      shared,
      sides: cells.map((has, group) => (shared.every((cell) => has.includes(cell)) ? sideOver(group, shared) : null)),
      isAsked: (first, second) => own.some((pair) => pair.first === first && pair.second === second),
    };
  });
}

/**
 * Whether so much is lost of some groups together that none of them can lose more than another: by the measure that is compared, and by
 * the speakers who are, so that it is the same whoever else is there. `profile: aequevox` leaves out by name alone, as the paper does.
 */
export function isAboveCeiling(
  parts: readonly Part[],
  { measure, condition }: Leaf,
  { tally, options }: Pick<Known, 'tally' | 'options'>,
): boolean {
  if (options.profile === 'aequevox') return false;
  const sums = parts.map((part) => part.counts(tally.series.after(measure, condition))?.totals(part.rows));
  const [lost, words] = (['errors', 'words'] as const).map((of) =>
    sums.reduce((sum, one) => sum + (one?.[of] ?? 0), 0),
  );
  return words! > 0 && lost! > options.ceiling * words!;
}

/** `9 of 10 conditions`, where a number rests on fewer cells than the others; null where it rests on all. */
function overInWords(own: readonly Leaf[], all: readonly Leaf[], kind: MeasureKind): string | null {
  if (own.length === all.length) return null;
  const [here, there] = [own, all].map((leaves) => ({
    conditions: new Set(leaves.map(({ condition }) => condition)).size,
    measures: new Set(leaves.map(({ measure }) => measure)).size,
  }));
  const who = kind === 'distance' ? 'pairs of recognizers' : 'recognizers';
  if (own.length < here!.conditions * here!.measures) return `${own.length} of ${all.length} conditions of ${who}`;
  return [
    ...(here!.conditions < there!.conditions ? [`${here!.conditions} of ${there!.conditions} conditions`] : []),
    ...(here!.measures < there!.measures ? [`${here!.measures} of ${there!.measures} ${who}`] : []),
  ].join(' and ');
}

/** Where groups stand before anything is done to the sound. */
function standingsOf({ attribute, kind, measures, present }: Side, known: Known): AskedGroups[] {
  const { tally } = known;
  const all = measures.map((measure): Leaf => ({ measure, condition: 0 }));
  const cells = present.map((part) => all.filter(({ measure }) => wordsBefore(part, measure, tally) > 0));
  const wanted = all.filter((leaf) => cells.some((own) => own.includes(leaf)));
  const sideOver = (group: number, shared: readonly Leaf[]): GroupSide | null => {
    const part = present[group]!;
    const counts = baselineCounts(
      part,
      shared.map(({ measure }) => measure),
      tally,
    );
    return counts === null ? null : { ...counts, clusters: part.rows.map((row) => part.clusterOf(row)) };
  };
  return askedOver(cells, sideOver).map(
    ({ shared, ...one }): AskedGroups => ({
      ...one,
      place(test) {
        const over = overInWords(shared, wanted, kind);
        const rateOf = (group: number) => {
          const { counts, n } = sideOver(group, shared)!;
          return toEstimate(rateInterval(counts, bootstrapOf(known)), n);
        };
        return {
          ...pairOf(attribute, present, test),
          ...{ quantity: 'baseline', kind, measure: null, recognizer: null, family: null, conditions: [] },
          rests: over === null ? null : { over, own: rateOf(test.second), others: rateOf(test.first) },
        };
      },
    }),
  );
}

/** Whether recognizers that fail at all fail some groups more often. */
export function addFailures(found: Findings, attribute: string, parts: readonly Part[], known: Known): void {
  for (const [recognizer, { name }] of known.design.recognizers.entries()) {
    const sides = parts.map((part): GroupSide => {
      const { counts, n } = gather(part, known.tally.series.failures(recognizer));
      return { counts: { ...counts, proportion: true }, clusters: part.rows.map((row) => part.clusterOf(row)), n };
    });
    const fails = sides.map(({ counts }) => counts.numerators.some((count) => count > 0));
    const isAsked = (_: number, first: number, second: number) => fails[first] === true || fails[second] === true;
    for (const test of testPairs(sides, { ...settingsOf(known, ['failures', attribute, name]), isAsked })) {
      const scope = { kind: null, measure: null, recognizer, family: null, conditions: [], rests: null };
      found.before.push({ place: { ...pairOf(attribute, parts, test), quantity: 'failures', ...scope }, test });
    }
  }
}

function settingsOf({ options, seed, computing }: Known, what: Json) {
  const { level, resamples, permutations, minimumSpeakers } = options;
  return { level, resamples, permutations, minimumSpeakers, seed, study: study.name, computing, what };
}

/** The value of the attribute that makes the group. */
export function nameOf(part: Part): string {
  return part.group!.value;
}

function pairOf(attribute: string, parts: readonly Part[], { first, second }: GroupTest) {
  return { attribute, group: nameOf(parts[second]!), comparedWith: nameOf(parts[first]!) };
}

/** Everything together; by measure, where there are several; by family, where there are several. */
function scopesOf(leaves: readonly Leaf[], measures: readonly number[], { families }: Design) {
  const all = { measure: null, family: null, leaves };
  const byMeasure = measures.map((measure) => ({
    measure,
    family: null,
    leaves: leaves.filter((leaf) => leaf.measure === measure),
  }));
  const byFamily = families.map(({ name, conditions }) => ({
    measure: null,
    family: name,
    leaves: leaves.filter(({ condition }) => conditions.includes(condition)),
  }));
  return [all, ...(measures.length > 1 ? byMeasure : []), ...(families.length > 1 ? byFamily : [])].filter(
    (scope) => scope.leaves.length > 0,
  );
}

function bootstrapOf({ options: { level, resamples, minimumSpeakers }, seed }: Known) {
  return { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
}

function estimatesOf(
  { before, after, n }: GroupCounts,
  known: Known,
): { readonly baseline: Estimate; readonly degradation: Estimate } {
  const bootstrap = bootstrapOf(known);
  return {
    baseline: toEstimate(rateInterval(before, bootstrap), n),
    degradation: toEstimate(differenceInterval(before, after, bootstrap), n),
  };
}

function sideOf(counts: GroupCounts | null): GroupSide | null {
  return counts === null ? null : { counts: counts.degradation, clusters: counts.clusters, n: counts.n };
}

/** How much a group loses, over all measures and conditions of a kind or over some. */
export interface GroupDegradation {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
  /** Null: the mean over all of the kind. */
  readonly measure: number | null;
  /** Null: the mean over all families. */
  readonly family: string | null;
  /** `9 of 10 conditions`, where the group has words in no more; null: it has in all. */
  readonly over: string | null;
  readonly baseline: Estimate;
  readonly degradation: Estimate;
}

/** What is compared between groups: what they lose, where they stand before, or how often a recognizer fails. */
type Quantity = 'degradation' | 'baseline' | 'failures';

export interface GroupComparison {
  readonly attribute: string;
  /** `comparison` is about this one: its value less that of `comparedWith`. */
  readonly group: string;
  readonly comparedWith: string;
  readonly quantity: Quantity;
  /** Null for failures. */
  readonly kind: MeasureKind | null;
  readonly measure: number | null;
  /** For failures. */
  readonly recognizer: number | null;
  readonly family: string | null;
  /** In which both groups are compared; none for failures and before any perturbation. */
  readonly conditions: readonly number[];
  /** What the difference rests on, and the two numbers it is the difference of, where the groups do not share everything; else null. */
  readonly rests: { readonly over: string; readonly own: Estimate; readonly others: Estimate } | null;
  readonly comparison: Comparison;
}

/** A group that has no words. */
export interface SilentGroup {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
}
