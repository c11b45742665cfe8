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
  /** Conditions that are kept. */
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
  // What not every group has answered would compare groups in different conditions.
  const leaves = measures.flatMap((measure) =>
    conditions.flatMap((condition): Leaf[] =>
      present.every((part) => hasWords(part, { measure, condition }, tally)) ? [{ measure, condition }] : [],
    ),
  );
  for (const { measure, family, leaves: own } of scopesOf(leaves, measures, design)) {
    const counts = present.map((part) => groupCounts(part, own, design.families, tally));
    present.forEach((part, place) => {
      const here = counts[place]!;
      if (here === null) return;
      const group = nameOf(part);
      const estimates = estimatesOf(here, known);
      found.degradations.push({ attribute, group, kind, measure, family, ...estimates });
    });
    const sides = counts.map(sideOf);
    const place = (test: GroupTest) => ({
      ...pairOf(attribute, present, test),
      quantity: 'degradation' as const,
      kind,
      measure,
      recognizer: null,
      family,
    });
    (measure === null && family === null ? overall : parts).push({ sides, place });
  }
  const standing = standingsOf(side, known);
  const run = (asked: readonly AskedGroups[], into: (one: AskedGroups) => MadeTest[], use: string, share: number) => {
    const tests = testTogether(
      asked.map(({ sides }) => sides),
      settingsOf(known, [use, attribute, kind]),
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

/** Groups that are to be compared with each other in one measure. */
interface AskedGroups {
  readonly sides: readonly (GroupSide | null)[];
  place(test: GroupTest): MadeTest['place'];
}

/** Where groups stand before anything is done to the sound. */
function standingsOf({ attribute, kind, measures, present }: Side, { tally }: Known): AskedGroups[] {
  const own = measures.filter((measure) => present.every((one) => wordsBefore(one, measure, tally) > 0));
  const sides = present.map((part) => {
    const counts = baselineCounts(part, own, tally);
    return counts === null ? null : { ...counts, clusters: part.rows.map((row) => part.clusterOf(row)) };
  });
  const scope = { kind, measure: null, recognizer: null, family: null };
  return [{ sides, place: (test) => ({ ...pairOf(attribute, present, test), quantity: 'baseline', ...scope }) }];
}

/** Whether recognizers that fail at all fail some groups more often. */
export function addFailures(found: Findings, attribute: string, parts: readonly Part[], known: Known): void {
  for (const [recognizer, { name }] of known.design.recognizers.entries()) {
    const sides = parts.map((part): GroupSide => {
      const { counts, n } = gather(part, known.tally.series.failures(recognizer));
      return { counts: { ...counts, proportion: true }, clusters: part.rows.map((row) => part.clusterOf(row)), n };
    });
    if (sides.every(({ counts }) => counts.numerators.every((count) => count === 0))) continue;
    for (const test of testPairs(sides, settingsOf(known, ['failures', attribute, name]))) {
      const scope = { kind: null, measure: null, recognizer, family: null };
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

function estimatesOf(
  { before, after, n }: GroupCounts,
  { options: { level, resamples, minimumSpeakers }, seed }: Known,
): { readonly baseline: Estimate; readonly degradation: Estimate } {
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
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
  readonly comparison: Comparison;
}

/** A group that has no words. */
export interface SilentGroup {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
}
