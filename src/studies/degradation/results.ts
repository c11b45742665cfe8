import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { holm } from '../../statistics/significance/holm.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import { concluded, type GroupSide, type GroupTest, testPairs, testPairsTogether } from './compare-groups.ts';
import type { Design, MeasureKind } from './design.ts';
import { baselineCounts, type GroupCounts, groupCounts, hasWords, type Leaf, wordsBefore } from './group-counts.ts';
import { type GroupRate, groupRates } from './group-rates.ts';
import { groupsWithoutRoom, type KeptCondition, keptConditions, type NoRoom } from './kept-conditions.ts';
import type { DegradationOptions } from './options.ts';
import { type PublishedCounts, publishedCounts } from './published.ts';
import type { Tally } from './tally.ts';

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
export type Quantity = 'degradation' | 'baseline' | 'failures';

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

export interface Results {
  readonly kept: readonly KeptCondition[];
  readonly noRoom: readonly NoRoom[];
  readonly published: readonly PublishedCounts[];
  readonly degradations: readonly GroupDegradation[];
  /** The question of the study: over everything. */
  readonly overall: readonly GroupComparison[];
  /** The same where nothing has been done to the sound, and of failures. */
  readonly before: readonly GroupComparison[];
  /** By measure and by family. */
  readonly details: readonly GroupComparison[];
  readonly rates: readonly GroupRate[];
  /** Groups that have no words, by attribute. */
  readonly silent: readonly { readonly attribute: string; readonly group: string; readonly kind: MeasureKind }[];
}

/** Turns counts into estimates, intervals and tests. */
export function conclude(tally: Tally, design: Design, options: DegradationOptions, seed: number): Results {
  const kept = keptConditions(tally, design, options);
  const groups = Map.groupBy(tally.slices.groups(), ({ group }) => group!.attribute);
  const kinds = [...new Set(design.measures.map(({ kind }) => kind))];
  const { level, resamples, permutations, minimumSpeakers } = options;
  const settings = (what: Json) => ({ level, resamples, permutations, minimumSpeakers, seed, what });
  const degradations: GroupDegradation[] = [];
  const overall: GroupComparison[] = [];
  const before: { readonly place: Omit<GroupComparison, 'comparison'>; readonly test: GroupTest }[] = [];
  const details: typeof before = [];
  const silent: { readonly attribute: string; readonly group: string; readonly kind: MeasureKind }[] = [];
  const rates: GroupRate[] = [];

  for (const [attribute, parts] of groups) {
    for (const kind of kinds) {
      const measures = design.measures.flatMap((measure, number) => (measure.kind === kind ? [number] : []));
      const conditions = kept.filter((one) => one.kind === kind && one.kept).map(({ condition }) => condition);
      const present = parts.filter((part) => measures.some((measure) => wordsBefore(part, measure, tally) > 0));
      for (const part of parts) {
        if (!present.includes(part)) silent.push({ attribute, group: part.group!.value, kind });
      }
      if (present.length < 2) continue;
      // What not every group has answered would compare groups in different conditions.
      const leaves = measures.flatMap((measure) =>
        conditions.flatMap((condition): Leaf[] =>
          present.every((part) => hasWords(part, { measure, condition }, tally)) ? [{ measure, condition }] : [],
        ),
      );
      const scopes = scopesOf(leaves, measures, design);
      for (const { measure, family, leaves: own } of scopes) {
        const counts = present.map((part) => groupCounts(part, own, design.families, tally));
        const name = (part: Part) => part.group!.value;
        const what = [attribute, kind, measure === null ? null : design.measures[measure]!.name, family];
        present.forEach((part, place) => {
          const here = counts[place]!;
          if (here === null) return;
          degradations.push({
            attribute,
            group: name(part),
            kind,
            measure,
            family,
            ...estimatesOf(here, [...what, name(part)], options, seed),
          });
        });
        const sides = counts.map(sideOf);
        const place = (test: GroupTest) => ({
          attribute,
          group: name(present[test.second]!),
          comparedWith: name(present[test.first]!),
          quantity: 'degradation' as const,
          kind,
          measure,
          recognizer: null,
          family,
        });
        if (measure === null && family === null) {
          for (const test of testPairsTogether(sides, settings(['overall', ...what]))) {
            const adjusted = test.pValue === null ? null : Math.min(1, groups.size * test.pValue);
            const correction = groups.size > 1 ? `, Bonferroni correction over ${groups.size} attributes` : '';
            overall.push({ ...place(test), comparison: concluded(test, adjusted, correction) });
          }
        } else {
          for (const test of testPairs(sides, settings(['detail', ...what])))
            details.push({ place: place(test), test });
        }
      }
      const standing = present.map((part) => {
        const own = measures.filter((measure) => present.every((one) => wordsBefore(one, measure, tally) > 0));
        const found = baselineCounts(part, own, tally);
        return found === null ? null : { ...found, clusters: part.rows.map((row) => part.clusterOf(row)) };
      });
      for (const test of testPairs(standing, settings(['baseline', attribute, kind]))) {
        const names = { group: present[test.second]!.group!.value, comparedWith: present[test.first]!.group!.value };
        const place = {
          attribute,
          ...names,
          quantity: 'baseline',
          kind,
          measure: null,
          recognizer: null,
          family: null,
        } as const;
        before.push({ place, test });
      }
      rates.push(
        ...groupRates(attribute, kind, { parts: present, measures, conditions }, { tally, design, options, seed }),
      );
    }
    for (const [recognizer, { name }] of design.recognizers.entries()) {
      const sides = parts.map((part): GroupSide => {
        const { counts, n } = gather(part, tally.series.failures(recognizer));
        return { counts, clusters: part.rows.map((row) => part.clusterOf(row)), n };
      });
      if (sides.every(({ counts }) => counts.numerators.every((count) => count === 0))) continue;
      for (const test of testPairs(sides, settings(['failures', attribute, name]))) {
        const names = { group: parts[test.second]!.group!.value, comparedWith: parts[test.first]!.group!.value };
        const place = {
          attribute,
          ...names,
          quantity: 'failures',
          kind: null,
          measure: null,
          recognizer,
          family: null,
        } as const;
        before.push({ place, test });
      }
    }
  }
  return {
    kept,
    noRoom: groupsWithoutRoom(tally, design, options),
    published: publishedCounts(groups, kept, tally, design, options),
    degradations,
    overall,
    before: corrected(before),
    details: corrected(details),
    rates,
    silent,
  };
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
  what: Json,
  { level, resamples, minimumSpeakers }: DegradationOptions,
  seed: number,
): { readonly baseline: Estimate; readonly degradation: Estimate } {
  const bootstrap = (use: string) => ({
    level,
    resamples,
    minimumClusters: minimumSpeakers,
    random: createRandom({ seed, study: 'degradation', what, use }),
  });
  return {
    baseline: toEstimate(rateInterval(before, bootstrap('baseline')), n),
    degradation: toEstimate(differenceInterval(before, after, bootstrap('degradation')), n),
  };
}

function sideOf(counts: GroupCounts | null): GroupSide | null {
  return counts === null ? null : { counts: counts.degradation, clusters: counts.clusters, n: counts.n };
}

/** Corrected for all that are made together (Holm). */
function corrected(
  made: readonly { readonly place: Omit<GroupComparison, 'comparison'>; readonly test: GroupTest }[],
): GroupComparison[] {
  const adjusted = holm(made.map(({ test }) => test.pValue));
  return made.map(({ place, test }, number) => ({
    ...place,
    comparison: concluded(test, adjusted[number]!, `, Holm correction over ${made.length}`),
  }));
}
